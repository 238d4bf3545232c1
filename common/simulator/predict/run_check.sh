#!/bin/sh
# run_check.sh BUILD OUT: the runs that check.py compares with the H200's records, all on the simulator; a quarter of an
# hour on two cores.  MATRIX_DIR has the matrices of the suite (make matrices); those that are not there are left out.
set -u
bin=$1/bin out=$2 matrices=${MATRIX_DIR:-build/matrices}
mkdir -p "$out"
number=0
run() { # a chapter and its arguments: a record of its own, unless it is there
    number=$((number + 1))
    chapter=$1
    record=$out/$(printf '%02d' $number)_$chapter.tsv
    [ ! -e "$record" ] || return 0
    printf '%s\n' "$*"
    shift
    "$bin/$chapter" "$@" --predict h200 --record "$out/unfinished" >"$out/log" 2>&1 ||
        { tail -n 3 "$out/log"; echo "run_check: $chapter $* failed" >&2; exit 1; }
    mv "$out/unfinished" "$record"
}
suite() { # type, steps, matrices
    type=$1 steps=$2
    shift 2
    for m; do
        file=$matrices/$m.mtx.gz
        [ ! -e "$file" ] || run 07_load_balance --only "$steps" --matrix "$file" --dtype "$type"
    done
}
recorded='v1,v6,v8,v11,v14,v17,v24,v27,v39,v44,libspmv,libspmv_look,libspmv_plan,libspmv_tuned'
for n in 1024 16384 65536 131073 262144 1048576 4194304; do run 01_reduce --only 'v*' --dtype fp32 --size $n; done
for n in 4096 131073; do run 01_reduce --only 'v*' --dtype fp64 --size $n; done
run 01_reduce --only v7,v8,v9,v10,v11,v13 --dtype fp32 --size 16777216
run 02_memcpy_vectorized --only 'v*'
run 02_memcpy_vectorized --only 'v*' --sweep
for cols in 16 128; do run 03_gemv --only 'v*' --rows 16384 --cols $cols --dtype fp32; done
run 03_gemv --only 'v*' --rows 16384 --cols 32 --dtype fp64
run 04_spmv_scalar --only 'v*' --matrix like:cant --dtype fp32
run 05_spmv_vector --only 'v*' --matrix like:shyy41 --dtype fp32
run 05_spmv_vector --only v1,v2,v3,v7,v9,v10 --matrix like:webbase-1M --dtype fp32
run 06_spmv_lightspmv --only 'v*' --matrix like:shyy41 --dtype fp32
run 06_spmv_lightspmv --only v1,v3,v5,v6,v8 --matrix like:webbase-1M --dtype fp32
run 06_spmv_lightspmv --only 'v?,v10,v12' --matrix like:scircuit --dtype fp32
run 07_load_balance --only v1,v2,v3,v5,v7,v9,v10,v12,v13,v15,v17,v18,v29,v35,v44 --matrix empty_rows:1000000,50 \
    --dtype fp32
suite fp32 "$recorded" ash219 karate west0067 lp_afiro plsk1919 ex31 jnlbrng1 wiki-Vote add20 memplus usroads bcsstk32
suite fp64 "$recorded" cavity14 c-39 bayer10 lp_fit2p ca-AstroPh
suite fp32 v1,v11,v14,v17,v24,v39,v44,libspmv cnr-2000
: >"$out/done"
