#!/bin/sh
# exercise.sh N E [TO]: copies exercise E of chapter N to TO (work/0N/eE.cu), and prints the next commands.
# shellcheck source=common/workshop/tools/shown.sh
. "$(dirname "$0")/../../workshop/tools/shown.sh"
n=${1#0} e=$2 to=${3:-work/0${1#0}/e$2.cu}
usage() { echo "$1; there are: $(echo 0"${2-?}"_*/exercise*.cu)" >&2; exit 64; }
for number in "$n" "$e"; do
    case $number in '' | *[!0-9]*) usage "make exercise N=5 E=1: chapter and exercise" ;; esac
done
[ "$e" = 1 ] && file=exercise.cu || file=exercise$e.cu
set -- 0"$n"_*/"$file"
[ -e "$1" ] || usage "chapter $n has no exercise $e" "$n"
skeleton=$1
case $to in */*) folder=${to%/*} ;; *) folder=. to=./$to ;; esac # a name must not look like an option

# An existing file is kept, because it may be someone's work, unless it is an unchanged skeleton.
if [ -e "$to" ]; then
    untouched=no
    for other in 0?_*/exercise*.cu; do cmp -s -- "$other" "$to" && untouched=yes; done
    [ $untouched = yes ] || {
        echo "$(shown "$to") exists already and was changed; TO=work/FILE.cu copies to another name" >&2
        exit 1
    }
fi
mkdir -p -- "$folder/" && cp -- "$skeleton" "$to" || exit 1
to=$(shown "${to#./}")
echo "$to: $(sed -n '2s/^ \* //p' "$skeleton")"
echo "  the statement         docs/exercises/${skeleton%%/*}.md"
echo "  your row in the table make run N=$n STUDENT=$to"
echo "  points and reasons    make grade N=$n E=$e STUDENT=$to"
