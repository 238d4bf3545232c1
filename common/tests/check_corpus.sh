#!/bin/bash
# check_corpus.sh: every file of the corpus (common/fuzz/corpus.sh) through a chapter's program: the promised exit status, and
# for one that is refused a line on standard error that names it.  test_corpus says the same of the library alone.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=build/simt/bin/05_spmv_vector
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
common/fuzz/corpus.sh "$work" || exit 1
[ -x $program ] || { echo "check_corpus: $program is not built"; exit 1; }
wrong=0 files=0
while IFS=$'\t' read -r name expected _ words; do
    files=$((files + 1))
    timeout 20 $program --matrix "$work/$name" --only v1 --dtype fp64 >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ $status -eq "$expected" ] && { [ $status -eq 0 ] || [ "$(grep -cF "$work/$name:" "$work/err")" -eq 1 ]; } &&
        { [ $status -eq 0 ] || grep -qF -- "$words" "$work/err"; }; then continue; fi
    wrong=$((wrong + 1))
    echo "check_corpus: $name: exit status $status, not $expected; said:"
    cat "$work/err"
done <"$work/files.tsv"
echo "check_corpus: $files files, $wrong not as promised"
[ $wrong -eq 0 ] && [ $files -gt 80 ]
