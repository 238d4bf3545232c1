#!/bin/sh
# new_chapter.sh NAME: writes the folder NAME (08_scale), a chapter that runs and has a test: a copy of common/workshop/new_chapter
# with 00_topic renamed to NAME.
name=$1 topic=${1#??_}
if ! printf '%s\n' "$name" | grep -qx '0[1-9]_[a-z][a-z0-9_]*'; then
    echo "make new-chapter: NAME=$name must be two digits, _ and a word in lower case, such as NAME=08_scale" >&2
    exit 2
fi
for taken in "${name%%_*}"_*; do
    [ ! -e "$taken" ] || { echo "make new-chapter: chapter ${name%%_*} exists already: $taken" >&2; exit 2; }
done
mkdir "$name" || exit 1
for f in common/workshop/new_chapter/*; do
    sed "s/00_topic/$name/g; s/topic/$topic/g; s/TOPIC/$(echo "$topic" | tr '[:lower:]' '[:upper:]')/g" "$f" >"$name/$(basename "$f" | sed "s/topic/$topic/")" || exit 1
done
echo "$name/: make run N=${name%%_*} runs it, make test N=${name%%_*} tests it; CONTRIBUTING.md describes the next steps"
