# The course.  `make help` lists what can be asked for.
ROOT := .
comma := ,
include common/build/config.mk

CHAPTERS := $(patsubst %/Makefile,%,$(sort $(wildcard 0?_*/Makefile)))

# `make chapter 5` and `make run 5`: a bare number is an argument, not a goal.
NUMBERS := $(shell printf '%s\n' $(MAKECMDGOALS) | grep -x '[0-9]*')
N ?= $(NUMBERS)
ifneq ($(word 2,$(N)),)
  $(error One chapter, or none for all of them, not $(N))
endif
ifneq ($(N),)
  SELECTED := $(filter 0$(patsubst 0%,%,$(N))_%,$(CHAPTERS))
  ifeq ($(SELECTED),)
    $(error There is no chapter $(N); there are: $(CHAPTERS))
  endif
else
  SELECTED := $(CHAPTERS)
endif

# E names an exercise, whose copy is the learner's file (make exercise).
ifneq ($(and $(N),$(E),$(filter undefined,$(origin STUDENT)),$(filter grade run chapter play,$(MAKECMDGOALS))),)
  export STUDENT := work/0$(patsubst 0%,%,$(N))/e$(E).cu
endif

RESULTS := build/results/$(BACKEND)
PICTURES := build/plots/$(BACKEND)
STEP := $(MAKE) --no-print-directory BACKEND=$(BACKEND)

# What a goal cannot do without is asked for before anything is built.
need = $(if $(filter $1,$(MAKECMDGOALS)),$(foreach v,$2,$(if $($v),,$(error make $1 $3))))
$(call need,record,GPU,GPU=h200: the folder under plots/data/ for this card)
$(call need,slides,N,N=1: the chapter)
$(call need,advise,MATRIX,MATRIX=FILE: a .mtx or .mtx.gz file$(comma) or a recipe)
$(call need,diff,N V,N=1 V=3: chapter and step)
$(call need,play,N,N=1 V=2: chapter and step$(comma) or two: V="2 3"; or STUDENT=FILE.cu)
$(call need,series,N TO,N=5 TO=FOLDER: chapter; a folder that is to be made)
$(call need,exercise,N E,N=5 E=1: chapter and exercise)
$(call need,solutions,TO,TO=FOLDER: where the solutions of all exercises are unpacked)
$(call need,grade,N E STUDENT,N=5 E=1: chapter and exercise; STUDENT=FILE.cu where the file is not work/05/e1.cu)
$(call need,leaderboard,N E SUBMISSIONS,N=5 E=1 SUBMISSIONS=FOLDER: chapter; exercise; where the files are)
$(call need,assignment,N E TO,N=5 E=1 TO=FOLDER: chapter; exercise; a folder that is to be made)
$(call need,simt-score,CORPUS,CORPUS=FOLDER: a folder with CUDA programs)
$(call need,simt-races,CORPUS RUNS,CORPUS=FOLDER RUNS=FILE: programs whose names say what is wrong; the arguments they run with)
$(call need,compare,A B,A=FILE.tsv B=FILE.tsv: two records (make run and make record keep them))

# A step of the learner's own belongs to one chapter.
ifneq ($(filter run chapter all play $(NUMBERS) $(CHAPTERS),$(or $(MAKECMDGOALS),all)),)
  include common/build/student.mk
  $(if $(and $(value STUDENT),$(word 2,$(SELECTED))),$(error make $(or $(MAKECMDGOALS),all) STUDENT=FILE.cu needs N=1: the chapter that the step is for))
endif

# Said before anything is built: what is to come, and how long it may take.
ifeq ($(MAKELEVEL)$(filter run,$(MAKECMDGOALS))$(strip $(ARGS)),0run)
  $(info run: $(if $(N),chapter $(SELECTED),$(words $(SELECTED)) chapters) on $(if $(filter simt,$(BACKEND)),the CPU; \
kernels run on a stand-in (simt) that checks and counts them$(comma) but has no times,the card).)
  $(info $(if $(N),The first build takes a minute$(comma) the run a minute or two,The first table comes after a minute$(comma) the last after five to ten); Ctrl-C stops it$(comma) rows so far are kept.)
  $(info )
endif
ifneq ($(call strange,$(GPU)),)
  $(error GPU becomes the name of a folder: letters, digits and . _ -)
endif

all: $(SELECTED)
	@echo '$(words $(SELECTED)) chapter$(if $(word 2,$(SELECTED)),s are, is) built, in build/$(BACKEND)/bin; make run runs $(if $(word 2,$(SELECTED)),them,it), make help says what else there is'

