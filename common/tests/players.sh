#!/bin/sh
# players.sh: the players of all steps, in build/players/play: check_book and check_player need them, and make them once.
exec flock build/players.lock "${MAKE:-make}" --no-print-directory -s -f docs/book/book.mk BOOK=build/players players
