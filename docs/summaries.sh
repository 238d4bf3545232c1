#!/bin/sh
# summaries.sh: the results files that are made from others, for the pages.  What lacks an input is not made.
set -e
cd "$(dirname "$0")/.."
session=common/lib/spmv/spmv_session.c volumes=plots/data/simt/07_volumes.tsv mpi=07_load_balance/distributed/summary.awk
for folder in plots/data/*/; do
    # made OUTPUT SCRIPT INPUT...: nothing without the inputs
    made() {
        output=$folder$1 script=$2
        shift 2
        for input; do [ -e "$input" ] || return 0; done
        awk -f "$script" "$@" >"$output"
    }
    made 07_load_balance_summary.tsv docs/suite_summary.awk $session "${folder}07_load_balance_suite.tsv"
    made 07_load_balance_bars_summary.tsv docs/suite_summary.awk $session "${folder}07_load_balance_bars.tsv"
    made 07_callers_summary.tsv docs/callers_summary.awk "${folder}07_callers.tsv"
    for name in 07_mpi 07_nccl 07_direct 07_direct_nccl; do
        # shellcheck disable=SC2046 # files, or none
        made ${name}_summary.tsv $mpi "$folder$name.tsv" $(ls "$folder${name}_weak.tsv" "$folder${name}_fp32.tsv" 2>/dev/null)
    done
    # The model needs a product on one GPU and an exchange between two; scale.awk says which a record lacks.
    made 07_scale.tsv docs/scale.awk $volumes "${folder}07_nccl_summary.tsv" || rm -f "${folder}07_scale.tsv"
    made 07_direct_scale.tsv docs/scale.awk $volumes "${folder}07_nccl_summary.tsv" "${folder}07_direct_summary.tsv" ||
        rm -f "${folder}07_direct_scale.tsv"
done
