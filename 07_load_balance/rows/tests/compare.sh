#!/bin/sh
# compare.sh COMPARE: 07_libspmv_cpu (COMPARE) on a file, and what compare.awk makes of a record.
compare=$1
rows=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=common/tests/tally.sh
. "$rows/../../common/tests/tally.sh"
cd "$place" || exit 1

printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 2\n3 3 3\n' >three.mtx
file() { "$compare" --matrix three.mtx --record three.tsv && [ "$(grep -c '^07_libspmv_cpu	libspmv_cpu	cpu	three	.*	ok' three.tsv)" -eq 2 ]; }
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
    awk -f "$rows/compare.awk" made.tsv >got && echo 'cold_us: librsb / libspmv_cpu over 2 cases: geometric mean 1.00, worst 0.50 (b fp32)' | diff - got
}
check 'a file' file
check 'no file' missing
check 'a record summed up' sums
tally