help:
	@echo 'make                       build every chapter            (BACKEND=$(BACKEND))'
	@echo 'make chapter 5             build one chapter              (or N=5)'
	@echo 'make run                   run all chapters: tables, records, plots under build/'
	@echo 'make run N=5               run one; ARGS="--help" shows its options'
	@echo 'make run N=5 ARGS="--matrix FILE --lanes 8"'
	@echo 'make run N=5 STUDENT=FILE.cu   your own step as a row of the table'
	@echo 'make advise MATRIX=FILE    which step of chapters 04 to 07 is best for a matrix, and why: five lines; ARGS="--json"'
	@echo 'make practice              small exercises, one after the other; N=5 E=2 goes to one, AGAIN=yes begins it anew   (docs/practice.md)'
	@echo 'make watch                 the same, tried whenever the file is saved;  make hint, make progress'
	@echo 'make solutions TO=FOLDER   the solutions of all exercises, for teachers'
	@echo 'make exercise N=5 E=1      a copy of an exercise, work/05/e1.cu   (docs/exercises/README.md)'
	@echo 'make grade N=5 E=1 STUDENT=FILE.cu   marks it, in a sandbox: points and reasons; GRADESCOPE=FILE: also for Gradescope'
	@echo 'make leaderboard N=5 E=1 SUBMISSIONS=FOLDER   marks all files of a folder: table, plot, CSV, a page each'
	@echo 'make assignment N=5 E=1 TO=FOLDER   an exercise for a class: GitHub Classroom, Gradescope   (docs/teaching.md)'
	@echo 'make compare A=FILE.tsv B=FILE.tsv   two records: ratios, and which differences are noise'
	@echo 'make plots                 draw the plots of the last run'
	@echo 'make diff N=1 V=3          the lesson of step v3: what it changes of the step it is from'
	@echo 'make play N=1 V="2 3"       a run to step through, in a browser: a step, or two side by side; also STUDENT=FILE.cu, ARGS="--size 500"'
	@echo 'make tree N=5              the steps of a chapter as a tree: ideas, lines changed, recorded times'
	@echo 'make docs                  docs/pages/*.md and the recorded results make docs/*.md and README.md'
	@echo 'make test                  every test (no GPU needed)'
	@echo 'make sanitize              the tests of the C library and of libspmv on the CPU under ASan and UBSan, its threads under TSan'
	@echo 'make fuzz SECONDS=60       readers, writers and options under libFuzzer, a minute each   (TARGET=mtx: one)'
	@echo 'make lib                   libspmv, the library of chapter 07   (docs/spmv-library.md)'
	@echo 'make install PREFIX=/usr/local [DESTDIR=]   installs it; make uninstall takes it away again; make wheel: for Python'
	@echo 'make callers ARGS="--transpose" RECORD=FILE   its several right-hand sides, or its transpose, beside cuSPARSE'"'"'s'
	@echo 'make record-ways, make rule   GPU=h200: times of every way of libspmv on this card, and its rule learned from them'
	@echo 'make mpi RANKS=4 ARGS=""    a matrix over MPI ranks; make nccl: over cards   (docs/spmv-distributed.md)'
	@echo 'make apps                  07_cg and 07_pagerank, programs of chapter 07   (docs/applications.md)'
	@echo 'make aarch64               the tests of the C library and the CPU steps on AArch64, under qemu'
	@echo 'make check                 shellcheck, codespell, prose, cppcheck, clang, clang-tidy, clang-format, valgrind (TOOLS="..." for some)'
	@echo 'make nvcc-check SMS="90 120"   compiles every .cu file for these cards (all that nvcc knows, from sm_75 on)'
	@echo 'make coverage              the share of lines of common/ that its tests reach'
	@echo 'make mutation SAMPLE=60    breaks that many lines of common/, one at a time: do the tests notice?'
	@echo 'make matrices              real matrices of the SuiteSparse collection into build/matrices   (NAMES="cant LAW/cnr-2000": these)'
	@echo 'make simtcc                simtcc, in nvcc'"'"'s place, and simt run: any CUDA program on the CPU, checked and counted'
	@echo 'make install-simt PREFIX=/usr/local [DESTDIR=]   installs both, uninstall-simt removes them   (docs/simtcc.md)'
	@echo 'make simt-score CORPUS=FOLDER   builds and runs every CUDA program of a folder: how many are right'
	@echo 'make simt-races CORPUS=FOLDER RUNS=FILE   which planted bugs of such a folder are reported, and what falsely'
	@echo 'make record GPU=h200       run all on this card and keep the results in plots/data/h200/'
	@echo 'make predict-check         how far predicted times are from the recorded ones of an H200   (docs/prediction.md)'
	@echo 'make predict-fresh         with a card: records of matrices and sizes that no record has, and their predictions'
	@echo 'make card TO=my.card       with a card: measures what a prediction needs to know of it, for --card'
	@echo 'make kernels               with nvcc: the table of what it makes of every kernel, for predictions'
	@echo 'make ncu N=1               compare the counts of the stand-in with ncu (needs a card); PROGRAM=FILE.cu ARGS="...": of any program'
	@echo 'make book                  the pages of docs/ as HTML in build/book, with links into the code (pandoc)'
	@echo 'make slides N=1            a chapter as slides in build/slides: the way to its best step, or STEPS="1 2 3"    (pandoc)'
	@echo 'make report                one HTML file of the last run; GPU=h200: of plots/data/h200    (pandoc, gnuplot)'
	@echo 'make compile-commands      compile_commands.json: an editor with clangd understands C and kernels on this back end'
	@echo 'make clean                 remove build/'
	@echo
	@echo 'BACKEND=cuda|simt          a card, or the CPU stand-in (chosen: $(BACKEND))'
	@echo 'SM=80                      compute capability to build for  (chosen: $(SM))'
	@echo 'V=1                        show the commands of a build, not a line a file'

