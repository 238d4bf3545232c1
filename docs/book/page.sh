#!/bin/sh
# page.sh LANG NAME OUT: one page of the book, docs/NAME.md or docs/zh/NAME.md, as HTML in OUT (build/book/LANG/NAME.html),
# with the list of all pages beside it and the way to the page before and after.  Called by book.mk.
lang=$1 name=$2 out=$3
book=${out%/"$lang"/"$name".html}
case $lang in
en) folder=docs other=zh words='中文|before|next|On this page|Contents|To the text|Search|Nothing found' ;;
zh) folder=docs/zh other=en words='English|上一页|下一页|本页内容|目录|跳到正文|搜索|没有找到' ;;
esac
word() { echo "$words" | cut -d'|' -f"$1"; }
root=$(echo "$lang/$name" | sed 's|[^/]*$||; s|[^/]*/|../|g')
# A line each: the list of pages, links to the page before and after, this page's title.
pages=$(docs/book/pages.sh "$lang" parts) || exit 1
{ IFS= read -r nav; IFS= read -r before; IFS= read -r after; IFS= read -r title; } <<LINES
$(echo "$pages" | awk -v name="$name" -v there="$root$lang/" -v folder="$folder" -v before="$(word 2)" -v after="$(word 3)" '
    function link(words) { return "<a href=\"" there $0 ".html\">" words title "</a>" }
    /^= / { nav = nav "<li class=\"part\">" substr($0, 3) "</li>"; next }
    {
        file = folder "/" $0 ".md"; title = ""
        while (title == "" && (getline line < file) > 0) if (line ~ /^# /) title = substr(line, 3)
        close(file)
        gsub(/`/, "", title); gsub(/&/, "\\&amp;", title); gsub(/</, "\\&lt;", title)
        if ($0 == name) { here = title; nav = nav "<li class=\"here\" aria-current=\"page\">" title "</li>" }
        else {
            nav = nav "<li>" link("") "</li>"
            if (here == "") previous = link(before ": ")
            else if (following == "") following = link(after ": ")
        }
    }
    END { print nav; print previous; print following; print here }')
LINES
nav="<a href=\"$root$other/$name.html\">$(word 1)</a><input type=\"checkbox\" id=\"menu\"><label for=\"menu\">$(word 5)</label><ol>$nav</ol>"
search="<input type=\"search\" id=\"search\" placeholder=\"$(word 7)\" aria-label=\"$(word 7)\" \
data-root=\"$root\" data-nothing=\"$(word 8)\"><ul id=\"found\" aria-live=\"polite\"></ul>"
steps="<span>$before</span><span>$after</span>"

[ ! -t 2 ] || printf '\r\033[K%s' "$folder/$name.md" >&2 # on a terminal: how far it is
mkdir -p "$(dirname "$out")"
extensions=gfm
[ "$lang" = en ] || extensions=gfm+east_asian_line_breaks
pandoc -f $extensions -t html5 --standalone --template docs/book/page.html --toc --toc-depth 2 --lua-filter docs/book/links.lua \
    -M page="$folder/$name.md" -M root="$root" -M tags="$book/tags" -M book="$book" -M pagetitle="$title" \
    -V lang="$lang" -V root="$root" -V nav="$nav" -V steps="$steps" -V toctitle="$(word 4)" -V skip="$(word 6)" -V search="$search" \
    "$folder/$name.md" -o "$out.new" && mv "$out.new" "$out"
