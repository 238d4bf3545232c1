#!/bin/sh
# run_dist.sh BUILD: dist_tests with 1, 2, 3, 4, 7 and 16 ranks in shared memory and with some over MPI, and what spmv_mpi and spmv_nccl say and return.
build=$1
here=$(cd "$(dirname "$0")" && pwd)
mpirun=$here/../mpirun.sh
# shellcheck source=common/workshop/tests/tally.sh
. "$here/../../../common/workshop/tests/tally.sh"
# A program that hangs fails.  Sixteen ranks took more than 240 s on two cores that other tests shared.
with() { timeout 900 "$mpirun" "$@"; }
# Ranks that wait sleep, also where there is a core for each.
export OMPI_MCA_mpi_yield_when_idle=1 LD_PRELOAD="$build/dist/naps.so"

# Few cores: with many ranks fewer matrices.
for run in 1 2 3 4 '7 few' '16 few' '2 mpi' '3 few mpi' '7 few mpi'; do
    ranks=${run%% *} how=${run#"${run%% *}"}
    # shellcheck disable=SC2086 # words or none
    with "$ranks" "$build/dist/dist_tests" $how >"$place/tests" 2>&1 || failed=$((failed + 1))
    n=$(sed -n 's/.*\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$place/tests")
    passed=$((passed + ${n:-0}))
    if [ "${n:-0}" -eq 0 ] || grep -q FAILED "$place/tests"; then
        echo "$ranks ranks$how:"
        [ -n "$n" ] || grep '^\[ RUN' "$place/tests" | tail -n 1 # a fault ended it there
        grep -v '^\[ RUN\|^\[       OK' "$place/tests"
    fi
done

# What measure.sh asks for on GPUs.
check "the five tests of GPUs by themselves" ends 0 "5 test(s) run" with 1 "$build/dist/dist_tests" gpus

mpi=$build/bin/spmv_mpi nccl=$build/bin/spmv_nccl
# Rows of a record: all ok, and as many as there should be.
rows() { # FILE COUNT
    awk -F'\t' -v n="$2" '/^#/ || $1 == "chapter" {next} {rows++; if ($15 != "ok") {print; bad = 1}}
        END {if (rows != n) {print rows + 0 " rows, not " n; bad = 1} exit bad}' "$1"
}
matrix=$here/../../../common/lib/tests/data/tiny_symmetric.mtx
check "help" ends 0 "--ranks=LIST" "$mpi" --help
check "list" ends 0 "halo_source" "$mpi" --list
check "no such option" ends 64 "unrecognized" "$mpi" --nonsense
check "ranks that are none" ends 64 "must be a list of whole numbers" "$mpi" --ranks 1,x
check "no such row" ends 64 "no row is called" "$mpi" --only nothing
check "more than were started" ends 64 "mpirun -n" with 2 "$mpi" --ranks 3
check "no such file" ends 2 "missing.mtx" with 2 "$mpi" --matrix missing.mtx
check "no such file, each" ends 2 "missing.mtx" with 2 "$mpi" --input each --matrix missing.mtx
check "weak wants a stencil" ends 2 "stencil27:" with 2 "$mpi" --weak --matrix rmat:5,5
check "weak, and too large" ends 2 "use fewer ranks" with 2 "$mpi" --weak --matrix poisson2d:40000,40000
check "exact where nobody has all" ends 64 "exact" "$mpi" --exact --input each
check "one world's error ends the others" ends 2 "int8 cannot be multiplied" with 2 "$mpi" --ranks 1,2 --only halo --dtype int8 --matrix identity:9
check "a rank that fails ends the others" ends 1 "rank 1: MPI_Startall" with 3 env LD_PRELOAD="$build/dist/one_fails.so" "$mpi" --only halo --matrix poisson2d:9,9
# In shared memory nobody is told that a rank ended, or does something else: it is noticed, in time, and said once.
ends_in_time() { # STATUS TEXT COMMAND...
    began=$(date +%s)
    ends "$@" || return 1
    [ $(($(date +%s) - began)) -le 40 ] || { echo "it took $(($(date +%s) - began)) s"; return 1; }
    [ "$(grep -c 'rank\|died' "$place/out")" -eq 2 ] || { echo "more than one line, beside that of the cut"; return 1; }
}
products="$mpi --only halo --matrix poisson3d:20,20,20 --dtype fp64 --reps 50 --transport shared"
# shellcheck disable=SC2086 # words
check "a rank killed in the middle" ends_in_time 137 "died of signal 9" with 4 env LD_PRELOAD="$build/dist/one_ends.so" $products
# shellcheck disable=SC2086 # words
check "a rank that is stuck" ends_in_time 1 "rank 1 did not send for 8 s" with 4 env LD_PRELOAD="$build/dist/one_ends.so" ONE_ENDS=stuck $products
check "no memory to share: over MPI" ends 1 "ranks exchange its entries of x by mpi" with 3 env LD_PRELOAD="$build/dist/one_fails.so" "$mpi" --only halo --matrix poisson2d:9,9
check "no memory to share, and nothing else will do" ends 2 "shared memory: MPI_ERR" with 3 env LD_PRELOAD="$build/dist/one_fails.so" "$mpi" --transport shared --only halo --matrix poisson2d:9,9
check "no such transport" ends 64 "must be auto, mpi" "$mpi" --transport pigeon
check "directly, without GPUs" ends 1 "the transport direct works on GPUs only" with 2 "$mpi" --transport direct
check "over MPI" with 3 "$mpi" --transport mpi --matrix "$matrix" --reps 1 --record "$place/mpi.tsv"
check "its rows" rows "$place/mpi.tsv" 26
check "its header says so" grep -q '^# world_3: MPI, 3 ranks on CPUs' "$place/mpi.tsv"
check "loops have two types" with 2 "$mpi" --dtype fp16 --matrix identity:9 --reps 1 --record "$place/half.tsv"
check "its rows" rows "$place/half.tsv" 10
check "ranks that cannot be" ends 64 "the number of ranks must be 1 or more" with 0 "$mpi"
for ranks in $((64 * $(nproc) + 1)) 100000 2147483648 99999999999999999999; do
    check "too many: $ranks" ends 64 "mpirun.sh: $ranks ranks are too many" with "$ranks" "$mpi"
done
check "a record that cannot be" ends 74 "cannot write" with 2 "$mpi" --only halo --matrix identity:9 --record /dev/null/x
check "no such program" ends 127 "build it by make dist or make apps" with 2 "$place/nothing"
check "a file, dealt out" with 3 "$mpi" --matrix "$matrix" --reps 1 --record "$place/file.tsv"
check "its rows" rows "$place/file.tsv" 26
check "its header says how x travelled" grep -q '^# world_3: shared memory, 3 ranks on CPUs' "$place/file.tsv"
check "a file, read by each" with 3 "$mpi" --input each --matrix "$matrix" --reps 1 --only halo,replicated --record "$place/each.tsv"
check "its rows" rows "$place/each.tsv" 4
check "several worlds" with 4 "$mpi" --ranks 1,3,4 --matrix rmat:8,8 --exact --dtype fp64 --reps 1 --record "$place/worlds.tsv"
check "their rows" rows "$place/worlds.tsv" 39
check "weak" with 4 "$mpi" --weak --ranks 1,4 --matrix poisson3d:6,6,6 --dtype fp64 --reps 1 --record "$place/weak.tsv"
check "its rows" rows "$place/weak.tsv" 26
check "on the simulator or on GPUs" with 2 "$nccl" --matrix powerlaw:90,90,900 --reps 1 --transport mpi --record "$place/gpu.tsv"
check "its rows" rows "$place/gpu.tsv" 20
check "its header says how x travelled" grep -q '^# world_2: MPI by way of host buffers, 2 ranks on' "$place/gpu.tsv"
check "the table of the cuts" with 4 "$mpi" --cuts "$place/cuts.tsv" --matrix rmat:8,8
check "the printed row says how x travels" ends 0 "transport shared" with 2 "$mpi" --only halo --reps 1 --matrix identity:9
check "and over MPI" ends 0 "transport mpi" with 2 "$mpi" --only halo --reps 1 --matrix identity:9 --transport mpi
check "who has what" ends 0 "rank 3   rows" with 4 "$mpi" --per-rank --only halo --reps 1 --dtype fp64 --matrix rmat:8,8
# The best cut is no worse than the others, and a halo no more than all of x.
# shellcheck disable=SC2016 # fields of awk
check "what it holds" awk -F'\t' '$3 == "cut" {n++; m[$2] = $8; if ($17 < $16) exit 1}
    END {exit !(n == 3 && m["best@4"] <= m["source@4"] && m["best@4"] <= m["rows@4"] && m["best@4"] >= 1)}' "$place/cuts.tsv"
check "cuts for ranks that nobody started" ends 0 "1024 ranks, cut best" "$mpi" --cuts "$place/parts.tsv" --parts 1,8,1024 --matrix rmat:8,8
if "$mpi" --matrix identity:9 --order metis --only halo --reps 1 2>&1 | grep -q 'built without METIS'; then
    check "an order without METIS" ends 64 "libmetis-dev" "$mpi" --order metis
else
    check "METIS's order, counted" ends 0 "chose METIS's order" "$mpi" --order metis --cuts "$place/order.tsv" --parts 1,4 --matrix poisson3d:9,9,9
    # shellcheck disable=SC2016 # fields of awk
    check "its rows" awk -F'\t' '$3 == "cut" {n++; most[$2] = $16} END {exit !(n == 8 && most["metis@4"] < most["best@4"])}' "$place/order.tsv"
    check "METIS's order, multiplied" ends 0 "chose METIS's order" with 4 "$mpi" --order metis --ranks 2,4 --matrix poisson3d:9,9,9 --exact --dtype fp64 --reps 1 --record "$place/ordered.tsv"
    check "its rows" rows "$place/ordered.tsv" 26
    check "its name" grep -q 'poisson3d:9,9,9/metis' "$place/ordered.tsv"
    check "an order where nobody has all" ends 64 "the entire matrix on rank 0" "$mpi" --order metis --input each
fi
check "no such cut" ends 64 "must be 1d, 2d or auto" "$mpi" --cut sideways
check "a cut where nobody has all" ends 64 "the entire matrix on rank 0" "$mpi" --cut 2d --input each
check "a grid, by the bytes counted" ends 0 "chose the grid" with 4 "$mpi" --cut auto --ranks 1,4 --matrix rmat:10,8 --exact --dtype fp64 --reps 1 --record "$place/grid.tsv"
check "its rows" rows "$place/grid.tsv" 21
check "its name" grep -q 'rmat:10,8/2x2' "$place/grid.tsv"
check "no grid where it is no better" ends 0 "chose whole rows" with 4 "$mpi" --cut auto --matrix poisson2d:20,20 --only halo --exact --reps 1
check "a grid that was asked for" ends 0 "in a grid of 1 x 3" with 3 "$mpi" --cut 2d --matrix poisson2d:20,20 --exact --reps 1 --record "$place/asked.tsv"
check "its rows" rows "$place/asked.tsv" 16
check "a grid on the simulator or on GPUs" with 4 "$nccl" --cut 2d --matrix powerlaw:90,90,900 --reps 1 --transport mpi --record "$place/grid_gpu.tsv"
check "its rows" rows "$place/grid_gpu.tsv" 10
check "grids, counted" with 1 "$mpi" --cut auto --cuts "$place/grids.tsv" --parts 1,4,16 --matrix rmat:10,8
# shellcheck disable=SC2016 # fields of awk
check "what they move" awk -F'\t' '$3 == "cut" {n++; moved[$2] = $24; grid[$2] = $25}
    END {exit !(n == 11 && moved["2d@16"] < moved["best@16"] && grid["2d@16"] == "4x4" && grid["best@16"] == "16x1")}' "$place/grids.tsv"
check "no such order" ends 64 "must be natural or metis" "$mpi" --order alphabetical
check "parts without cuts" ends 64 "--parts needs --cuts FILE" "$mpi" --parts 8
check "cuts where nobody has all" ends 64 "--cuts needs the entire matrix" "$mpi" --cuts "$place/parts.tsv" --weak
check "the summary" sh -c "awk -f '$here/../summary.awk' '$place/weak.tsv' | grep -c 'ranks[14]' | grep -qx 2"

# What it lacks is said first: a course with nothing built, and a path without a compiler.
mkdir -p "$place/path" "$place/course/07/distributed"
cp "$here/../measure.sh" "$place/course/07/distributed"
for tool in sh sed dirname mkdir grep env cat python3 nproc; do ln -s "$(command -v "$tool")" "$place/path/$tool"; done
check "measure.sh says what it needs" ends 69 "install what is missing: make cc c++ mpicc mpirun jansson.h zlib.h" env PATH="$place/path" "$place/course/07/distributed/measure.sh" "$place/measured" cuts

# The model on numbers whose answer is known: 0.1 us a nonzero, 10 GB/s and 3 us within a host, 50 GB/s and 5 us beyond.
columns() { echo "$*" | tr ' ' '\t'; }
{
    columns chapter step kind case dtype status ranks nnz inside_nnz_max halo_nnz_max near_max far_max near_messages far_messages replicated
    columns m best@1 cut big fp64 ok 1 1000 1000 0 0 0 0 0 0
    columns m best@2 cut big fp64 ok 2 1000 400 100 8000 0 1 0 1000000
    columns m best@16 cut big fp64 ok 16 1000 50 20 1000 16000 3 2 1000000
} >"$place/volumes.tsv"
{
    echo "# gpu: none"
    columns chapter step kind case dtype status ranks product_us boundary_us exchange_us exchange_all_us bytes
    columns n ranks1 gpu small fp64 ok 1 10 - - - 5
    columns n ranks2 gpu small fp64 ok 2 11 4 3 9 5
    columns n ranks4 gpu small fp64 ok 4 12 5 3.5 9 5
    columns n ranks1 gpu big fp64 ok 1 110 - - - 999
    columns n ranks2 gpu big fp64 ok 2 70 9 9 100 999
} >"$place/measured.tsv"
model() { # P COLUMN VALUE [AWK OPTIONS...]
    want_p=$1 column=$2 value=$3
    shift 3
    awk "$@" -f "$here/../../../docs/scale.awk" "$place/volumes.tsv" "$place/measured.tsv" >"$place/scale.tsv" || return 1
    awk -F'\t' -v p="$want_p" -v c="$column" -v v="$value" '$1 == "chapter" {for (i = 1; i <= NF; i++) at[$i] = i}
        $at["step"] == "gpus" p {found = 1; if ($at[c] != v) {print $at[c] " is not " v; bad = 1}} END {exit bad || !found}' "$place/scale.tsv"
}
check "the model: two GPUs" model 2 product_us 64.000
check "the model: their exchange" model 2 exchange_us 3.800
check "the model: what was measured" model 2 measured_us 70
check "the model: two hosts" model 16 exchange_us 9.720
check "the model: another network" model 16 exchange_us 22.700 -v far_gbps=2 -v far_us=10 -v far_message_us=0.6
check "the model: its limit" model 16 bound launch

tally
