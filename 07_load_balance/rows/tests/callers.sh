#!/bin/sh
# callers.sh CALLERS GRAPHS: tests 07_callers (CALLERS) on small matrices: every row must be right, in both orders and transposed;
# and 07_graphs (GRAPHS): 20 products in a graph must be right.
callers=$1 graphs=$2
rows=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$rows/../../common/workshop/tests/tally.sh"
cd "$place" || exit 1

# right FILE N: no row failed, and N rows of libspmv are right; a GPU also has rows of cuSPARSE.
right() { ! grep -q '	failed' "$1" && [ "$(grep -c '	libspmv.*	ok' "$1")" -eq "$2" ]; }
many() { "$callers" --matrix powerlaw:90,80,900 --columns 5 --record many.tsv && right many.tsv 20; } # rows one_by_one exist by columns only
all() { "$callers" --matrix poisson2d:9,11 --exact --dtype fp64 --record all.tsv && right all.tsv 50; }
transposed() { "$callers" --matrix random:60,200,900 --transpose --record transposed.tsv && right transposed.tsv 6; }
# The simulator cannot capture kernels of the course, so all rows are skipped there.
in_graphs() { "$graphs" --matrix powerlaw:90,80,900 --record graphs.tsv &&
    right graphs.tsv "$(grep -q '^# backend: cuda' graphs.tsv && echo 8 || echo 0)"; }
check 'products with 5 right-hand sides are right in both orders' many
check 'products with each number of right-hand sides are right' all
check 'products with the transpose are right' transposed
check 'products in a CUDA graph are right' in_graphs
check '--columns 1 is refused' ends 64 'must be a whole number from 2' "$callers" --columns 1
check 'a missing file gives status 2' ends 2 'none.mtx' "$callers" --matrix none.mtx
tally
