#!/bin/sh
# compare.sh A.tsv B.tsv: prints what changed from results file A to B, row by row: make compare A=FILE B=FILE.
# Exits with 0 whatever changed, with 2 if a file is not a results file, with 64 without two files.
case "$# ${1-}" in "1 -h" | "1 --help") sed -n '2,3s/^# //p' "$0"; exit 0 ;; esac
if [ $# -ne 2 ] || [ -z "$1" ] || [ -z "$2" ]; then
    echo "usage: make compare A=FILE.tsv B=FILE.tsv, two results files of make run or make record" >&2
    exit 64
fi
# shellcheck source=common/workshop/tools/shown.sh
. "$(dirname "$0")/shown.sh"
A=$(shown "$1") B=$(shown "$2") # compare.awk uses these names
export A B
for f in "$1" "$2"; do
    shift
    case $f in /* | ./*) ;; -* | *=*) f=./$f ;; esac # must not look like an option or an assignment of awk
    set -- "$@" "$f"
    if [ ! -e "$f" ]; then why="does not exist"
    elif [ ! -f "$f" ] || [ ! -r "$f" ]; then why="cannot be read"
    elif ! grep -v '^#' "$f" | head -n 1 | grep -q '^chapter	step	kind	case	dtype	'; then why="is not a results file: its first line without # must begin with the columns chapter, step, kind, case, dtype"
    else continue; fi
    echo "compare: $(shown "$f") $why" >&2
    exit 2
done
exec awk -f "$(dirname "$0")/compare.awk" "$1" "$2"
