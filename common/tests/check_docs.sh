#!/bin/sh
# check_docs.sh: the pages hold the recorded numbers, every link and name in them exists, and both languages agree.
status=0
docs/tables.sh --check || status=1
[ ! -x docs/check_links.sh ] || docs/check_links.sh || status=1
docs/check_languages.sh || status=1
exit $status
