# book.mk - the pages of docs/ as a book in HTML, with the code it speaks of.  From the root: make book
# build/book/en, build/book/zh: the pages; build/book/source: the files of the course; build/book/index.html: where to begin.
MAKEFLAGS += -r
BOOK ?= build/book
FOLDERS := $(wildcard 0?_* common docs plots)
SOURCES := $(sort $(shell find $(FOLDERS) -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.hpp' \
    -o -name '*.sh' -o -name '*.awk' -o -name '*.gp' -o -name '*.gpi' -o -name '*.mk' -o -name '*.sed' -o -name '*.lua' -o -name '*.tsv' \
    -o -name '*.card' -o -name '*.ipynb' -o -name '*.css' -o -name '*.def' -o -name '*.inc' -o -name '*.txt' -o -name '*.mtx' -o -name '*.md' -not -path 'docs/*' -o -name 'Makefile' \)) Makefile bootstrap README.md README.zh.md LICENSE)
CODE := $(filter %.c %.h %.def %.cu %.cuh %.cpp %.hpp,$(SOURCES))
PICTURES := $(wildcard plots/pictures/*/*.svg)
EN := $(shell docs/book/pages.sh en || echo missing)
ZH := $(shell docs/book/pages.sh zh || echo missing)
TOOLS := $(wildcard docs/book/*)

PAGES := $(EN:%=$(BOOK)/en/%.html) $(ZH:%=$(BOOK)/zh/%.html)
LUNR := $(wildcard /usr/share/javascript/lunr/lunr.min.js)
SEARCH := $(if $(LUNR),$(BOOK)/search-en.js $(BOOK)/search-zh.js $(BOOK)/search.js)
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
sources: $(SOURCES:%=$(BOOK)/source/%.html)
	@for folder in $$(find $(BOOK)/source -depth -mindepth 1 -type d); do \
	    docs/book/source.sh --index $${folder#$(BOOK)/source/} $$folder/index.html || exit 1; done
else
pages sources:
	@echo 'make book: pandoc is not here (Debian: apt-get install pandoc); the pages are docs/*.md'; exit 1
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
$(BOOK)/source/%.html: % docs/book/source.sh docs/book/page.html docs/book/cuda-words
	@docs/book/source.sh $< $@

# The tests are left out: their kernels are called as those of the lesson.
$(BOOK)/tags: $(CODE) docs/book/tags.awk
	@mkdir -p $(@D)
	@awk -f docs/book/tags.awk $(foreach f,$(CODE),$(if $(findstring /tests/,$f)$(findstring /test_,$f),,$f)) > $@

$(BOOK)/style.css $(BOOK)/search.js: $(BOOK)/%: docs/book/%
	@mkdir -p $(@D)
	@cp $< $@

# The search: the library from Debian's package, and what there is to find.
ifneq ($(LUNR),)
$(PAGES): | $(BOOK)/lunr.min.js
$(BOOK)/lunr.min.js: $(LUNR)
	@mkdir -p $(@D)
	@cp $< $@
$(BOOK)/search-en.js: $(filter $(BOOK)/en/%,$(PAGES))
	@docs/book/search.py $(BOOK) en $@
$(BOOK)/search-zh.js: $(filter $(BOOK)/zh/%,$(PAGES))
	@docs/book/search.py $(BOOK) zh $@
endif
$(BOOK)/plots/%: plots/%
	@mkdir -p $(@D)
	@cp $< $@
$(BOOK)/index.html: docs/book/book.mk
	@mkdir -p $(@D)
	@printf '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=en/index.html"><title>The book</title>\n<p><a href="en/index.html">English</a> <a href="zh/index.html">中文</a></p>\n</html>\n' > $@

# Which files of the course are in the book, a line each.
list-sources:
	@printf '%s\n' $(SOURCES)

.PHONY: book pages players sources list-sources
.DELETE_ON_ERROR:
