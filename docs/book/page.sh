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
title() { sed -n 's/^# //p' "$folder/$1.md" | head -n 1 | sed 's/`//g; s/&/\&amp;/g; s/</\&lt;/g'; }
link() { printf '<a href="%s%s/%s.html">%s</a>' "$root" "$lang" "$1" "$2"; }

pages=$(docs/book/pages.sh "$lang" parts) || exit 1
nav="<a href=\"$root$other/$name.html\">$(word 1)</a><input type=\"checkbox\" id=\"menu\"><label for=\"menu\">$(word 5)</label><ol>"
before='' after='' previous=''
while IFS= read -r page; do
    case $page in '= '*) nav="$nav<li class=\"part\">${page#= }</li>"; continue ;; esac
    if [ "$page" = "$name" ]; then
        nav="$nav<li class=\"here\" aria-current=\"page\">$(title "$page")</li>"
        before=$previous
    else
        nav="$nav<li>$(link "$page" "$(title "$page")")</li>"
        [ "$previous" != "$name" ] || after=$page
    fi
    previous=$page
done <<PAGES
$pages
PAGES
nav="$nav</ol>"
search=
[ ! -e "$book/lunr.min.js" ] || search="<input type=\"search\" id=\"search\" placeholder=\"$(word 7)\" aria-label=\"$(word 7)\" \
data-root=\"$root\" data-nothing=\"$(word 8)\"><ul id=\"found\" aria-live=\"polite\"></ul>"
steps="<span>$([ -z "$before" ] || link "$before" "$(word 2): $(title "$before")")</span>"
steps="$steps<span>$([ -z "$after" ] || link "$after" "$(word 3): $(title "$after")")</span>"

[ ! -t 2 ] || printf '\r\033[K%s' "$folder/$name.md" >&2 # on a terminal: how far it is
mkdir -p "$(dirname "$out")"
extensions=gfm
[ "$lang" = en ] || extensions=gfm+east_asian_line_breaks
pandoc -f $extensions -t html5 --standalone --template docs/book/page.html --toc --toc-depth 2 --lua-filter docs/book/links.lua \
    -M page="$folder/$name.md" -M root="$root" -M tags="$book/tags" -M book="$book" -M pagetitle="$(title "$name")" \
    -V lang="$lang" -V root="$root" -V nav="$nav" -V steps="$steps" -V toctitle="$(word 4)" -V skip="$(word 6)" -V search="$search" \
    "$folder/$name.md" -o "$out.new" && mv "$out.new" "$out"
