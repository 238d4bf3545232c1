#!/bin/sh
# costs.sh: measures the processor seconds of building and testing, and compares them with budgets.
#   COSTS=FILE costs.sh of PART COMMAND...   runs a command and appends its processor seconds; returns its exit status
#   costs.sh table FILE                      prints the parts with their budgets (common/workshop/tests/budget.tsv).
#                                            A part 20 % over it is named; one over twice its budget gives exit status 1
# Machines differ in speed and load, so times are divided by that of a fixed piece of work in the same run (compiling 100
# small functions) and multiplied by its time when the budget was written (the line "yardstick").
yardstick() {
    work=$(mktemp -d) || exit 2
    awk 'BEGIN { for (i = 0; i < 100; i++) printf "int f%d(int *a, int n) { int s = %d; for (int i = 0; i < n; i++) s = s * 31 + a[i] %% (i + 7); return s; }\n", i, i }' >"$work/a.c"
    spent "${CC:-cc}" -O2 -c "$work/a.c" -o "$work/a.o"
    rm -r "$work"
}
# spent COMMAND...: stores the processor seconds (user and system) of a command and its children in $seconds; returns its exit
# status
spent() {
    ("$@"; status=$?; times >"$log"; exit $status)
    status=$?
    seconds=$(awk -F '[ms ]+' 'NR == 2 { print 60 * $1 + $2 + 60 * $3 + $4 }' "$log")
    return $status
}
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT; trap 'exit 130' HUP INT TERM

case $1 in
of)
    part=$2
    shift 2
    spent env -u COSTS "$@" # nested costs count here only
    echo "$seconds $part" >>"$COSTS"
    exit $status
    ;;
table)
    yardstick
    awk -v now="$seconds" -v total=0 '
        NR == FNR { if (!/^#/) budget[$1] = $2; next }
        { spent[$2] += $1; all += $1 }
        END {
            scale = budget["yardstick"] / now
            print "\nprocessor seconds of building and testing, and what they may be (common/workshop/tests/budget.tsv):"
            for (part in spent) {
                s = spent[part] * scale
                if (!(part in budget)) { if (s >= 10) print "  " part " is not in the budget"; small += s; continue }
                sort = "sort -k2,2rn"
                printf "  %-24s %6.0f  of %4d%s\n", part, s, budget[part], (s > 2 * budget[part] ? "   TWICE" : (s > 1.2 * budget[part] ? "   more" : "")) | sort
                if (s > 2 * budget[part]) twice = twice " " part
                else if (s > 1.2 * budget[part]) more = more " " part
            }
            close(sort)
            printf "  %-24s %6.0f\n  %-24s %6.0f  (as measured here: %.0f; the yardstick took %.2f s)\n", "others", small, "all", all * scale, all, now
            if (more != "") print "warning: a fifth over the budget:" more
            if (twice != "") print "twice the budget:" twice
            exit twice != ""
        }' "$(dirname "$0")/budget.tsv" "$2"
    ;;
*)
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    exit 64
    ;;
esac
