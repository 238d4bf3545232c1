#!/bin/bash
# check_series.sh: `make series` of every chapter.  Every commit is built on the stand-in and runs its step; it changes files of a
# step and nothing else; its subject has at most 72 characters.
status=0
complain() { echo "$1"; status=1; }
place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT; trap 'exit 130' HUP INT TERM
unset MAKEFLAGS MFLAGS MAKELEVEL
export GIT_CONFIG_NOSYSTEM=1 HOME="$place" # as who has never said git config

declare -A small=([01_reduce]='--size 1000' [02_memcpy_vectorized]='--size 1000' [03_gemv]='--rows 65 --cols 130')
series() { # CHAPTER: writes it, goes through it
    local chapter=$1 folder=$place/$1 n=${1:1:1} v said subject
    make --no-print-directory BACKEND=simt NVCC= series N="$n" TO="$folder" >"$place/$chapter.said" 2>&1 || { complain "$chapter:"; cat "$place/$chapter.said"; return; }
    [ "$(git -C "$folder" tag | grep -c '^v')" -eq "$(common/tools/steps.sh list "$chapter" | wc -l)" ] || complain "$chapter: not a commit for each step"
    subject=$(git -C "$folder" log --all --format=%s | grep -E '^.{73}' || :)
    [ -z "$subject" ] || complain "$chapter: a subject of more than 72 characters: $subject"
    for v in $(git -C "$folder" tag | grep '^v' | sort -V); do
        git -C "$folder" checkout -q --detach "$v"
        said=$(git -C "$folder" show --format= --name-only | grep -vE '^(plans/)?step\.(cu|c|h)$' || :)
        [ -z "$said" ] || complain "$chapter $v changes $said"
        # shellcheck disable=SC2086 # an option is words
        make -C "$folder" NVCC= run ARGS="--only $v --format tsv ${small[$chapter]:---matrix poisson2d:12,12 --dtype fp32}" >"$place/said" 2>&1
        awk -F '\t' -v v="$v" '$2 == v && $3 == "gpu" { ++rows; if ($15 != "ok" && $15 !~ /^skip: (needs a CUDA|(row|column)-major)/) bad = 1 }
            END { exit bad || !rows }' "$place/said" || { complain "$chapter $v is not built, or does not run:"; tail -n 5 "$place/said"; }
    done
    [ -z "$(git -C "$folder" status --porcelain)" ] || complain "$chapter: building left something in the repository"
}
for chapter in 0?_*; do series "$chapter"; done

# Seen failing: a step that is broken in its commit, a folder that is there already, no folder.
folder=$place/01_reduce
git -C "$folder" checkout -q v3
sed -i 's/partial\[tid + s\]/partial[tid]/' "$folder/step.cu"
make -C "$folder" NVCC= run ARGS='--only v3 --size 1000' >"$place/said" 2>&1 && complain 'a broken step is not noticed'
grep -q FAIL "$place/said" || complain 'a broken step does not run'
make BACKEND=simt NVCC= series N=1 TO="$folder" 2>&1 | grep -q 'is there, and not empty' || complain 'a folder that is there is written to'
make BACKEND=simt NVCC= series N=1 2>&1 | grep -q 'TO=FOLDER' || complain 'make series without TO says nothing'
make -C "$folder" COURSE="$place" 2>&1 | grep -q 'make COURSE=FOLDER' || complain 'without the course nothing is said'
exit $status
