#!/bin/sh
# programs.sh BUILD: tests 07_cg and 07_pagerank as a user calls them: exit codes, messages, results files, ranks.
bin=$1/bin
tests=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$tests/../../../common/workshop/tests/tally.sh"
unset MATRIX_DIR

# column FILE STEP COLUMN: prints that cell of a results file.
column() { awk -F'\t' -v step="$2" -v column="$3" '/^#/ {next} !n {n = split($0, name); next} $2 == step {for (i = 1; i <= n; i++) if (name[i] == column) print $i}' "$1"; }

matrix() { # NAME HEADER ENTRIES...
    file=$place/$1.mtx
    printf '%%%%MatrixMarket matrix coordinate real %s\n' "$2" >"$file"
    shift 2
    printf '%s\n' "$@" >>"$file"
}

cg="timeout 60 $bin/07_cg --reps 1 --count off"
pagerank="timeout 60 $bin/07_pagerank --reps 1 --count off"
matrix indefinite symmetric '2 2 3' '1 1 1' '2 1 2' '2 2 1'
matrix no_diagonal symmetric '2 2 2' '1 1 1' '2 1 1'
matrix lopsided general '2 2 3' '1 1 1' '1 2 1' '2 2 1'
matrix oblong general '2 3 1' '1 1 1'
matrix dangling general '4 4 3' '1 2 1' '2 3 1' '3 1 1'

# The commands must be split into words.
# shellcheck disable=SC2086
{
    check '07_cg --help prints the usage' ends 0 'Usage: 07_cg' $cg --help
    check '07_pagerank --help prints the usage' ends 0 'Usage: 07_pagerank' $pagerank --help
    check '07_cg --list prints the rows' ends 0 '07/libspmv_plan' $cg --list
    check 'an unknown option is refused' ends 64 'unrecognized option' $cg --nonsense
    check 'a tolerance above 1 is refused' ends 64 'not between 0 and 1' $cg --tolerance 2
    check 'a damping of 1 is refused' ends 64 'not between 0 and 1' $pagerank --damping 1
    check 'a step that does not exist is refused' ends 64 "no step is called '05/v99'" $cg --spmv 05/v99
    check '--only together with --spmv is refused' ends 64 'give one or the other' $cg --spmv 05/v7 --only cpu
    check 'a missing file gives status 2' ends 2 'nothing.mtx' $cg --matrix "$place/nothing.mtx"
    check 'an indefinite matrix gives status 1' ends 1 'A is not positive definite' $cg --matrix "$place/indefinite.mtx"
    check 'a matrix with a zero on the diagonal is refused' ends 2 'row 2: the diagonal is 0' $cg --matrix "$place/no_diagonal.mtx"
    check 'an unsymmetric matrix is refused' ends 2 'not symmetric' $cg --matrix "$place/lopsided.mtx"
    check 'an oblong matrix is refused by 07_cg' ends 2 'not square' $cg --matrix "$place/oblong.mtx"
    check 'an oblong matrix is refused by 07_pagerank' ends 2 'not square' $pagerank --matrix "$place/oblong.mtx"
    check 'fp16 is refused' ends 2 'fp32 and fp64 only' $cg --matrix poisson2d:4,4 --dtype fp16
    check 'numbers that become too small give status 1' ends 1 'or numbers are too small' $cg --matrix poisson2d:5,5 --tolerance 1e-300 --only cpu
    check 'too few steps give status 1' ends 1 'no convergence in 2 steps' $cg --matrix poisson2d:9,9 --max-iterations 2
    check 'a history in a missing folder gives status 74' ends 74 'No such file' $cg --matrix poisson2d:4,4 --history "$place/no/h.tsv"
    check 'a matrix without unknowns is solved' ends 0 '0 unknowns' $cg --matrix empty:0,0
    check 'ranks sum to 1 even with a dangling page' ends 0 'ranks sum to 1$' $pagerank --matrix "$place/dangling.mtx"
}

# A reader's first command must end within two minutes on two cores and say that it solves a small problem.
case $bin in *simt*)
    check '07_cg without options solves smaller systems on the simulator' ends 0 'no GPU: solving smaller systems' timeout 120 "$bin/07_cg"
    check '07_pagerank without options ranks a small graph on the simulator' ends 0 'using rmat:16,16, a small generated graph' timeout 120 "$bin/07_pagerank"
    ;;
esac

# Results file and history must agree, and the simulator must show no time.
# shellcheck disable=SC2086
recorded() {
    $cg --matrix poisson3d:7,7,7 --record "$place/cg.tsv" --history "$place/history.tsv" || return 1
    for row in cpu gpu; do
        steps=$(column "$place/cg.tsv" $row iterations)
        last=$(column "$place/history.tsv" $row iteration | tail -n 1)
        if [ "$steps" -le 10 ] || [ "$steps" != "$last" ]; then echo "$row: $steps steps, the history has $last"; return 1; fi
        column "$place/history.tsv" $row residual | awk '{last = $1} NR == 1 && $1 != 1 {exit 1} END {exit !(last > 0 && last <= 1e-10)}' || return 1
    done
    [ "$(column "$place/cg.tsv" cpu iterations_per_s)" != - ] || return 1
    case $bin in *simt*) [ "$(column "$place/cg.tsv" gpu iterations_per_s)" = - ] || { echo "the simulator shows a time"; return 1; } ;; esac
}
check 'results file and history agree, and the simulator shows no time' recorded