chapter: $(SELECTED)
	@for c in $(SELECTED); do n=$${c#0}; \
	    echo "$$c is built: build/$(BACKEND)/bin/$${c}$(if $(STUDENT),_student) (--help: its options); make run N=$${n%%_*} runs all of it"; done

# A chapter without sparse matrices needs the basics of common/ alone (PARTS in its Makefile).
BASIC := $(shell grep -l '^PARTS := basics' $(CHAPTERS:%=%/Makefile) | sed 's|/.*||')
$(BASIC): basics
$(filter-out $(BASIC),$(CHAPTERS)): common
$(CHAPTERS):
	+@$(STEP) -C $@

basics:
	+@$(STEP) -C common basics
common: basics
	+@$(STEP) -C common
# What works on the stand-in whatever the rest is built for: not twice at a time (make -j2 grader simtcc).
ON_SIMT := $(if $(filter simt,$(BACKEND)),common,common-simt)
common-simt:
	+@$(MAKE) --no-print-directory BACKEND=simt -C common

# libspmv, and what shows it inside the course.
LIB := 07_load_balance/libspmv
ROWS := 07_load_balance/rows
lib:
	+@$(STEP) -C $(LIB) lib
# Any .cu file on the CPU: simtcc in nvcc's place, and simt run (docs/simtcc.md).
simtcc: $(ON_SIMT)
	+@$(STEP) -C common/simtcc install
	@echo 'build/simtcc/bin/simtcc FILE.cu -o PROGRAM; build/simtcc/bin/simt run PROGRAM; make install-simt PREFIX=/usr/local installs both'
# How many foreign programs of a folder work: CORPUS=FOLDER [LIST=FILE] (common/simtcc/score.py --help)
simt-score: simtcc
	@common/simtcc/score.py "$$CORPUS" $(if $(LIST),--list "$$LIST") --out build/results/simt-score.tsv && echo build/results/simt-score.tsv
# Which planted bugs are found of programs whose names say what is wrong: CORPUS=FOLDER RUNS=FILE (common/simtcc/races.py --help)
simt-races: simtcc
	@common/simtcc/races.py "$$CORPUS" --runs "$$RUNS" --out build/results/simt-races.tsv && echo build/results/simt-races.tsv
install-simt: $(ON_SIMT)
	+@$(STEP) -C common/simtcc install $(if $(PREFIX),PREFIX='$(PREFIX)',PREFIX=/usr/local) $(if $(DESTDIR),DESTDIR='$(DESTDIR)')
uninstall-simt:
	+@$(STEP) -C common/simtcc uninstall $(if $(PREFIX),PREFIX='$(PREFIX)',PREFIX=/usr/local) $(if $(DESTDIR),DESTDIR='$(DESTDIR)')
install:
	+@$(STEP) -C $(LIB) install $(if $(PREFIX),PREFIX='$(PREFIX)') $(if $(DESTDIR),DESTDIR='$(DESTDIR)')
uninstall:
	+@$(STEP) -C $(LIB) uninstall $(if $(PREFIX),PREFIX='$(PREFIX)') $(if $(DESTDIR),DESTDIR='$(DESTDIR)')
wheel:
	+@$(STEP) -C $(LIB) wheel $(if $(WHEELS),WHEELS='$(abspath $(WHEELS))')
# The rule that libspmv picks by: times of every way on this card, and what is learned from them.
record-ways: common
	+@$(STEP) -C $(ROWS) record-ways GPU=$(or $(GPU),h200)
rule:
	+@$(STEP) -C $(ROWS) rule GPU=$(or $(GPU),h200)
# Several right-hand sides and the transpose beside cuSPARSE's: ARGS="--matrix FILE", RECORD=FILE.
callers: common
	+@$(STEP) -C $(ROWS) callers $(if $(ARGS),ARGS='$(ARGS)') $(if $(RECORD),RECORD='$(abspath $(RECORD))')
lib-rows: common
	+@$(STEP) -C $(ROWS) rows
07_load_balance: lib-rows

# Conjugate gradients and PageRank, with any SpMV of the chapters.
APPS := 07_load_balance/apps
apps: common
	+@$(STEP) -C $(APPS) all

# One matrix over several processes: spmv_mpi and spmv_nccl.
DIST := 07_load_balance/distributed
dist: lib-rows
	+@$(STEP) -C $(DIST) all
mpi: dist
	@$(DIST)/mpirun.sh $(or $(RANKS),4) build/$(BACKEND)/bin/spmv_mpi $(ARGS)
nccl: dist
	@$(DIST)/mpirun.sh $(or $(RANKS),4) build/$(BACKEND)/bin/spmv_nccl $(ARGS)

# ---- run, plots, docs -------------------------------------------------------------------------

# One chapter with ARGS is one run; without, every line of its file `runs`.  Of several each runs while the next ones are built.
run: $(if $(word 2,$(SELECTED)),,$(SELECTED))
	+@$(if $(findstring n,$(firstword -$(MAKEFLAGS))),:) $(if $(word 2,$(SELECTED)),BUILT=build/log/$(BACKEND)) MAKE='$(MAKE)' common/tools/run_course.sh $(BACKEND) '$(SELECTED)' '$(STUDENT)' $(RESULTS) $(PICTURES) $(ARGS)

# The verdict on a matrix, over the chapters of SpMV: MATRIX=FILE [ARGS="--json"].
advise: $(filter 04_% 05_% 06_% 07_%,$(CHAPTERS))
	@common/tools/advise.sh build/$(BACKEND)/bin "$$MATRIX" $(ARGS)

plots:
	@plots/draw.sh $(RESULTS) $(PICTURES)

# The results the pages are written from, taken on this card.
record: $(SELECTED)
	@set -e; for c in $(SELECTED); do common/tools/run_chapter.sh build/$(BACKEND)/bin/$$c plots/data/$(GPU); done

# Real matrices for the chapters, which take them from there.
matrices:
	@set -f; common/tools/matrices.sh $$NAMES

.PHONY: matrices book report play advise slides
# The players are of runs on the stand-in.
book:
	+@$(MAKE) --no-print-directory BACKEND=simt $(CHAPTERS)
	+@$(MAKE) --no-print-directory -f docs/book/book.mk

# A chapter as slides (dzslides, by pandoc): N=1 [STEPS="1 2 3"].
slides:
	@command -v pandoc >/dev/null || { echo 'make slides: pandoc is not here (Debian: apt-get install pandoc)'; exit 1; }
	@mkdir -p build/slides && docs/book/slides.py $(SELECTED) --steps "$$STEPS" >build/slides/$(SELECTED).md && \
	    pandoc -s -t dzslides --self-contained build/slides/$(SELECTED).md -o build/slides/$(SELECTED).html && \
	    echo 'build/slides/$(SELECTED).html: open it in a browser; arrows turn the slides'

# Of the last run on this back end, or of what is recorded under plots/data/$(GPU).
report:
	@docs/book/report.sh $(if $(GPU),plots/data/$(GPU),$(RESULTS)) build/report

# The stand-in's counts beside the profiler's, on a machine with a card and ncu.
# PROGRAM="FILE.cu..." ARGS="...": of any program, built by nvcc and by simtcc (common/simtcc/ncu.py --help).
ifeq ($(origin PROGRAM),command line)
ncu: simtcc
	@common/simtcc/ncu.py $$PROGRAM -- $(ARGS)
else
ncu: $(SELECTED)
	+@$(MAKE) --no-print-directory BACKEND=simt $(SELECTED)
	@set -e; for c in $(SELECTED); do [ ! -e $$c/ncu ] || common/tools/ncu.sh $$c plots/data/$(or $(GPU),h200)/simt_vs_ncu.tsv; done
endif

# ---- predictions ------------------------------------------------------------------------------

# Errors of the predicted times against the H200's records; SET_ASIDE=1 shows also the rows that the model was not made on.
PREDICTED := build/predicted
predict-check:
	@[ -e $(PREDICTED)/done ] || $(MAKE) --no-print-directory BACKEND=simt NVCC= $(CHAPTERS)
	@[ -e $(PREDICTED)/done ] || common/predict/run_check.sh build/simt $(PREDICTED)
	@common/predict/check.py $(if $(SET_ASIDE),--held-out) $(if $(WRITE),--write plots/data/h200/predicted.tsv) plots/data/h200 \
	    common/predict/cards/h200.card $(PREDICTED)/*.tsv
# Rows that the model was not made on: measured here where there is a card, else those of an H200; predicted anywhere.
FRESH := $(if $(filter cuda,$(BACKEND)),build/fresh/measured,plots/data/h200/fresh)
predict-fresh:
ifeq ($(BACKEND),cuda)
	+@common/predict/fresh_programs.sh cuda
	@common/predict/run_fresh.sh cuda build/cuda/bin $(FRESH)
endif
	+@common/predict/fresh_programs.sh simt
	@CARD=$(or $(CARD),h200) common/predict/run_fresh.sh simt build/simt/bin build/fresh/predicted
	@common/predict/check.py --fresh $(if $(WRITE),--write plots/data/h200/predicted_fresh.tsv) $(FRESH) \
	    $(if $(findstring /,$(CARD)),$(CARD),common/predict/cards/$(or $(CARD),h200).card) build/fresh/predicted/*.tsv

# What nvcc makes of the kernels.
KERNEL_FILES = $(sort $(wildcard 0*/v*.cu 0*/[a-z]_*/v*.cu 0*/plan/*.cu $(LIB)/gpu/*.cu $(LIB)/gpu/*/*.cu))
kernels:
	@common/predict/static_table.py common/predict/kernels.tsv $(KERNEL_FILES)

# The numbers of this card, in a file for --card.
card:
	@test -n '$(NVCC)' || { echo 'card needs nvcc and a card: ./bootstrap cuda fetches nvcc'; exit 2; }
	@mkdir -p build/cuda
	@$(NVCC) -std=c++17 -O3 --extended-lambda -arch=sm_$(SM) common/predict/measure_card.cu -o build/cuda/measure_card
	@build/cuda/measure_card common/predict/cards/h200.card "$${TO:-build/my.card}" && echo "make run N=5 BACKEND=simt ARGS=\"--card $${TO:-build/my.card}\""

.PHONY: predict-check predict-fresh kernels card

docs:
	@for r in plots/data/*/07_load_balance_suite.tsv; do \
	    [ ! -e $$r ] || awk -f docs/suite_summary.awk common/spmv/spmv_session.c $$r >$${r%suite.tsv}summary.tsv; done
	@for r in plots/data/*/07_load_balance_bars.tsv; do \
	    [ ! -e $$r ] || awk -f docs/suite_summary.awk common/spmv/spmv_session.c $$r >$${r%.tsv}_summary.tsv; done
	@for r in plots/data/*/07_callers.tsv; do [ ! -e $$r ] || awk -f docs/callers_summary.awk $$r >$${r%.tsv}_summary.tsv; done
	@for r in plots/data/*/07_mpi.tsv plots/data/*/07_nccl.tsv plots/data/*/07_direct.tsv plots/data/*/07_direct_nccl.tsv; do [ ! -e $$r ] || \
	    awk -f $(DIST)/summary.awk $$r $$(ls $${r%.tsv}_weak.tsv $${r%.tsv}_fp32.tsv 2>/dev/null) >$${r%.tsv}_summary.tsv; done
	@for r in plots/data/*/07_nccl_summary.tsv; do [ ! -e $$r ] || \
	    awk -f docs/scale.awk plots/data/simt/07_volumes.tsv $$r >$${r%nccl_summary.tsv}scale.tsv || rm -f $${r%nccl_summary.tsv}scale.tsv; done
	@for r in plots/data/*/07_direct_summary.tsv; do [ ! -e $${r%direct_summary.tsv}nccl_summary.tsv ] || \
	    awk -f docs/scale.awk plots/data/simt/07_volumes.tsv $${r%direct_summary.tsv}nccl_summary.tsv $$r >$${r%summary.tsv}scale.tsv || rm -f $${r%summary.tsv}scale.tsv; done
	@docs/make_examples.py
	@for m in h200 simt examples; do plots/draw.sh plots/data/$$m plots/pictures/$$m svg; done
	@plots/chinese.py
	@for p in plots/pictures/*/*.svg; do grep -rqF $${p#plots/} README.md README.zh.md docs || rm $$p; done # on no page
	@docs/make_pages.py

# What a step changes of the one that it is from; all of a chapter as a tree, with times where this card's are recorded.
diff:
	@common/tools/steps.sh diff $(SELECTED) "$$V"
tree:
	@set -e; for c in $(SELECTED); do $(if $(word 2,$(SELECTED)),echo "$$c";) \
	    common/tools/steps.sh tree $$c plots/data/$(or $(GPU),h200)/$$c.tsv; $(if $(word 2,$(SELECTED)),echo;) done

# A run on the stand-in as a page that one steps through.  V: numbers of steps, v2 or 2, also 3/8.
PLAYED := $(patsubst %,v%,$(patsubst v%,%,$(V))) $(if $(STUDENT),student)
play:
	$(if $(strip $(subst v, ,$(PLAYED))),,$(error make play N=$(N) needs V=2, two steps as V="2 3", or STUDENT=FILE.cu))
	+@$(MAKE) --no-print-directory BACKEND=simt V= $(SELECTED)
	@docs/player/play.py $(SELECTED) --program build/simt/bin/$(SELECTED)$(if $(STUDENT),_student) $(PLAYED:%=--step %) \
	    --out build/play/$(subst $(eval ) ,_,$(strip $(firstword $(subst _, ,$(SELECTED))) $(subst /,-,$(PLAYED)))).html -- $(ARGS)

# A chapter as a history.
series:
	@common/tools/series.sh write $(SELECTED) "$$TO"

# ---- exercises --------------------------------------------------------------------------------

# The names of files reach the shell in its environment: there may be anything in them.
exercise:
	@common/grade/exercise.sh '$(N)' "$$E" "$$TO"

# The stand-in marks; with a card (BACKEND=cuda) times are taken, too.
GRADE_OPTIONS = --build build/simt $(if $(filter cuda,$(BACKEND)),--card build/cuda) $(if $(UNSANDBOXED),--unsandboxed) \
    $(if $(SEED),--seed "$$SEED") $(if $(PREDICT),--predict "$$PREDICT")
GRADE_BACKENDS := $(sort simt $(BACKEND))
grader: common $(ON_SIMT)
	+@set -e; for b in $(GRADE_BACKENDS); do $(MAKE) --no-print-directory BACKEND=$$b -C common all; \
	    $(MAKE) --no-print-directory BACKEND=$$b -C common/grade all; for c in $(SELECTED); do \
	    $(MAKE) --no-print-directory BACKEND=$$b STUDENT= -C $$c grade-steps; done; done
grade: grader
	@mkdir -p build/grades
	@record="build/grades/$$(basename -- "$$STUDENT" .cu).json"; $(if $(GRADESCOPE),rm -f "$$record";) \
	    build/simt/bin/grade $(GRADE_OPTIONS) --record "$$record" -- '$(N)' "$$E" "$$STUDENT"; status=$$?; \
	    $(if $(GRADESCOPE),common/grade/gradescope.py "$$record" "$$GRADESCOPE" $$status || status=74;,[ $$status -ne 1 ] || status=0;) exit $$status

# For a class: a template for GitHub Classroom, an autograder for Gradescope.
assignment:
	@common/grade/assignment.sh '$(N)' "$$E" "$$TO" "$$COURSE"

# On a card one at a time: two would spoil each other's times.
leaderboard: grader
	@exec build/simt/bin/leaderboard '$(N)' "$$E" "$$SUBMISSIONS" $(if $(JOBS),"$$JOBS",$(if $(filter cuda,$(BACKEND)),1,$(shell nproc))) $(GRADE_OPTIONS)

compare:
	@common/tools/compare.sh "$$A" "$$B"

# The small exercises, on the stand-in (docs/practice.md).  Not solved yet is no fault of make's.
PRACTICE = build/simt/bin/practice $(if $(N),-n $(patsubst 0%,%,$(N))) $(if $(E),-e "$$E") $(if $(AGAIN),--again) $(if $(SEED),--seed "$$SEED")
practicing:
	@[ -e build/simt/bin/practice ] || echo 'the first build takes a minute; later answers a second'
	+@$(MAKE) --no-print-directory BACKEND=simt -C common all
	+@$(MAKE) --no-print-directory BACKEND=simt -C common/practice all
practice: practicing
	@$(PRACTICE) try || [ $$? -eq 1 ]
watch hint progress: practicing
	@$(PRACTICE) $@
solutions: practicing
	@$(PRACTICE) solutions "$$TO" && common/grade/solutions.sh "$$TO" && echo "$$(ls "$$TO" | wc -l) solutions are in $$TO"

# ---- tests ------------------------------------------------------------------------------------

TEST_PROGRAMS = $(sort $(wildcard build/$(BACKEND)/bin/test_*))

# N=5, ROOM=libspmv: what concerns a chapter or a room (common/tests/rooms.txt; LIST=yes shows them).  Else all, and what it cost.
ROOM_LINE := $(if $(ROOM),$(shell grep '^$(ROOM) *|' common/tests/rooms.txt))
ROOM_FIELD = $(strip $(shell printf '%s' '$(ROOM_LINE)' | cut -d'|' -f$1))
PART := +@COSTS=$(CURDIR)/build/costs common/tests/costs.sh of
test: export SKIPPED := $(CURDIR)/build/skipped
test:
ifneq ($(LIST),)
	@sed 's/|[^|]*|/ /; /^#/d' common/tests/rooms.txt | fold -sw 118 | sed 's/^[a-z]*  *.*/&/; /^[a-z]*  /!s/^/             /'
	@echo 'make test N=5: the test program of a chapter, its steps, and what it counts'
else ifneq ($(ROOM),)
	@[ -n '$(ROOM_LINE)' ] || { echo 'ROOM=$(ROOM) is none of: '$$(sed -n 's/^\([a-z]*\) .*/\1/p' common/tests/rooms.txt); exit 2; }
	+@$(STEP) $(call ROOM_FIELD,2)
	@common/tests/run.sh build/$(BACKEND)/bin $(call ROOM_FIELD,3)
else ifneq ($(N),)
	+@$(STEP) $(SELECTED)/tested
	@CHAPTER=$(SELECTED) common/tests/run.sh build/$(BACKEND)/bin test_$(SELECTED) check_counts check_lines check_steps
else
	@mkdir -p build; rm -f $(SKIPPED) build/costs
	$(PART) build $(STEP) build-tests
	$(PART) compiled $(STEP) compile-tests
	$(PART) sanitize $(STEP) sanitize
	$(PART) aarch64 $(STEP) aarch64
	$(PART) fuzz $(STEP) fuzz-smoke
	@COSTS=build/costs common/tests/run.sh build/$(BACKEND)/bin
	$(PART) tools common/tests/tools.sh
	@common/tests/costs.sh table build/costs
	@common/tests/skipped.sh
endif

# Side by side where one does not need what another builds.
TESTED := $(CHAPTERS:%=%/tested)
COMPILED := $(if $(NVCC),$(patsubst %,%/compiled,common $(LIB) $(CHAPTERS) $(APPS) $(DIST)))
TESTED_ROOMS := $(addsuffix /tested,common common/grade $(LIB) $(ROWS) $(APPS) $(DIST))
build-tests: common
	+@$(STEP) common/tested common/grade/tested
	+@$(STEP) $(LIB)/tested $(ROWS)/tested
	+@$(STEP) $(TESTED)
	+@$(STEP) $(APPS)/tested
	+@$(STEP) $(DIST)/tested
compile-tests: $(COMPILED)
ifeq ($(NVCC),)
	@common/tests/skipped.sh nvcc 'is not here: the .cu files were compiled by the stand-in only'
endif
$(TESTED): %/tested: common
	+@$(STEP) -C $* test all grade-steps
$(filter-out $(LIB)/tested,$(TESTED_ROOMS)): %/tested: common
	+@$(STEP) -C $* test
$(LIB)/tested: common
	+@$(STEP) -C $(LIB) lib test
07_load_balance/tested $(DIST)/tested $(APPS)/tested: lib-rows
$(COMPILED): %/compiled:
	+@$(STEP) -C $* nvcc-check

# The C library and its tests once more, with the address and undefined-behaviour sanitizers.
# The threads of libspmv once more with the thread sanitizer, which wants the same addresses each time (setarch -R).
# Not at -O3, where they find no more: instrumented, three files of libspmv's kernels took gcc minutes each.
# On ASan's second stack gcc 13 puts 64-byte vectors where they are not aligned.
SANITIZER_OPTIONS := ASAN_OPTIONS=detect_stack_use_after_return=0
QUICKLY := -Og -g1
# Null pointers and objects too small are found by both sanitizers: by ASan alone the kernels compile in 33 instead of 55 s.
SANITIZERS := -fsanitize=address,undefined -fno-sanitize=null,object-size,pointer-overflow -fno-sanitize-recover=all $(QUICKLY)
sanitize: $(ON_SIMT)
	+@$(MAKE) --no-print-directory -C common BACKEND=simt BUILD=$(CURDIR)/build/sanitize STAND_IN=$(CURDIR)/build/simt/common/simt/simt.o \
	    CFLAGS='$(SANITIZERS)' LDFLAGS='$(SANITIZERS)' library-tests
	+@$(MAKE) --no-print-directory -C $(LIB) BACKEND=simt BUILD=$(CURDIR)/build/sanitize \
	    CFLAGS='$(SANITIZERS)' LDFLAGS='$(SANITIZERS)' cpu-tests thread-test
	+@$(MAKE) --no-print-directory -C $(LIB) BACKEND=simt BUILD=$(CURDIR)/build/tsan \
	    CFLAGS='-fsanitize=thread $(QUICKLY)' LDFLAGS=-fsanitize=thread thread-test
	@$(SANITIZER_OPTIONS) common/tests/run.sh build/sanitize/bin
	@RUN_WITH="$$(setarch -R true 2>/dev/null && echo setarch -R)" common/tests/run.sh build/tsan/bin

# The fuzz targets of common/fuzz, SECONDS each; a second each in `make test`.
fuzz:
	+@$(MAKE) --no-print-directory -C common/fuzz run $(if $(SECONDS),SECONDS=$(SECONDS)) $(if $(TARGET),TARGET='$(TARGET)')
fuzz-smoke:
	+@$(MAKE) --no-print-directory -C common/fuzz smoke

# What runs without a library, built for AArch64 and run by qemu, where both are installed.
aarch64:
	+@$(MAKE) --no-print-directory -f common/tests/aarch64.mk

# What other programs say about the sources; the share of lines the tests reach; mutants of the library they must notice.
check:
	@common/tests/tools.sh $(TOOLS)
coverage:
	@common/tests/coverage.sh
mutation:
	@common/tests/mutation.sh $(or $(SAMPLE),60) $(SEED)

# How each file is built, for an editor (clangd), on this back end.
compile-commands:
	+@CUDA_HOME='$(CUDA_HOME)' common/tools/compile_commands.py compile_commands.json $(BACKEND) \
	    common common/grade $(LIB) $(ROWS) $(CHAPTERS) $(APPS) $(DIST)

# Every .cu file for more cards than `make test` has time for.
SMS ?= $(filter 75 80 86 89 90 100 120,$(patsubst sm_%,%,$(shell $(NVCC) --list-gpu-code)))
nvcc-check:
	@test -n '$(NVCC)' || { echo 'nvcc-check needs nvcc: ./bootstrap cuda fetches it'; exit 2; }
	+@set -e; for c in common $(LIB) $(CHAPTERS); do \
	    $(STEP) -C $$c nvcc-check CHECKED_AS=-c FIRST_SMS='$(SMS)' CHECKED_SMS='$(SMS)' NVCC_OUT=$(CURDIR)/build/nvcc-all/$$c; done

clean:
	rm -rf build

.PHONY: record-ways rule callers
.PHONY: practice practicing watch hint progress solutions
.PHONY: exercise grader grade assignment leaderboard compare
.PHONY: common-simt all help chapter run plots record ncu docs diff tree series test build-tests sanitize aarch64 check coverage mutation nvcc-check clean basics common lib install uninstall wheel simtcc install-simt uninstall-simt simt-score simt-races lib-rows dist mpi nccl apps $(CHAPTERS) $(NUMBERS)
.PHONY: fuzz fuzz-smoke compile-commands compile-tests $(TESTED) $(TESTED_ROOMS) $(COMPILED)
$(NUMBERS): $(if $(filter-out $(NUMBERS),$(MAKECMDGOALS)),,chapter) ; @:
