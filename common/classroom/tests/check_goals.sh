#!/bin/bash
# check_goals.sh [FILE EXERCISE...]: no step of the course reaches the goals of an exercise of its chapter unchanged,
# even if renamed, and no solution those of the other exercise; each solution gets all points in its own exercise.  If
# exercises asked for what the steps compute, steps would reach the goals, which shows that this test can fail.  The
# naive solutions of a chapter do not get all points either.
cd "$(dirname "$0")/../../.." || exit 2
grade=build/simt/bin/grade
table=${TABLE-common/classroom/grade/exercises.txt}

# points FILE EXERCISE: prints its points, or 0 if it does not compile.
points() {
    local chapter name
    name=${1##*/}
    chapter=${name%%_*}
    $grade --build build/simt --unsandboxed --exercises "$table" --seed 2026 --seconds 60 "${chapter#0}" "$2" "$1" 2>&1 |
        sed -n 's|^ *\([0-9]*\)/100.*|\1|p' | tail -n 1
}
if [ "$1" = --one ]; then # FILE EXERCISE
    got=$(points "$2" "$3")
    printf '%s %s %s\n' "${2##*/}" "$3" "${got:--}"
    exit 0
fi
status=0
complain() { echo "$1"; status=1; }
place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT; trap 'exit 130' HUP INT TERM
mkdir "$place/work"

# A step disguised by other names.  Steps with a plan cannot be submitted.  Each step is tried with one of the two
# exercises, because a step gives a wrong result in both.
e=1
for step in 0?_*/v[0-9]*_*.cu 0?_*/[a-z]_*/v[0-9]*_*.cu; do
    chapter=${step%%_*} v=${step##*/}
    v=${v%%_*} v=${v/#v0/v}
    case $step in *_plan.cu) continue ;; esac
    grep -q "^STEP($v," "${step%%/*}/steps.def" || continue
    e=$((3 - e))
    echo "$place/work/${chapter}_$v.cu $e" >>"$place/all"
    sed -E "s/_${v}(_|\b)/_student\1/g; s/\b(lane|start|end|stride|thread|vector|partial|piece|tid)\b/\1_/g" "$step" >"$place/work/${chapter}_$v.cu"
done
common/classroom/grade/solutions.sh "$place/solutions" || exit 1
{
    for e in 1 2; do printf "%s $e\n" "$place"/solutions/*.cu; done
    cat "$place/all"
} | xargs -P "$(nproc 2>/dev/null || echo 2)" -n 2 "$0" --one >"$place/got"
while read -r file exercise got; do
    case $file,$got in
    *,-) complain "$file on exercise $exercise: the grader gave no points" ;;
    0?_e"$exercise".cu,100) ;;
    0?_e"$exercise".cu,*) complain "$file has $got points, not 100" ;;
    *) [ "$got" -le 30 ] || complain "$file has $got points in exercise $exercise" ;;
    esac
done <"$place/got"
[ "$(wc -l <"$place/got")" -gt 100 ] || complain "only $(wc -l <"$place/got") were tried"

# If exercises asked for what the steps compute, only the goals would refuse a naive solution: one thread per row, one
# atomic per number.
sed '/^ *asks /d' common/classroom/grade/exercises.txt >"$place/table"
export TABLE=$place/table
for naive in "$place"/work/0[1246]_v1.cu common/classroom/grade/honest/01_atomic_each.cu common/classroom/grade/honest/03_one_thread_a_row.cu \
    common/classroom/grade/honest/05_scalar_rows.cu common/classroom/grade/honest/07_warp_a_row.cu common/classroom/grade/honest/07_atomic_each.cu; do
    printf '%s\n' "$naive 1" "$naive 2"
done | xargs -P "$(nproc 2>/dev/null || echo 2)" -n 2 "$0" --one >"$place/naive"
while read -r file exercise got; do
    case $got in
    - | 0) complain "$file on exercise $exercise: ${got/#-/no} points, so the grader tested nothing" ;;
    100) complain "$file, a naive solution, has all points in exercise $exercise" ;;
    esac
done <"$place/naive"
[ "$(wc -l <"$place/naive")" -eq 18 ] || complain "$(wc -l <"$place/naive") naive solutions were tried, not 18"

# This test can fail: a step reaches all goals if the exercise asks for the step's result.
[ "$("$0" --one "$place/work/01_v8.cu" 1)" = '01_v8.cu 1 100' ] || complain 'a step that has all goals is not noticed'
[ "$("$0" --one "$place/work/05_v3.cu" 2)" = '05_v3.cu 2 100' ] || complain 'a step that has all goals is not noticed (05)'
exit $status
