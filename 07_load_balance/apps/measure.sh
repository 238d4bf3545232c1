#!/bin/sh
# measure.sh BUILD FOLDER: writes all results files of docs/applications.md from the programs in BUILD/bin to FOLDER, in under three
# minutes on an H200.  MATRIX_DIR names a folder with bcsstk16 and cnr-2000.  If mpirun exists, it also runs ranks, as many as there
# are GPUs, at most 4.
build=${1:?measure.sh BUILD FOLDER} folder=${2:?measure.sh BUILD FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder" || exit 1
status=0
run() { # NAME COMMAND...: runs the command with --record FOLDER/NAME.tsv
    name=$1
    shift
    echo "== $name"
    "$@" --record "$folder/$name.tsv" || status=1
}

# CPU and GPU, with the residual of every step.
run 07_cg_solve "$build/bin/07_cg" --history "$folder/07_cg_history.tsv"
run 07_pagerank_solve "$build/bin/07_pagerank" --history "$folder/07_pagerank_history.tsv" --top-record "$folder/07_pagerank_top.tsv"
# Every SpMV of the course.
run 07_cg "$build/bin/07_cg" --experiment 1
run 07_pagerank "$build/bin/07_pagerank" --experiment 1

# Ranks: each has a GPU if there are several GPUs, otherwise all use this machine's cores.
gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
case $build in
*cuda*) row=nccl ranks=${gpus:-1} matrix=poisson3d:200,200,200 pages=rmat:20,16 ;;
*) row=mpi ranks=4 matrix=poisson3d:40,40,40 pages=rmat:14,16 ;;
esac
if command -v mpirun >/dev/null 2>&1 && ! "$build/bin/07_cg" --matrix poisson2d:3,3 --backend mpi 2>&1 | grep -q 'without MPI'; then
    for n in 1 2 4; do
        [ "$n" -le "$ranks" ] || continue
        run "07_cg_ranks_$n" "$here/../distributed/mpirun.sh" "$n" "$build/bin/07_cg" --matrix "$matrix" --backend "$row" --no-direct
        [ "$row" = mpi ] || run "07_cg_direct_$n" "$here/../distributed/mpirun.sh" "$n" "$build/bin/07_cg" --matrix "$matrix" \
            --backend nccl,direct --no-direct
        run "07_pagerank_ranks_$n" "$here/../distributed/mpirun.sh" "$n" "$build/bin/07_pagerank" --matrix "$pages" --backend "$row"
    done
else
    echo 'mpirun or mpicc is not installed: the runs with several ranks are skipped'
fi

echo "steps a second:"
for name in 07_cg 07_pagerank; do
    awk -F'\t' '/^#/ {next} !n {n = split($0, name); for (i = 1; i <= n; i++) at[name[i]] = i; next}
        {printf "  %-24s %-22s %-6s %10s steps %12s /s  %s\n", $at["case"], $at["step"], $at["dtype"], $at["iterations"], $at["iterations_per_s"], $at["status"]}' "$folder/$name.tsv"
done
exit $status
