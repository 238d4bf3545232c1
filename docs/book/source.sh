#!/bin/sh
# source.sh FILE OUT: a file of the course as a page of the book, every line with a number that can be linked to (#L-33).
# source.sh --index FOLDER OUT: what is in a folder.  Called by book.mk.
if [ "$1" = --index ]; then
    folder=$2 out=$3
    mkdir -p "$(dirname "$out")"
    root=$(echo "source/$folder/" | sed 's|[^/]*/|../|g')
    {
        printf '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>%s</title>' "$folder"
        printf '<link rel="stylesheet" href="%sstyle.css"></head><body><main>\n<h1>%s</h1>\n<ul>\n' "$root" "$folder"
        for path in "$folder"/*; do
            name=${path##*/}
            if [ -d "$path" ]; then [ ! -e "${out%index.html}$name/index.html" ] || printf '<li><a href="%s/index.html">%s/</a></li>\n' "$name" "$name"
            elif [ -e "${out%index.html}$name.html" ]; then printf '<li><a href="%s.html">%s</a></li>\n' "$name" "$name"; fi
        done
        printf '</ul>\n</main></body></html>\n'
    } >"$out.new" && mv "$out.new" "$out"
    exit
fi
file=$1 out=$2
[ ! -t 2 ] || printf '\r\033[K%s' "$file" >&2 # on a terminal: how far it is
mkdir -p "$(dirname "$out")"
case $file in
*.c | *.h) language=.c ;;
*.cu | *.cuh | *.cpp | *.hpp) language=.cpp ;;
*.sh | */run | bootstrap) language=.bash ;;
*.awk) language=.awk ;;
*.mk | *Makefile) language=.makefile ;;
*.lua) language=.lua ;;
*) language= ;;
esac
root=$(echo "source/$file" | sed 's|[^/]*$||; s|[^/]*/|../|g')
{
    printf '# %s\n\n~~~~~~~~{#L %s .numberLines .lineAnchors}\n' "$file" "$language"
    cat "$file"
    printf '\n~~~~~~~~\n'
} | pandoc -f markdown -t html5 --standalone --template docs/book/page.html -M pagetitle="$file" -V lang=en -V root="$root" -o "$out.new" &&
    mv "$out.new" "$out"
