#!/bin/sh
# run.sh FOLDER: runs every test program there and prints the totals.  Exits 1 if any test failed.
# RUN_WITH=COMMAND runs them under an emulator.
folder=$1
work=$(mktemp -d) || exit 1
log=$work/log
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
passed=0 failed=0
for program in "$folder"/test_*; do
    [ -x "$program" ] || continue
    # shellcheck disable=SC2086 # a command and its options, or nothing
    ${RUN_WITH-} "$program" >"$log" 2>&1
    status=$?
    p=$(sed -n 's/.*\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{s += $1} END {print s + 0}')
    f=$(sed -n 's/.*\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{s += $1} END {print s + 0}')
    if [ "$status" -ne 0 ]; then
        grep -v '^\[ RUN\|^\[       OK' "$log"
        [ "$f" -gt 0 ] || { f=1; echo "$program ended with status $status"; } # died, or ran no test
    fi
    [ "$p" -gt 0 ] || [ "$f" -gt 0 ] || { f=1; echo "$program ran no test"; }
    printf '%-32s %4d passed, %d failed\n' "$(basename "$program")" "$p" "$f"
    passed=$((passed + p)) failed=$((failed + f))
done
# Checks that are no programs: pages, style, recorded counts (the stand-in's build has what they need).  Most of them use one
# core each, so two run at a time; one that passes leaves a file NAME.ok.
case $folder in
*/simt/*)
    # shellcheck disable=SC2016 # for the inner shell
    printf '%s\n' common/tests/check_*.sh |
        xargs -P 2 -I{} sh -c 'at=$0/$(basename "$1"); "$1" >"$at" 2>&1 && : >"$at.ok"; exit 0' "$work" {}
    for check in common/tests/check_*.sh; do
        log=$work/$(basename "$check")
        if [ -e "$log.ok" ]; then p=1 f=0; else p=0 f=1; cat "$log"; fi
        printf '%-32s %4d passed, %d failed\n' "$(basename "$check")" $p $f
        passed=$((passed + p)) failed=$((failed + f))
    done
    ;;
esac
echo "$passed passed, $failed failed"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
