#!/bin/sh
# programs.sh BUILD: 07_cg and 07_pagerank as a user meets them: exit codes, sentences, records, ranks.
bin=$1/bin
tests=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$tests/../../../common/workshop/tests/tally.sh"
unset MATRIX_DIR

# column FILE STEP COLUMN: that cell of a record.
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

# Commands are words on purpose.
# shellcheck disable=SC2086
{
    check 'cg --help' ends 0 'Usage: 07_cg' $cg --help
    check 'pagerank --help' ends 0 'Usage: 07_pagerank' $pagerank --help
    check 'cg --list' ends 0 '07/libspmv_plan' $cg --list
    check 'unknown option' ends 64 'unrecognized option' $cg --nonsense
    check 'tolerance out of range' ends 64 'not between 0 and 1' $cg --tolerance 2
    check 'damping out of range' ends 64 'not between 0 and 1' $pagerank --damping 1
    check 'no such step' ends 64 "no step is called '05/v99'" $cg --spmv 05/v99
    check '--only and --spmv' ends 64 'give one or the other' $cg --spmv 05/v7 --only cpu
    check 'no such file' ends 2 'nothing.mtx' $cg --matrix "$place/nothing.mtx"
    check 'not positive definite' ends 1 'A is not positive definite' $cg --matrix "$place/indefinite.mtx"
    check 'zero on the diagonal' ends 2 'row 2: the diagonal is 0' $cg --matrix "$place/no_diagonal.mtx"
    check 'not symmetric' ends 2 'not symmetric' $cg --matrix "$place/lopsided.mtx"
    check 'not square' ends 2 'not square' $cg --matrix "$place/oblong.mtx"
    check 'links not square' ends 2 'not square' $pagerank --matrix "$place/oblong.mtx"
    check 'fp16' ends 2 'fp32 and fp64 only' $cg --matrix poisson2d:4,4 --dtype fp16
    check 'numbers too small' ends 1 'or numbers are too small' $cg --matrix poisson2d:5,5 --tolerance 1e-300 --only cpu
    check 'no convergence' ends 1 'no convergence in 2 steps' $cg --matrix poisson2d:9,9 --max-iterations 2
    check 'history into a folder that is not there' ends 74 'No such file' $cg --matrix poisson2d:4,4 --history "$place/no/h.tsv"
    check 'no unknowns' ends 0 '0 unknowns' $cg --matrix empty:0,0
    check 'a dangling page' ends 0 'ranks sum to 1$' $pagerank --matrix "$place/dangling.mtx"
}

# What a reader types first: it ends in two minutes on two cores, and says that it solves something small.
case $bin in *simt*)
    check 'cg as it is' ends 0 'no GPU: solving smaller systems' timeout 120 "$bin/07_cg"
    check 'pagerank as it is' ends 0 'using rmat:16,16, a small generated graph' timeout 120 "$bin/07_pagerank"
    ;;
esac

# A solve: the record and the history say the same, and the simulator shows no time.
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
check 'record and history' recorded

# A diagonal of one number divides everything by it: Jacobi changes nothing on Poisson's equation.
# shellcheck disable=SC2086
jacobi() {
    $cg --matrix poisson3d:9,9,9 --only cpu --record "$place/with.tsv" || return 1
    $cg --matrix poisson3d:9,9,9 --only cpu --no-preconditioner --record "$place/without.tsv" || return 1
    [ "$(column "$place/with.tsv" cpu iterations)" = "$(column "$place/without.tsv" cpu iterations)" ]
}
check 'Jacobi on an even diagonal' jacobi

# shellcheck disable=SC2086
first_pages() {
    $pagerank --matrix one_dense_row:21 --top 3 --top-record "$place/top.tsv" || return 1
    [ "$(column "$place/top.tsv" 1 rank)" = "$(column "$place/top.tsv" 2 rank)" ] || return 1 # all alike
    [ "$(column "$place/top.tsv" 1 page)" = 1 ] && [ "$(grep -c '^07' "$place/top.tsv")" -eq 3 ]
}
check 'the first pages, and their record' first_pages

# Ranks: the same steps and an answer as right as on one.
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
    check 'cg on 1 rank' ranks 1 "$cg" poisson3d:9,8,7 cpu,mpi
    check 'cg on 4 ranks' ranks 4 "$cg" poisson3d:9,8,7 cpu,mpi
    check 'cg on 4 ranks with 2 unknowns' ranks 4 "$cg" poisson2d:2,1 cpu,mpi
    check 'cg on GPUs, 3 ranks' ranks 3 "$cg" poisson3d:5,4,3 cpu,nccl
    check 'pagerank on 1 rank' ranks 1 "$pagerank" rmat:8,6 cpu,mpi
    check 'pagerank on 4 ranks' ranks 4 "$pagerank" rmat:8,6 cpu,mpi
    check 'pagerank on GPUs, 3 ranks' ranks 3 "$pagerank" rmat:6,6 cpu,nccl
    # An error is every rank's, and nobody waits for ever.
    # shellcheck disable=SC2086
    {
        check 'no convergence on 3 ranks' ends 1 'no convergence in 2 steps' "$mpirun" 3 $cg --matrix poisson2d:9,9 --backend mpi --max-iterations 2
        check 'a rank that fails' ends 1 'rank 1: MPI_Startall' "$mpirun" 3 env LD_PRELOAD="$1/dist/one_fails.so" $cg --matrix poisson2d:9,9 --backend mpi
        check 'a rank that fails in PageRank' ends 1 'rank 1: MPI_Startall' "$mpirun" 3 env LD_PRELOAD="$1/dist/one_fails.so" $pagerank --matrix rmat:6,6 --backend mpi
        check 'a wrong option on 3 ranks' ends 64 'unrecognized option' "$mpirun" 3 $cg --nonsense
        check 'not positive definite on 3 ranks' ends 1 'A is not positive definite' "$mpirun" 3 $cg --matrix "$place/indefinite.mtx" --backend mpi
    }
else
    echo 'MPI is not here: skipped the ranks of 07_cg and 07_pagerank'
fi

tally
