#!/bin/sh
# tables.sh [--check]: writes the tables and numbers of every page from plots/data.
# With --check it changes nothing and says which pages would change.
check=${1-}
status=0
zh='' new=''
trap 'rm -f "$zh.new" "$new"; exit 130' HUP INT TERM
# The Chinese page of the glossary holds the same entries as the English one.
zh=docs/zh/glossary.md
if ! awk -f docs/glossary.awk docs/glossary.md >$zh.new; then
    status=1
elif ! cmp -s $zh $zh.new; then
    if [ "$check" = --check ]; then
        echo "$zh differs from docs/glossary.md: make docs"
        status=1
    else
        cp $zh.new $zh
        echo $zh
    fi
fi
rm -f $zh.new
for page in docs/*.md docs/zh/*.md docs/exercises/*.md docs/zh/exercises/*.md README.md README.zh.md; do
    [ -e "$page" ] || continue
    new=$page.new
    if ! awk -v DATA=plots/data -f docs/tables.awk "$page" >"$new"; then
        status=1
        rm -f "$new"
    elif cmp -s "$page" "$new"; then
        rm -f "$new"
    elif [ "$check" = --check ]; then
        echo "$page differs from the recorded results: make docs"
        status=1
        rm -f "$new"
    else
        mv "$new" "$page"
        echo "$page"
    fi
done
exit $status
