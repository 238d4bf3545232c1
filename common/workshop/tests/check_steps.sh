#!/bin/sh
# check_steps.sh: a step must be a small change of an earlier one, which it names (common/workshop/tools/steps.sh).
status=0
complain() { echo "$1"; status=1; }

copy=$(mktemp -d) || exit 2 # a chapter with mistakes, and the list of steps of the checked chapter
trap 'rm -rf "$copy" "$copy.list" "$copy.expected"' EXIT; trap 'exit 130' HUP INT TERM
list() { common/workshop/tools/steps.sh list "$1" >"$copy.list"; }

# check FOLDER: prints what is wrong with the steps of the chapter that was listed last
check() {
    case $1 in *07_*) most=60 ;; *) most=40 ;; esac # in 07 the code that builds a format counts with its kernel
    awk -F '\t' -v OFS=' ' -v chapter="$(basename "$1")" -v most=$most '
        $4 == "" { print chapter, $1 ": its second line has no idea: \" * topic " $1 " - idea\"" }
        NR == 1 && $2 != "-" { print chapter, $1 ": is from " $2 ", but the first" }
        NR > 1 && $2 == "-" { print chapter, $1 ": names no step that it is from" }
        $2 != "-" && !($2 in known) { print chapter, $1 ": is from " $2 ", which is no earlier step" }
        NR > 1 && $3 > most { print chapter, $1 ": changes " $3 " lines of " $2 ", at most " most " are allowed" }
        { known[$1] }
        END { if (!NR) print chapter, "has no steps" }' "$copy.list"
}

# hurried FOLDER: checks the short path, which is the first step and at most eight more, but not all
hurried() {
    awk -F '\t' -v chapter="$(basename "$1")" '
        NR == 1 && $5 != "*" { print chapter ": the first step is not on the short way (steps.def)" }
        $5 == "*" { ++short }
        END {
            if (NR > 2 && (short < 2 || short > 9 || short >= NR)) print chapter ": " short + 0 " of " NR " steps on the short way"
        }' "$copy.list"
}

# unsorted FOLDER: prints step files that a listing shows in another order than that of the steps
unsorted() { (cd "$1" && for f in v*_*.cu [a-z]_*/v*_*.cu; do [ ! -e "$f" ] || echo "$f"; done) | LC_ALL=C sort | sort -V -c 2>&1 | sed 's/.*disorder: //'; }

for chapter in 0?_*; do
    list "$chapter"
    said=$(check "$chapter")
    [ -z "$said" ] || complain "$said"
    said=$(hurried "$chapter")
    [ -z "$said" ] || complain "$said"
    said=$(unsorted "$chapter")
    [ -z "$said" ] || complain "$chapter/$said is listed before the steps that precede it: name them v01, v02, ... if there are more than nine"
done

# This check can fail: a chapter of four steps with a mistake each.
step() { # NUMBER FROM LINES
    { printf '/*\n * toy v%s - an idea\n *\n%s */\n' "$1" "${2:+ * From    $2
}"; seq -f 'int toy_v'"$1"'_%g;' "$3"; } >"$copy/v$1_toy.cu"
}
step 1 '' 10
step 2 v1 50
printf '// a plan is part of the step\nint plan;\n' >"$copy/v2_toy_plan.cu"
step 3 v4 50
step 4 '' 50
sed -i '2s/ - .*//' "$copy/v4_toy.cu"
cat >"$copy.expected" <<END
$(basename "$copy") v2: changes 41 lines of v1, at most 40 are allowed
$(basename "$copy") v3: is from v4, which is no earlier step
$(basename "$copy") v4: its second line has no idea: " * topic v4 - idea"
$(basename "$copy") v4: names no step that it is from
$(basename "$copy") v4: changes 50 lines of -, at most 40 are allowed
END
[ -z "$(unsorted "$copy")" ] || complain 'v1 to v4 are listed in order'
list "$copy"
check "$copy" | diff "$copy.expected" - || complain 'these faults are not reported as expected'
step 10 v3 1
echo 'STEP(v3, "an idea") // short' >"$copy/steps.def"
list "$copy"
[ "$(hurried "$copy" | wc -l)" -eq 2 ] || complain "a short path of one step that is not the first is not noticed: $(hurried "$copy")"
[ "$(unsorted "$copy")" = v1_toy.cu ] || complain "v10 before v2 is not noticed: $(unsorted "$copy")"
exit $status
