#!/bin/sh
# run_fresh.sh BACKEND BIN OUT: the runs of fresh.txt by the programs of BIN, each a record in the folder OUT.  BACKEND
# cuda measures them, on a machine with a GPU; simt predicts them, anywhere (CARD: for which GPU, h200).
set -eu
backend=$1 bin=$2 out=$3
case $backend in
cuda) gpu=none ;;
simt) gpu=${CARD:-h200} ;;
*) sed -n 2,3p "$0" >&2; exit 64 ;;
esac
mkdir -p "$out"
set -f # v* is for the program
grep -v '^#' "$(dirname "$0")/fresh.txt" | while read -r name program arguments; do
    record=$out/${program%_e[12]}_$name.tsv
    printf '%s %s\n' "$program" "$arguments"
    # shellcheck disable=SC2086 # words
    "$bin/$program" $arguments --predict $gpu --record "$out/unfinished" >"$out/log" 2>&1 </dev/null ||
        { tail -n 3 "$out/log"; echo "run_fresh: $program $arguments failed" >&2; exit 1; }
    mv "$out/unfinished" "$record"
done
rm -f "$out/log"
