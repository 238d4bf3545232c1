#!/bin/sh
# report.sh RECORDS OUT: one self-contained HTML file, OUT/report.html, of a machine's run: what ran where, every table and plot,
# efficiency and rooflines.  RECORDS is a folder of records, build/results/BACKEND or plots/data/GPU.  Called by make report.
cd "$(dirname "$0")/../.." || exit 2
records=${1-} out=${2-}
[ -n "$out" ] || { echo 'report.sh RECORDS OUT' >&2; exit 2; }
command -v pandoc >/dev/null 2>&1 || { echo 'make report: pandoc is not installed (Debian: apt-get install pandoc); the records are in' "$records"; exit 1; }
set -- "$records"/*.tsv
[ -e "$1" ] || { echo "make report: no records in $records; make run writes them, GPU=h200 reports plots/data/h200"; exit 1; }
pictures=$out/pictures
rm -rf "$pictures"
mkdir -p "$pictures" || exit 1
plots/draw.sh "$records" "$pictures" svg >/dev/null || exit 1
command -v gnuplot >/dev/null 2>&1 || echo 'make report: gnuplot is not installed (Debian: apt-get install gnuplot-nox); the report has no plots'

meta() { sed -n "s/^# $2: //p;/^[^#]/q" "$1" | head -n 1; }
rows() { grep -vc '^#' "$1"; }
has() { grep -m 1 -v '^#' "$1" | tr '\t' '\n' | grep -qx "$2"; }

# "12/40 01_reduce" on a terminal; the next one wipes it.
step=0
progress() {
    step=$((step + 1))
    [ ! -t 2 ] || printf '\r\033[K%d/%d %s' $step $total "$1" >&2
}
total=$(($# + 1)) # the records, and putting it together

# All values that records have for a key, each with the number of records, the most frequent first.
all() { for r in "$@"; do meta "$r" "$key"; done | sort | uniq -c | sort -rn | sed 's/^ *\([0-9]*\) \(.*\)/\2 (\1)/' | awk 'NR > 1 {printf "; "} {printf "%s", $0}'; }

page=$out/report.md
{
    gpu=$(for r in "$@"; do meta "$r" gpu; done | sort | uniq -c | sort -rn | awk 'NR == 1 {sub(/^ *[0-9]* /, ""); print}')
    printf '# The course on %s\n\n' "${gpu:-this machine}"
    # shellcheck disable=SC2016 # backticks of Markdown
    printf 'Written by `make report` from %d records in `%s`. How the numbers came about: `docs/how-we-measure.md`.\n\n' $# "$records"
    : >"$out/summary"
    for r in "$@"; do
        name=$(basename "$r" .tsv)
        [ ! -d "$name" ] || awk -v name="[$name](#r-$name)" -f docs/book/summary.awk "$r" >>"$out/summary"
    done
    if [ -s "$out/summary" ]; then
        printf '## In short\n\nThe fastest step on the largest input of each chapter (cold caches), beside the fastest library, and its limit.\n\n'
        cat "$out/summary"
    fi
    rm -f "$out/summary"
    printf '\n## What ran where\n\n<table class="head"><tbody>\n'
    for key in gpu arch driver toolkit cpu cpu_threads flags commit date; do
        found=$(all "$@")
        if [ $key = flags ] && [ -n "$found" ]; then # long, and rarely asked for
            printf '<tr><td>flags</td><td><details><summary>of the compilers</summary>%s</details></td></tr>\n' "$(echo "$found" | sed 's/&/\&amp;/g; s/</\&lt;/g')"
            continue
        fi
        [ -z "$found" ] || printf '<tr><td>%s</td><td>%s</td></tr>\n' "$key" "$(echo "$found" | sed 's/&/\&amp;/g; s/</\&lt;/g')"
    done
    printf '</tbody></table>\n\n%s\n\n' 'In brackets: in how many of the records. The records:'
    printf '| record | rows | date | commit | copy, GB/s | read, GB/s | floor, µs | command |\n| :-- | --: | --: | :-- | --: | --: | --: | :-- |\n'
    for r in "$@"; do
        name=$(basename "$r" .tsv)
        case $name in *_trace | *_picture) continue ;; esac
        printf '| [%s](#%s) | %d' "$name" "r-$name" $(($(rows "$r") - 1))
        for key in date commit ceiling_copy_gbps ceiling_read_gbps floor_us; do value=$(meta "$r" $key); printf ' | %s' "${value:--}"; done
        value=$(meta "$r" command | sed 's/ --record [^ ]*//; s/\([*_|]\)/\\\1/g')
        printf ' | %s |\n' "${value:--}"
    done
    for r in "$@"; do
        name=$(basename "$r" .tsv)
        progress "$name"
        # Plots of this record, then what every record of timed rows has.
        shown=''
        for script in plots/*.gp; do
            [ "$(sed -n '1s/^# record: //p' "$script")" = "$name" ] && [ -e "$pictures/$(basename "$script" .gp).svg" ] &&
                shown="$shown $(basename "$script" .gp).svg"
        done
        # Efficiency and rooflines of the chapters' own records: the others repeat them.
        if command -v gnuplot >/dev/null 2>&1 && [ -d "$name" ] && { has "$r" useful_pct || has "$r" efficiency; }; then
            kind=efficiency # on a GPU the roofline says the same, and where the limit is
            [ "$(meta "$r" backend)" != cuda ] || ! has "$r" bytes || kind=roofline
            if grep -v '^#' "$r" | awk -F'\t' -v c="$([ "$(meta "$r" backend)" = cuda ] && echo efficiency || echo useful_pct)" '
                NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
                $at["status"] == "ok" && $at["kind"] != "cpu" && $at[c] != "-" {found = 1; exit}
                END {exit !found}'; then
                picture=${name}_$kind.svg
                gnuplot -e "record='$r'; picture='$pictures/$picture'; kind='svg'" plots/style.gpi "plots/report_$kind.gp" || exit 1
                shown="$shown $picture"
            fi
        fi
        case $name in *_trace | *_picture)
            [ -z "$shown" ] || printf '\n## %s {#r-%s}\n\nThe data of a picture, not a table.\n' "$name" "$name"
            ;;
        *)
            printf '\n## %s {#r-%s}\n\n' "$name" "$name"
            awk -v MOST=25 -v FILE="$r" -f docs/book/report.awk "$r"
            ;;
        esac
        [ -z "$shown" ] || {
            printf '\n<div class="plots">\n'
            for picture in $shown; do printf '<p><img src="%s" alt="%s"></p>\n' "$pictures/$picture" "${picture%.svg}"; done
            printf '</div>\n'
        }
    done
    printf '\n## How to read the plots {#reading}\n\n'
    printf '**Efficiency** is (floor + bytes / ceiling) / time, floor and ceiling measured in the same run; a point is a row. Beyond 1 are formats that need fewer bytes than CSR. '
    printf '**Roofline**: what each row reaches over its compulsory bytes, under the bandwidth that floor and ceiling allow. '
    printf 'The simulator measures no times, so there is no roofline; its plot shows which share of the transferred bytes the lanes used.\n'
} >"$page" || exit 1

progress 'one file of all'
sed -i 's/rgb( *\([0-9]*\), *\([0-9]*\), *\([0-9]*\))/rgb(\1,\2,\3)/g; /^[[:space:]]*$/d' "$pictures"/*.svg # a tenth less
if pandoc --help | grep -q -- --embed-resources; then embed='--embed-resources --standalone'; else embed=--self-contained; fi
{ echo '<style>'; cat docs/book/style.css; echo '</style>'; } >"$out/style.html"
# shellcheck disable=SC2086 # one or two words
pandoc -f markdown-auto_identifiers-tex_math_dollars-smart-markdown_in_html_blocks-native_divs-native_spans -t html5 $embed --template docs/book/page.html --toc --toc-depth 2 -V toctitle=Contents -V class=report \
    -H "$out/style.html" -M pagetitle="The course on ${gpu:-this machine}" -V lang=en "$page" -o "$out/report.html.new" || exit 1
rm -f "$out/style.html"
[ ! -t 2 ] || printf '\r\033[K' >&2
mv "$out/report.html.new" "$out/report.html"
printf '%s (%s kB)\n' "$out/report.html" $(($(wc -c <"$out/report.html") / 1000))
