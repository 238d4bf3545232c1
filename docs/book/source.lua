-- source.lua - pandoc filter of the book: a folder of the course.  Each of its files becomes a page on which every line
-- has a number that can be linked to (#L-33); the document itself becomes the list of what is in the folder.  One process
-- makes a whole folder: to start pandoc for each of 1,900 files took twice as long as to highlight them.
-- Metadata: folder ('.' is the course), files and folders (what is in it, spaces between), book (build/book).

local LANGUAGES = {
    c = 'c', h = 'c', cu = 'cpp', cuh = 'cpp', cpp = 'cpp', hpp = 'cpp',
    sh = 'bash', run = 'bash', bootstrap = 'bash', awk = 'awk', mk = 'makefile', Makefile = 'makefile', lua = 'lua',
}
local template = pandoc.template.compile(io.open('docs/book/page.html'):read('a'))

-- What CUDA adds to C++ is coloured, too; a line of comment stays one.
local CUDA = {}
for word in io.open('docs/book/cuda-words'):lines() do CUDA[word] = true end
local function cuda_words(html)
    return (html:gsub('[^\n]+', function(line)
        if line:find('class="co"', 1, true) then return nil end
        return (line:gsub('%f[%w_][%a_][%w_]*', function(word)
            return CUDA[word] and '<span class="im">' .. word .. '</span>'
        end))
    end))
end

local function up(path) return (('../'):rep(select(2, path:gsub('/', '')))) end
local function link(to, text) return '<a href="' .. to .. '">' .. text .. '</a>' end

-- A chapter's step files by number: in its folder or in those of its acts.
local files_of = {}
local function step_files(chapter)
    if files_of[chapter] then return files_of[chapter] end
    local found = {}
    files_of[chapter] = found
    for path in io.popen('find ' .. chapter .. ' -name "v*.cu"'):lines() do
        local number = path:match('/v0*(%d+)_[^/]*%.cu$')
        if number and not path:match('_plan%.cu$') then found[tonumber(number)] = path:sub(#chapter + 2) end
    end
    return found
end

-- The page of a step's file leads back to its section, and on to the steps before and after it.
local function steps(path)
    local chapter, act, number = path:match('^(0%d_[^/]*)/(.-)v0*(%d+)_[^/]*$')
    if not number then return nil end
    local files = step_files(chapter)
    local function beside(n, arrow)
        local file = files[n]
        return file and link(up(path:sub(#chapter + 2)) .. file .. '.html', arrow .. file:match('[^/]*$')) or ''
    end
    local page = act == '' and chapter or chapter:sub(1, 2) .. act:sub(1, -2) -- an act has a page of its own: 07f_sell
    local root, step = up('source/' .. path), 'v' .. number
    local function section(language, text) return link(root .. language .. '/' .. page .. '.html#' .. step, text) end
    return '<span>' .. beside(number - 1, '← ') .. '</span><span>' .. section('en', step) .. ' · ' ..
        section('zh', '中文') .. '</span><span>' .. beside(number + 1, '→ ') .. '</span>'
end

local function page(path, book)
    local name = path:match('[^/]*$')
    local language = LANGUAGES[name:match('%.(%a+)$') or name] or ''
    local text = io.open(path):read('a'):gsub('\n$', '')
    local code = pandoc.CodeBlock(text, pandoc.Attr('L', { language, 'numberLines', 'lineAnchors' }))
    local document = pandoc.Pandoc({ pandoc.Header(1, { pandoc.Str(path) }), code })
    local html = pandoc.write(document, 'html', pandoc.WriterOptions({
        template = template, highlight_style = PANDOC_WRITER_OPTIONS.highlight_style,
        variables = { lang = 'en', pagetitle = path, root = up('source/' .. path), steps = steps(path) } }))
    if path:match('%.cuh?$') or path:match('%.h$') then html = cuda_words(html) end
    local out = io.open(book .. '/source/' .. path .. '.html', 'w')
    out:write(html)
    out:close()
end

function Pandoc(document)
    local meta = {}
    for _, key in ipairs({ 'folder', 'files', 'folders', 'book' }) do
        meta[key] = pandoc.utils.stringify(document.meta[key] or '')
    end
    local list = pandoc.List()
    local function entry(text, to) list:insert({ pandoc.Plain({ pandoc.Link(text, to) }) }) end
    for name in meta.folders:gmatch('%S+') do entry(name .. '/', name .. '/index.html') end
    for name in meta.files:gmatch('%S+') do
        page(meta.folder == '.' and name or meta.folder .. '/' .. name, meta.book)
        entry(name, name .. '.html')
    end
    local title, path = meta.folder, meta.folder .. '/'
    if title == '.' then title, path = 'The course', '' end
    local head = pandoc.Meta({ lang = 'en', pagetitle = title, root = up('source/' .. path) })
    return pandoc.Pandoc({ pandoc.Header(1, { pandoc.Str(title) }), pandoc.BulletList(list) }, head)
end
