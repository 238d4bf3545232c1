#!/bin/sh
# run_dist.sh BUILD: runs dist_tests with 1 to 16 ranks in shared memory and over MPI, and checks what spmv_mpi and spmv_nccl print
# and return.
build=$1
here=$(cd "$(dirname "$0")" && pwd)
mpirun=$here/../mpirun.sh
# shellcheck source=common/workshop/tests/tally.sh
. "$here/../../../common/workshop/tests/tally.sh"
# The time limit makes a hanging program fail.  Sixteen ranks took more than 240 s on two cores that other tests shared.
with() { timeout 900 "$mpirun" "$@"; }
# Waiting ranks sleep, even if there is a core for each rank.
export OMPI_MCA_mpi_yield_when_idle=1 LD_PRELOAD="$build/dist/naps.so"

# With many ranks on few cores, use fewer matrices.
for run in 1 2 3 4 '7 few' '16 few' '2 mpi' '3 few mpi' '7 few mpi'; do
    ranks=${run%% *} how=${run#"${run%% *}"}
    # shellcheck disable=SC2086 # words or none
    with "$ranks" "$build/dist/dist_tests" $how >"$place/tests" 2>&1 || failed=$((failed + 1))
    n=$(sed -n 's/.*\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$place/tests")
    passed=$((passed + ${n:-0}))
    if [ "${n:-0}" -eq 0 ] || grep -q FAILED "$place/tests"; then
        echo "$ranks ranks$how:"
        [ -n "$n" ] || grep '^\[ RUN' "$place/tests" | tail -n 1 # the test in which a fault ended the rank
        grep -v '^\[ RUN\|^\[       OK' "$place/tests"
    fi
done

# What measure.sh asks for on GPUs.
check "the five tests of GPUs by themselves" ends 0 "5 test(s) run" with 1 "$build/dist/dist_tests" gpus

mpi=$build/bin/spmv_mpi nccl=$build/bin/spmv_nccl
# The rows of a results file are all ok, and their number is COUNT.
rows() { # FILE COUNT
    awk -F'\t' -v n="$2" '/^#/ || $1 == "chapter" {next} {rows++; if ($15 != "ok") {print; bad = 1}}
        END {if (rows != n) {print rows + 0 " rows, not " n; bad = 1} exit bad}' "$1"
}
matrix=$here/../../../common/lib/tests/data/tiny_symmetric.mtx
check "--help lists the options" ends 0 "--ranks=LIST" "$mpi" --help
check "--list names the variants" ends 0 "halo_source" "$mpi" --list
check "an unknown option is refused" ends 64 "unrecognized" "$mpi" --nonsense
check "a list of ranks with a letter is refused" ends 64 "must be a list of whole numbers" "$mpi" --ranks 1,x
check "an unknown row in --only is refused" ends 64 "no row is called" "$mpi" --only nothing
check "more ranks than were started are refused" ends 64 "mpirun -n" with 2 "$mpi" --ranks 3
check "a missing matrix file is refused" ends 2 "missing.mtx" with 2 "$mpi" --matrix missing.mtx
check "a missing matrix file that each rank reads is refused" ends 2 "missing.mtx" with 2 "$mpi" --input each --matrix missing.mtx
check "--weak without a stencil is refused" ends 2 "stencil27:" with 2 "$mpi" --weak --matrix rmat:5,5
check "a weak matrix that grows too large is refused" ends 2 "use fewer ranks" with 2 "$mpi" --weak --matrix poisson2d:40000,40000
check "--exact with --input each is refused" ends 64 "exact" "$mpi" --exact --input each
check "an error in one world ends all ranks" ends 2 "int8 cannot be multiplied" with 2 "$mpi" --ranks 1,2 --only halo --dtype int8 --matrix identity:9
check "a rank that fails ends the other ranks" ends 1 "rank 1: MPI_Startall" with 3 env LD_PRELOAD="$build/dist/one_fails.so" "$mpi" --only halo --matrix poisson2d:9,9
# In shared memory no rank is told that another has ended or is stuck: it must notice this in time, and one rank must report it.
ends_in_time() { # STATUS TEXT COMMAND...
    began=$(date +%s)
    ends "$@" || return 1
    [ $(($(date +%s) - began)) -le 40 ] || { echo "it took $(($(date +%s) - began)) s"; return 1; }
    [ "$(grep -c 'rank\|died' "$place/out")" -eq 2 ] || { echo "ranks did not print exactly one line besides that of the cut"; return 1; }
}
products="$mpi --only halo --matrix poisson3d:20,20,20 --dtype fp64 --reps 50 --transport shared"
# shellcheck disable=SC2086 # words
check "a rank that is killed ends the others in time" ends_in_time 137 "died of signal 9" with 4 env LD_PRELOAD="$build/dist/one_ends.so" $products
# shellcheck disable=SC2086 # words
check "a rank that is stuck ends the others in time" ends_in_time 1 "rank 1 did not send for 8 s" with 4 env LD_PRELOAD="$build/dist/one_ends.so" ONE_ENDS=stuck $products
check "without memory to share ranks exchange by MPI" ends 1 "ranks exchange its entries of x by mpi" with 3 env LD_PRELOAD="$build/dist/one_fails.so" "$mpi" --only halo --matrix poisson2d:9,9
check "--transport shared without memory to share is refused" ends 2 "shared memory: MPI_ERR" with 3 env LD_PRELOAD="$build/dist/one_fails.so" "$mpi" --transport shared --only halo --matrix poisson2d:9,9
check "an unknown transport is refused" ends 64 "must be auto, mpi" "$mpi" --transport pigeon
check "--transport direct without GPUs is refused" ends 1 "the transport direct works on GPUs only" with 2 "$mpi" --transport direct
check "a run over MPI succeeds" with 3 "$mpi" --transport mpi --matrix "$matrix" --reps 1 --record "$place/mpi.tsv"
check "all rows over MPI are ok" rows "$place/mpi.tsv" 26
check "the head of the results names MPI" grep -q '^# world_3: MPI, 3 ranks on CPUs' "$place/mpi.tsv"
check "a run with fp16 succeeds" with 2 "$mpi" --dtype fp16 --matrix identity:9 --reps 1 --record "$place/half.tsv"
check "fp16 runs without the loops of CSR and CSRL" rows "$place/half.tsv" 10
check "0 ranks are refused" ends 64 "the number of ranks must be 1 or more" with 0 "$mpi"
for ranks in $((64 * $(nproc) + 1)) 100000 2147483648 99999999999999999999; do
    check "$ranks ranks are refused" ends 64 "mpirun.sh: $ranks ranks are too many" with "$ranks" "$mpi"
done
check "a results file that cannot be written is reported" ends 74 "cannot write" with 2 "$mpi" --only halo --matrix identity:9 --record /dev/null/x
check "a missing program is reported" ends 127 "build it by make dist or make apps" with 2 "$place/nothing"
check "a run whose rank 0 reads the file succeeds" with 3 "$mpi" --matrix "$matrix" --reps 1 --record "$place/file.tsv"
check "all rows are ok if rank 0 reads the file" rows "$place/file.tsv" 26
check "the head of the results names shared memory" grep -q '^# world_3: shared memory, 3 ranks on CPUs' "$place/file.tsv"
check "a run whose ranks each read the file succeeds" with 3 "$mpi" --input each --matrix "$matrix" --reps 1 --only halo,replicated --record "$place/each.tsv"
check "all rows are ok if each rank reads the file" rows "$place/each.tsv" 4
check "a run in several worlds succeeds" with 4 "$mpi" --ranks 1,3,4 --matrix rmat:8,8 --exact --dtype fp64 --reps 1 --record "$place/worlds.tsv"
check "all rows of several worlds are ok" rows "$place/worlds.tsv" 39
check "a weak run succeeds" with 4 "$mpi" --weak --ranks 1,4 --matrix poisson3d:6,6,6 --dtype fp64 --reps 1 --record "$place/weak.tsv"
check "all rows of a weak run are ok" rows "$place/weak.tsv" 26
check "a run on the simulator or on GPUs succeeds" with 2 "$nccl" --matrix powerlaw:90,90,900 --reps 1 --transport mpi --record "$place/gpu.tsv"
check "all rows on the simulator or on GPUs are ok" rows "$place/gpu.tsv" 20
check "the head of the results names host buffers" grep -q '^# world_2: MPI by way of host buffers, 2 ranks on' "$place/gpu.tsv"
check "a table of cuts is written" with 4 "$mpi" --cuts "$place/cuts.tsv" --matrix rmat:8,8
check "a printed row names the transport shared" ends 0 "transport shared" with 2 "$mpi" --only halo --reps 1 --matrix identity:9
check "a printed row names the transport mpi" ends 0 "transport mpi" with 2 "$mpi" --only halo --reps 1 --matrix identity:9 --transport mpi
check "--per-rank prints the rows of each rank" ends 0 "rank 3   rows" with 4 "$mpi" --per-rank --only halo --reps 1 --dtype fp64 --matrix rmat:8,8
# The best cut is no worse than the other cuts, and a halo is no larger than x.
# shellcheck disable=SC2016 # fields of awk
check "the best cut has the lowest maximum" awk -F'\t' '$3 == "cut" {n++; m[$2] = $8; if ($17 < $16) exit 1}
    END {exit !(n == 3 && m["best@4"] <= m["source@4"] && m["best@4"] <= m["rows@4"] && m["best@4"] >= 1)}' "$place/cuts.tsv"
check "cuts are counted for ranks that were not started" ends 0 "1024 ranks, cut best" "$mpi" --cuts "$place/parts.tsv" --parts 1,8,1024 --matrix rmat:8,8
if "$mpi" --matrix identity:9 --order metis --only halo --reps 1 2>&1 | grep -q 'built without METIS'; then
    check "--order metis without METIS is refused" ends 64 "libmetis-dev" "$mpi" --order metis
else
    check "METIS's order is counted" ends 0 "chose METIS's order" "$mpi" --order metis --cuts "$place/order.tsv" --parts 1,4 --matrix poisson3d:9,9,9
    # shellcheck disable=SC2016 # fields of awk
    check "METIS's order lowers the largest halo" awk -F'\t' '$3 == "cut" {n++; most[$2] = $16} END {exit !(n == 8 && most["metis@4"] < most["best@4"])}' "$place/order.tsv"
    check "METIS's order is multiplied" ends 0 "chose METIS's order" with 4 "$mpi" --order metis --ranks 2,4 --matrix poisson3d:9,9,9 --exact --dtype fp64 --reps 1 --record "$place/ordered.tsv"
    check "all rows in METIS's order are ok" rows "$place/ordered.tsv" 26
    check "the name of the case shows METIS's order" grep -q 'poisson3d:9,9,9/metis' "$place/ordered.tsv"
    check "--order metis with --input each is refused" ends 64 "the entire matrix on rank 0" "$mpi" --order metis --input each
fi
check "an unknown cut is refused" ends 64 "must be 1d, 2d or auto" "$mpi" --cut sideways
check "--cut 2d with --input each is refused" ends 64 "the entire matrix on rank 0" "$mpi" --cut 2d --input each
check "--cut auto chooses a grid that moves fewer bytes" ends 0 "chose the grid" with 4 "$mpi" --cut auto --ranks 1,4 --matrix rmat:10,8 --exact --dtype fp64 --reps 1 --record "$place/grid.tsv"
check "all rows in a grid are ok" rows "$place/grid.tsv" 21
check "the name of the case shows the grid" grep -q 'rmat:10,8/2x2' "$place/grid.tsv"
check "--cut auto keeps whole rows if a grid is no better" ends 0 "chose whole rows" with 4 "$mpi" --cut auto --matrix poisson2d:20,20 --only halo --exact --reps 1
check "--cut 2d forms a grid" ends 0 "in a grid of 1 x 3" with 3 "$mpi" --cut 2d --matrix poisson2d:20,20 --exact --reps 1 --record "$place/asked.tsv"
check "all rows of --cut 2d are ok" rows "$place/asked.tsv" 16
check "a grid on the simulator or on GPUs succeeds" with 4 "$nccl" --cut 2d --matrix powerlaw:90,90,900 --reps 1 --transport mpi --record "$place/grid_gpu.tsv"
check "all rows of this grid are ok" rows "$place/grid_gpu.tsv" 10
check "grids are counted" with 1 "$mpi" --cut auto --cuts "$place/grids.tsv" --parts 1,4,16 --matrix rmat:10,8
# shellcheck disable=SC2016 # fields of awk
check "a grid of 4 x 4 moves fewer bytes than the best cut" awk -F'\t' '$3 == "cut" {n++; moved[$2] = $24; grid[$2] = $25}
    END {exit !(n == 11 && moved["2d@16"] < moved["best@16"] && grid["2d@16"] == "4x4" && grid["best@16"] == "16x1")}' "$place/grids.tsv"
check "an unknown order is refused" ends 64 "must be natural or metis" "$mpi" --order alphabetical
check "--parts without --cuts is refused" ends 64 "--parts needs --cuts FILE" "$mpi" --parts 8
check "--cuts with --weak is refused" ends 64 "--cuts needs the entire matrix" "$mpi" --cuts "$place/parts.tsv" --weak
check "summary.awk prints one line per number of ranks" sh -c "awk -f '$here/../summary.awk' '$place/weak.tsv' | grep -c 'ranks[14]' | grep -qx 2"

# A course with nothing built and a path without a compiler: measure.sh must say what is missing.
mkdir -p "$place/path" "$place/course/07/distributed"
cp "$here/../measure.sh" "$place/course/07/distributed"
for tool in sh sed dirname mkdir grep env cat python3 nproc; do ln -s "$(command -v "$tool")" "$place/path/$tool"; done
check "measure.sh lists what is missing" ends 69 "install what is missing: make cc c++ mpicc mpirun jansson.h zlib.h" env PATH="$place/path" "$place/course/07/distributed/measure.sh" "$place/measured" cuts

# Check the model with numbers whose result is known: 0.1 us per nonzero, 10 GB/s and 3 us within a host, 50 GB/s and 5 us between
# hosts.
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
check "the model adds up the time of two GPUs" model 2 product_us 64.000
check "the model adds up the time of their exchange" model 2 exchange_us 3.800
check "the model repeats the measured time" model 2 measured_us 70
check "the model adds up an exchange between two hosts" model 16 exchange_us 9.720
check "the model accepts another network" model 16 exchange_us 22.700 -v far_gbps=2 -v far_us=10 -v far_message_us=0.6
check "the model names what limits the time" model 16 bound launch

tally
