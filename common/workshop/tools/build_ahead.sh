#!/bin/sh
# build_ahead.sh: builds the chapters in order while the finished ones run, so that the first table comes early.
#   build_ahead.sh start FOLDER BACKEND CHAPTER...   builds them; FOLDER/CHAPTER gets the compilers' messages
#   build_ahead.sh wait FOLDER CHAPTER WHICH         waits until one is built and shows its progress (WHICH: "1 of 7"); if the
#                                                    build fails: prints the end of the log, exit status 1
# FOLDER/CHAPTER.built or CHAPTER.failed exists when a chapter is finished.  MAKE: the make that calls this.
# PACKAGES=FILE: chapters after the first wait until this file is removed (bootstrap installs packages meanwhile).
verb=$1 folder=$2
shift 2

if [ "$verb" = start ]; then
    backend=$1
    shift
    case ${MAKEFLAGS-} in *jobserver*) jobs= ;; *) jobs=-j$(nproc 2>/dev/null || echo 2) ;; esac
    first=$1
    for chapter; do
        while [ "$chapter" != "$first" ] && [ -e "${PACKAGES-}" ]; do sleep 0.2; done
        n=${chapter#0}
        # shellcheck disable=SC2086 # an option or none
        ${MAKE:-make} $jobs --no-print-directory BACKEND="$backend" chapter N="${n%%_*}" >"$folder/$chapter" 2>&1 && how=built || how=failed
        mv "$folder/$chapter" "$folder/$chapter.$how"
    done
    exit
fi

chapter=$1 which=$2
begin=$(date +%s) said=
# The approximate number of files to compile; common/ counts for the first chapter that needs it, libspmv for chapter
# 07.
case $chapter in
01*) more='common/lib/base common/lib/matrix common/lib/report common/simulator/predict common/lib/measure common/simulator/simt' ;;
04*) more=common/lib/spmv ;;
07*) more='07_load_balance/libspmv/cpu 07_load_balance/libspmv/gpu 07_load_balance/rows' ;;
esac
# shellcheck disable=SC2086 # folders
files=$(find "$chapter" ${more-} -maxdepth 2 -name '*.c*' 2>/dev/null | grep -vc '/tests/\|/practice/\|/test_\|exercise')
while :; do
    now=$(($(date +%s) - begin))
    if [ -e "$folder/$chapter.built" ]; then
        [ ! "$said" ] || printf '%s[%3d s] chapter %s, %s, is built\n' "$said" $now "$which" "$chapter"
        exit 0
    elif [ -e "$folder/$chapter.failed" ]; then
        [ ! "$said" ] || echo
        tail -n 30 "$folder/$chapter.failed"
        exit 1
    fi
    if [ $now -ge 2 ]; then
        done=$(grep -c '^[A-Z]* *[^ ]*$' "$folder/$chapter" 2>/dev/null)
        doing=$(tail -n 1 "$folder/$chapter" 2>/dev/null | cut -c1-60)
        if [ -t 1 ]; then
            printf '\r\033[K[%3d s] building chapter %s, %s: %d of about %d files, %s' $now "$which" "$chapter" "${done:-0}" "$files" "$doing"
            said=$(printf '\r\033[K')
        elif [ ! "$said" ]; then
            echo "building chapter $which, $chapter: about $files files; its objects are in $folder/$chapter"
            said=' '
        fi
    fi
    sleep 0.2
done
