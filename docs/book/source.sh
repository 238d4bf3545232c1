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
# What CUDA adds to C++ is coloured too; a line of comment stays one.
cuda_words() {
    case $file in
    *.cu | *.cuh | *.h) sed -E "/class=\"co\"/!s/(^|[^A-Za-z0-9_])($(paste -sd'|' docs/book/cuda-words))([^A-Za-z0-9_]|\$)/\1<span class=\"im\">\2<\/span>\3/g" ;;
    *) cat ;;
    esac
}
# The file of a step: back to its section, and on to the steps before and after it.
steps=
chapter=${file%%/*} name=${file##*/}
case $file in
0?_*/v[0-9]*_*.*)
    number=${name#v} number=${number%%_*} number=${number#0} step=v$number
    beside() {
        for f in "$chapter"/v"$1"_*.cu "$chapter"/v0"$1"_*.cu "$chapter"/[a-z]_*/v"$1"_*.cu "$chapter"/[a-z]_*/v0"$1"_*.cu; do
            case $f in *\** | *_plan.cu) continue ;; esac
            printf '<a href="%s%s.html">%s</a>' "$(echo "${file#*/}" | sed 's|[^/]*$||; s|[^/]*/|../|g')" "${f#*/}" "$2${f##*/}"
        done
    }
    up=$(echo "source/$file" | sed 's|[^/]*$||; s|[^/]*/|../|g')
    act=${file#*/} act=${act%/*} page=$chapter # an act has a page of its own: 07f_sell
    [ "$act" = "$name" ] || page=${chapter%%_*}$act
    steps="<span>$(beside $((number - 1)) '← ')</span><span><a href=\"${up}en/$page.html#$step\">$step</a> · "
    steps="$steps<a href=\"${up}zh/$page.html#$step\">中文</a></span><span>$(beside $((number + 1)) '→ ')</span>"
    ;;
esac
root=$(echo "source/$file" | sed 's|[^/]*$||; s|[^/]*/|../|g')
{
    printf '# %s\n\n~~~~~~~~{#L %s .numberLines .lineAnchors}\n' "$file" "$language"
    cat "$file"
    printf '\n~~~~~~~~\n'
} | pandoc -f markdown -t html5 --standalone --template docs/book/page.html -M pagetitle="$file" -V lang=en -V root="$root" -V steps="$steps" | cuda_words >"$out.new" &&
    mv "$out.new" "$out"
