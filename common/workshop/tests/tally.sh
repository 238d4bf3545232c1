# tally.sh - for tests in shell scripts, which begin with `. tally.sh` and end with `tally`: prints what other test programs print,
# so that run.sh can count.  place: an empty folder, removed at the end.
# shellcheck shell=sh
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT; trap 'exit 130' HUP INT TERM
passed=0 failed=0

check() { # NAME COMMAND...: passes if the command ends with 0; otherwise its output is shown
    name=$1
    shift
    if "$@" >"$place/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "[  FAILED  ] $name"
        cat "$place/log"
    fi
}

ends() { # STATUS TEXT COMMAND...: for check: the command must end with STATUS and print TEXT
    status=$1 text=$2
    shift 2
    "$@" >"$place/out" 2>&1 </dev/null
    got=$?
    cat "$place/out"
    [ "$got" -eq "$status" ] || { echo "exit status $got, expected $status"; return 1; }
    grep -q -e "$text" "$place/out" || { echo "it does not say: $text"; return 1; }
}

# Exit status 1 if any failed.
tally() {
    echo "[  PASSED  ] $passed test(s)."
    [ "$failed" -eq 0 ] || echo "[  FAILED  ] $failed test(s)."
    [ "$failed" -eq 0 ]
}
