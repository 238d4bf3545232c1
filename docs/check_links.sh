#!/bin/sh
# check_links.sh: do the pages speak of things that are there?  In README*.md and all pages of docs/ it looks at
#   links          [text](target): the file or folder exists, seen from the page; after # a heading of that page
#   file names     in backticks, if they look like a path of the course: it exists in the page's folder, at the
#                  root, in the page's chapter, or, a bare name, anywhere in the course
#   make goals     `make GOAL` and `./bootstrap GOAL`, in backticks or in a block of code: the Makefile has the goal
#   variables      `make N=5 V=3`: the Makefiles use $(N) and $(V), or in the shell $$V
#   options        `--lanes` of the course's programs: some program has it; `make run N=5 ARGS="--lanes"`: chapter 05 has it
# and in their sources, docs/pages, at
#   records        a time, a rate or a ratio of two decimals is a placeholder that names its record, or the line or the one
#                  before says that it is an article's or the data sheet's
#   steps          v3, c5, v3/8: a step of the page's chapter, or of a chapter that the paragraph has named
# Prints page:line and what is missing, and exits with 1.
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM

# What there is.  Names of all files, goals and variables of the Makefiles, options ("CHAPTER name"; common for those that all
# have), steps ("CHAPTER id").
find . \( -path ./build -o -path ./.git -o -path ./.scratch -o -path ./work \) -prune -o -type f -print | sed 's|.*/||' >"$work/names"
goals=" $(sed -n 's/^\([a-z][a-z0-9 -]*\):.*/\1/p' Makefile ./*/goals.mk ./*/*/goals.mk ./*/*/*/goals.mk | tr '\n' ' ') $(echo 0?_*/ | tr -d /) "
# shellcheck disable=SC2016 # make's variables, not the shell's
grep -ohE '\$\([A-Z_]+\)|\$\$[A-Z_]+|^[A-Z_]+ *[?:]*=' Makefile ./*/goals.mk ./*/*/goals.mk ./*/*/*/goals.mk common/workshop/build/*.mk docs/book/*.mk | tr -dc 'A-Z_\n' | sort -u >"$work/variables"
for file in common/lib/measure/cli.c 0?_*/*.c 0?_*/*/*.c common/*/*.c common/*/*/*.c; do
    case $file in */tests/* | */test_*) continue ;; esac
    [ -e "$file" ] || continue
    sed -n 's/.*{"\([a-z][a-z0-9-]*\)", *\(OPT_[A-Z_]*\|'"'.'"'\),.*/\1/p' "$file" | sed "s|^|${file%%/*} |"
done | sort -u >"$work/options"
for script in docs/*.sh docs/book/*.sh common/workshop/tools/*.sh common/simtcc/simtcc; do grep -oh -- "'*--[a-z][a-z-]*" "$script" 2>/dev/null | sed "s/^'*--/scripts /"; done | sort -u >>"$work/options"
for file in 0?_*/*.def; do # STEP(v3, ...), CPU("c6/1", ...), SAME(v3, 8, ...): v3/8
    sed -nE 's/^[A-Z_]+\("?([vc][0-9][^",]*)"?, *".*/\1/p; s/^(CPU|FORMAT)\("?(c[0-9][^",]*)"?,.*/\2/p; s/^SAME\((v[0-9]+), *([a-z0-9]+),.*/\1\/\2/p' "$file" |
        sed "s|^|${file%%/*} |"
done | sort -u >"$work/steps"

set --
for page in README*.md docs/*.md docs/*/*.md docs/*/*/*.md docs/*/*/*/*.md; do [ -e "$page" ] && set -- "$@" "$page"; done

# The headings of a page as they are linked to: small letters, no punctuation, blanks become hyphens.
# shellcheck disable=SC1112 # quotes of Chinese text
awk '
FNR == 1 { fenced = 0; split("", seen) }
/^[ ]*```/ { fenced = !fenced; next }
fenced || !/^#+ / { next }
{
    line = $0
    sub(/^#+ +/, "", line); sub(/[ \t]+$/, "", line)
    gsub(/<!--[^>]*-->/, "", line)
    while (match(line, /\[[^]]*\]\([^)]*\)/)) {
        text = substr(line, RSTART + 1, RLENGTH - 1); sub(/\].*/, "", text)
        line = substr(line, 1, RSTART - 1) text substr(line, RSTART + RLENGTH)
    }
    line = tolower(line)
    gsub(/[]!"#$%&\047()*+,.\/:;<=>?@[\\^`{|}~]/, "", line)
    gsub(/，|。|：|；|？|！|（|）|、|“|”|‘|’|《|》|「|」|—|…|×|·|−|→/, "", line)
    gsub(/ /, "-", line)
    n = seen[line]++
    print FILENAME "#" line (n ? "-" n : "")
}' "$@" | sort >"$work/headings"


