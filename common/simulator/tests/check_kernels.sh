#!/bin/sh
# check_kernels.sh: where nvcc is, some rows of plots/data/kernels.tsv are what it makes of the kernels now; a
# table with a planted mistake is not accepted.
set -eu
cd "$(dirname "$0")/../../.."
PATH=$PATH:/usr/local/cuda/bin:$PWD/build/toolkit/bin
table=plots/data/kernels.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! command -v nvcc >/dev/null 2>&1; then
    common/workshop/tests/skipped.sh nvcc "is not here: the .cu files were compiled by the simulator only"
    exit 0
fi
common/simulator/predict/static_table.py --check $table 01_reduce/v09_shuffle.cu 05_spmv_vector/v07_in_flight.cu \
    07_load_balance/a_split_nonzeros/v04_marks.cu
sed '/^K.*reduce_v9/s/$/1/' $table >"$work/kernels.tsv"
! cmp -s $table "$work/kernels.tsv" || { echo 'check_kernels: the mistake was not planted'; exit 1; }
! common/simulator/predict/static_table.py --check "$work/kernels.tsv" 01_reduce/v09_shuffle.cu >/dev/null ||
    { echo 'check_kernels: a changed row was not found'; exit 1; }
