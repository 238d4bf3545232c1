#!/bin/sh
# check_counts.sh: the simulator still counts what it counted when it was compared with ncu on a GPU.
table=plots/data/h200/simt_vs_ncu.tsv
[ -e "$table" ] || { echo "no $table yet"; exit 0; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
status=0
set -f
# shellcheck disable=SC2013 # chapters are words
for chapter in ${CHAPTER:-$(awk -F'\t' 'NR > 1 {print $1}' "$table" | sort -u)}; do
    while IFS= read -r run; do
        # shellcheck disable=SC2086 # a line is words
        "build/simt/bin/$chapter" $run --sms 132 --format tsv >"$work/now.tsv" || status=1
        awk -F'\t' -v c="$chapter" -v run="$run" '
            FILENAME ~ /now.tsv$/ && /^#/ {next}
            FILENAME ~ /now.tsv$/ && $1 == "chapter" {for (i = 1; i <= NF; i++) name[i] = $i; next}
            FILENAME ~ /now.tsv$/ {for (i = 1; i <= NF; i++) now[$2, $4, $5, name[i]] = $i; next}
            $1 == c && $5 == run {n++; if (now[$2, $3, $4, $6] != $7) {print c, $2, $3, $4, $6 ": recorded " $7 ", now " now[$2, $3, $4, $6]; bad = 1}}
            END {if (!n) {print c " " run ": no recorded counts"; bad = 1}; exit bad}' "$work/now.tsv" "$table" || status=1
    done <"$chapter/ncu.txt"
done
exit $status
