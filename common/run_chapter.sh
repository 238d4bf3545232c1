#!/bin/sh
# run_chapter.sh PROGRAM FOLDER [ARGS]: runs a chapter and keeps its records in FOLDER.
# Without ARGS: each line of the chapter's file `runs` is one run (an empty line is the default run; one that
# starts with `simt:` or `cuda:` is for that back end only; @ stands for FOLDER/CHAPTER).
# Stopped in the middle, it goes on there when it is called again: FOLDER/.CHAPTER.done has the lines that are finished,
# as long as there are others and the program is the same.
program=$1 folder=$2
shift 2
chapter=$(basename "$program" _student)
mkdir -p "$folder" || exit 1

# The record is named after what was asked for: NAME, NAME_sweep, NAME_experiment1, NAME_suite_1of3; NAME_custom for anything else.
run() {
    name=${chapter}_custom
    [ -n "$(echo "$*" | sed 's/--reps [0-9]*//; s/ //g')" ] || name=$chapter
    case " $* " in
    *" --record"* | *" --trace "* | *" --merge-path"* | *" --summary"* | *" --huge"* | *" --balance "*) "$program" "$@"; return ;; # the caller names the file
    *" --list "* | *" --help "* | *" -? "* | *" --usage "*) "$program" "$@"; return ;;
    *" --sweep "*) name=${chapter}_sweep ;;
    *" --suite "*) name=${chapter}_suite ;;
    *" --suite="*) name=${chapter}_suite_$(echo "$*" | sed 's|.*--suite=\([0-9]*\)/\([0-9]*\).*|\1of\2|') ;; # a part of it
    *" --alignments "*) name=${chapter}_alignments ;;
    *" --experiment 1 "*) name=${chapter}_experiment1 ;;
    *" --experiment 2 "*) name=${chapter}_experiment2 ;;
    *" --experiment 3 "*) name=${chapter}_experiment3 ;;
    esac
    "$program" "$@" --record "$folder/$name.tsv"
}

if [ $# -gt 0 ]; then
    run "$@"
    exit
fi
finished=$folder/.$chapter.done
[ -z "$(find "$program" -newer "$finished" 2>/dev/null)" ] || rm -f "$finished"
set -f # --only v* is not a file name
status=0
while IFS= read -r line; do
    case $line in
    simt:*) case $program in *simt*) line=${line#simt:} ;; *) continue ;; esac ;;
    cuda:*) case $program in *cuda*) line=${line#cuda:} ;; *) continue ;; esac ;;
    esac
    if grep -qxFe "run: $line" "$finished" 2>/dev/null; then
        echo "$chapter $line: finished before it was stopped; rm $finished to run it again"
        continue
    fi
    # shellcheck disable=SC2086 # a line is words
    run $(echo "$line" | sed "s|@|$folder/$chapter|") </dev/null && echo "run: $line" >>"$finished" || status=1
    echo
done <"$chapter/runs"
rm -f "$finished"
exit $status
