#!/bin/sh
# ncu.sh CHAPTER TABLE: compares the simulator's counts with the profiler's, for the runs in CHAPTER/ncu.txt.
# Needs a GPU, ncu, and both builds of the chapter (make BACKEND=cuda, make BACKEND=simt).  Rows of CHAPTER in
# TABLE are replaced: chapter step case dtype run count simt ncu equal.
chapter=$1 table=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
command -v ncu >/dev/null 2>&1 || { echo "ncu is not installed: it is part of the CUDA toolkit, and needs a GPU" >&2; exit 1; }
for program in cuda/bin/01_reduce "cuda/bin/$chapter" "simt/bin/$chapter"; do
    [ -x "build/$program" ] || { echo "build it first: make BACKEND=${program%%/*}" >&2; exit 1; }
done
sms=$(build/cuda/bin/01_reduce --once --only v1 --size 1 --format tsv | sed -n 's/^# sms: //p')

ld=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
st=l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
# Use ncu's counters of instructions if they exist: the pipe's counters are higher when other traffic interferes.
by=l1tex__data_pipe_lsu_wavefronts_mem_shared_op
ncu --query-metrics 2>/dev/null | grep -q "^smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld " && by=smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op
sh=${by}_ld.sum,${by}_st.sum
set -f # --only v* is not a file name
while IFS= read -r run; do
    # shellcheck disable=SC2086 # a line is words
    "build/simt/bin/$chapter" $run --sms "$sms" --format tsv >"$work/simt.tsv" || exit 1
    # shellcheck disable=SC2086
    ncu --clock-control none --csv --metrics "$ld,$st,$sh" "build/cuda/bin/$chapter" $run --once --format tsv >"$work/ncu.csv" 2>"$work/ncu.err" ||
        { cat "$work/ncu.err" "$work/ncu.csv" >&2; exit 1; }
    awk -v run="$run" -v chapter="$chapter" -f common/workshop/tools/ncu.awk "$work/ncu.csv" "$work/simt.tsv" >>"$work/rows" || exit 1
    echo "$chapter $run: $(awk -F'\t' '$9 == "yes" {y++} END {print y + 0 " of " NR " counts equal so far"}' "$work/rows")"
done <"$chapter/ncu.txt"

mkdir -p "$(dirname "$table")"
{
    printf 'chapter\tstep\tcase\tdtype\trun\tcount\tsimt\tncu\tequal\n'
    { [ -e "$table" ] && awk -F'\t' -v c="$chapter" 'FNR > 1 && $1 != c' "$table"; cat "$work/rows"; } | sort -t "$(printf '\t')" -k1,1 -s
} >"$work/table" && mv "$work/table" "$table"

# Prints how many counts agree in each chapter; the pages quote this.
awk -F'\t' 'BEGIN {print "step\tdtype\tequal\ttotal"}
    FNR > 1 {n[$1]++; all++; if ($9 == "yes") {y[$1]++; same++}}
    END {for (c in n) print c "\tall\t" y[c] + 0 "\t" n[c] | "sort"; close("sort"); print "all\tall\t" same + 0 "\t" all}' "$table" >"${table%.tsv}_summary.tsv"
