#!/bin/sh
# pages.sh en|zh [parts]: the pages of the book in that language, one a line, in the order of docs/book/pages; with parts, where
# one begins, "= its name".
# A page that is listed and not there is named, and the status is 1.
cd "$(dirname "$0")/../.." || exit 2
case ${1-} in
en) folder=docs ;;
zh) folder=docs/zh ;;
*) echo 'pages.sh en|zh [parts]' >&2; exit 2 ;;
esac
status=0
while IFS= read -r name; do
    case $name in
    '' | '#'*) continue ;;
    '= '*)
        [ "${2-}" != parts ] || case $1 in en) echo "${name% · *}" ;; zh) echo "= ${name#* · }" ;; esac
        ;;
    *[*[]*)
        for page in $folder/$name.md; do # unquoted: a pattern
            [ -e "$page" ] || continue
            page=${page#"$folder"/}
            echo "${page%.md}"
        done
        ;;
    *)
        [ -e "$folder/$name.md" ] || { echo "docs/book/pages: there is no $folder/$name.md" >&2; status=1; continue; }
        echo "$name"
        ;;
    esac
done <docs/book/pages
exit $status
