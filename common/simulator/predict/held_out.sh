#!/bin/sh
# held_out.sh - which steps and cases of the H200's records the model of common/simulator/predict has not been designed on.
# The rule: the POSIX cksum of "chapter step" or of the case's name is divisible by five.  Prints held_out.txt.
set -eu
cd "$(dirname "$0")/../../../plots/data/h200"
held() { # lines of standard input, those that the rule sets aside
    while IFS= read -r name; do
        sum=$(printf '%s' "$name" | cksum)
        [ $((${sum%% *} % 5)) -ne 0 ] || printf '%s\t%s\n' "$1" "$name"
    done
}
rows() { # fields of the rows of kernels, each once
    cat 0[1-9]_*.tsv | awk -F'\t' -v what="$1" '
        /^#/ { next }
        $1 == "chapter" { next }
        $3 == "gpu" && $7 ~ /^[0-9.]+$/ { print what == "step" ? $1 " " $2 : $4 }' | LC_ALL=C sort -u
}
printf '# Set aside before the model was made, by the rule of held_out.sh; scored once, after it was frozen.\n'
rows step | held step
rows case | held case
