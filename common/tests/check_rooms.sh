#!/bin/bash
# check_rooms.sh: the folders of common/ see what they may see, and no header includes itself by way of others.
# Who may see whom stands in common/Makefile (SEES).
status=0
complain() { echo "$1"; status=1; }
rooms='base matrix report measure spmv'

# includes FILES: a line for each #include "...": who, whom
includes() { grep -Ho '^#include "[^"]*"' "$@" | sed 's/:#include "/ /; s/"$//'; }
# circles FOLDERS: headers from which one comes back to them
circles() {
    for folder; do includes "$folder"/*.h "$folder"/*.hpp 2>/dev/null; done | sed 's|^[^ ]*/||; s| .*/| |' | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \(.*\.h.*\)/\1/p'
}

found=$(circles common/* 0?_* 07_load_balance/*)
[ -z "$found" ] || complain "headers in a circle: $found"

# From common/ nothing leads up to a chapter.
found=$(git grep -nE '#include "[^"]*0[1-7]_|#include "(\.\./)+0' -- common ':!common/grade/exploits' ':!common/grade/honest')
[ -z "$found" ] || complain "common/ includes a chapter's header: $found"
for room in $rooms; do
    found=$(includes common/"$room"/*.[ch] | grep -E ' (chapter\.h|[^ ]*/)')
    [ -z "$found" ] || complain "$room: $found"
done

# Seen failing: a header of another room is not found there, a circle is.
copy=$(mktemp -d) || exit 2
trap 'rm -rf "$copy"' EXIT; trap 'exit 130' HUP INT TERM
tar -cf - Makefile common/Makefile common/build common/base common/matrix common/report common/measure common/spmv common/simt | tar -xf - -C "$copy"
for planted in base:csr.h matrix:report.h report:bench.h measure:spmv_problem.h; do
    room=${planted%:*} header=${planted#*:}
    echo "#include \"$header\"" >"$copy/common/$room/planted.c"
    said=$(make -C "$copy/common" BACKEND=simt NVCC= BUILD="$copy/build" "$copy/build/common/$room/planted.o" 2>&1) &&
        complain "$room may include $header"
    case $said in *"$header: No such file"*) ;; *) complain "$room with $header: $said" ;; esac
done
printf '#include "b.h"\n' >"$copy/a.h"
printf '#include "c.h"\n' >"$copy/b.h"
printf '#include "a.h"\n' >"$copy/c.h"
[ -n "$(circles "$copy")" ] || complain 'a circle of three headers is not seen'
exit $status
