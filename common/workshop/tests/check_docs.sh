#!/bin/sh
# check_docs.sh: the pages are what make docs makes of their sources and the records, every link and name in them exists, and both languages agree.
status=0
docs/make_pages.py --check || status=1
docs/check_links.py || status=1
docs/check_languages.sh || status=1
exit $status
