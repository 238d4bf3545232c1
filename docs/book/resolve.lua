-- resolve.lua - for the pandoc filters of the book: docs/zh and ../01_reduce.md make docs/01_reduce.md
return function(folder, link)
    local parts = {}
    for part in (folder .. '/' .. link):gmatch('[^/]+') do
        if part == '..' then table.remove(parts) elseif part ~= '.' then table.insert(parts, part) end
    end
    return table.concat(parts, '/')
end
