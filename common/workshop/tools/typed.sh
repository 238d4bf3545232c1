#!/bin/sh
# typed.sh NAME...: prints those names of variables, typed as NAME=VALUE behind make, that no makefile of the course uses.
cd "$(dirname "$0")/../../.." || exit 2
for name; do
    case $name in
    *[!A-Za-z0-9_]* | '') ;; # no name that could be misspelled
    *[A-Z]*) grep -rqE --include=Makefile --include='*.mk' "[$][({]?$name([^A-Za-z0-9_]|\$)|^ *(export |override )*$name *[:?+]?=|^[^#]*(foreach v,|origin |value )[^#]*\b$name\b" \
        Makefile common 0?_* || echo "$name" ;;
    *) echo "$name" ;;
    esac
done
