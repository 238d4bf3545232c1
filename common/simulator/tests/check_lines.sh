#!/bin/sh
# check_lines.sh: (CHAPTER=05_spmv_vector: of this chapter) what the pages show beside each line of code is what the simulator counts there.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
status=0
for chapter in ${CHAPTER:-0?_*}; do
    grep -h -- '--lines' "$chapter/runs.txt" >"$work/runs" || { echo "$chapter/runs.txt has no line with --lines"; status=1; }
    while IFS= read -r run; do
        record=$chapter${run##*--lines @}
        set -f
        # shellcheck disable=SC2086 # a line is words
        set -- ${run#simt:}
        set +f
        if ! "build/simt/bin/$chapter" "$@" --lines "$work/lines.tsv" --format tsv >"$work/log" 2>&1; then
            cat "$work/log"
            status=1
        elif ! diff "plots/data/simt/$record" "$work/lines.tsv" >"$work/log"; then
            echo "plots/data/simt/$record is not what the simulator counts: make record N=${chapter%%_*} BACKEND=simt GPU=simt"
            sed -n 1,4p "$work/log"
            status=1
        fi
    done <"$work/runs"
done
exit $status
