#!/bin/sh
# check_pictures.sh [FILE.svg ...]: checks that pictures are readable.  Each must have
#   background  its own, white, because the page may be light or dark
#   contrast    text with a contrast of at least 7 (WCAG 2.1: 1 to 21) with white, and black text with the cell_...
#               colours of style.gpi; marks with at least 1.6.  Not checked: opacity below one half, grid and fillers
#   fonts       no font below 10 px and no tilted text
#   title       a title of at least 25 characters, which a screen reader reads
#   source      if no GPU is involved, what was counted or which CPU was timed
# Without FILE: checks all of plots/pictures, then pictures with one planted mistake each, which must be found.  Also: no script
# puts its legend over bars or lines; a page shows a picture with its title as alternative text, and a Chinese page the Chinese
# picture; the Chinese pictures are what plots/chinese.py generates, with every text in plots/zh.tsv.
look() {
    awk '
    function channel(v) { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ^ 2.4 }
    function luminance(r, g, b) { return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b) }
    function hex(s,    i, v) { v = 0; for (i = 1; i <= length(s); i++) v = 16 * v + index("0123456789abcdef", tolower(substr(s, i, 1))) - 1; return v }
    # The colour on white with opacity a.
    function contrast(a) { return 1.05 / (luminance(a * red + (1 - a) * 255, a * green + (1 - a) * 255, a * blue + (1 - a) * 255) + 0.05) }
    function judge(name, a, least, what,    colour, n, part) {
        colour = name
        if (colour == "white") colour = "#ffffff"
        if (colour == "black") colour = "#000000"
        if (colour == "gray" || colour == "grey") colour = "#808080"
        if (colour ~ /^#[0-9a-fA-F]+$/) { red = hex(substr(colour, 2, 2)); green = hex(substr(colour, 4, 2)); blue = hex(substr(colour, 6, 2)) }
        else if (colour ~ /^rgb\(/) { n = colour; gsub(/[^0-9,]/, "", n); split(n, part, ","); red = part[1]; green = part[2]; blue = part[3] }
        else { print FILENAME ": a colour this check does not know: " name; bad = 1; return }
        seen++
        if (contrast(a) < least && !told[FILENAME, name, a]++) {
            printf "%s: %s %s with opacity %.2f has contrast %.2f on white\n", FILENAME, what, name, a, contrast(a)
            bad = 1
        }
    }
    function attribute(line, name,    v) {
        if (!match(line, "[ \t]" name " *= *[\"\047][^\"\047]*")) return ""
        v = substr(line, RSTART, RLENGTH)
        sub("[ \t]" name " *= *[\"\047]", "", v)
        return v
    }
    function complain(what) { print FILENAME ": " what; bad = 1 }
    # Checks at the end of a file.
    function whole() {
        if (file == "") return
        if (!background) { print file ": no background of its own"; bad = 1 }
        if (file ~ /simt\/[^\/]*$/ && !source) { print file ": does not say where its numbers are from"; bad = 1 }
    }
    BEGIN { RS = "<" }
    FNR == 1 { whole(); file = FILENAME; background = source = titled = 0 }
    /counted|computed|on the CPU|[0-9] cores|由模拟器计数|算出|CPU 上|个核/ { source = 1 }
    /^defs>/ { defs = 1 }
    /^\/defs>/ { defs = 0 }
    defs { next }
    /^rect / && attribute($0, "width") == 1000 && attribute($0, "fill") == "#ffffff" { background = 1; next }
    /font-size="/ && attribute($0, "font-size") + 0 < 10 && attribute($0, "font-size") != "" { complain("a font of " attribute($0, "font-size") " px") }
    /rotate\(/ && !/rotate\(-?(0|90|180|270)([.]0*)?\)/ { complain("a tilted text") }
    /^title>/ { sub(/^title>/, ""); if (!titled++ && length($0) < 25) complain("its title says nothing: " $0); next }
    /^g / { if (/font-family/) judge(attribute($0, "fill"), 1, 7, "text"); next } # other groups name colours that are not used
    {
        split("fill stroke color", names, " ")
        for (i in names) {
            colour = attribute($0, names[i])
            if (colour == "" || colour == "none" || colour == "currentColor" || colour ~ /^url/) continue
            a = attribute($0, names[i] "-opacity")
            if (a == "") a = attribute($0, "opacity")
            if (a == "") a = 1
            if (a >= 0.5) judge(colour, a, 1.6, "mark")
        }
    }
    END { whole(); if (!seen) { print FILENAME ": no colours found"; bad = 1 } exit bad }' "$@"
}

[ $# -eq 0 ] || { look "$@"; exit; }
status=0
for picture in plots/pictures/*/*.svg; do look "$picture" || status=1; done

# Black text on the colours behind texts.
style=plots/style.gpi
cells() {
    grep -o "cell_[a-z]* = '#[0-9a-f]*'" "$1" | sed "s/.*\(cell_[a-z]*\) = '\(.*\)'/\1 \2/" | awk '
        function channel(v) { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ^ 2.4 }
        function hex(s) { return 16 * index("123456789abcdef", substr(s, 1, 1)) + index("123456789abcdef", substr(s, 2, 1)) }
        { l = 0.2126 * channel(hex(substr($2, 2, 2))) + 0.7152 * channel(hex(substr($2, 4, 2))) + 0.0722 * channel(hex(substr($2, 6, 2))) }
        (l + 0.05) / 0.05 < 7 { print "plots/style.gpi: black on " $1 " has contrast " (l + 0.05) / 0.05; bad = 1 }
        END { exit bad || !NR }'
}
cells "$style" || status=1

# Legends must be below the plot.
legends() { ! grep -nE "set key [^#]*\b(top|bottom|left|right|at|inside)\b" "$@"; }
legends plots/0*.gp || { echo 'check_pictures: a legend among the data; style.gpi puts it below'; status=1; }

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM

# The alternative texts of pictures.
texts() {
    awk 'BEGIN { RS = "!\\[" }
        FNR > 1 && /plots\/pictures/ {
            text = substr($0, 1, index($0, "](") - 1); path = substr($0, index($0, "](") + 2); sub(/\).*/, "", path); sub(/^([.][.]\/)*/, "", path)
            gsub(/[ \n]/, "", text); print FILENAME "\t" path "\t" text
        }' "$@" >"$work/texts"
    found=0
    while IFS="$(printf '\t')" read -r page path text; do
        case $page in *zh/* | *.zh.md) kind=zh ;; *) kind=en ;; esac
        case $kind$path in zh*.zh.svg) ;; zh* | en*.zh.svg) echo "$page: a picture of the other language: $path"; found=1 ;; esac
        [ "$text" = "$(sed -n '/<title>/{s/.*<title>\(.*\)<\/title>.*/\1/p;q}' "$path" | tr -d ' ')" ] || { echo "$page: the alternative text of $path is not its title"; found=1; }
    done <"$work/texts"
    [ $found -eq 0 ] && [ -s "$work/texts" ]
}
texts docs/pages/*.md docs/pages/zh/*.md || status=1

# The Chinese pictures must be up to date.
plots/chinese.py --check || status=1

# Planted mistakes.
mkdir "$work/simt"
good=plots/pictures/simt/07_merge_path.svg
plant() { # plant NAME WHAT [PICTURE]: $work/simt/NAME.svg has a mistake, which must be reported with WHAT
    cmp -s "${3-$good}" "$work/simt/$1.svg" && { echo "check_pictures: the mistake $1 was not planted"; status=1; }
    look "$work/simt/$1.svg" >"$work/said" && { echo "check_pictures: $1 was not found"; status=1; }
    grep -q -- "$2" "$work/said" || { echo "check_pictures: $1: not reported as $2"; status=1; }
}
sed 's/fill="rgb(0,0,0)"/fill="#797979"/' "$good" >"$work/simt/grey_text.svg"
plant grey_text 'text #797979 .* on white'
sed 's/fill="rgb(0,0,0)"/fill="white"/' "$good" >"$work/simt/white_text.svg"
plant white_text 'text white .* on white'
sed "s/stroke='rgb( *59, *120, *192)'/stroke='rgb(240, 230, 250)'/" "$good" >"$work/simt/pale_line.svg"
plant pale_line 'mark rgb(240, 230, 250) .* on white'
sed 's/<rect x="0" y="0" width="1000"[^>]*>//' "$good" >"$work/simt/background.svg"
plant background 'no background of its own'
sed 's/font-size="13.00"/font-size="9.00"/' "$good" >"$work/simt/small.svg"
plant small 'a font of 9.00 px'
sed 's/rotate(270)/rotate(325)/' "$good" >"$work/simt/tilted.svg"
plant tilted 'a tilted text'
sed 's|<title>.*</title>|<title>The merge path</title>|' "$good" >"$work/simt/title.svg"
plant title 'its title says nothing'
sed 's/computed, no GPU//' "$good" >"$work/simt/source.svg"
plant source 'does not say where its numbers are from'
sed "s/cell_blue = '#[0-9a-f]*'/cell_blue = '#3b78c0'/" "$style" >"$work/style.gpi"
! cells "$work/style.gpi" >/dev/null || { echo 'check_pictures: a dark colour under a text was not found'; status=1; }
{ cat plots/07_mpi.gp; echo 'set key top left'; } >"$work/key.gp"
! legends "$work/key.gp" >/dev/null || { echo 'check_pictures: a legend among the data was not found'; status=1; }
sed 's/!\[Three/![Four/' docs/pages/01_reduce.md >"$work/alt.md"
! texts "$work/alt.md" >"$work/said" || { echo 'check_pictures: a text that is not the title was not found'; status=1; }
grep -q 'is not its title' "$work/said" || { echo 'check_pictures: not reported: a text that is not the title'; status=1; }
mkdir "$work/zh" "$work/plots" && sed 's/[.]zh[.]svg/.svg/' docs/pages/zh/01_reduce.md >"$work/zh/page.md"
! texts "$work/zh/page.md" >"$work/said" || { echo 'check_pictures: an English picture on a Chinese page was not found'; status=1; }
grep -q 'of the other language' "$work/said" || { echo 'check_pictures: not reported: a picture of the other language'; status=1; }
here=$(pwd)
ln -s "$here/docs" "$work/docs" && ln -s "$here/plots/data" "$here/plots/pictures" "$work/plots" && sed '/^bank\t/d' plots/zh.tsv >"$work/plots/zh.tsv"
! (cd "$work" && "$here/plots/chinese.py" --check) >"$work/said" 2>&1 || { echo 'check_pictures: a text without Chinese was not found'; status=1; }
grep -q 'no line in plots/zh.tsv for: bank$' "$work/said" || { echo 'check_pictures: not reported: a text without Chinese'; status=1; }
exit $status
