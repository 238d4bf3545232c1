#!/bin/sh
# measure.sh FOLDER [nccl] [direct] [pairs] [checks] [mpi] [graph] [cuts]: writes this chapter's results files into FOLDER and prints a table.
# It builds missing programs with make, C and C++ compilers, MPI (mpicc, mpirun), jansson and zlib.  nccl, direct and graph need GPUs and nvcc;
# nccl and graph need NCCL, beside the toolkit, in the system or in a Python.  METIS is used if it is installed.
# nccl and mpi (the default) take less than four minutes together on 1, 2 or 4 GPUs.  cuts times nothing, so any machine will do.
# pairs compares, on 1, 2 and 4 GPUs, the direct transport with NCCL, whole rows with a grid, and solvers.  checks runs many
# products on all GPUs, and under compute-sanitizer.  No pair or check starts unless it can end within MOST_S seconds (350).
folder=$1
[ -n "$folder" ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 64; }
shift
wanted=${*:-nccl mpi}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder" || exit 1
folder=$(cd "$folder" && pwd)
cd "$here/../.." || exit 1
gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
backend=cuda
[ "$gpus" -gt 0 ] || backend=simt
bin=$PWD/build/$backend/bin

# If the system has no NCCL, use the one that a Python package has.
if [ -z "$NCCL_HOME" ]; then
    for place in /usr/local/cuda /usr /usr/local; do
        [ ! -e "$place/include/nccl.h" ] || NCCL_HOME=$place
    done
    [ -n "$NCCL_HOME" ] || NCCL_HOME=$(python3 -c 'import nvidia.nccl; print(list(nvidia.nccl.__path__)[0])' 2>/dev/null)
    [ -z "$NCCL_HOME" ] || export NCCL_HOME
fi
export LD_LIBRARY_PATH="$NCCL_HOME/lib:/usr/local/cuda/lib64:$LD_LIBRARY_PATH"
export NCCL_NVLS_ENABLE=0
# Use the programs of the build folder if they run.  Otherwise build them in a folder of their own for this machine.
runs() { "$bin/spmv_nccl" --help >/dev/null 2>&1 && "$bin/spmv_mpi" --help >/dev/null 2>&1; }
runs || bin=$PWD/build/measure/bin
if ! runs; then
    # List missing tools and headers before the build starts.
    lacking=
    for tool in make cc c++ mpicc mpirun; do command -v $tool >/dev/null 2>&1 || lacking="$lacking $tool"; done
    for header in jansson zlib; do
        echo "#include <$header.h>" | c++ -E -x c++ - >/dev/null 2>&1 || lacking="$lacking $header.h"
    done
    [ "$backend" = simt ] || [ -x /usr/local/cuda/bin/nvcc ] || command -v nvcc >/dev/null 2>&1 || lacking="$lacking nvcc"
    [ -z "$lacking" ] || { echo "measure.sh: install what is missing:$lacking (Debian: make gcc g++ openmpi-bin libopenmpi-dev libjansson-dev zlib1g-dev; nvcc is in the CUDA toolkit)" >&2; exit 69; }
    echo "building for $gpus GPUs (NCCL: ${NCCL_HOME:-none})"
    make -j"$(nproc)" -C "$here" BACKEND="$backend" BUILD="$PWD/build/measure" all >"$folder/build.log" 2>&1 ||
        { tail -n 30 "$folder/build.log"; exit 1; }
fi

case $gpus$wanted in 0*nccl* | 0*direct* | 0*graph*) echo "nccl, direct and graph are left out: this machine has no GPU" ;; esac
list=1 n=2
while [ "$n" -le "$gpus" ]; do list=$list,$n n=$((2 * n)); done
most=$((n / 2))
status=0
run() { # SECONDS RANKS PROGRAM ARGS...
    seconds=$1 ranks=$2 program=$3
    shift 3
    start=$(date +%s)
    timeout "$seconds" "$here/mpirun.sh" "$ranks" "$bin/$program" "$@" >"$folder/last.log" 2>&1 || { status=1; tail -n 15 "$folder/last.log"; }
    echo "$(($(date +%s) - start)) s: mpirun -n $ranks $program $*"
}
cuts() { # RECORD SECONDS PARTS MATRIX...: writes the tables of counts of all matrices into one file
    record=$folder/$1.tsv seconds=$2 parts=$3
    shift 3
    rm -f "$record"
    drop= # for sed: deletes the head of every table after the first
    order= # METIS's parts are counted if METIS is linked and the matrices are small; grids have their own results file
    [ "$record" != "$folder/07_grids.tsv" ] || order='--cut auto'
    [ "$record" != "$folder/07_mpi_cuts.tsv" ] || ! ldd "$bin/spmv_mpi" | grep -q metis || order='--order metis'
    for matrix; do
        # shellcheck disable=SC2086 # words or none
        run "$seconds" 1 spmv_mpi --matrix "$matrix" $order --cuts "$folder/part" --parts "$parts"
        [ ! -e "$folder/part" ] || { sed "$drop" "$folder/part" >>"$record"; drop='/^#\|^chapter/d'; }
        rm -f "$folder/part"
    done
}