# Jacobi divides everything by one number if the diagonal is constant, so it changes nothing for Poisson's equation.
# shellcheck disable=SC2086
jacobi() {
    $cg --matrix poisson3d:9,9,9 --only cpu --record "$place/with.tsv" || return 1
    $cg --matrix poisson3d:9,9,9 --only cpu --no-preconditioner --record "$place/without.tsv" || return 1
    [ "$(column "$place/with.tsv" cpu iterations)" = "$(column "$place/without.tsv" cpu iterations)" ]
}
check 'Jacobi does not change the number of steps if the diagonal is constant' jacobi

# shellcheck disable=SC2086
first_pages() {
    $pagerank --matrix one_dense_row:21 --top 3 --top-record "$place/top.tsv" || return 1
    [ "$(column "$place/top.tsv" 1 rank)" = "$(column "$place/top.tsv" 2 rank)" ] || return 1 # all ranks are equal
    [ "$(column "$place/top.tsv" 1 page)" = 1 ] && [ "$(grep -c '^07' "$place/top.tsv")" -eq 3 ]
}
check 'the first pages are printed and stored' first_pages

# Ranks must take the same steps and give as good a result as one process.
mpirun=$tests/../../distributed/mpirun.sh
if ! "$bin/07_cg" --matrix poisson2d:3,3 --backend mpi --reps 1 2>/dev/null | grep -q 'built without MPI' && command -v mpirun >/dev/null 2>&1; then
    # shellcheck disable=SC2086
    ranks() { # RANKS PROGRAM MATRIX BACKENDS
        timeout 120 "$mpirun" "$1" $2 --matrix "$3" --backend "$4" --record "$place/ranks.tsv" || return 1
        for row in $(echo "$4" | tr , ' '); do
            [ "$(column "$place/ranks.tsv" "$row" status)" = ok ] || { echo "$row: $(column "$place/ranks.tsv" "$row" status)"; return 1; }
            d=$(($(column "$place/ranks.tsv" "$row" iterations) - $(column "$place/ranks.tsv" cpu iterations)))
            if [ $d -lt -1 ] || [ $d -gt 1 ]; then echo "$row: $d steps more than on one"; return 1; fi
        done
    }
    check '07_cg on 1 rank takes the steps of one process' ranks 1 "$cg" poisson3d:9,8,7 cpu,mpi
    check '07_cg on 4 ranks takes the steps of one process' ranks 4 "$cg" poisson3d:9,8,7 cpu,mpi
    check '07_cg on 4 ranks solves 2 unknowns' ranks 4 "$cg" poisson2d:2,1 cpu,mpi
    check '07_cg on 3 ranks with GPUs takes the steps of one process' ranks 3 "$cg" poisson3d:5,4,3 cpu,nccl
    check '07_pagerank on 1 rank takes the steps of one process' ranks 1 "$pagerank" rmat:8,6 cpu,mpi
    check '07_pagerank on 4 ranks takes the steps of one process' ranks 4 "$pagerank" rmat:8,6 cpu,mpi
    check '07_pagerank on 3 ranks with GPUs takes the steps of one process' ranks 3 "$pagerank" rmat:6,6 cpu,nccl
    # All ranks must report an error, and none may wait forever.
    # shellcheck disable=SC2086
    {
        check 'too few steps on 3 ranks give status 1' ends 1 'no convergence in 2 steps' "$mpirun" 3 $cg --matrix poisson2d:9,9 --backend mpi --max-iterations 2
        check 'a failed rank ends 07_cg with its message' ends 1 'rank 1: MPI_Startall' "$mpirun" 3 env LD_PRELOAD="$1/dist/one_fails.so" $cg --matrix poisson2d:9,9 --backend mpi
        check 'a failed rank ends 07_pagerank with its message' ends 1 'rank 1: MPI_Startall' "$mpirun" 3 env LD_PRELOAD="$1/dist/one_fails.so" $pagerank --matrix rmat:6,6 --backend mpi
        check 'an unknown option on 3 ranks is refused' ends 64 'unrecognized option' "$mpirun" 3 $cg --nonsense
        check 'an indefinite matrix on 3 ranks gives status 1' ends 1 'A is not positive definite' "$mpirun" 3 $cg --matrix "$place/indefinite.mtx" --backend mpi
    }
else
    echo 'MPI is not installed: the ranks of 07_cg and 07_pagerank are not tested'
fi

tally
