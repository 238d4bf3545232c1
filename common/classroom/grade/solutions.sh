#!/bin/sh
# solutions.sh FOLDER: unpacks the solutions of the large exercises there, NN_eE.cu (make solutions does, and the tests).
# They are kept as patches of the skeletons, whose first line says what the solution is.
[ $# -eq 1 ] || { sed -n 2,3p "$0" >&2; exit 64; }
mkdir -p "$1" || exit 73
here=$(dirname "$0")
for patch in "$here"/solutions/*.patch; do
    name=$(basename "$patch" .patch)
    n=${name%%_*} e=${name##*_e}
    skeleton=$(ls "$here/../../.."/"$n"_*/exercise"$([ "$e" = 1 ] || echo "$e")".cu) || exit 66
    patch -s -o "$1/$name.cu" "$skeleton" "$patch" || { echo "solutions.sh: $patch could not be applied (is patch installed?  has the skeleton changed?)" >&2; exit 70; }
done
