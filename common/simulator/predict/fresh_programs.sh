#!/bin/sh
# fresh_programs.sh BACKEND: builds what run_fresh.sh runs: all chapters, and each once more for each of its exercises,
# with the solution as a step, as build/BACKEND/bin/CHAPTER_eE.
set -eu
cd "$(dirname "$0")/../../.."
backend=$1
bin=build/$backend/bin
common/classroom/grade/solutions.sh build/fresh/solutions
make --no-print-directory BACKEND="$backend" all
for e in 1 2; do
    for chapter in 0?_*; do
        make --no-print-directory BACKEND="$backend" -C "$chapter" STUDENT="build/fresh/solutions/${chapter%%_*}_e$e.cu"
        mv "$bin/${chapter}_student" "$bin/${chapter}_e$e"
    done
done
