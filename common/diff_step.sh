#!/bin/sh
# diff_step.sh CHAPTER N: what changed from step v(N-1) to vN of a chapter.
chapter=$1 new=${2#v}
case $new in '' | *[!0-9]*) echo "V=$2 is no step: make diff N=1 V=3" >&2; exit 64 ;; esac
old=$((new - 1))
file_of() { for f in "$chapter"/v"$1"_*.cu; do [ -e "$f" ] && echo "$f"; done; }
from=$(file_of "$old")
to=$(file_of "$new")
if [ -z "$to" ]; then
    echo "$chapter has no step v$new; it has:"
    (cd "$chapter" && printf '  %s\n' v*_*.cu | sort -V)
    exit 2
fi
if [ -z "$from" ]; then
    cat "$to" # the first step is its own lesson
    exit 0
fi
# diff says 1 when files differ, which is what we want here.  The step's own number is not a change.
sed "s/_v$old/_v$new/g" "$from" | diff -u --label "$from" --label "$to" - "$to"
[ $? -le 1 ]
