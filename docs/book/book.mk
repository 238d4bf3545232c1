# book.mk - the pages of docs/ as a book in HTML, with the code it speaks of.  From the root: make book
# build/book/en, build/book/zh: the pages; build/book/source: the files of the course; build/book/index.html: where to begin.
#
# Why not MkDocs?  Three pages (01_reduce, 07d_csr5, index, in both languages) were made with MkDocs 1.6.1 and Material
# 9.8.2 and opened beside these, from disk, without a network:
#                     MkDocs and Material                                here
#   needs             24 packages from PyPI (Debian 12: Material 8.2.5)  pandoc
#   maintained        Material ends on 5 May 2027, by its own README     about 300 lines that MkDocs would replace
#   from disk         yes, but each page asks unpkg.com for a script     yes, asks for nothing
#   search, English   by beginnings of words, matches marked             any part of a word, glossary first, matches marked
#   search, Chinese   does not find 屏障 (barrier), which is there       finds any part of a text
#   two languages     two sites                                          each page leads to the other language
#   steps             a list ends at the first block of code in it       as on GitHub, and changed lines of code in colour
#   code and players  links by a hook of ours, as long as links.lua      links.lua, source.lua
#   phone, dark       yes; a button for dark                             yes; dark as the system asks, pictures, too
#   contents          beside the text from 1220 pixels on                the same from 1440 pixels on, else behind a button
# What it did better is here now: contents beside the text, and a mark where a result was found.  A button for dark is not.
MAKEFLAGS += -r
BOOK ?= build/book
FOLDERS := $(wildcard 0?_* common docs plots)
SOURCES := $(sort $(shell find $(FOLDERS) -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.hpp' \
    -o -name '*.sh' -o -name '*.awk' -o -name '*.gp' -o -name '*.gpi' -o -name '*.mk' -o -name '*.sed' -o -name '*.lua' -o -name '*.tsv' \
    -o -name '*.card' -o -name '*.ipynb' -o -name '*.css' -o -name '*.def' -o -name '*.inc' -o -name '*.txt' -o -name '*.mtx' -o -name '*.md' -not -path 'docs/*' -o -name 'Makefile' \)) Makefile bootstrap README.md README.zh.md LICENSE)
FOLDERS_OF_SOURCES := $(shell printf '%s\n' $(SOURCES) | awk -F/ '{p = "."; print p; \
    for (i = 1; i < NF; i++) {p = i == 1 ? $$1 : p "/" $$i; print p}}' | sort -u)
CODE := $(filter %.c %.h %.def %.cu %.cuh %.cpp %.hpp,$(SOURCES))
PICTURES := $(wildcard plots/pictures/*/*.svg)
EN := $(shell docs/book/pages.sh en || echo missing)
ZH := $(shell docs/book/pages.sh zh || echo missing)
TOOLS := $(wildcard docs/book/*)

PAGES := $(EN:%=$(BOOK)/en/%.html) $(ZH:%=$(BOOK)/zh/%.html)
SEARCH := $(BOOK)/search-en.js $(BOOK)/search-zh.js $(BOOK)/search.js
# A player for every step, of the chapters that are built for the simulator, where what it is drawn with is there.
D3 := $(wildcard /usr/share/nodejs/d3-selection/dist/d3-selection.min.js)
PLAYERS := $(if $(D3),$(patsubst build/simt/bin/%,$(BOOK)/play/%.made,$(wildcard $(patsubst %,build/simt/bin/%,$(wildcard 0?_*)))))
PLAYERS += $(if $(filter %/01_reduce.made,$(PLAYERS)),$(BOOK)/play/01_race.html $(BOOK)/play/pairs.made)
COPIES := $(BOOK)/index.html $(BOOK)/style.css $(PICTURES:%=$(BOOK)/%)

book: pages sources
	@[ ! -t 2 ] || printf '\r\033[K' >&2
	@echo '$(BOOK)/index.html'

ifneq ($(shell command -v pandoc),)
pages: $(PAGES) $(COPIES) $(SEARCH)
sources: $(FOLDERS_OF_SOURCES:%=$(BOOK)/source/%/index.html)
else
pages sources:
	@echo 'make book: pandoc is not installed (Debian: apt-get install pandoc); the pages are docs/*.md'; exit 1
endif

players: $(PLAYERS)
$(PAGES): $(PLAYERS) # their headings lead to them
$(BOOK)/play/%.made: build/simt/bin/% %/play $(wildcard docs/player/*)
	@docs/player/play.py $* --program $< --all --out $(@D)
	@touch $@
$(BOOK)/play/pairs.made: $(wildcard docs/player/* docs/pages/*.md docs/pages/zh/*.md) | $(filter %.made,$(filter-out %/pairs.made,$(PLAYERS)))
	@docs/player/pairs.sh $(@D)
	@touch $@
$(BOOK)/play/01_race.html: docs/player/race.cu build/simt/bin/01_reduce $(wildcard docs/player/*)
	@flock build/simt/student.lock sh -c '$(MAKE) --no-print-directory BACKEND=simt N=1 STUDENT=$< 01_reduce >&2 && \
	    docs/player/play.py 01_reduce --program build/simt/bin/01_reduce_student --step student --out $@ >&2'

$(BOOK)/en/%.html: docs/%.md $(BOOK)/tags $(TOOLS)
	@docs/book/page.sh en $* $@
$(BOOK)/zh/%.html: docs/zh/%.md $(BOOK)/tags $(TOOLS)
	@docs/book/page.sh zh $* $@

# The files of a folder, and the list of what is in it: of folders, and of files.
.SECONDEXPANSION:
$(BOOK)/source/%/index.html: $$(filter $$(wildcard $$(if $$(filter .,$$*),*,$$*/*)),$$(SOURCES)) \
    docs/book/source.lua docs/book/page.html docs/book/cuda-words
	@[ ! -t 2 ] || printf '\r\033[K%s' '$*' >&2 # how far it is
	@mkdir -p $(@D)
	@pandoc -f markdown -t html5 --template docs/book/page.html --lua-filter docs/book/source.lua -M folder=$* -M book=$(BOOK) \
	    -M files='$(notdir $(filter-out docs/book/source.lua docs/book/page.html docs/book/cuda-words,$^))' \
	    -M folders='$(notdir $(filter $(wildcard $(if $(filter .,$*),*,$*/*)),$(FOLDERS_OF_SOURCES)))' \
	    /dev/null -o $@

