#!/bin/sh
# players.sh: generates the players of all steps once in build/players/play, for check_book and check_player.  Any message while
# they are generated is a fault, such as a page that is too large.
[ "${1-}" = locked ] || exec flock build/players.lock "$0" locked
said=$("${MAKE:-make}" --no-print-directory -s -f docs/book/book.mk BOOK=build/players players 2>&1) || { echo "$said"; exit 1; }
if echo "$said" | grep -v '^$\|^[A-Z]\{2,4\}  *[a-z0-9]\|/01_race.html: open it in a browser$'; then
    rm -rf build/players # so that the next call reports the fault, too
    exit 1
fi
