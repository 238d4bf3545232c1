#!/bin/bash
# check_rooms.sh: the folders of common/ and of chapter 07 may include only what they are allowed to, and headers must not include
# each other in a cycle.  The rules are in common/Makefile and 07_load_balance/libspmv/Makefile (SEES, INSIDE).
status=0
complain() { echo "$1"; status=1; }
rooms='base matrix report measure spmv'

# includes FILES: prints the file and the header of each #include "..."
includes() { grep -Ho '^#include "[^"]*"' "$@" | sed 's/:#include "/ /; s/"$//'; }
# circles HEADERS: prints the headers of a cycle
circles() { includes "$@" | sed 's|^[^ ]*/||; s| .*/| |' | tsort 2>&1 >/dev/null | sed -n '/\.\(h\|hpp\|cuh\)$/s/^tsort: //p'; }
# elsewhere FOLDER ROOMS FILES: prints includes that name a folder other than ROOMS
elsewhere() {
    local folder=$1 may=$2
    shift 2
    includes "$@" | grep -E ' [^ ]*/' | grep -vE " (\.\./)*($may)/" | sed "s|^|$folder: |"
}

headers() { git ls-files '*.h' '*.hpp' '*.cuh' ':!common/classroom/grade/exploits' ':!common/classroom/grade/honest'; }
# shellcheck disable=SC2046 # one word per file
found=$(circles $(headers))
[ -z "$found" ] || complain "headers include each other in a cycle: $found"

# common/ must not include a chapter's headers.
upwards() { grep -nE '#include "[^"]*0[1-9]_|#include "(\.\./)+0|#include "([^"]*/)?(libspmv|rows|distributed|apps)/' "$@"; }
# shellcheck disable=SC2046 # one word per file
found=$(upwards $(git ls-files 'common/*.[ch]' 'common/*.cu' 'common/*.?pp' ':!common/classroom/grade/exploits' ':!common/classroom/grade/honest'))
[ -z "$found" ] || complain "common/ includes a chapter's header: $found"
for room in $rooms; do
    found=$(includes common/lib/"$room"/*.[ch] | grep -E ' (chapter\.h|[^ ]*/)')
    [ -z "$found" ] || complain "$room: $found"
done

# In chapter 07 the library must name no folder, rows only the library, distributed only the rows.
# shellcheck disable=SC2046 # one word per file
seven() {
    (cd "$1" || exit
    elsewhere libspmv none $(find libspmv -name tests -prune -o \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) -print)
    elsewhere libspmv/tests tests $(find libspmv/tests -name '*.[ch]')
    elsewhere rows 'libspmv(/tests)?|tests' $(find rows -name '*.[ch]')
    elsewhere distributed 'rows|tests' $(find distributed -name '*.[ch]' -o -name '*.cu' | grep -v /tests/))
}
found=$(seven 07_load_balance)
[ -z "$found" ] || complain "$found"

# This check can fail: a header of another room must not be found.
copy=$(mktemp -d) || exit 2
trap 'rm -rf "$copy"' EXIT; trap 'exit 130' HUP INT TERM
tar -cf - Makefile common/Makefile common/workshop/build common/lib/base common/lib/matrix common/lib/report common/lib/measure common/lib/spmv common/simulator/simt common/lib/tests/*.h \
    07_load_balance/libspmv 07_load_balance/rows 07_load_balance/distributed | tar -xf - -C "$copy"
# not_found FOLDER OUT FILE HEADER: FILE, which includes HEADER, must not compile in FOLDER, whose objects are in OUT
not_found() {
    local said
    echo "#include \"$4\"" >"$copy/$1/$3"
    said=$(make -C "$copy/$1" BACKEND=simt NVCC= BUILD="$copy/build" TRANSLATE= PREFIX_HEADER= PREFIX_FIRST= "$copy/build/$2/${3%.*}.o" 2>&1) && complain "$1/$3 may include $4"
    case $said in *"$4: No such file"*) ;; *) complain "$1/$3 with $4: $said" ;; esac
    rm "$copy/$1/$3"
}
for planted in base:csr.h matrix:report.h report:bench.h measure:spmv_problem.h; do
    not_found common common "lib/${planted%:*}/planted.c" "${planted#*:}"
done
for planted in cpu/p.c:dtype.h cpu/p.c:spmv_problem.h cpu/p.c:harness.h cpu/p.c:lib_rows.h cpu/p.c:tests/battery.h cpu/p.c:simt.h \
    cpu/p.c:gpu_engine.h gpu/p.c:csr.h gpu/p.c:cpu_engine.h gpu/slices/p.cu:dtype.h gpu/slices/p.cu:cpu_part.h; do
    not_found 07_load_balance/libspmv lib "${planted%:*}" "${planted#*:}"
done
# Planted: a path out of the library, tests and rows that include too much, an include of a chapter, and a cycle.
for planted in 'libspmv/cpu/p.c:../../rows/lib_rows.h' 'libspmv/gpu/p.cuh:../../../common/lib/base/err.h' 'libspmv/tests/p.h:../../rows/lib_rows.h' \
    'rows/p.c:../distributed/dist.h' 'distributed/p.c:../libspmv/gpu/gpu_engine.h'; do
    echo "#include \"${planted#*:}\"" >"$copy/07_load_balance/${planted%%:*}"
    [ -n "$(seven "$copy/07_load_balance")" ] || complain "${planted%%:*} may include ${planted#*:}"
    rm "$copy/07_load_balance/${planted%%:*}"
done
[ -z "$(seven "$copy/07_load_balance")" ] || complain 'the check reports something without a planted file'
for header in ../07_load_balance/chapter.h ../../07_load_balance/libspmv/spmv.h libspmv/spmv.h; do
    echo "#include \"$header\"" >"$copy/up.c"
    upwards "$copy/up.c" >"$copy/said" || complain "an include of $header, a chapter's header, is not noticed"
done
sed -i '/^#define SPMV_GPU_ENGINE_H/a #include "gpu_slices.cuh"' "$copy/07_load_balance/libspmv/gpu/gpu_engine.h"
# shellcheck disable=SC2046 # one word per file
[ -n "$(cd "$copy" && circles $(find 07_load_balance \( -name '*.h' -o -name '*.cuh' \)))" ] || complain 'a cycle of headers is not noticed'
exit $status
