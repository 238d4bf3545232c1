-- links.lua - pandoc filter of the book: links of a page of docs/ become links of the book, names of files, functions
-- and steps become links to the lines of the code, a step's changes are coloured, and comments go.
-- Metadata: page (docs/zh/01_reduce.md), root (../ for each folder between the page and build/book), tags (a file), book (build/book).

local page, root, chapter, book = '', '', '', ''
local tags = {}
local resolve = dofile('docs/book/resolve.lua')

local function exists(path)
    local f = io.open(path, 'r')
    if f then f:close() end
    return f ~= nil
end

local function is_folder(path) return path ~= '' and exists(path .. '/.') end

-- Where a file or folder of the course is in the book.
local function place(path, anchor)
    path = path:gsub('^docs/pages/', 'docs/') -- the page stands for its source
    local zh, en = path:match('^docs/zh/(.*)%.md$'), path:match('^docs/(.*)%.md$')
    if zh then return root .. 'zh/' .. zh .. '.html' .. anchor end
    if en then return root .. 'en/' .. en .. '.html' .. anchor end
    if path:match('^plots/pictures/') then return root .. path end
    if is_folder(path) then return root .. 'source/' .. path .. '/index.html' end
    return root .. 'source/' .. path .. '.html' .. anchor
end

local function at_line(tag)
    local file, line = tag:match('^(.*)\t(%d+)$')
    return root .. 'source/' .. file .. '.html#L-' .. line
end

local function start(meta)
    local function text(name) return pandoc.utils.stringify(meta[name] or '') end
    page, root, book = text('page'), text('root'), text('book')
    local number = page:match('(0%d)%l?_[%w_]+%.md$') -- also of the page of an act, 07a_...
    if text('tags') ~= '' then
        for line in io.lines(text('tags')) do
            local name, where = line:match('^([^\t]*)\t(.*)$')
            if name then tags[name] = where end
            local of_step = name and name:match('^step ([^/]*)/')
            if number and of_step and of_step:sub(1, 3) == number .. '_' then chapter = of_step end
        end
    end
end

local function comment(element)
    if element.format:match('html') and element.text:match('^%s*<!%-%-') then return {} end
end

local function link(element)
    if element.target:match('^%a+:') or element.target:match('^#') then return nil end
    local path, anchor = element.target:match('^([^#]*)(.*)$')
    element.target = place(resolve(page:match('^(.*)/') or '', path), anchor)
    return element, false -- what it says is not looked at again
end

local function image(element)
    if not element.src:match('^%a+:') then element.src = place(resolve(page:match('^(.*)/') or '', element.src), '') end
    return element, false
end

-- `common/lib/measure/harness.c`, `chapter.h` (of this chapter), `run_row`
-- `make play N=7 V="1 8"` (docs/player/pairs.sh), or of one step.
local function player(text)
    local n, steps = text:match('^make play N=(%d) V="?([%d/ ]+)"?$')
    local file = n and 'play/0' .. n .. steps:gsub('/', '-'):gsub('(%d%S*)%s*', '_v%1') .. '.html'
    if text:match('^make play .*race%.cu$') then file = 'play/01_race.html' end
    return file and exists(book .. '/' .. file) and root .. file .. (page:match('^docs/zh/') and '#zh' or '')
end

local function code(element)
    local text = element.text:gsub('%(%)$', '')
    local target = player(element.text)
    if target then
        return pandoc.Link(element, target, '', { class = 'code' }), false
    elseif tags[text] and not text:match('^cuda') then -- CUDA's own functions are not ours to show
        target = at_line(tags[text])
    elseif text:match('^[%w_.-][%w_./-]*$') then
        local path = text:gsub('/$', '')
        if chapter ~= '' and path:match('%.') and exists(chapter .. '/' .. path) then path = chapter .. '/' .. path end
        if path:match('[/.]') and not path:match('^%.') and not path:match('^build') and not path:match('^/') and
            not path:match('/solutions$') and exists(path) then -- those are for teachers
            target = place(path, '')
        end
    end
    if target then return pandoc.Link(element, target, '', { class = 'code' }), false end
end

-- Below a heading "v3: sequential addressing" of a chapter stand links to the step's code and to its player.
local function header(element)
    local id = pandoc.utils.stringify(element):match('^([vc]%d+)%f[%W]')
    local tag = id and tags['step ' .. chapter .. '/' .. id]
    if not tag then return element, false end
    local file, line = tag:match('^.*/([^/]*)\t(%d+)$')
    local links = { pandoc.Link(file .. ':' .. line, at_line(tag)) }
    local film = player(string.format('make play N=%d V=%s', chapter:match('^%d+'), id:sub(2)))
    if film and id:match('^v') then
        table.insert(links, pandoc.Space())
        table.insert(links, pandoc.Link(page:match('^docs/zh/') and '▶ 逐步播放' or '▶ step through it', film))
    end
    local here = pandoc.Div({}, pandoc.Attr(id)) -- the page of the code leads here; in the heading it would be in the contents, too
    return { here, element, pandoc.Div({ pandoc.Plain(links) }, pandoc.Attr('', { 'step' })) }, false
end

-- What CUDA adds to C++; source.sh colours the same in whole files.
local CUDA = {}
for word in io.open('docs/book/cuda-words'):lines() do CUDA[word] = true end

local KINDS = { ['+'] = 'added', ['-'] = 'removed', [' '] = 'same' }

local function escaped(text) return (text:gsub('&', '&amp;'):gsub('<', '&lt;')) end

-- What a step changes (docs/lesson.py): its lines coloured as CUDA, which were added or removed, and what was counted.
local function diff(element)
    if not element.classes:includes('diff') then return nil end
    local code, lines, n = {}, {}, 0
    for line in (element.text .. '\n'):gmatch('(.-)\n') do
        if not line:match('^[#@]') then table.insert(code, line:sub(2)) end
    end
    local block = pandoc.CodeBlock(table.concat(code, '\n'), pandoc.Attr('', { 'cpp' }))
    local html = pandoc.write(pandoc.Pandoc({ block }), 'html')
    html = html:gsub('<[^>]*>', function(tag) return (tag:gsub('\n', ' ')) end):match('<code[^>]*>(.*)</code>')
    local coloured = {}
    for line in (html .. '\n'):gmatch('(.-)\n') do
        line = line:gsub('^<span id=[^>]*><a [^>]*></a>(.*)</span>$', '%1')
        table.insert(coloured, (line:gsub('%f[%w_][%a_][%w_]*', function(word)
            return CUDA[word] and '<span class="im">' .. word .. '</span>'
        end)))
    end
    for line in (element.text .. '\n'):gmatch('(.-)\n') do
        local text
        if line:match('^#') then
            text = '<span class="counted">' .. escaped(line:sub(2)) .. '</span>'
        elseif line:match('^@') then
            text = '<span class="gap">⋯</span>'
        else
            n = n + 1
            text = '<span class="' .. (KINDS[line:sub(1, 1)] or 'same') .. '">' .. line:sub(1, 1) .. (coloured[n] or '') .. '</span>'
        end
        table.insert(lines, text)
    end
    return pandoc.RawBlock('html', '<pre class="diff" tabindex="0"><code>' .. table.concat(lines, '\n') .. '</code></pre>'), false
end

return {
    { Meta = start },
    { RawInline = comment, RawBlock = comment },
    { traverse = 'topdown', Link = link, Image = image, Code = code, CodeBlock = diff, Header = header },
}
