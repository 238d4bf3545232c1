#!/bin/sh
# check_docs.sh: the pages hold the recorded numbers, and every link and name in them exists.
status=0
docs/tables.sh --check || status=1
[ ! -x docs/check_links.sh ] || docs/check_links.sh || status=1
exit $status
