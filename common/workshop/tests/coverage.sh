#!/bin/sh
# coverage.sh: prints the lines of common/ and of the simulator that the tests execute, by gcov.  Needs gcovr.  Besides common/'s
# own tests it runs chapters 01 and 05, because the harness and sessions are in common/, too.  Exits with 1 below LEAST percent of
# the lines (90).  RECORD=FILE.tsv stores the figures of each file.
set -eu
cd "$(dirname "$0")/../../.."
least=${LEAST:-90}
command -v gcovr >/dev/null 2>&1 || { echo "coverage: skipped: gcovr is not installed (./bootstrap coverage installs it)"; exit 0; }
build=$PWD/build/coverage
jobs=$(nproc 2>/dev/null || echo 2)
mkdir -p "$build"
find "$build" -name '*.gcda' -exec rm -f {} +

# Counters are atomic, because the tests run threads.
flags='--coverage -fprofile-update=atomic'
export MAKELEVEL=1 # a chapter must not build common/ again with its own flags
cover() {
    make --no-print-directory -j "$jobs" BACKEND=simt BUILD="$build" CXXFLAGS="$flags" LDFLAGS=--coverage "$@" >"$build/log" 2>&1 ||
        { tail -n 20 "$build/log"; exit 1; }
}
cover -C common CFLAGS="$flags" test
for chapter in 01_reduce 05_spmv_vector; do cover -C $chapter CFLAGS= all; done
rm -f "$build/bin/test_alloc_rows" # it would also make gcov's allocations fail, which gcov does not check
common/workshop/tests/run.sh "$build/bin"

# Right and wrong commands of a user: run STATUS CHAPTER OPTIONS
run() {
    wanted=$1 program=$2
    shift 2
    status=0
    "$build/bin/$program" "$@" >"$build/out" 2>&1 || status=$?
    [ $status -eq "$wanted" ] || { cat "$build/out"; echo "$program $*: exit $status, not $wanted"; exit 1; }
}
small='--matrix random:3000,3000,30000'
run 0 01_reduce --size 10000 --reps 3
run 0 01_reduce --size 10000 --once --exact --shuffle 7 --format json --dtype fp64
run 0 01_reduce --size 1000 --only v3 --explain v3
run 0 01_reduce --size 1000 --only v1,v2 --trace "$build/trace.tsv" --record "$build/record.tsv"
run 0 01_reduce --list
run 64 01_reduce --size nonsense
# shellcheck disable=SC2086 # words
{
    run 0 05_spmv_vector $small --once
    run 0 05_spmv_vector $small --once --exact --format tsv --dtype fp64 --only 'v*,librsb' --sms 132
}
run 0 05_spmv_vector --matrix common/lib/tests/data/tiny.mtx --once
run 2 05_spmv_vector --matrix no_such_file.mtx

# In common/, where the compiler ran.
(cd common && gcovr --root . --object-directory . --exclude tests/ --exclude simt/tests/ --txt "$build/coverage.txt" "$build/common") \
    >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }
sed -n '/^File/,$p' "$build/coverage.txt"
awk -v least="$least" '/^TOTAL/ {
    printf "coverage: %s of %s lines of common/ and the simulator, %s (at least %s %%)\n", $3, $2, $4, least; ok = $4 + 0 >= least}
    END {exit !ok}' "$build/coverage.txt"
[ -z "${RECORD-}" ] || awk -v OFS='\t' -v commit="$(git describe --always --dirty)" -v date="$(date +%F)" '
    /^-/ || NF < 4 || $4 !~ /%/ {next}
    $1 == "TOTAL" {verdict = $3 " of " $2 " lines, " $4; next}
    {row[++n] = $1 OFS $2 OFS $3 OFS $4 + 0 OFS "ok"}
    END {print "# commit: " commit; print "# date: " date; print "# verdict: " verdict; print "step", "lines", "reached", "pct", "status"
        for (i = 1; i <= n; i++) print row[i]}' "$build/coverage.txt" >"$RECORD"
