#!/bin/sh
# check_languages.sh: do the Chinese pages say what the English ones say?
#   pages     each source in docs/pages/ has one of the same name in docs/pages/zh/, with as many sections
#   numbers   both hold the same placeholders in the same sections: names, numbers, tables (the text of their headings may differ), code
#   terms     where an English section uses a word of the glossary, the Chinese one uses the glossary's word (docs/terms.tsv), and
#             no Chinese page uses a word that terms.tsv refuses
#   pictures  the same of each line of plots/zh.tsv
#   glossary  terms.tsv has no entry that docs/pages/glossary.md has not, and its Chinese words are those of the glossary.  An entry that
#             terms.tsv leaves out is looked for as it stands, with or without s, and its Chinese words are those of its column
# Prints what differs and exits with 1.
cd "$(dirname "$0")/.." || exit 2
status=0

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM

# The entries of the glossary: English, Chinese.  What terms.tsv does not say about them is added to it.
cp docs/terms.tsv "$work/terms.tsv" || exit 2
awk -F ' *[|] *' -v ADD="$work/terms.tsv" '
FILENAME ~ /glossary/ {
    if (/^[|]/ && $2 != "English" && $2 !~ /^:--/) {
        if ($2 in zh) { print FILENAME ":" FNR ": a second entry " $2; bad = 1 }
        if ($3 in en) { if ($3 != "同名") { print FILENAME ":" FNR ": " $3 " is both " en[$3] " and " $2; bad = 1 } }
        zh[$2] = $3; en[$3] = $2
    }
    next
}
/^#/ { next }
{
    n = split($0, f, "\t")
    if (n != 4) { print FILENAME ":" FNR ": " n " columns, not 4"; bad = 1; next }
    listed[f[1]] = 1
    if (!(f[1] in zh)) { print FILENAME ":" FNR ": no entry of the glossary: " f[1]; bad = 1; next }
    split(f[3], word, "[|]")
    if (index(zh[f[1]], word[1]) == 0) { print FILENAME ":" FNR ": the glossary says " zh[f[1]] " for " f[1] ", not " word[1]; bad = 1 }
    if (f[4] != "-") { m = split(f[4], word, "[|]"); for (i = 1; i <= m; i++) if (word[i] == zh[f[1]]) { print FILENAME ":" FNR ": refuses the word of the glossary: " word[i]; bad = 1 } }
}
END {
    for (e in zh) if (!(e in listed)) {
        plain = tolower(e); sub(/[,(].*/, "", plain); sub(/ +$/, "", plain); gsub(/[^a-z0-9 \/-]/, "", plain)
        words = zh[e]; gsub(/（|）|、|，/, "|", words); gsub(/[|][|]+/, "|", words); gsub(/^[|]|[|]$/, "", words)
        print e "\t" plain "s?\t" words "\t-" >> ADD
    }
    exit bad
}' docs/pages/glossary.md docs/terms.tsv || status=1

# The placeholders of a source, sorted, each with the number of its section; tables without the text of their headings.
generated() {
    awk '
    /^ *```/ { fenced = !fenced }
    !fenced && /^#+ / { section++ }
    { text[section + 0] = text[section + 0] " " $0 }
    END {
        for (s = 0; s <= section; s++)
            while (match(text[s], /\{[{%][^}]*\}/)) {
                n = split(substr(text[s], RSTART, RLENGTH), part, "\"")
                text[s] = substr(text[s], RSTART + RLENGTH)
                line = part[1]
                for (i = 2; i <= n; i++) {
                    if (i % 2 == 0 && part[i] ~ /[|]/) { gsub(/=[^|]*/, "", part[i]); gsub(/ *[|] */, " | ", part[i]); sub(/^ +/, "", part[i]) }
                    line = line "\"" part[i]
                }
                gsub(/  +/, " ", line)
                print "section " s ": " line
            }
    }' "$1" | sort
}

# terms PAGE CHINESE ENGLISH_FILE CHINESE_FILE: both section by section, without code and placeholders.
terms() {
    awk -F '\t' -v PAGE="$1" -v CHINESE="$2" '
    FILENAME ~ /terms.tsv$/ {
        if (/^#/) next
        terms++; entry[terms] = $1; english[terms] = $2; chinese[terms] = $3; refused[terms] = $4
        next
    }
    FNR == 1 { which++; section = 0; fenced = placeholder = code = 0; above = "" }
    { code = /^    / && (code || above == ""); above = $0 }
    /^ *```/ { fenced = !fenced; next }
    fenced || code { next }
    {
        line = $0
        gsub(/\{[{%][^}]*\}/, "", line)
        if (sub(/\{[{%].*/, "", line)) placeholder = 1
        else if (placeholder) { if (!sub(/.*\}/, "", line)) next; placeholder = 0 }
        if (line ~ /^#+ /) { section++; last[which] = section; title[which, section] = line; line_of[which, section] = FNR }
        gsub(/`[^`]*`/, "", line); gsub(/\]\([^)]*\)/, "]", line); gsub(/[*]/, "", line)
        text[which, section] = text[which, section] " " line
        if (which == 2)
            for (t = 1; t <= terms; t++)
                if (refused[t] != "-" && match(line, refused[t])) {
                    print CHINESE ":" FNR ": " substr(line, RSTART, RLENGTH) ": the glossary says " chinese[t] " (" entry[t] ")"
                    bad = 1
                }
    }
    END {
        if (last[1] != last[2]) { print CHINESE ": " last[2] + 0 " sections, " PAGE " has " last[1] + 0; exit 1 }
        for (s = 0; s <= last[1]; s++) {
            if (title[1, s] ~ /^#+ Sources/) continue # titles of papers stay as they are
            for (t = 1; t <= terms; t++) {
                if (english[t] == "-" || text[2, s] ~ chinese[t]) continue
                if (tolower(text[1, s]) ~ "(^|[^a-z_-])(" english[t] ")([^a-z_-]|$)") {
                    print CHINESE ":" line_of[2, s] + 0 ": nothing of " chinese[t] " in this section, where " PAGE ":" line_of[1, s] + 0 " speaks of " entry[t]
                    bad = 1
                }
            }
        }
        exit bad
    }' "$work/terms.tsv" "$3" "$4"
}

for page in docs/pages/*.md docs/pages/exercises/*.md; do
    chinese=docs/pages/zh/${page#docs/pages/}
    case $page in *.zh.md) continue ;; docs/pages/README.md) chinese=docs/pages/README.zh.md ;; esac
    if [ ! -e "$chinese" ]; then
        echo "$page: there is no $chinese"
        status=1
        continue
    fi
    [ "$page" != docs/pages/glossary.md ] || continue # the Chinese one is made from it
    generated "$page" >"$work/en"
    generated "$chinese" >"$work/zh"
    if ! diff "$work/en" "$work/zh" >"$work/diff"; then
        echo "$chinese: other numbers or tables than $page (< English, > Chinese):"
        sed -n 's/^[<>] /    &/p' "$work/diff" | head -n 6
        status=1
    fi
    [ "$page" != docs/pages/sources.md ] || continue
    terms "$page" "$chinese" "$page" "$chinese" || status=1
done

# What the pictures say: a line is a section.
sed 's/^# .*/-/; s/\t.*//; s/^/# /' plots/zh.tsv >"$work/pictures.en"
sed 's/^# .*/-/; s/.*\t//; s/^/# /' plots/zh.tsv >"$work/pictures.zh"
terms plots/zh.tsv plots/zh.tsv "$work/pictures.en" "$work/pictures.zh" || status=1
exit $status
