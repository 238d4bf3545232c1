#!/bin/sh
# compare.sh COMPARE: 07_libspmv_cpu (COMPARE) on a file, and what compare.awk makes of a record.
compare=$1
rows=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=common/tests/tally.sh
. "$rows/../../common/tests/tally.sh"
cd "$place" || exit 1

printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 2\n3 3 3\n' >three.mtx
file() { MKL_RT=/nowhere.so "$compare" --matrix three.mtx --record three.tsv && [ "$(grep -c '^07_libspmv_cpu	libspmv_cpu	cpu	three	.*	ok' three.tsv)" -eq 2 ]; }
missing() {
    "$compare" --matrix none.mtx
    [ $? -eq 2 ]
}
# 4 / 2 and 1 / 2: 1.00 in the mean, 0.50 at worst; what failed and has no time does not count.
sums() {
    printf '# gpu: none\nstep\tcase\tdtype\tcold_us\twarm_us\tstatus\n' >made.tsv
    for row in 'librsb a 4' 'librsb_tuned a 5' 'libspmv_cpu a 2' 'librsb b 3' 'librsb_tuned b 1' 'libspmv_cpu b 2' 'librsb c 9'; do
        echo "$row ok" | awk '{print $1 "\t" $2 "\tfp32\t" $3 "\t-\t" $4}'
    done >>made.tsv
    {
        echo 'cold_us: librsb / libspmv_cpu over 2 cases: geometric mean 1.00, worst 0.50 (b fp32), 1 slower by more than 5 %'
        echo 'cold_us: the faster of both / libspmv_cpu over 2 cases: geometric mean 1.00, worst 0.50 (b fp32), 1 slower by more than 5 %'
    } >expected
    awk -f "$rows/compare.awk" made.tsv >got && diff expected got || return 1
    # 3 / 2 and 1 / 2 of MKL's, beside them; the faster of both is MKL's 3 and librsb's 1.
    for row in 'mkl a 3.5' 'mkl_tuned a 3' 'mkl b 1'; do
        echo "$row ok" | awk '{print $1 "\t" $2 "\tfp32\t" $3 "\t-\t" $4}'
    done >>made.tsv
    awk -f "$rows/compare.awk" made.tsv >got &&
        grep -q '^cold_us: mkl / libspmv_cpu over 2 cases: geometric mean 0.87, worst 0.50 (b fp32), 1 slower by more than 5 %$' got &&
        grep -q '^cold_us: the faster of both / libspmv_cpu over 2 cases: geometric mean 0.87, worst 0.50' got
}
small() {
    "$compare" --experiment 3
    [ $? -eq 64 ]
}
no_mkl() { MKL_RT=/nowhere.so "$compare" --matrix three.mtx --dtype fp32 --only mkl --format tsv | grep -q 'no MKL here'; }
check 'an experiment that is not there' small
check 'no MKL' no_mkl
check 'a file' file
check 'no file' missing
check 'a record summed up' sums
tally