# The tests are left out: their kernels are called as those of the lesson.
$(BOOK)/tags: $(CODE) docs/book/tags.awk
	@mkdir -p $(@D)
	@awk -f docs/book/tags.awk $(foreach f,$(CODE),$(if $(findstring /tests/,$f)$(findstring /test_,$f),,$f)) > $@

$(BOOK)/style.css $(BOOK)/search.js: $(BOOK)/%: docs/book/%
	@mkdir -p $(@D)
	@cp $< $@

# What the search can find.
$(BOOK)/search-en.js: $(filter $(BOOK)/en/%,$(PAGES))
	@docs/book/search.py $(BOOK) en $@
$(BOOK)/search-zh.js: $(filter $(BOOK)/zh/%,$(PAGES))
	@docs/book/search.py $(BOOK) zh $@
$(BOOK)/plots/%: plots/%
	@mkdir -p $(@D)
	@cp $< $@
$(BOOK)/index.html: docs/book/book.mk
	@mkdir -p $(@D)
	@printf '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=en/index.html"><title>The book</title>\n<p><a href="en/index.html">English</a> <a href="zh/index.html">中文</a></p>\n</html>\n' > $@

# All pages as one document: an EPUB, checked where epubcheck is, and a PDF, printed by Chromium from style.css's rules for paper.
epub pdf: %: $(BOOK)/course-en.% $(BOOK)/course-zh.%
	@printf '%s\n' $^
WHOLE = -f markdown --lua-filter docs/book/whole.lua -M lang=$(if $(filter zh,$*),zh-Hans,en) -M pages='$(if $(filter zh,$*),$(ZH),$(EN))' \
    -M $1='$(shell sed -n '/^\# /{s///p; q}' docs/$(if $(filter zh,$*),zh/)index.md)' /dev/null
$(BOOK)/course-%.epub: docs/book/whole.lua docs/book/resolve.lua $(wildcard docs/*.md docs/*/*.md docs/*/*/*.md) $(PICTURES)
	@mkdir -p $(@D)
	@pandoc -t epub3 --toc --toc-depth 2 $(call WHOLE,title) -o $@
	@if jar=$$(command -v epubcheck); then java -jar "$$jar" --quiet $@; else echo '$@: not checked: epubcheck is not installed'; fi
$(BOOK)/course-%.pdf: docs/book/whole.lua docs/book/resolve.lua $(wildcard docs/*.md docs/*/*.md docs/*/*/*.md) $(PICTURES) docs/book/style.css docs/book/page.html
	@mkdir -p $(@D)
	@pandoc -t html5 --self-contained --template docs/book/page.html -V root=docs/book/ $(call WHOLE,pagetitle) -o $@.html
	@chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --generate-pdf-document-outline --print-to-pdf=$@ \
	    "file://$(abspath $@).html" 2>/dev/null
	@rm $@.html

# Which files of the course are in the book, a line each.
list-sources:
	@printf '%s\n' $(SOURCES)

.PHONY: book pages players sources epub pdf list-sources
.DELETE_ON_ERROR:
