# goals.mk - pages, book, slides and report; what a step changes, as text, tree, history and film
##
## make docs                  generates docs/*.md and README.md from docs/pages/*.md and the results files
docs:
	@docs/summaries.sh
	@docs/make_examples.py
	@for m in h200 simt examples; do plots/draw.sh plots/data/$$m plots/pictures/$$m svg; done
	@plots/chinese.py
	@for p in plots/pictures/*/*.svg; do grep -rqF $${p#plots/} README.md README.zh.md docs || rm $$p; done # on no page
	@docs/make_pages.py

## make diff N=1 V=3          shows what step v3 changes in the step from which it is derived
## make tree N=5              shows the steps of a chapter as a tree: ideas, lines changed, measured times
# What a step changes of the one that it is from; all of a chapter as a tree, with times where this GPU's are recorded.
diff:
	@common/workshop/tools/steps.sh diff $(SELECTED) "$$V"
tree:
	@set -e; for c in $(SELECTED); do $(if $(word 2,$(SELECTED)),echo "$$c";) \
	    common/workshop/tools/steps.sh tree $$c plots/data/$(or $(GPU),h200)/$$c.tsv; $(if $(word 2,$(SELECTED)),echo;) done

## make play N=1 V="2 3"       shows a run step by step in a browser, or two runs side by side; also STUDENT=FILE.cu, ARGS="--size 500"
# A run on the simulator as a page that one steps through.  V: numbers of steps, v2 or 2, also 3/8.
PLAYED := $(patsubst %,v%,$(patsubst v%,%,$(V))) $(if $(STUDENT),student)
play:
	$(if $(strip $(subst v, ,$(PLAYED))),,$(error make play N=$(N) needs V=2, two steps as V="2 3", or STUDENT=FILE.cu))
	+@$(MAKE) --no-print-directory BACKEND=simt V= $(SELECTED)
	@docs/player/play.py $(SELECTED) --program build/simt/bin/$(SELECTED)$(if $(STUDENT),_student) $(PLAYED:%=--step %) \
	    --out build/play/$(subst $(eval ) ,_,$(strip $(firstword $(subst _, ,$(SELECTED))) $(subst /,-,$(PLAYED)))).html -- $(ARGS)

## make series N=5 TO=FOLDER  writes a chapter as a git repository with a commit per step
series:
	@common/workshop/tools/series.sh write $(SELECTED) "$$TO"

## make book                  builds the pages as HTML in build/book, with links to the code (pandoc)
# The players are of runs on the simulator.
book:
	+@$(MAKE) --no-print-directory BACKEND=simt $(CHAPTERS)
	+@case "$$MAKEFLAGS" in *jobserver*) jobs= ;; *) jobs=-j$$(nproc) ;; esac; $(MAKE) --no-print-directory $$jobs -f docs/book/book.mk
## make epub                  builds an EPUB for each language, build/book/course-en.epub    (pandoc)
## make pdf                   builds a PDF for each language, build/book/course-en.pdf    (pandoc, chromium)
epub pdf:
	+@$(MAKE) --no-print-directory -f docs/book/book.mk $@

## make slides N=1            builds slides of a chapter in build/slides: its short tour, or STEPS="1 2 3"    (pandoc)
# A chapter as slides (dzslides, by pandoc): N=1 [STEPS="1 2 3"].
slides:
	@command -v pandoc >/dev/null || { echo 'make slides: pandoc is not installed (Debian: apt-get install pandoc)'; exit 1; }
	@mkdir -p build/slides && docs/book/slides.py $(SELECTED) --steps "$$STEPS" >build/slides/$(SELECTED).md && \
	    pandoc -D dzslides | grep -v fonts.googleapis.com >build/slides/template.html && \
	    pandoc -s -t dzslides --template build/slides/template.html --self-contained -H docs/book/slides.html \
	        build/slides/$(SELECTED).md -o build/slides/$(SELECTED).html && \
	    echo 'build/slides/$(SELECTED).html: open it in a browser; arrows turn the slides'

## make report                writes the last run as one HTML file; GPU=h200: the results in plots/data/h200    (pandoc, gnuplot)
# Of the last run on this back end, or of what is recorded under plots/data/$(GPU).
report:
	@docs/book/report.sh $(if $(GPU),plots/data/$(GPU),$(RESULTS)) build/report

.PHONY: docs diff tree play series book epub pdf slides report
