-- whole.lua - pandoc filter of the book: all of its pages as one document, for make epub and make pdf.  The document that
-- is read is empty.  Links between pages become links inside; links to code become words, since the code is not in it.
-- Metadata: lang (en, zh-Hans), pages (names as docs/book/pages.sh prints them, spaces between).

local stringify, resolve = pandoc.utils.stringify, dofile('docs/book/resolve.lua')

-- Where a page, or a heading of it, is: an id in all of the book.
local function id(name, anchor) return 'p-' .. name:gsub('/', '-') .. (anchor ~= '' and '-' .. anchor or '') end

local function page(name, language, known)
    local file = (language == 'zh' and 'docs/zh/' or 'docs/') .. name .. '.md'
    local folder = file:match('^(.*)/')
    local document = pandoc.read(io.open(file):read('a'), language == 'zh' and 'gfm+east_asian_line_breaks' or 'gfm')
    local first = true
    return document:walk({
        RawInline = function() return {} end,
        RawBlock = function() return {} end,
        Header = function(element)
            element.identifier = id(name, first and '' or element.identifier)
            first = false
            return element
        end,
        Image = function(element)
            element.src = resolve(folder, element.src)
            return element
        end,
        Link = function(element)
            if element.target:match('^%a+:') then return nil end
            local path, anchor = element.target:match('^([^#]*)#?(.*)$')
            local pages = language == 'zh' and '^docs/zh/(.*)%.md$' or '^docs/(.*)%.md$'
            local to = path == '' and name or resolve(folder, path):match(pages)
            if not (to and known[to]) then return element.content end
            element.target = '#' .. id(to, anchor)
            return element
        end,
    }).blocks
end

function Pandoc(document)
    local language, known, blocks = stringify(document.meta.lang):sub(1, 2), {}, pandoc.List()
    for name in stringify(document.meta.pages):gmatch('%S+') do known[name] = true end
    for name in stringify(document.meta.pages):gmatch('%S+') do blocks:extend(page(name, language, known)) end
    return pandoc.Pandoc(blocks, document.meta)
end