case "$gpus $wanted " in 0*) ;; *" nccl "*)
    rows=halo,halo_seq,exchange,interior,boundary,replicated,exchange_all
    run 130 "$most" spmv_nccl --transport nccl --ranks "$list" --dtype fp64 --only $rows --record "$folder/07_nccl.tsv"
    run 60 "$most" spmv_nccl --transport nccl --ranks "$list" --weak --matrix stencil27:154,154,154 --dtype fp64 \
        --only halo,halo_seq,exchange,interior,boundary --record "$folder/07_nccl_weak.tsv"
    run 60 "$most" spmv_nccl --transport nccl --ranks "$list" --matrix stencil27:154,154,154 --dtype fp32 --only $rows --record "$folder/07_nccl_fp32.tsv"
    # With more ranks than GPUs ranks share a GPU, and x passes through host memory.
    run 40 $((2 * most)) spmv_nccl --matrix stencil27:100,100,100 --dtype fp64 --only halo,halo_seq,exchange,interior,boundary \
        --record "$folder/07_nccl_shared.tsv"
    ;;
esac
# Measure the direct transport and NCCL on the same rows, one after the other.
case "$gpus $wanted " in 0*) ;; *" direct "*)
    rows=halo,halo_seq,exchange,interior,boundary,halo_graph
    run 130 "$most" spmv_nccl --transport direct --ranks "$list" --dtype fp64 --only $rows --record "$folder/07_direct.tsv"
    run 130 "$most" spmv_nccl --transport nccl --ranks "${list#1,}" --dtype fp64 --only $rows --record "$folder/07_direct_nccl.tsv"
    ;;
esac
began=$(date +%s)
fits() { [ $(($(date +%s) - began + $1)) -le "${MOST_S:-350}" ] || { echo "skipped $2: less than $1 s of MOST_S are left"; return 1; }; }
# Measure one matrix by the direct transport on 1, 2, ... GPUs, and by NCCL on 2, 4, ...
pair() { # SECONDS NAME MATRIX...
    seconds=$1 name=$2
    shift 2
    fits "$seconds" "$name" || return
    run "$seconds" "$most" spmv_nccl --transport direct --ranks "$list" --dtype fp64 --only $rows --record "$folder/07_direct_$name.tsv" --matrix "$@"
    fits "$seconds" "$name, NCCL" || return
    run "$seconds" "$most" spmv_nccl --transport nccl --ranks "${list#1,}" --dtype fp64 --only $rows --record "$folder/07_direct_nccl_$name.tsv" --matrix "$@"
}
grid() { # SECONDS NAME MATRIX: the same matrix in a grid of ranks, by the direct transport
    fits "$1" "$2, grid" || return
    run "$1" "$most" spmv_nccl --transport direct --ranks "${list#1,}" --dtype fp64 --only $rows --cut 2d --record "$folder/07_direct_grid_$2.tsv" --matrix "$3"
}
solver() { # SECONDS NAME RANKS PROGRAM ARGS...: a solver by NCCL and by the direct transport, its steps in a graph
    seconds=$1 name=$2 ranks=$3
    shift 3
    [ ! -x "$bin/$1" ] || ! fits "$seconds" "$name on $ranks" || run "$seconds" "$ranks" "$@" --backend nccl,direct --record "$folder/${name}_$ranks.tsv"
}
case "$gpus $wanted " in 0*) ;; *" pairs "*)
    rows=halo,halo_seq,exchange,interior,boundary,halo_graph
    pair 30 small poisson3d:32,32,32
    pair 60 rmat rmat:22,16
    pair 60 stencil27 stencil27:154,154,154
    pair 60 circuit like:circuit5M
    pair 60 large poisson3d:256,256,256
    fits 90 weak && run 90 "$most" spmv_nccl --transport direct --ranks "$list" --weak --matrix stencil27:154,154,154 --dtype fp64 \
        --only $rows --record "$folder/07_direct_weak.tsv"
    for n in $(echo "$list" | tr , ' '); do
        solver 60 07_cg_direct_large "$n" 07_cg --matrix poisson3d:256,256,256 --no-direct
    done
    grid 60 rmat rmat:22,16
    grid 60 circuit like:circuit5M
    for n in $(echo "$list" | tr , ' '); do
        solver 25 07_cg_direct "$n" 07_cg --matrix poisson3d:128,128,128 --no-direct
    done
    solver 25 07_pagerank_direct "$most" 07_pagerank --matrix rmat:20,16
    ;;
