#!/bin/sh
# advise.sh BIN MATRIX [ARGS]: names and explains the best step of chapters 04 to 07 for a matrix: make advise.
# The chapters' programs in BIN run the candidates, and the last program prints the verdict on all results files.  ARGS: options of
# the programs, or --json instead of five lines.  Exit status: the last program's.
bin=$1 matrix=$2 form=alone
shift 2
for word; do
    shift
    case $word in --json) form=json ;; *) set -- "$@" "$word" ;; esac
done
case " $* " in *" --dtype "* | *" --dtype="*) ;; *) set -- "$@" --dtype fp32 ;; esac
records=$(mktemp -d) || exit 1
trap 'rm -rf "$records"' EXIT; trap 'exit 130' HUP INT TERM

beside=
for chapter in 04_spmv_scalar 05_spmv_vector 06_spmv_lightspmv; do
    # The last program also reports errors in the matrix or an option.
    "$bin/$chapter" --matrix "$matrix" --verdict alone --record "$records/$chapter.tsv" "$@" >/dev/null 2>&1 || continue
    beside=$beside${beside:+,}$records/$chapter.tsv
done
"$bin/07_load_balance" --matrix "$matrix" --verdict "$form" ${beside:+--beside "$beside"} --record "$records/07.tsv" "$@"