# claims: page, line, kind, what
awk -v STEPS="$work/steps" '
function claim(kind, what) { print FILENAME "\t" FNR "\t" kind "\t" what }

# The goals, variables and options named in a command line.
function command(text,    word, n, i, chapter, rest, goal) {
    if (text ~ /^(build|\$\(?BUILD\)?)\/[^ ]*\/bin\/0[0-9]_/) {
        chapter = text; sub(/.*\/bin\//, "", chapter); sub(/[ ].*/, "", chapter)
        sub(/[ \t]+#.*/, "", text)
        options(text, chapter)
        return
    }
    if (text !~ /^(make|\.\/bootstrap)( |$)/) return
    sub(/[ \t]+#.*/, "", text)
    rest = text
    chapter = "any"
    if (match(rest, /(N=| chapter | run )[0-9]/)) chapter = "0" substr(rest, RSTART + RLENGTH - 1, 1)
    while (match(rest, /"[^"]*"/)) { options(substr(rest, RSTART + 1, RLENGTH - 2), chapter); rest = substr(rest, RSTART + RLENGTH) }
    sub(/^\.\/bootstrap (cuda|mkl|packages)/, "./bootstrap", text)    # words that are not for make
    gsub(/"[^"]*"/, "", text)
    n = split(text, word, /[ \t]+/)
    for (i = 2; i <= n; i++) {
        if (word[i] ~ /^[|;&>]/) return
        if (word[i] == "-C" || word[i] == "-f") i++
        else if (word[i] ~ /^[a-z0-9][a-z0-9_-]*$/) claim("goal", word[i])
        else if (word[i] ~ /^[A-Z_]+=/) { sub(/=.*/, "", word[i]); claim("variable", word[i]) }
    }
}

function options(text, chapter,    word, n, i) {
    n = split(text, word, /[ \t]+/)
    for (i = 1; i <= n; i++) if (word[i] ~ /^--[a-z]/) { sub(/^--/, "", word[i]); sub(/[^a-z0-9-].*/, "", word[i]); claim("option", chapter " " word[i]) }
}

# A word in backticks that looks like a file of the course.
function path(word) {
    sub(/[:.,]+$/, "", word)
    sub(/:[0-9]+$/, "", word)
    if (word !~ /^[A-Za-z0-9_.][A-Za-z0-9_.\/-]*$/ || word ~ /^(build|work|my\.cu)/ || word ~ /^\.\.?[^\/]/) return
    sub(/^\.\//, "", word)
    if (word ~ /^[A-Z]+\.[a-z]+$/ && word !~ /^(README|LICENSE)/) return      # FILE.cu: the reader fills it in
    if (word ~ /[^\/.]\.(c|h|cu|cpp|hpp|md|sh|awk|gp|gpi|tsv|mk|svg|png|sed)$/ || word ~ /^(0[0-9]_[a-z_]+|common|docs|plots)\//)
        claim("file", word)
}

# Is there such a step?  In the page of a chapter: in this chapter, or in one that the paragraph has named.  Elsewhere: in a
# chapter that the paragraph has named, or in any if it has named none.
function step(id,    n, i, part) {
    n = split(chapter == "" ? chapters : chapter "," chapters, part, ",")
    for (i = 1; i <= n; i++) if ((part[i] " " id) in is_step) return
    if (chapter != "" || chapters != "" || !(("any " id) in is_step)) claim("step", id)
}

# Steps named in running text: v3, c5, v3/8; v3/v4 are two.
function steps(line,    before, id, rest, pair) {
    gsub(/\]\([^)]*\)/, "]", line)
    while (match(line, /[vc][0-9]+(\/[a-z0-9-]+)?/)) {
        id = substr(line, RSTART, RLENGTH)
        before = RSTART > 1 ? substr(line, RSTART - 1, 1) : " "
        rest = substr(line, RSTART + RLENGTH)
        if (before !~ /[A-Za-z0-9_.\/-]/ && rest !~ /^[A-Za-z0-9_]/) {
            if (id ~ /\/[vc][0-9]/) { split(id, pair, "/"); step(pair[1]); step(pair[2]) } else step(id)
        }
        line = rest
    }
}

# Numbers that somebody measured, and nobody can find again.
function measured(line,    elsewhere) {
    elsewhere = (last_line line) ~ /article|data sheet|文章|数据手册/
    last_line = line
    if (elsewhere) return
    gsub(/`[^`]*`/, "", line)
    while (match(line, /[0-9]+\.[0-9]+ *(µs|us|ms|GB\/s)|[0-9]+\.[0-9][0-9]+ *×/)) {
        if (substr(line, RSTART, RLENGTH) !~ /^1\.00/) claim("record", substr(line, RSTART, RLENGTH))
        line = substr(line, RSTART + RLENGTH)
    }
}

function named(line,    found, digit) {
    found = ""
    while (match(line, /(^|[^0-9.])0[1-9]([^0-9]|$)/)) { digit = substr(line, RSTART, RLENGTH); gsub(/[^0-9]/, "", digit); found = found digit ","; line = substr(line, RSTART + RLENGTH - 1) }
    return found
}

BEGIN {
    while ((getline line < STEPS) > 0) {
        split(line, part, " ")
        for (i = 1; i <= 2; i++) { # c6 stands for its variants c6/1, c6/64
            is_step[substr(line, 1, 2) " " part[2]] = is_step["any " part[2]] = 1
            sub(/\/.*/, "", part[2])
        }
    }
}
FNR == 1 {
    fenced = 0; placeholder = 0; chapters = last_line = ""; source = FILENAME ~ /^docs\/pages\//
    chapter = FILENAME; sub(/.*\//, "", chapter); chapter = chapter ~ /^0[0-9][a-z]?_/ ? substr(chapter, 1, 2) : ""
}
/^[ ]*```/ { fenced = !fenced; next }
/^$/ { chapters = last_line = "" }
# A source: its numbers, without the placeholders.
source && fenced { next }
source {
    line = $0
    gsub(/\{[{%][^}]*\}/, "", line)
    if (line ~ /\{[{%]/) { placeholder = 1; sub(/\{[{%].*/, "", line) }
    else if (placeholder && sub(/.*\}/, "", line)) placeholder = 0
    if (placeholder && $0 !~ /\{[{%]/) next
    chapters = chapters named(line)
    steps(line)
    measured(line)
    next
}
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
        if (target ~ /^[a-z]+:/) continue
        if (target ~ /#/) claim("heading", target)
        sub(/#.*/, "", target)
        if (target != "") claim("link", target)
    }
    line = $0
    gsub(/<!--[^>]*-->/, "", line)
    while (match(line, /`[^`]*`/)) {
        code = substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
        command(code)
        if (code ~ /^--[a-z]/) options(code, "any")
        n = split(code, word, /[ \t]+/)
        for (i = 1; i <= n; i++) if (n == 1 || word[i] ~ /\//) path(word[i])
    }
}' "$@" >"$work/claims"

# Folded paths: docs/zh/../x.md is docs/x.md.
fold() { echo "$1" | sed ':a; s|[^/.][^/]*/\.\./||; ta; s|^\./||'; }

tab=$(printf '\t')
while IFS=$tab read -r page line kind what; do
    folder=$(dirname "$page")
    chapter=$(echo "$page" | sed -n 's|.*/\(0[0-9]\)[a-z]*_[a-z0-9_]*\.md$|\1|p')
    [ -z "$chapter" ] || chapter=$(echo "$chapter"_*/)
    case $kind in
    link) [ -e "$folder/$what" ] && continue ;;
    heading)
        target=${what%%#*}
        if [ -n "$target" ]; then target=$(fold "$folder/$target"); else target=$page; fi
        grep -Fqx -- "$target#${what#*#}" "$work/headings" && continue
        ;;
    file)
        [ -e "$what" ] || [ -e "$folder/$what" ] || [ -e "${chapter:-.}/$what" ] && continue
        case $what in */*) ;; *) grep -Fqx -- "$what" "$work/names" && continue ;; esac
        ;;
    goal)
        case $what in [0-9]) echo 0"$what"_*/Makefile | grep -qv '\*' && continue ;; esac
        case $goals in *" $what "*) continue ;; esac
        ;;
    variable) grep -Fqx -- "$what" "$work/variables" && continue ;;
    option)
        from=${what%% *} what=${what#* }
        case $from in 0*) from=$(echo "$from" | cut -c1-2) ;; esac
        case $what in help | usage | version) continue ;; esac
        case $from in
        any) grep -q " $what\$" "$work/options" && continue ;;
        *) grep -q -e "^${from}[^ ]* $what\$" -e "^common $what\$" "$work/options" && continue; what="$what (chapter $from)" ;;
        esac
        ;;
    esac
    echo "$page:$line: no such $kind: $what"
done <"$work/claims" >"$work/missing"
cat "$work/missing"
[ ! -s "$work/missing" ]
