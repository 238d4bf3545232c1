#!/bin/sh
# build.sh KIT FOLDER ENTRY NAME RULES UNTIL: builds `runner` from student.cu in the working folder, in the sandbox.
#   KIT     headers, objects and flags (common/classroom/grade/Makefile)
#   FOLDER  the chapter's; ENTRY the function that must be defined; NAME the file's name in messages
#   RULES   yes, or no: no rules, so that tests see only the sandbox and the judge
#   UNTIL   empty; the last stage (words, compile, object); or good: build the chapter's skeleton instead
# Exits with 11 if the file does not compile, and with 10 if it breaks a rule, after a message.  Other statuses: the
# build itself failed.  If a file fails, the skeleton, which is known to be correct, is built the same way; if it fails,
# too, the file is not at fault.
kit=$1 folder=$2 entry=$3 name=$4 rules=$5 until=$6
backend='' woven='' suffix='' compiler='' flags='' student_flags='' includes='' libraries='' stage=words
# shellcheck source=/dev/null
. "$kit/flags" || exit 3

# Builds the skeleton up to the stage that the file reached.
try_the_good() {
    rm -rf ./* && cp "$kit/good_$folder.cu" student.cu && sh "$0" "$kit" "$folder" "$entry" good.cu "$rules" "$1"
}
if [ "$until" = good ]; then
    try_the_good all
    exit
fi
ended() {
    case $1 in
    10 | 11) [ -n "$until" ] || said=$(try_the_good "$stage" 2>&1) || { printf 'the skeleton cannot be built: %s\n' "$said"; exit 3; } ;;
    esac
}
trap 'ended $?' EXIT
passed() { # STAGE
    [ "$until" != "$1" ] || exit 0
}

[ -r student.cu ] && LC_ALL=C sed '1s/^\xef\xbb\xbf//; s/\r$//' student.cu >plain.cu || exit 3
head_of_file() {
    if [ "$rules$backend" = yessimt ]; then printf '#include "preamble.h"\n#include "entrance.h"\n'; else echo '#include "chapter.h"'; fi
    printf '#line 1 "%s"\n' "$name"
}
{ head_of_file; cat plain.cu; } >"student.$suffix"

# Messages about poisoned words, __DATE__ and __TIME__ mean that a rule was broken, not that the build failed.
complain() {
    sed -n -e 's/^\([^:]*:[0-9]*\):.*poisoned "\(.*\)".*/\1: \2 may not be used in a submission/p' \
        -e 's/^\([^:]*:[0-9]*\):.*macro "\(__[A-Z]*__\)" might prevent.*/\1: \2 may not be used in a submission/p' messages >found
    if [ -s found ]; then
        head -n 3 found
        exit 10
    fi
    grep -av "required from\|In instantiation of" messages | head -n 12
    exit 11
}
# inspect prints what it refuses, and exits with 10.
stop_if_refused() {
    case $? in
    0) ;;
    10) c++filt <found | awk '!said[$0]++' | head -n 3; exit 10 ;;
    *) echo "the rules cannot be checked"; cat found; exit 2 ;;
    esac
}
# Refuses what is in the list `found`.  grep's status is 0 for a match, 1 for none, more for an error.
refuse_found() {
    case $1 in
    0) c++filt <found | sed "s|^|$name: $2 |; s|\$|: a submission may not do this|" | head -n 3; exit 10 ;;
    1) ;;
    *) echo "the rules cannot be checked"; exit 2 ;;
    esac
}

includes="-I$kit/include/$folder -I$kit/include $includes"
if [ "$rules$backend" = yessimt ]; then
    # Directives are checked first: the preprocessor removes them.
    tr -d '\000' <plain.cu | LC_ALL=C awk -v name="$name" -f "$kit/directives.awk" >found || exit 3
    if [ -s found ]; then
        head -n 3 found
        exit 10
    fi
fi
# The preprocessor refuses words before the translation, because translated launches use the simulator's names.
# shellcheck disable=SC2086 # flags are words
if [ "$backend" = simt ]; then
    $compiler $flags $student_flags $includes -E -fpch-preprocess "student.$suffix" >preprocessed 2>messages
    failed=$?
    if [ "$rules" = yes ]; then # checked before the compiler's messages: a forbidden header may contain forbidden words
        # shellcheck disable=SC2086 # flags are words
        $compiler $flags $student_flags $includes -E -fpch-preprocess -dU -Wundef "student.$suffix" >asked 2>undefined
        LC_ALL=C awk -v name="$name" -v includes="$kit/includes" -f "$kit/headers.awk" asked >found || exit 3
        sed -n 's/^\([^:]*\):[0-9]*:.*warning: "\(_.*\|CU.*\)" is not defined.*/\1: #if asks for \2: a submission may not do this/p' undefined >>found
        if [ -s found ]; then
            head -n 3 found
            exit 10
        fi
    fi
    [ $failed -eq 0 ] || complain
    passed words
    stage=compile
    "$kit/translate" <preprocessed >student.ii || exit 11
    $compiler $flags $student_flags -S student.ii -o student.s >messages 2>&1 || complain
    if [ "$rules$woven" = yesyes ]; then awk -f "$kit/weave.awk" student.s >woven.s || exit 3; else mv student.s woven.s; fi
    as woven.s -o student.o >messages 2>&1 || complain
else
    stage=compile
    $compiler $flags $student_flags $includes -c "student.$suffix" -o student.o >messages 2>&1 || complain
fi
passed compile
stage=object
head -n 12 messages

if [ "$backend" = simt ]; then # nothing of it runs before main: of that only the sanitizer's own goes unsaid
    objcopy --remove-section=.init_array.00099 --remove-section=.rela.init_array.00099 student.o bare.o &&
        ld -r --force-group-allocation -T "$kit/student.ld" bare.o -o alone.o || exit 11
    if [ "$rules" = yes ]; then
        "$kit/inspect" alone.o "$kit/allowed" "$entry" "$name" >found 2>&1
        stop_if_refused
    fi
else
    if [ "$rules" = yes ]; then # the simulator's build has checked all other rules already
        nm student.o | sed -n 's/^ *[Uvw] //p' >called
        grep -vxE -f "$kit/allowed" -f "$kit/allowed_cuda" called >found
        refuse_found $? calls
    fi
    ld -r --force-group-allocation student.o -o alone.o || exit 11
fi
passed object
stage=all

# The object keeps only its entry point, so it cannot replace a function of the grader.  With the simulator, copies,
# fills and text output are redirected to checking functions.
set --
[ "$backend" != simt ] || set -- --remove-section='.init_array*' --remove-section='.rela.init_array*' --redefine-syms="$kit/redirected"
objcopy "$@" --keep-global-symbol="$entry" alone.o || exit 11
# shellcheck disable=SC2086
c++ -fopenmp alone.o "$kit/runner.o" "$kit/job.o" "$kit/confine.o" "$kit/call_$folder.o" "$kit/libcommon.a" $libraries \
    -Wl,--export-dynamic-symbol="$entry" -o runner >messages 2>&1 || {
    head -n 20 messages
    exit 11
}
