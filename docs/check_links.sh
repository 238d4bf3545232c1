#!/bin/sh
# check_links.sh: do the pages speak of things that are there?  In docs/*.md, docs/zh/*.md and README*.md it looks at
#   links          [text](target): the file or folder exists, seen from the page
#   file names     in backticks, if they look like a path of the course: it exists in the page's folder, at the
#                  root, or, a bare name, anywhere in the course
#   make goals     `make GOAL` and `./bootstrap GOAL`, in backticks or in a block of code: the Makefile has the goal
# Prints file:line and what is missing, and exits with 1.
cd "$(dirname "$0")/.." || exit 2
names=$(mktemp) || exit 2
claims=$(mktemp) || { rm -f "$names"; exit 2; }
trap 'rm -f "$names" "$claims"' EXIT

# Names of all files, and the goals of the Makefile.
find . \( -path ./build -o -path ./.git -o -path ./.scratch \) -prune -o -type f -print | sed 's|.*/||' >"$names"
goals=" $(sed -n 's/^\([a-z][a-z0-9 -]*\):.*/\1/p' Makefile | tr '\n' ' ') $(echo 0?_*/ | tr -d /) "

set --
for page in README*.md docs/*.md docs/zh/*.md; do [ -e "$page" ] && set -- "$@" "$page"; done

# claims: page, line, kind, what
awk '
function claim(kind, what) { print FILENAME "\t" FNR "\t" kind "\t" what }

# The goals named in a command line.
function command(text,    word, n, i) {
    if (text !~ /^(make|\.\/bootstrap)( |$)/) return
    sub(/[ \t]+#.*/, "", text)
    sub(/^\.\/bootstrap cuda/, "./bootstrap", text)    # the one word that is not for make
    gsub(/"[^"]*"/, "", text)
    n = split(text, word, /[ \t]+/)
    for (i = 2; i <= n; i++) {
        if (word[i] ~ /^[|;&>]/) return
        if (word[i] == "-C") i++
        else if (word[i] ~ /^[a-z0-9][a-z0-9_-]*$/) claim("goal", word[i])
    }
}

# A word in backticks that looks like a file of the course.
function path(word) {
    sub(/[:.,]+$/, "", word)
    if (word !~ /^[A-Za-z0-9_.][A-Za-z0-9_.\/-]*$/ || word ~ /^(build|my\.cu)/ || word ~ /^\.\.?[^\/]/) return
    sub(/^\.\//, "", word)
    if (word ~ /^[A-Z]+\.[a-z]+$/ && word !~ /^(README|LICENSE)/) return      # FILE.cu: the reader fills it in
    if (word ~ /[^\/.]\.(c|h|cu|cpp|hpp|md|sh|awk|gp|gpi|tsv|mk|svg|png|sed)$/ || word ~ /^(0[0-9]_[a-z_]+|common|docs|plots)\//)
        claim("file", word)
}

FNR == 1 { fenced = 0 }
/^[ ]*```/ { fenced = !fenced; next }
fenced || /^    / {
    line = $0
    sub(/^[ \t]+/, "", line)
    sub(/^\$ /, "", line)
    command(line)
    if (fenced) next
}
{
    line = $0
    while (match(line, /\]\([^)]*\)/)) {
        target = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        sub(/[ \t].*/, "", target)
        if (target ~ /^[a-z]+:/ || target ~ /^#/) continue
        sub(/#.*/, "", target)
        claim("link", target)
    }
    line = $0
    gsub(/<!--[^>]*-->/, "", line)
    while (match(line, /`[^`]*`/)) {
        code = substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
        command(code)
        n = split(code, word, /[ \t]+/)
        for (i = 1; i <= n; i++) if (n == 1 || word[i] ~ /\//) path(word[i])
    }
}' "$@" >"$claims"

status=0
tab=$(printf '\t')
while IFS=$tab read -r page line kind what; do
    folder=$(dirname "$page")
    case $kind in
    link) [ -e "$folder/$what" ] && continue ;;
    file)
        [ -e "$what" ] || [ -e "$folder/$what" ] && continue
        case $what in */*) ;; *) grep -Fqx -- "$what" "$names" && continue ;; esac
        ;;
    goal)
        case $what in [0-9]) echo 0"$what"_*/Makefile | grep -qv '\*' && continue ;; esac
        case $goals in *" $what "*) continue ;; esac
        ;;
    esac
    echo "$page:$line: no such $kind: $what"
    status=1
done <"$claims"
exit $status
