#!/bin/sh
# load.sh LOAD_SPMV: a little of tests/load.c.  Prints what the other tests print, so that run.sh counts it.
program=$1
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT; trap 'exit 130' HUP INT TERM
passed=0 failed=0

# NAME STATUS WORDS ARGUMENTS...: ends with that status and says these words
check() {
    name=$1 expected=$2 words=$3
    shift 3
    "$program" "$@" >"$log" 2>&1
    status=$?
    if [ "$status" -eq "$expected" ] && grep -q "$words" "$log"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "[  FAILED  ] $name: exit status $status"
        tail -n 5 "$log"
    fi
}

check 'many plans on the CPU' 0 'all right.*: flat' plans 2000
check 'many plans on the GPU or its simulator' 0 'all right.*: flat' plans 400 gpu
check 'a leak on the CPU is seen' 1 GROWING leak 5000
check 'a leak on the GPU or its simulator is seen' 1 GROWING leak 400 gpu
check 'tall' 0 'tall	1000000	1	3	plan.*ok' tall 1000000
check 'wide' 0 'wide	1	1000000	3	plan.*ok' wide 1000000
check 'diagonal' 0 'diagonal	100000	100000	100000	plan.*ok' diagonal 100000
check 'shapes on the GPU or its simulator' 0 'tall	20000	1	3	plan.*ok' tall 20000 gpu
check 'more than the host has' 2 'needs .* GB, this machine has .* GB free' fit 300
check 'more than the GPU has' 2 'needs .* GB, the GPU has .* GB free' fit 200 gpu
check 'no arguments' 64 'load_spmv plans N'
check 'a wrong number' 64 'load_spmv plans N' plans 1x
echo "[  PASSED  ] $passed test(s)."
[ $failed -eq 0 ] || echo "[  FAILED  ] $failed test(s)"
[ $failed -eq 0 ]
