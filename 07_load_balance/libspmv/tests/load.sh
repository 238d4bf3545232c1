#!/bin/sh
# load.sh LOAD_SPMV: runs a small part of tests/load.c.  Prints what the other tests print, so that run.sh counts it.
program=$1
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT; trap 'exit 130' HUP INT TERM
passed=0 failed=0

# NAME STATUS WORDS ARGUMENTS...: the program ends with that status and prints these words.
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

check 'many plans on the CPU keep memory flat' 0 'all right.*: flat' plans 2000
check 'many plans on the GPU or its simulator keep memory flat' 0 'all right.*: flat' plans 400 gpu
check 'a leak on the CPU is reported' 1 GROWING leak 5000
check 'a leak on the GPU or its simulator is reported' 1 GROWING leak 400 gpu
check 'a tall matrix is multiplied' 0 'tall	1000000	1	3	plan.*ok' tall 1000000
check 'a wide matrix is multiplied' 0 'wide	1	1000000	3	plan.*ok' wide 1000000
check 'a diagonal matrix is multiplied' 0 'diagonal	100000	100000	100000	plan.*ok' diagonal 100000
check 'a tall matrix on the GPU or its simulator is multiplied' 0 'tall	20000	1	3	plan.*ok' tall 20000 gpu
check 'a matrix larger than the host memory is refused' 2 'needs .* GB, this machine has .* GB free' fit 300
check 'a matrix larger than the GPU memory is refused' 2 'needs .* GB, the GPU has .* GB free' fit 200 gpu
check 'a call without arguments is refused' 64 'load_spmv plans N'
check 'a number with a letter is refused' 64 'load_spmv plans N' plans 1x
echo "[  PASSED  ] $passed test(s)."
[ $failed -eq 0 ] || echo "[  FAILED  ] $failed test(s)"
[ $failed -eq 0 ]
