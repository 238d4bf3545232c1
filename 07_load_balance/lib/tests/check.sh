# shellcheck shell=sh
# check.sh - for the shell tests of this folder: runs checks, counts them, prints what the other tests print, so that
# run.sh counts it.  To be sourced; $place is a folder for the log.
passed=0 failed=0

check() { # NAME COMMAND...
    name=$1
    shift
    # shellcheck disable=SC2154 # place: the caller's
    if "$@" >"$place/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "[  FAILED  ] $name"
        cat "$place/log"
    fi
}

# The last line, and the exit status.
finish() {
    echo "[  PASSED  ] $passed test(s)."
    [ "$failed" -eq 0 ] || echo "[  FAILED  ] $failed test(s)."
    [ "$failed" -eq 0 ]
}
