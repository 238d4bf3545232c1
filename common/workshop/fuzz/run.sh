#!/bin/bash
# [SEED=n] run.sh FOLDER SECONDS TARGET...: runs each target for SECONDS, one after the other, from that seed (0 or none: another
# each time).  Appends the figures of each run to FOLDER/runs.tsv, and keeps inputs that break a promise in
# FOLDER/TARGET/findings.  Exits with 1 if there are any.
folder=$1 seconds=$2
shift 2
case $seconds in '' | *[!0-9]* | 0*) echo "SECONDS=$seconds must be a whole number from 1: the seconds for each target" >&2; exit 64 ;; esac
runs=$folder/runs.tsv
[ -e "$runs" ] || printf 'target\tcpu_seconds\texecutions\tedges\tinputs\tfindings\n' >"$runs"
TIMEFORMAT='%U %S'
status=0
for target in "$@"; do
    kept=$folder/$target
    mkdir -p "$kept/corpus" "$kept/findings"
    limit=4096 closed=1 # limit: bytes of an input; closed: standard output
    [ "$target" != recipe ] || limit=256
    [ "$target" != cli ] || limit=256 closed=3 # each refusal prints a message
    { time "$folder/fuzz_$target" -max_total_time="$seconds" -seed="${SEED:-0}" -max_len=$limit -timeout=10 -rss_limit_mb=3000 \
        -close_fd_mask=$closed -print_final_stats=1 -artifact_prefix="$kept/findings/" "$kept/corpus" "$folder/seeds/$target" \
        >"$kept/log" 2>&1; } 2>"$kept/time" || status=1
    awk -v target="$target" -v inputs="$(find "$kept/corpus" -type f | wc -l)" \
        -v findings="$(find "$kept/findings" -type f | wc -l)" -v cpu="$(awk '{ print $1 + $2 }' "$kept/time")" '
        match($0, / cov: [0-9]+/) { edges = substr($0, RSTART + 6) + 0 }
        /^stat::number_of_executed_units/ { runs = $2 }
        END { printf "%s\t%.0f\t%d\t%d\t%d\t%d\n", target, cpu, runs, edges, inputs, findings }
    ' "$kept/log" | tee -a "$runs" |
        awk -F '\t' '{ printf "%-8s %6d s %11d executions %6d edges %6d inputs %3d findings\n", $1, $2, $3, $4, $5, $6 }'
    grep -h 'FINDING\|ERROR: \|SUMMARY' "$kept/log"
done
exit $status
