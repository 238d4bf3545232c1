#!/bin/sh
# check_predictions.sh [BUILD]: what the predictions say limits the steps that the pages explain, on the simulator; the
# same number each time; and that a GPU on which it is otherwise makes these assertions fail.
set -eu
cd "$(dirname "$0")/../../.."
bin=${1:-build/simt}/bin
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fails=0
predict() { # record, GPU, chapter and its arguments
    record=$1 gpu=$2 chapter=$3
    shift 3
    "$bin/$chapter" "$@" --dtype fp32 --card "$gpu" --record "$scratch/$record" >"$scratch/log" 2>&1 ||
        { cat "$scratch/log"; exit 1; }
}
says() { # record, step, pattern: is that what limits it?
    awk -F'\t' -v step="$2" -v pattern="$3" '
        /^#/ { next }
        $1 == "chapter" { for (i = 1; i <= NF; i++) if ($i == "limiter") column = i; next }
        $2 == step { found = 1; if ($column !~ pattern) { print step ": \"" $column "\" is not " pattern; bad = 1 } }
        END { exit bad || !found }' "$scratch/$1"
}
limited() { says "$@" || fails=$((fails + 1)); }
h200=common/simulator/predict/cards/h200.card

# 01: modulo costs instructions, rounds wait at barriers, a thread's own stretch costs lines, the rest is memory.
predict sum.tsv $h200 01_reduce --only 'v*' --size 2M
limited sum.tsv v1 '^bound by issuing instructions'
for v in 2 3 4; do limited sum.tsv v$v '^waiting: .* and 9 barriers'; done
for v in 5 6; do limited sum.tsv v$v '^waiting: 1 round of loads one'; done
limited sum.tsv v7 '^bound by L1 and shared memory'
for v in 8 9 10 11; do limited sum.tsv v$v '^bound by DRAM'; done
limited sum.tsv v12 'DRAM'
predict small.tsv $h200 01_reduce --only v9,v12 --size 1024
limited small.tsv v12 '^launch-bound: 1 launch$'

# 05 v3: few long rows wait, many short ones are a matter of L2 sectors.
predict long.tsv $h200 05_spmv_vector --only v3 --matrix even:64,100000,2000
predict short.tsv $h200 05_spmv_vector --only v3 --matrix even:300000,300000,3
limited long.tsv v3 '^waiting: [0-9]* rounds of loads .*grid too small'
limited short.tsv v3 '^bound by L2 sectors'

# 07: one warp waits for the dense row in v1, none if the nonzeros are distributed evenly.
predict dense.tsv $h200 07_load_balance --only v1,v8,v17,v24 --matrix one_dense_row:20000
limited dense.tsv v1 '^waiting: [0-9][0-9][0-9][0-9]* rounds .* in the slowest warp'
for v in 8 17 24; do limited dense.tsv v$v '^waiting: [0-9][0-9]* rounds .* one after another,'; done

# The same file and seed give the same number, also where rows are asked for.
predict once.tsv $h200 06_spmv_lightspmv --only v2,v6,v9,v12 --matrix like:shyy41
predict twice.tsv $h200 06_spmv_lightspmv --only v2,v6,v9,v12 --matrix like:shyy41
# Set-up is measured, and differs.
for r in once twice; do sed -n 's/.*\tH200\t//p' "$scratch/$r.tsv" >"$scratch/$r"; done
if [ ! -s "$scratch/once" ] || ! cmp -s "$scratch/once" "$scratch/twice"; then
    echo "the same run is predicted differently"
    fails=$((fails + 1))
fi

# A submission: the same number for the same seed, points for it only if asked, none if one block does all.
sed 's/reduce_v8/reduce_student/g' 01_reduce/v08_block_strided.cu >"$scratch/good.cu"
sed 's/reduce_v10/reduce_student/g; s/blocks = grid_for(.*);/blocks = 1;/' 01_reduce/v10_resident_grid.cu >"$scratch/one_block.cu"
sed '/^ *asks /d' common/classroom/grade/exercises.txt >"$scratch/table" # steps are no answers to the exercises
graded() { # file, options of grade: what it says of a prediction
    file=$1
    shift
    "$bin/grade" --unsandboxed --exercises "$scratch/table" --seed 5 "$@" 1 1 "$scratch/$file.cu" 2>&1 | grep -i -A 1 'predicted' || true
}
expect() { # what, pattern, file
    grep -q "$2" "$3" || { echo "grade: $1"; cat "$3"; fails=$((fails + 1)); }
}
graded good >"$scratch/once"
graded good >"$scratch/twice"
cmp -s "$scratch/once" "$scratch/twice" || { echo "the same submission is predicted differently"; fails=$((fails + 1)); }
expect 'a prediction without points' '^ *Predicted, without points: [0-9.]* us' "$scratch/once"
graded good --predict h200 >"$scratch/asked"
expect 'points when asked' '^+ 10/10   predicted time' "$scratch/asked"
graded one_block --predict h200 >"$scratch/slow"
expect 'no points for one block' '^+  0/10   predicted time' "$scratch/slow"

# Tickets are seen in a kernel that nvcc's table does not have: no warp does nearly all of the work, as on the simulator.
common/classroom/grade/solutions.sh "$scratch/solutions"
for e in 1 2; do
    "$bin/grade" --unsandboxed --seed 5 6 $e "$scratch/solutions/06_e$e.cu" >"$scratch/tickets" 2>&1 || true
    us=$(sed -n 's/^ *Predicted, without points: \([0-9.]*\) us.*/\1/p' "$scratch/tickets")
    awk -v us="${us:-1000}" 'BEGIN { exit !(us < 100) }' ||
        { echo "06, the solution of exercise $e: predicted ${us:-nothing} us"; fails=$((fails + 1)); }
done

# Planted: a GPU that issues without end; v1 of chapter 01 is not bound by that any more.
sed 's/^issue .*/issue 4000/; s/^step_cycles .*/step_cycles 0/' $h200 >"$scratch/fast.card"
predict fast.tsv "$scratch/fast.card" 01_reduce --only v1 --size 2M
if says fast.tsv v1 '^bound by issuing' >/dev/null; then echo "another GPU, the same limiter"; fails=$((fails + 1)); fi

[ $fails -eq 0 ] && echo "predictions: all assertions hold" || exit 1
