#!/bin/bash
# load_on_gpu.sh [RECORD]: tests load and faults on a GPU, in about three minutes after the build (soak.sh is the long run).
# BACKEND=simt runs a small version on the simulator.  Builds what it needs (libspmv, chapter 05, chapter 01 with a
# kernel that breaks); NO_BUILD=1 uses what is in build/, and ONLY_BUILD=1 only builds.
#
# RECORD (build/load_BACKEND.tsv) gets a line for each test: its name, what happened, seconds, exit status, and whether that
# is what was promised.  Exit status 1 if a promise was broken.
set -u
cd "$(dirname "$0")/../../.." || exit 1
case ${1-} in
-*)
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    exit 64
    ;;
esac
backend=${BACKEND-cuda}
record=${1-build/load_$backend.tsv}
bin=build/$backend/bin
load=$bin/load_spmv spmv=$bin/05_spmv_vector
if [ "$backend" = cuda ]; then edge=1000000000 each=1000 large=(fit 10)
else edge=20000 each=50 large=(diagonal 20000); fi

make="make --no-print-directory -j$(nproc) BACKEND=$backend"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
sed 's|// TODO: the sum of.*|sums[1 << 28] = in[0];|' 01_reduce/exercise.cu >"$work/my.cu"
[ -n "${NO_BUILD-}" ] || { $make -C common && $make -C 07_load_balance/libspmv load && $make -C 05_spmv_vector MAKELEVEL=1 &&
    $make -C 01_reduce MAKELEVEL=1 && $make -C 01_reduce MAKELEVEL=1 STUDENT="$work/my.cu"; } >"$work/build" 2>&1 || {
    tail -n 20 "$work/build"
    exit 1
}
[ -z "${ONLY_BUILD-}" ] || exit 0

failed=0
"$spmv" --matrix band:100,1 --only v1 --record "$work/r.tsv" >/dev/null || exit 1 # prints what is missing
gpu=$(sed -n 's/^# gpu: //p' "$work/r.tsv")
mkdir -p "$(dirname "$record")"
printf '# gpu: %s\n# commit: %s\n# date: %s\nstep\tfault\thappened\tseconds\texit\tstatus\n' "$gpu" \
    "$(sed -n 's/^# commit: //p' "$work/r.tsv")" "$(date +%F)" >"$record"

# note NAME WHAT HAPPENED SECONDS EXIT ok|FAIL
note() {
    local happened=${3//"$work"/DIR}
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$(printf '%s' "$happened" | tr '\t\n|' '  /' | tr -s ' ' | cut -c 1-300)" "$4" "$5" "$6" | tee -a "$record"
    [ "$6" = ok ] || failed=$((failed + 1))
}

# try NAME WHAT STATUS WORDS COMMAND...: the command must end with that status and print these words
try() {
    local name=$1 what=$2 expected=$3 words=$4 status line begin
    shift 4
    begin=$(date +%s.%N)
    timeout -k 5 200 "$@" >"$work/out" 2>"$work/err"
    status=$?
    line=$(cat "$work/err" "$work/out" | grep -e "$words" | tail -n 1)
    if [ $status -eq "$expected" ] && [ -n "$line" ]; then state=ok; else state=FAIL; fi
    note "$name" "$what" "${line:-$(tail -n 2 "$work/err" "$work/out")}" "$(echo "$(date +%s.%N) $begin" | awk '{ printf "%.1f", $1 - $2 }')" $status $state
}

try plans '10000 tiny plans created, executed, destroyed' 0 ': flat' "$load" plans 10000 gpu
try plans_cpu '10000 tiny plans on the CPU' 0 ': flat' "$load" plans 10000 cpu
try leak '1000 plans that are never destroyed: the growth must be reported' 1 'GROWING' "$load" leak 1000 gpu
try tall "$edge x 1, 3 nonzeros" 0 'plan.*ok$' "$load" tall $edge gpu
try wide "1 x $edge, 3 nonzeros" 0 'plan.*ok$' "$load" wide $edge gpu
try diagonal "$edge x $edge, diagonal" 0 'plan.*ok$\|plan.*refused: .*out of memory' "$load" diagonal $edge gpu
[ "$backend" = simt ] || try fit 'the largest: arrays of 90 % of the free memory of the GPU' 0 'none.*ok$' "$load" fit 90 gpu
try beyond 'larger than the memory of the GPU' 2 'needs .* GB, the GPU has .* GB free' "$load" fit 150 gpu

# eight NAME WHAT COMMAND...: runs eight at once; all must end with 0
eight() {
    local name=$1 what=$2 begin=$SECONDS i good=0 pids=() state
    shift 2
    for i in 1 2 3 4 5 6 7 8; do
        timeout -k 5 100 "$@" >"$work/eight.$i" 2>&1 &
        pids+=($!)
    done
    for i in "${pids[@]}"; do wait "$i" && good=$((good + 1)); done
    state=ok
    [ $good -eq 8 ] || { state=FAIL; tail -n 2 "$work"/eight.*; }
    note "$name" "$what" "$good of 8 ended well; the last said: $(tail -n 1 "$work/eight.8")" $((SECONDS - begin)) - $state
}
# With seven other processes the GPU's free memory varies, so only the values of y are checked.
eight eight_plans "eight processes at once, $each plans each" bash -c '"$@" | grep "all right"' - "$load" plans $each gpu
eight eight_large "eight processes at once, each with a large matrix: ${large[*]}" "$load" "${large[@]}" gpu
eight eight_chapters 'eight processes at once, the steps of chapter 05' "$spmv" \
    --matrix 'powerlaw:2000,2000,12000' --only 'v*' --dtype fp32 --reps 5

"$bin/01_reduce_student" --size 1000 --dtype fp32 --only 'v1,student,v9' --record "$work/broken.tsv" >"$work/out" 2>&1
status=$?
rows=$(awk -F '\t' '/^#/ || $1 == "chapter" { next } { print $2 ": " $15 ";" }' "$work/broken.tsv" | tr '\n' ' ')
if [ $status -eq 1 ] && echo "$rows" | grep -q 'student: FAIL'; then state=ok; else state=FAIL; fi
note kernel_breaks 'a kernel writes far out of bounds, after two others' "$rows" - $status $state

echo "load_on_gpu: $failed not as promised ($record)"
[ $failed -eq 0 ]