esac
# These checks find wrong products that are rare, and errors that no product shows.
case "$gpus $wanted " in 0*) ;; *" checks "*)
    tests=${bin%/bin}/dist/dist_tests
    check() { # SECONDS NAME RANKS COMMAND...
        seconds=$1 name=$2 ranks=$3
        shift 3
        fits "$seconds" "$name" || return
        start=$(date +%s)
        timeout "$seconds" "$here/mpirun.sh" "$ranks" "$@" >"$folder/last.log" 2>&1 && said=right || said=WRONG status=1
        echo "$said, $(($(date +%s) - start)) s: $name"
        grep -E 'FAILED|ERROR SUMMARY|RACECHECK SUMMARY|line [0-9]' "$folder/last.log"
        [ "$said" = right ] || tail -n 15 "$folder/last.log"
    }
    if [ -x "$tests" ]; then
        check 40 "2000 products by the direct transport" "$most" "$tests" gpus direct 2000
        check 40 "300 products by NCCL" "$most" "$tests" gpus nccl 300
    fi
    for tool in memcheck racecheck; do
        command -v compute-sanitizer >/dev/null 2>&1 || break
        check 60 "$tool" "$most" compute-sanitizer --tool $tool --error-exitcode 9 "$bin/spmv_nccl" --transport direct --dtype fp64 \
            --matrix poisson3d:12,12,40 --only halo,halo_seq --reps 1
        check 60 "$tool, beside the interior" "$most" compute-sanitizer --tool $tool --error-exitcode 9 "$bin/spmv_nccl" --transport direct --dtype fp64 \
            --matrix poisson3d:100,100,24 --only halo,halo_seq --reps 1
        check 60 "$tool, flags" "$most" compute-sanitizer --tool $tool --error-exitcode 9 "$bin/spmv_nccl" --transport direct --dtype fp64 \
            --matrix rmat:14,16 --only halo --reps 1
        check 60 "$tool, a grid" "$most" compute-sanitizer --tool $tool --error-exitcode 9 "$bin/spmv_nccl" --transport direct --dtype fp64 \
            --matrix rmat:14,16 --cut 2d --only halo --reps 1
    done
    [ ! -x "$tests" ] || check 120 "100000 products by the direct transport" "$most" "$tests" gpus direct 100000
    ;;
esac
case "$gpus $wanted " in 0*) ;; *" graph "*)
    run 60 "$most" spmv_nccl --transport nccl --ranks "$list" --matrix stencil27:154,154,154 --dtype fp64 --only halo,halo_graph \
        --record "$folder/07_nccl_graph.tsv"
    run 60 "$most" spmv_nccl --transport nccl --ranks "$list" --matrix poisson3d:32,32,32 --dtype fp64 --only halo,halo_graph \
        --record "$folder/07_nccl_graph_small.tsv"
    ;;
esac
case " $wanted " in *" mpi "*)
    # The results file states the number of cores.
    run 120 16 spmv_mpi --transport mpi --ranks 1,2,4,8,16 --dtype fp64 --reps 7 --record "$folder/07_mpi.tsv"
    run 60 16 spmv_mpi --transport mpi --ranks 1,2,4,8,16 --weak --matrix poisson3d:64,64,64 --dtype fp64 --reps 7 \
        --only halo,halo_seq,exchange,interior,boundary,replicated --record "$folder/07_mpi_weak.tsv"
    ;;
esac
case " $wanted " in *" cuts "*)
    cuts 07_mpi_cuts 120 1,2,3,4,7,16 stencil27:50,50,50 poisson3d:80,80,80 like:cant rmat:15,16 like:webbase-1M
    cuts 07_volumes 300 1,2,4,8,16,32,64,128,256,512,1024 poisson3d:256,256,256 rmat:22,16
    cuts 07_grids 300 2,4,8,16,64 rmat:22,16 like:circuit5M like:webbase-1M poisson3d:256,256,256 like:cant
    ;;
esac
grep -h '^# \(gpu\|world\|cores\)' "$folder"/07_nccl.tsv "$folder"/07_nccl_shared.tsv "$folder"/07_mpi.tsv 2>/dev/null
for record in "$folder"/07_nccl*.tsv "$folder"/07_direct*.tsv "$folder"/07_mpi.tsv "$folder"/07_mpi_weak.tsv; do
    case $record in *_summary.tsv) continue ;; esac
    [ -e "$record" ] || continue
    grep -q FAIL "$record" && { grep FAIL "$record" | cut -f2,4,5,15; status=1; }
    awk -v FORMAT=table -f "$here/summary.awk" "$record"
done
rm -f "$folder/last.log" "$folder/build.log"
exit $status
