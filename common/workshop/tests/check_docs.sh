#!/bin/sh
# check_docs.sh: the pages must be what make docs generates from their sources and the results files, every link and name in them
# must exist, and both languages must agree.
status=0
docs/make_pages.py --check || status=1
docs/check_links.py || status=1
docs/check_languages.sh || status=1
exit $status
