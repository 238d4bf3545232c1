#!/bin/sh
# run_fresh.sh BUILD OUT: on a machine with a card, rows that no record of the course has: other sizes, other shapes of
# matrices.  Measured into OUT/measured, predicted on the stand-in into OUT/predicted; 94 rows, if no step is skipped.
set -eu
build=$1 out=$2
mkdir -p "$out/measured" "$out/predicted"
both() { # a name for the record, a chapter and its arguments
    name=$1 chapter=$2
    shift 2
    printf '%s\n' "$chapter $*"
    if ! "$build/cuda/bin/$chapter" "$@" --predict none --record "$out/measured/${chapter}_$name.tsv" >"$out/log" 2>&1 ||
        ! "$build/simt/bin/$chapter" "$@" --predict "${CARD:-h200}" --record "$out/predicted/${chapter}_$name.tsv" \
            >"$out/log" 2>&1; then
        tail -n 3 "$out/log"
        echo "run_fresh: $chapter $* failed" >&2
        exit 1
    fi
}
for n in 3000 100000 777777 3000000; do both $n 01_reduce --only 'v*' --dtype fp32 --size $n; done
both wide 03_gemv --only 'v1,v4,v8,v12,v16' --rows 5000 --cols 300 --dtype fp32
both tall 03_gemv --only 'v1,v4,v8,v12,v16' --rows 50000 --cols 24 --dtype fp32
both even 05_spmv_vector --only 'v1,v2,v3,v7,v9,v10' --matrix even:70000,70000,11 --dtype fp32
both band 05_spmv_vector --only 'v1,v2,v3,v7,v9,v10' --matrix even:9000,9000,90 --dtype fp32
both one_row 07_load_balance --only 'v1,v8,v14,v17,v24,v44' --matrix one_dense_row:150000 --dtype fp32
both empty 07_load_balance --only 'v1,v8,v14,v17,v24,v44' --matrix empty_rows:300000,7 --dtype fp32
both even 07_load_balance --only 'v1,v8,v14,v17,v24,v44' --matrix even:120000,120000,20 --dtype fp32
