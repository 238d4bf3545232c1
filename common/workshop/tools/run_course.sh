#!/bin/sh
# run_course.sh BACKEND 'CHAPTERS' STUDENT RESULTS PICTURES [ARGS]: the part of `make run` after the build.  It runs
# the chapters in order, with the student's step if STUDENT names its file, stores the results files in RESULTS, draws
# their plots, and prints a summary. Exit status: the programs', the most severe one of several.
here=$(dirname "$0")
backend=$1 chapters=$2 student=$3 results=$4 pictures=$5
shift 5
# head_args FILE: the ARGS of the command in the file's head comment; only options that select rows and inputs.
head_args() {
    sed -n 's/^ \*  *make run .*ARGS="\([A-Za-z0-9_.,:*? -]*\)".*/\1/p; /\*\//q' -- "$1" | head -n 1 |
        grep -v -e '--record' -e '--trace' -e '--lines' -e '--explain'
}
if [ -n "$student" ] && [ $# -eq 0 ]; then
    args=$(head_args "$student") || args=$(head_args "$chapters/exercise.cu")
    case $args in *--only*) ;; *) args="--only student $args" ;; esac
    set -f # v* must not be expanded
    # shellcheck disable=SC2086 # words
    set -- $args
    set +f
    case $chapters in 02_*) ;; *) set -- "$@" --dtype fp32 ;; esac # a copy has no types
    echo "your row, with ARGS=\"$*\", as the head of the file says; ARGS=\"--only v*,student\" shows others"
fi

ran=$(mktemp) || exit 1 # results files of this run
builder=
trap 'rm -f "$ran" "$ran".*; [ ! "$builder" ] || kill "$builder" 2>/dev/null' EXIT; trap 'exit 130' HUP INT TERM
# BUILT=FOLDER: the chapters are built meanwhile; the folder has the compilers' messages.
if [ -n "${BUILT-}" ]; then
    mkdir -p "$BUILT" && rm -f "$BUILT"/0* || exit 1
    # shellcheck disable=SC2086 # words
    "$here/build_ahead.sh" start "$BUILT" "$backend" $chapters </dev/null &
    builder=$!
fi

begin=$(date +%s)
of=$(echo "$chapters" | wc -w)
k=0 status=0
for chapter in $chapters; do
    k=$((k + 1))
    [ -z "${BUILT-}" ] || "$here/build_ahead.sh" wait "$BUILT" "$chapter" "$k of $of" || exit 2
    [ "$of" -eq 1 ] || printf '\n== chapter %d of %d: %s   (docs/%s.md)\n\n' $k "$of" "$chapter" "$chapter"
    RAN=$ran "$here/run_chapter.sh" "build/$backend/bin/$chapter${student:+_student}" "$results" "$@"
    ended=$?
    [ $ended -le $status ] || status=$ended
done
seconds=$(($(date +%s) - begin))
sort -u "$ran" >"$ran.records"

# ---- the summary -------------------------------------------------------------------------------

line() { printf '  %-8s  %s\n' "$1" "$2"; }

meaning() {
    case $1 in
    1) echo '1: a row failed, or the machine lacks something that the program needs' ;;
    2) echo '2: the input is wrong, or needs more memory than the machine has; the reason is printed above' ;;
    64) n=${chapters#0}; echo "64: an option is wrong; make run N=${n%%_*} ARGS=--help lists the options" ;;
    74) echo '74: the output or a results file could not be written' ;;
    *) echo "$1$([ "$1" -le 128 ] || echo ": ended by signal $(($1 - 128))")" ;;
    esac
}

if [ -s "$ran.records" ]; then
    : >"$ran.drawn"
    plot=${PLOTS-}
    [ -n "$student" ] || plot=yes
    [ -z "$plot" ] || "$here/../../../plots/draw.sh" "$results" "$pictures" 'png svg' "$ran.records" >"$ran.drawn" 2>&1
    grep -v '[.]svg$' "$ran.drawn" # its error messages
    # All rows with a status, of all results files of this run.
    # shellcheck disable=SC2016 # awk's fields, not the shell's
    tr '\n' '\0' <"$ran.records" | xargs -0 awk -F '\t' -v what="$of chapter$([ "$of" -eq 1 ] || echo s)" -v seconds=$seconds '
        FNR == 1 { named = 0 }
        /^#/ { next }
        !named { named = 1; split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
        !("status" in at) { next }
        { status = $at["status"] }
        status == "ok" { ok++ }
        sub(/^skip(: )?/, "", status) { skipped++; why[status]++ }
        status ~ /^FAIL/ && ++failed <= 10 { bad[failed] = $1 " " $2 ", " $at["case"] " " $at["dtype"] }
        END {
            printf "\nrun: %s in %d min %d s: %d row%s ok, %d skipped, %d failed\n", what, seconds / 60, seconds % 60, ok, ok == 1 ? "" : "s", skipped, failed
            for (shown = 0; shown < 6; shown++) { # the most frequent reasons first
                most = ""
                for (reason in why) if (most == "" || why[reason] > why[most] || (why[reason] == why[most] && reason < most)) most = reason
                if (most == "") break
                printf "  skipped   %d: %s\n", why[most], most
                skipped -= why[most]
                delete why[most]
            }
            if (skipped) print "  skipped   " skipped " for other reasons: see the results files"
            for (i = 1; i <= failed && i <= 10; i++) print "  failed    " bad[i]
            if (failed > 10) print "  failed    " failed - 10 " more: see the results files"
        }'
    drawn=$(sed -n 's|.*/\(.*\)[.]svg$|\1|p' "$ran.drawn" | paste -sd ' ' -)
    line records "$(if [ "$(wc -l <"$ran.records")" -gt 3 ]; then echo "$results/*.tsv"; else paste -sd ' ' "$ran.records"; fi)"
    [ -z "$student" ] || [ -n "$drawn" ] || line plots 'not drawn: PLOTS=1 draws them'
    [ -z "$drawn" ] || line plots "$pictures/: $drawn"
    [ $# -gt 0 ] || line report 'make report writes all results to one page, build/report/report.html'
fi

# Suggests the next commands after a run of one chapter, or of all.
if [ $status -eq 0 ] && [ $# -eq 0 ]; then
    first=$(echo "$chapters" | sed 's/ .*//') n=${chapters#0}
    n=${n%%_*}
    line read "docs/$first.md, with $first/ beside it"
    line type "make diff N=$n V=2              # what step v2 changes"
    line '' "make exercise N=$n E=1          # a step of your own, to be marked"
fi
[ $status -eq 0 ] || line status "$(meaning $status) (make always exits with 2; its last line shows $status)"
exit $status
