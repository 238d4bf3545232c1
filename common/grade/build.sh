#!/bin/sh
# build.sh KIT FOLDER ENTRY NAME RULES: in the sandbox, makes `runner` in the working folder from student.cu.
#   KIT     what can be built with: headers, objects, flags (common/grade/Makefile)
#   FOLDER  the chapter's; ENTRY the function it must have; NAME what messages call the file
#   RULES   yes, or no: without them only the sandbox and the judge are left (for tests)
# Exits with 11 if it does not compile, 10 if it breaks a rule; then says why.
kit=$1 folder=$2 entry=$3 name=$4 rules=$5
backend='' suffix='' compiler='' flags='' includes='' libraries=''
# shellcheck source=/dev/null
. "$kit/flags"

{
    if [ "$rules$backend" = yessimt ]; then echo '#include "preamble.h"'; else echo '#include "chapter.h"'; fi
    printf '#line 1 "%s"\n' "$name"
    if [ "$backend" = simt ]; then sed -E -f "$kit/launch.sed" student.cu; else cat student.cu; fi
} >"student.$suffix"

# shellcheck disable=SC2086 # flags are words
if ! $compiler $flags -I"$kit/include/$folder" -I"$kit/include" $includes -MD -MF student.d -MT student.o \
    -c "student.$suffix" -o student.o >messages 2>&1; then
    # What the file includes is looked at first: the message about the word in it would mislead.
    if grep -q 'poisoned' messages; then
        sed -n 's/^\([^:]*:[0-9]*\):.*poisoned "\(.*\)".*/\1: \2 may not be used in a submission/p' messages | head -n 3
        exit 10
    fi
    grep -av "required from\|In instantiation of" messages | head -n 12
    exit 11
fi
cat messages

# What is in the list `found` is refused; grep says 0 if there is something, 1 if not, more if it does not work.
refuse_found() {
    case $1 in
    0) c++filt <found | sed "s|^|$name: $2 |; s|\$|, which a submission may not|" | head -n 3; exit 10 ;;
    1) ;;
    *) echo "the rules cannot be checked"; exit 2 ;;
    esac
}

if [ "$rules$backend" = yessimt ]; then
    # Only the headers of preamble.h, and what they include themselves.
    sed 's/\\$//' student.d | tr -s ' ' '\n' | grep '^/\|\.\./' | sed "s|^$kit/|kit/|" >included || exit 2
    grep -vxF -f "$kit/headers_$folder" included >found
    refuse_found $? includes
fi
if [ "$rules" = yes ]; then
    # Only functions of the list: no files, no processes, nothing of the grader's.
    nm -g student.o >symbols && [ -s symbols ] || exit 2
    sed -n 's/^ *U //p' symbols >called
    grep -vxE -f "$kit/allowed" called >found
    refuse_found $? calls
    grep -q " [TW] $entry\$" symbols || {
        echo "$name: has no function $entry: the last line of the skeleton makes it"
        exit 10
    }
fi

# Whatever else it defines cannot stand in for a function of the grader's.
ld -r --force-group-allocation student.o -o alone.o && objcopy --keep-global-symbol="$entry" alone.o || exit 11
# shellcheck disable=SC2086
c++ -fopenmp alone.o "$kit/runner.o" "$kit/job.o" "$kit/confine.o" "$kit/call_$folder.o" "$kit/libcommon.a" $libraries \
    -Wl,--export-dynamic-symbol="$entry" -o runner >messages 2>&1 || {
    head -n 20 messages
    exit 11
}
