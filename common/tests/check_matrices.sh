#!/bin/bash
# check_matrices.sh: make matrices with an archive made here: fetched, used by a chapter, kept; broken off, gone on with;
# damaged, of another size, not there: refused.
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v curl >/dev/null 2>&1 || { echo "check_matrices: skipped: curl is not installed"; exit 0; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
export MATRIX_DIR=$work/here MATRIX_URL=file://$work/there
mkdir -p "$work/there/HB" "$work/ash219"
failed=0
wrong() { echo "check_matrices: $1"; cat "$work/log"; failed=1; }
# archive ROWS: an ash219 of so many rows
archive() {
    awk -v rows="$1" 'BEGIN {print "%%MatrixMarket matrix coordinate real general\n% made\n" rows, 85, 2 * rows
        for (i = 0; i < 2 * rows; i++) print int(i / 2) + 1, i * 37 % 85 + 1, 1}' >"$work/ash219/ash219.mtx"
    tar -C "$work" -czf "$work/there/HB/ash219.tar.gz" ash219
}
# try STATUS WORDS NAME...: that exit status, and these words said
try() {
    local wanted=$1 words=$2
    shift 2
    common/matrices.sh "$@" >"$work/log" 2>&1
    local status=$?
    [ $status -eq "$wanted" ] || wrong "$*: exit status $status, not $wanted"
    grep -qF -- "$words" "$work/log" || wrong "$*: does not say '$words'"
}

try 1 'not fetched' ash219
try 1 'not in the list' ash220
archive 218
try 1 'not taken' ash219
archive 219
head -c 700 "$work/there/HB/ash219.tar.gz" >"$MATRIX_DIR/ash219.tar.gz.part"
try 0 '1 of 1' ash219 # goes on where it stopped
[ ! -e "$MATRIX_DIR/ash219.tar.gz.part" ] || wrong "the part is left over"
try 0 'there already' ash219
rm "$MATRIX_DIR/ash219.mtx.gz"
cp "$work/there/HB/ash219.tar.gz" "$MATRIX_DIR/ash219.tar.gz.part"
try 0 '1 of 1' HB/ash219 # nothing to go on with
rm "$MATRIX_DIR/ash219.mtx.gz"
cp "$work/there/HB/ash219.tar.gz" "$work/whole"
head -c 700 "$work/whole" >"$work/there/HB/ash219.tar.gz"
try 1 'damaged' ash219
cp "$work/whole" "$work/there/HB/ash219.tar.gz"
try 0 '1 of 1' ash219
program=build/simt/bin/05_spmv_vector
[ -x $program ] || { echo "check_matrices: $program is not built"; exit 1; }
$program --experiment 2 --only c1 --dtype fp32 --reps 1 >"$work/log" 2>&1
{ grep -q '^ash219: 219 x 85' "$work/log" && grep -q '^like:shyy41: ' "$work/log"; } || wrong "the chapter does not take the real one"
exit $failed
