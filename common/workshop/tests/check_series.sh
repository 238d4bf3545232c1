#!/bin/bash
# check_series.sh: tests `make series` for every chapter.  Every commit must build on the simulator and run its step; it must change
# only files of a step; its subject has at most 72 characters.  One chapter per processor runs at a time.  Files with the course's
# code are not compiled again, except for the last commit of a chapter.
export GIT_CONFIG_NOSYSTEM=1
status=0
complain() { echo "$1"; status=1; }

declare -A small=([01_reduce]='--size 1000' [02_memcpy_vectorized]='--size 1000' [03_gemv]='--rows 65 --cols 130')
# works FOLDER COMMIT [WORD]...: make with these words builds the commit, and its step is right; the output is in FOLDER.out
works() {
    local case=${small[$(basename "$1")]:---matrix poisson2d:12,12 --dtype fp32}
    git -C "$1" checkout -q --detach "$2"
    # -S: without debug information, most of what is linked
    make -C "$1" "${@:3}" NVCC= LDFLAGS=-Wl,-S run ARGS="--only ${2%-*} --format tsv $case" >"$1.out" 2>&1
    awk -F '\t' -v v="${2%-*}" '
        $2 == v && $3 == "gpu" { ++rows; if ($15 != "ok" && $15 !~ /^skip: (needs a CUDA|(row|column)-major)/) bad = 1 }
        END { exit bad || !rows }' "$1.out"
}
# series FOLDER: writes the chapter there and tests its commits; later commits reuse what earlier ones built
series() {
    local folder=$1 chapter said subject v
    chapter=$(basename "$folder")
    make --no-print-directory BACKEND=simt NVCC= series N="${chapter:1:1}" TO="$folder" >"$folder.out" 2>&1 ||
        { complain "$chapter:"; cat "$folder.out"; return; }
    [ "$(git -C "$folder" tag | grep -c '^v')" -eq "$(common/workshop/tools/steps.sh list "$chapter" | wc -l)" ] ||
        complain "$chapter: there is not one commit per step"
    subject=$(git -C "$folder" log --all --format=%s | grep -E '^.{73}' || :)
    [ -z "$subject" ] || complain "$chapter: a subject of more than 72 characters: $subject"
    for v in $(git -C "$folder" tag | grep '^v' | sort -V); do
        said=$(git -C "$folder" show --format= --name-only "$v" | grep -vE '^step(_plan)?\.(cu|c|h)$' || :)
        [ -z "$said" ] || complain "$chapter $v changes $said"
        works "$folder" "$v" TAKEN=yes ||
            { complain "$chapter $v is not built, or does not run:"; tail -n 5 "$folder.out"; }
    done
    rm -r "$folder/build"
    works "$folder" "$v" || { complain "$chapter $v is not built from nothing:"; tail -n 5 "$folder.out"; }
    [ -z "$(git -C "$folder" status --porcelain)" ] || complain "$chapter: building left files in the repository"
}
if [ "$1" = --one ]; then # check_series.sh --one FOLDER
    series "$2"
    exit $status
fi

place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT; trap 'exit 130' HUP INT TERM
export HOME="$place" # a user who has never configured git
make --no-print-directory BACKEND=simt NVCC= >"$place/said" 2>&1 || { tail -n 5 "$place/said"; exit 1; }
# The chapter with the most steps first.
printf "$place/%s\n" 0?_* | sort -r | xargs -P "$(nproc 2>/dev/null || echo 2)" -n 1 "$0" --one || status=1

# This check can fail: planted are a wrong commit after a right one, an existing folder, and no folder.
planted() { # CHAPTER STEP REPORTED COMMAND: the command changes the commit, and the report must contain REPORTED
    local folder=$place/$1
    works "$folder" "$2" TAKEN=yes || complain "$1 $2 does not run any more"
    (cd "$folder" && eval "$4" && git commit -q -a --amend -F "$place/message" && git tag -f "$2-planted") \
        >"$place/said" 2>&1 || { complain "$1 $2: $4 is not planted"; cat "$place/said"; }
    works "$folder" "$2-planted" TAKEN=yes && complain "$1 $2 with $4 is not noticed"
    grep -q "$3" "$folder.out" || { complain "$1 $2 with $4 does not say $3:"; tail -n 5 "$folder.out"; }
}
# shellcheck disable=SC2016 # for eval
keep='git log -1 --format=%B >"$place/message"'
planted 01_reduce v3 FAIL "$keep; sed -i 's/partial\[tid + s\]/partial[tid]/' step.cu"
planted 01_reduce v3 'error: .*oops' "$keep; sed -i 's/partial\[tid + s\]/oops/' step.cu"
planted 07_load_balance v8 'error: \|undefined reference' "$keep; sed -i '/^With: /d' \"\$place/message\""
planted 07_load_balance v9 'undefined reference' "$keep; echo 'int nothing;' >step_plan.c"
folder=$place/01_reduce
make BACKEND=simt NVCC= series N=1 TO="$folder" 2>&1 | grep -q 'exists and is not empty' || complain 'series writes to an existing folder'
make BACKEND=simt NVCC= series N=1 2>&1 | grep -q 'TO=FOLDER' || complain 'make series without TO says nothing'
make -C "$folder" COURSE="$place" 2>&1 | grep -q 'make COURSE=FOLDER' || complain 'without the course nothing is said'
exit $status
