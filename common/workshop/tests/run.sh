#!/bin/sh
# run.sh FOLDER [NAME...]: runs every test program there, or those with these names, one per processor at a time (AT_ONCE=N).  Prints
# a line for each when it ends, and the totals.  Exits with 1 if a test failed.  RUN_WITH=COMMAND runs them in an emulator.
# COSTS=FILE: appends the processor seconds of each (costs.sh).  Skipped tests are noted in the file $SKIPPED (skipped.sh).  For the
# simulator's programs it also runs the checks that are scripts: pages, style, recorded counts.  The longest run first, so that no
# processor waits for them at the end.

# run.sh --one PROGRAM: prints its line and, if it failed, its output before it.
if [ "$1" = --one ]; then
    log=$(mktemp) || exit 1
    trap 'rm -f "$log"' EXIT; trap 'exit 130' HUP INT TERM
    # shellcheck disable=SC2086 # a command and its options, or nothing
    ${RUN_WITH-} "$2" >"$log" 2>&1
    status=$?
    p=$(sed -n 's/.*\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{s += $1} END {print s + 0}')
    f=$(sed -n 's/.*\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{s += $1} END {print s + 0}')
    skips=$(sed -n '/test(s), listed below/d; s/^\[  SKIPPED \] //p' "$log" | sort -u)
    case $2 in *.sh) p=$((status == 0)) f=$((status != 0)) ;; esac
    if [ -n "$skips" ]; then
        grep -q '^\[  PASSED  \]' "$log" || p=0
        who=$(basename "$(dirname "$(dirname "$2")")")/$(basename "$2")
        [ -z "${SKIPPED-}" ] || echo "$skips" | sed "s|^|$who |" >>"$SKIPPED"
    fi
    said=
    if [ "$status" -ne 0 ]; then
        said=$(grep -v '^\[ RUN\|^\[       OK' "$log")
        [ "$f" -gt 0 ] || { f=1; said="$said
$2 ended with status $status"; } # it crashed, or ran no test
    fi
    [ "$p" -gt 0 ] || [ "$f" -gt 0 ] || [ -n "$skips" ] || { f=1; said="$2 ran no test"; }
    printf '%s%-32s %4d passed, %d failed%s\n' "${said:+$said
}" "$(basename "$2")" "$p" "$f" "${said:+; alone: ${RUN_WITH:+$RUN_WITH }$2}"
    [ -z "$said" ] || [ -z "${FAILED-}" ] || { echo "$2 said:"; echo "$said" | tail -n 40; } >>"$FAILED"
    times >"$log" # times of this shell, and of its children
    [ -z "${TIMES-}" ] || awk -F '[ms ]+' -v name="$(basename "$2")" \
        'NR == 2 { print 60 * $1 + $2 + 60 * $3 + $4, name }' "$log" >>"$TIMES"
    exit 0
fi

unset MAKEFLAGS MFLAGS MAKELEVEL # the make that runs this must not be the parent of a make in a test
list=$(mktemp) || exit 1
lines=$(mktemp) || exit 1
TIMES=$(mktemp) || exit 1
FAILED=$(mktemp) || exit 1
export TIMES FAILED
trap 'rm -f "$list" "$lines" "$TIMES" "$FAILED"' EXIT; trap 'exit 130' HUP INT TERM
folder=$1
shift
{
    case $folder in */simt/*) printf "%s\n" common/workshop/tests/check_series.sh common/*/tests/check_*.sh ;; esac
    for program in "$folder"/test_*; do
        [ ! -x "$program" ] || echo "$program"
    done
} | awk -v names="$*" 'BEGIN { n = split(names, name, " "); for (i = 1; i <= n; i++) wanted[name[i]] }
    { who = $0; sub(/.*\//, "", who); sub(/[.]sh$/, "", who) }
    !seen[$0]++ && (!n || who in wanted)' >"$list"
jobs=${AT_ONCE:-$(nproc 2>/dev/null || echo 2)}
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}" # threads that wait sleep: a quarter of the tests' processor time
case $folder in */cuda/*) jobs=1 ;; esac # there is one GPU
xargs -P "$jobs" -n 1 "$0" --one <"$list" | tee "$lines"
sort -rn "$TIMES" | awk '$1 >= 5 && ++n <= 8 { said = said (n > 1 ? ", " : "") $2 sprintf(" %d s", $1) }
    END { if (n) print "slowest, in processor time: " said }'
[ -z "${COSTS-}" ] || cat "$TIMES" >>"$COSTS"
cat "$FAILED" # again, so that they are at the end of a log
awk -v wanted="$(wc -l <"$list")" '
    / passed, [0-9]+ failed(; alone: .*)?$/ {lines++; passed += $2; failed += $4}
    END {
        if (lines != wanted) {print wanted - lines " programs did not report"; failed += wanted - lines}
        print passed + 0 " passed, " failed + 0 " failed"
        exit !(passed > 0 && failed == 0)
    }' "$lines"
