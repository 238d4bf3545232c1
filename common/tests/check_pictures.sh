#!/bin/sh
# check_pictures.sh [FILE.svg ...]: can the pictures be read on a white page and on a dark one?
# Each colour of a picture, with its opacity, is laid over white and over #0d1117, and its contrast with that background
# (WCAG 2.1: 1 to 21) must be at least 3 for text, 1.6 for marks.  Not looked at: white text, which stands on a mark, and what
# is fainter than one half: grid lines and fillers.  No picture may bring a background of its own, a font of less than 10 px,
# or a title that says nothing.
# Without FILE: all of plots/pictures, and then a picture with one mistake at a time, which must be found.
look() {
    awk '
    function channel(v) { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ^ 2.4 }
    function luminance(r, g, b) { return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b) }
    function hex(s,    i, v) { v = 0; for (i = 1; i <= length(s); i++) v = 16 * v + index("0123456789abcdef", tolower(substr(s, i, 1))) - 1; return v }
    # c laid over background k (1 white, 2 dark) with opacity a
    function contrast(k, a,    l, m, t) {
        l = luminance(a * red + (1 - a) * R[k], a * green + (1 - a) * G[k], a * blue + (1 - a) * B[k])
        m = luminance(R[k], G[k], B[k])
        if (l < m) { t = l; l = m; m = t }
        return (l + 0.05) / (m + 0.05)
    }
    function judge(name, a, least, what,    colour, k, n, part) {
        colour = name
        if (what == "text" && (colour == "white" || tolower(colour) == "#ffffff")) return
        if (what == "text" && colour ~ /255, *255, *255/) return
        if (colour == "black") colour = "#000000"
        if (colour == "gray" || colour == "grey") colour = "#808080"
        if (colour ~ /^#[0-9a-fA-F]+$/) { red = hex(substr(colour, 2, 2)); green = hex(substr(colour, 4, 2)); blue = hex(substr(colour, 6, 2)) }
        else if (colour ~ /^rgb\(/) { n = colour; gsub(/[^0-9,]/, "", n); split(n, part, ","); red = part[1]; green = part[2]; blue = part[3] }
        else { print FILENAME ": a colour this check does not know: " name; bad = 1; return }
        seen++
        for (k = 1; k <= 2; k++)
            if (contrast(k, a) < least && !told[FILENAME, name, a, k]++) {
                printf "%s: %s %s with opacity %.2f has contrast %.2f on %s\n", FILENAME, what, name, a, contrast(k, a), k == 1 ? "white" : "#0d1117"
                bad = 1
            }
    }
    function attribute(line, name,    v) {
        if (!match(line, "[ \t]" name " *= *[\"\047][^\"\047]*")) return ""
        v = substr(line, RSTART, RLENGTH)
        sub("[ \t]" name " *= *[\"\047]", "", v)
        return v
    }
    BEGIN { RS = "<"; R[1] = G[1] = B[1] = 255; R[2] = 13; G[2] = 17; B[2] = 23 }
    /^defs>/ { defs = 1 }
    /^\/defs>/ { defs = 0 }
    defs { next }
    /^rect / && attribute($0, "width") == 1000 && attribute($0, "fill") != "none" { print FILENAME ": a background"; bad = 1; next }
    /font-size="/ && attribute($0, "font-size") + 0 < 10 && attribute($0, "font-size") != "" { print FILENAME ": a font of " attribute($0, "font-size") " px"; bad = 1 }
    /^title>Gnuplot/ { print FILENAME ": its title says nothing"; bad = 1 }
    /^g / { if (/font-family/) judge(attribute($0, "fill"), 1, 3, "text"); next } # other groups name colours that nothing uses
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
    END { if (!seen) { print FILENAME ": no colours found"; bad = 1 } exit bad }' "$@"
}

[ $# -eq 0 ] || { look "$@"; exit; }
status=0
for picture in plots/pictures/*/*.svg; do look "$picture" || status=1; done

# What must be found.
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
good=plots/pictures/simt/07_merge_path.svg
plant() { # plant NAME WHAT: the picture $work/NAME.svg has a mistake that must be reported with WHAT
    cmp -s "$good" "$work/$1.svg" && { echo "check_pictures: the mistake $1 was not planted"; status=1; }
    look "$work/$1.svg" >"$work/said" && { echo "check_pictures: $1 was not found"; status=1; }
    grep -q -- "$2" "$work/said" || { echo "check_pictures: $1: not reported as $2"; status=1; }
}
sed 's/fill="rgb(121, *121, *121)"/fill="black"/' "$good" >"$work/black_text.svg"
plant black_text 'text black .* on #0d1117'
sed "s/fill=\"rgb(121, *121, *121)\"/fill=\"#dddddd\"/; s/fill=\"#797979\"/fill=\"#dddddd\"/" "$good" >"$work/pale_text.svg"
plant pale_text 'text #dddddd .* on white'
sed "s/stroke='rgb( *59, *120, *192)'/stroke='rgb(10, 20, 40)'/" "$good" >"$work/dark_line.svg"
plant dark_line 'mark rgb(10, 20, 40) .* on #0d1117'
sed 's|<defs>|<rect x="0" y="0" width="1000" height="560" fill="#ffffff"/>\n&|' "$good" >"$work/background.svg"
plant background 'a background'
sed 's/font-size="13.00"/font-size="9.00"/' "$good" >"$work/small.svg"
plant small 'a font of 9.00 px'
sed 's|<title>.*</title>|<title>Gnuplot</title>|' "$good" >"$work/title.svg"
plant title 'its title says nothing'
exit $status
