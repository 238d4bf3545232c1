#!/bin/sh
# callers.sh CALLERS GRAPHS: 07_callers (CALLERS) on small matrices: every row is right, in both orders and transposed; 07_graphs
# (GRAPHS): 20 products in a graph are right.
callers=$1 graphs=$2
rows=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$rows/../../common/workshop/tests/tally.sh"
cd "$place" || exit 1

# right FILE N: no row failed, and N of libspmv are right; a GPU has rows of cuSPARSE, too.
right() { ! grep -q '	failed' "$1" && [ "$(grep -c '	libspmv.*	ok' "$1")" -eq "$2" ]; }
many() { "$callers" --matrix powerlaw:90,80,900 --columns 5 --record many.tsv && right many.tsv 20; } # one by one: by columns only
all() { "$callers" --matrix poisson2d:9,11 --exact --dtype fp64 --record all.tsv && right all.tsv 50; }
transposed() { "$callers" --matrix random:60,200,900 --transpose --record transposed.tsv && right transposed.tsv 6; }
# The simulator captures no kernels of the course: there all rows are skipped.
in_graphs() { "$graphs" --matrix powerlaw:90,80,900 --record graphs.tsv &&
    right graphs.tsv "$(grep -q '^# backend: cuda' graphs.tsv && echo 8 || echo 0)"; }
check 'several right-hand sides' many
check 'all numbers of them' all
check 'the transpose' transposed
check 'products in a CUDA graph' in_graphs
check 'no such number of columns' ends 64 'must be a whole number from 2' "$callers" --columns 1
check 'no file' ends 2 'none.mtx' "$callers" --matrix none.mtx
tally
