#!/bin/sh
# solutions.sh FOLDER: unpacks the solutions of the large exercises there, as NN_eE.cu (make solutions).
# They are stored as patches of the skeletons; the first line describes the solution.
[ $# -eq 1 ] || { sed -n 2,3p "$0" >&2; exit 64; }
mkdir -p "$1" || exit 73
here=$(dirname "$0")
for patch in "$here"/solutions/*.patch; do
    name=${patch##*/} && name=${name%.patch}
    n=${name%%_*} e=${name##*_e}
    [ "$e" != 1 ] || e=
    set -- "$1" "$here/../../../$n"_*/exercise"$e.cu"
    [ -e "$2" ] || { echo "solutions.sh: $patch is for $2, which is not there" >&2; exit 66; }
    patch -s -o "$1/$name.cu" "$2" "$patch" || { echo "solutions.sh: $patch could not be applied (is patch installed?  has the skeleton changed?)" >&2; exit 70; }
done
