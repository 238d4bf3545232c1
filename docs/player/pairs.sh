#!/bin/sh
# pairs.sh OUT: the players that pages name with two steps, `make play N=7 V="1 8"`, in the folder OUT as 07_v1_v8.html.
cd "$(dirname "$0")/../.." || exit 2
out=$1
# shellcheck disable=SC2016 # the pages' marks of code
grep -rhoE '`make play N=[0-9] V="[0-9/ ]+"`' docs/pages | sort -u | sed 's/.*N=\([0-9]\) V="\(.*\)"`/\1 \2/' | while read -r n first second; do
    chapter=$(echo "0${n}"_*)
    docs/player/play.py "$chapter" --program "build/simt/bin/$chapter" --step "v$first" --step "v$second" \
        --out "$out/0${n}_$(echo "v${first}_v$second" | tr / -).html" >/dev/null || exit 1
done
