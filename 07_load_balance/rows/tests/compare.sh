#!/bin/sh
# compare.sh COMPARE: tests 07_libspmv_cpu (COMPARE) on a file, and the sums of compare.awk and structures.awk.
compare=$1
rows=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$rows/../../common/workshop/tests/tally.sh"
cd "$place" || exit 1

printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 2\n3 3 3\n' >three.mtx
file() { MKL_RT=/nowhere.so "$compare" --matrix three.mtx --record three.tsv && [ "$(grep -c '^07_libspmv_cpu	libspmv_cpu	cpu	three	.*	ok' three.tsv)" -eq 2 ]; }
missing() {
    "$compare" --matrix none.mtx
    [ $? -eq 2 ]
}
# Ratios 4 / 2 and 1 / 2: mean 1.00, worst 0.50; a case without a row of libspmv does not count.
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
    # MKL's ratios are 3 / 2 and 1 / 2; the faster of both libraries is MKL's 3 and librsb's 1.
    for row in 'mkl a 3.5' 'mkl_tuned a 3' 'mkl b 1'; do
        echo "$row ok" | awk '{print $1 "\t" $2 "\tfp32\t" $3 "\t-\t" $4}'
    done >>made.tsv
    awk -f "$rows/compare.awk" made.tsv >got &&
        grep -q '^cold_us: mkl / libspmv_cpu over 2 cases: geometric mean 0.87, worst 0.50 (b fp32), 1 slower by more than 5 %$' got &&
        grep -q '^cold_us: the faster of both / libspmv_cpu over 2 cases: geometric mean 0.87, worst 0.50' got
}
# Two structures with one case each; MKL is faster in one.  The stored summary must be current.
structures() {
    printf 'step\tcase\tdtype\tcold_us\twarm_us\tstatus\n' >made_avx2.tsv
    for row in 'librsb rmat:9,9 6 3' 'mkl rmat:9,9 3 2' 'mkl_tuned rmat:9,9 4 1' 'libspmv_cpu rmat:9,9 2 2' 'libspmv_cpu_tuned rmat:9,9 1 1' \
        'librsb band:9,2 9 9' 'mkl band:9,2 4 4' 'libspmv_cpu band:9,2 8 8' 'libspmv_cpu_tuned band:9,2 4 4'; do
        echo "$row ok" | awk '{print $1 "\t" $2 "\tfp32\t" $3 "\t" $4 "\t" $5}'
    done >>made_avx2.tsv
    awk -f "$rows/structures.awk" made_avx2.tsv | cut -f2-4,7- | tr '\t' '|' >got
    grep -qF 'avx2|cold|all|2|1.84|0.87|0.50|band:9,2 fp32|1|1.73|1.00|band:9,2 fp32|0' got &&
        grep -qF 'avx2|cold|graphs|1|3.00|1.50|1.50|rmat:9,9 fp32|0|3.00|3.00|rmat:9,9 fp32|0' got &&
        grep -qF 'avx2|warm|graphs|1|1.50|0.50|0.50|rmat:9,9 fp32|1|1.00|1.00|rmat:9,9 fp32|0' got || return 1
    data=$rows/../../plots/data/h200
    (cd "$data" && awk -f "$rows/structures.awk" 07_libspmv_cpu_avx512.tsv 07_libspmv_cpu_avx2.tsv 07_libspmv_cpu_small_avx512.tsv 07_libspmv_cpu_small_avx2.tsv) |
        diff - "$data/07_libspmv_cpu_summary.tsv"
}
small() {
    "$compare" --experiment 3
    [ $? -eq 64 ]
}
no_mkl() { MKL_RT=/nowhere.so "$compare" --matrix three.mtx --dtype fp32 --only mkl --format tsv | grep -q 'MKL is not installed'; }
check '--experiment 3 is refused' small
check 'a missing MKL gives a skipped row' no_mkl
check 'a Matrix Market file gives a row of libspmv in both types' file
check 'a missing file gives status 2' missing
check 'compare.awk computes the mean and the worst ratio' sums
check 'structures.awk sums up by structure, and its stored summary is current' structures
tally
