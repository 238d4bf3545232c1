#!/bin/sh
# run_chapter.sh PROGRAM FOLDER [ARGS]: runs a chapter and stores its results files in FOLDER.
# Without ARGS: each line of the chapter's runs.txt is one run (an empty line is the default run; one that
# starts with `simt:` or `cuda:` is for that back end only; @ stands for FOLDER/CHAPTER).
# If it is stopped, the next call continues there: FOLDER/.CHAPTER.done has the finished lines.  It is valid until all
# lines are finished or the program changes.  Exit status: the program's, the most severe one of several runs.
# RAN=FILE: appends the paths of the written results files to that file.
program=$1 folder=$2 RAN=${RAN-}
shift 2
chapter=$(basename "$program" _student)
mkdir -p "$folder" || exit 1

# The results file is named after the options: NAME, NAME_sweep, NAME_experiment1, NAME_suite_1of3; NAME_custom for all
# others. No name: the options name the file, or there is none.
name_of() {
    name=${chapter}_custom
    [ -n "$(echo "$*" | sed 's/--reps [0-9]*//; s/ //g')" ] || name=$chapter
    case " $* " in
    *" --record"* | *" --trace "* | *" --lines "* | *" --merge-path"* | *" --summary"* | *" --huge"* | *" --balance "*) name= ;;
    *" --list "* | *" --help "* | *" -? "* | *" --usage "*) name= ;;
    *" --sweep "*) name=${chapter}_sweep ;;
    *" --suite "*) name=${chapter}_suite ;;
    *" --suite="*) name=${chapter}_suite_$(echo "$*" | sed 's|.*--suite=\([0-9]*\)/\([0-9]*\).*|\1of\2|') ;; # part of a suite
    *" --alignments "*) name=${chapter}_alignments ;;
    *" --experiment 1 "*) name=${chapter}_experiment1 ;;
    *" --experiment 2 "*) name=${chapter}_experiment2 ;;
    *" --experiment 3 "*) name=${chapter}_experiment3 ;;
    esac
}

# told SINCE ARGS: appends to $RAN the results files that a run with these ARGS wrote: every .tsv in ARGS that is not
# older than the file SINCE.
told() {
    since=$1 found=
    shift
    for word; do
        case $word in --*=*) word=${word#*=} ;; esac
        case $word in *.tsv) ;; *) continue ;; esac
        [ ! -e "$word" ] || [ -n "$(find "$since" -newer "$word")" ] || found="$found$word
"
    done
    printf %s "$found" >>"$RAN"
}

run() {
    name_of "$@"
    [ -z "$name" ] || set -- --record "$folder/$name.tsv" "$@"
    "$program" "$@"
    ended=$?
    [ -z "$RAN" ] || told "$RAN" "$@"
    return $ended
}

if [ $# -gt 0 ]; then
    run "$@"
    exit
fi
finished=$folder/.$(basename "$program").done
[ -z "$(find "$program" -newer "$finished" 2>/dev/null)" ] || rm -f "$finished"
set -f # --only v* is not a file name
status=0 # the most severe: 74, 64, 2, 1
while IFS= read -r line; do
    case $line in
    simt:*) case $program in *simt*) line=${line#simt:} ;; *) continue ;; esac ;;
    cuda:*) case $program in *cuda*) line=${line#cuda:} ;; *) continue ;; esac ;;
    esac
    # shellcheck disable=SC2046 # a line is words
    set -- $(echo "$line" | sed "s|@|$folder/$chapter|")
    if grep -qxFe "run: $line" "$finished" 2>/dev/null; then
        echo "$chapter${line:+ $line}: skipped, because it was already finished in an earlier run; after rm $finished it runs again"
        name_of "$@"
        [ -z "$RAN" ] || told "$program" "$@" ${name:+"$folder/$name.tsv"} # results files are newer than their program
        continue
    fi
    run "$@" </dev/null && echo "run: $line" >>"$finished"
    [ $ended -le $status ] || status=$ended
    echo
done <"$chapter/runs.txt"
rm -f "$finished"
exit $status
