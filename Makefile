# The course.  `make help` lists what can be asked for.
ROOT := .
include common/config.mk

CHAPTERS := $(patsubst %/Makefile,%,$(sort $(wildcard 0?_*/Makefile)))

# `make chapter 5` and `make run 5`: a bare number is an argument, not a goal.
NUMBERS := $(filter 0 1 2 3 4 5 6 7 8 9,$(MAKECMDGOALS))
N ?= $(firstword $(NUMBERS))
ifneq ($(N),)
  SELECTED := $(filter 0$(patsubst 0%,%,$(N))_%,$(CHAPTERS))
  ifeq ($(SELECTED),)
    $(error There is no chapter $(N); there are: $(CHAPTERS))
  endif
else
  SELECTED := $(CHAPTERS)
endif

RESULTS := build/results/$(BACKEND)
STEP := $(MAKE) --no-print-directory BACKEND=$(BACKEND) $(if $(STUDENT),STUDENT=$(STUDENT))

all: $(CHAPTERS)

help:
	@echo 'make                       build every chapter            (BACKEND=$(BACKEND))'
	@echo 'make chapter 5             build one chapter              (or N=5)'
	@echo 'make run                   run all chapters: tables, records, plots under build/'
	@echo 'make run N=5               run one; ARGS="--help" shows its options'
	@echo 'make run N=5 ARGS="--matrix FILE --lanes 8"'
	@echo 'make run N=5 STUDENT=FILE.cu   your own step as a row of the table'
	@echo 'make plots                 draw the plots of the last run'
	@echo 'make diff N=1 V=3          the lesson of step v3: what changed since v2'
	@echo 'make docs                  write the tables of the pages from the recorded results'
	@echo 'make test                  every test (no GPU needed)'
	@echo 'make sanitize              the tests of the C library under ASan and UBSan'
	@echo 'make lib                   libspmv, the library of chapter 07   (docs/spmv-library.md)'
	@echo 'make install PREFIX=/usr/local [DESTDIR=]   installs it'
	@echo 'make aarch64               the tests of the C library and the CPU steps on AArch64, under qemu'
	@echo 'make check                 shellcheck, codespell, cppcheck, clang, clang-tidy, clang-format, valgrind (TOOLS="..." for some)'
	@echo 'make nvcc-check SMS="90 120"   compiles every .cu file for these cards (all that nvcc knows, from sm_75 on)'
	@echo 'make coverage              the share of lines of common/ that its tests reach'
	@echo 'make mutation SAMPLE=60    breaks that many lines of common/, one at a time: do the tests notice?'
	@echo 'make record GPU=h200       run all on this card and keep the results in plots/data/h200/'
	@echo 'make ncu N=1               compare the counts of the stand-in with ncu (needs a card)'
	@echo 'make clean                 remove build/'
	@echo
	@echo 'BACKEND=cuda|simt          a card, or the CPU stand-in (chosen: $(BACKEND))'
	@echo 'SM=80                      compute capability to build for  (chosen: $(SM))'

chapter: $(SELECTED)

$(CHAPTERS): common
	+@$(STEP) -C $@

common:
	+@$(STEP) -C common

# libspmv; chapter 07 shows it as rows.
LIB := 07_load_balance/lib
lib:
	+@$(STEP) -C $(LIB) lib
install:
	+@$(STEP) -C $(LIB) install $(if $(PREFIX),PREFIX='$(PREFIX)') $(if $(DESTDIR),DESTDIR='$(DESTDIR)')
lib-rows: common
	+@$(STEP) -C $(LIB) rows
07_load_balance: lib-rows

# ---- run, plots, docs -------------------------------------------------------------------------

# One chapter with ARGS is one run; without, every line of its file `runs`.
run: $(SELECTED)
	@status=0; for c in $(SELECTED); do \
	    common/run_chapter.sh build/$(BACKEND)/bin/$${c}$(if $(STUDENT),_student) $(RESULTS) $(ARGS) || status=1; done; \
	    plots/draw.sh $(RESULTS) build/plots/$(BACKEND); exit $$status

plots:
	@plots/draw.sh $(RESULTS) build/plots/$(BACKEND)

# The results the pages are written from, taken on this card.
record: $(SELECTED)
	@test -n '$(GPU)' || { echo 'make record GPU=name: the folder under plots/data/ for this card'; exit 2; }
	@set -e; for c in $(SELECTED); do common/run_chapter.sh build/$(BACKEND)/bin/$$c plots/data/$(GPU); done

# The stand-in's counts beside the profiler's, on a machine with a card and ncu.
ncu: $(SELECTED)
	+@$(MAKE) --no-print-directory BACKEND=simt $(SELECTED)
	@set -e; for c in $(SELECTED); do [ ! -e $$c/ncu ] || common/ncu.sh $$c plots/data/$(or $(GPU),h200)/simt_vs_ncu.tsv; done

docs:
	@for r in plots/data/*/07_load_balance_suite.tsv; do \
	    [ ! -e $$r ] || awk -f docs/suite_summary.awk common/spmv_session.c $$r >$${r%suite.tsv}summary.tsv; done
	@for m in h200 simt; do plots/draw.sh plots/data/$$m plots/pictures/$$m svg; done
	@docs/tables.sh

diff:
	@test -n '$(N)' -a -n '$(V)' || { echo 'make diff N=1 V=3: chapter and step'; exit 2; }
	@common/diff_step.sh $(SELECTED) $(V)

# ---- tests ------------------------------------------------------------------------------------

TEST_PROGRAMS = $(sort $(wildcard build/$(BACKEND)/bin/test_*))

test: build-tests
	+@$(MAKE) --no-print-directory sanitize aarch64
	@common/tests/run.sh build/$(BACKEND)/bin
	@common/tests/tools.sh

build-tests: common
	+@$(STEP) -C common test
	+@$(STEP) -C $(LIB) lib rows test
	+@set -e; for c in $(CHAPTERS); do $(STEP) -C $$c test all; done
ifneq ($(NVCC),)
	+@set -e; for c in common $(LIB) $(CHAPTERS); do $(STEP) -C $$c nvcc-check; done
else
	@echo 'nvcc is not here: the .cu files were compiled by the stand-in only'
endif

# The C library and its tests once more, with the address and undefined-behaviour sanitizers.
# On ASan's second stack gcc 13 puts 64-byte vectors where they are not aligned.
SANITIZER_OPTIONS := ASAN_OPTIONS=detect_stack_use_after_return=0
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all
sanitize:
	+@$(MAKE) --no-print-directory -C common BACKEND=simt BUILD=$(CURDIR)/build/sanitize \
	    CFLAGS='$(SANITIZERS)' LDFLAGS='$(SANITIZERS)' library-tests
	+@$(MAKE) --no-print-directory -C $(LIB) BACKEND=simt BUILD=$(CURDIR)/build/sanitize \
	    CFLAGS='$(SANITIZERS)' LDFLAGS='$(SANITIZERS)' cpu-tests
	@$(SANITIZER_OPTIONS) common/tests/run.sh build/sanitize/bin

# What runs without a library, built for AArch64 and run by qemu, where both are installed.
aarch64:
	+@$(MAKE) --no-print-directory -f common/tests/aarch64.mk

# What other programs say about the sources; the share of lines the tests reach; mutants of the library they must notice.
check:
	@common/tests/tools.sh $(TOOLS)
coverage:
	+@common/tests/coverage.sh
mutation:
	@common/tests/mutation.sh $(SAMPLE) $(SEED)

# Every .cu file for more cards than `make test` has time for.
SMS ?= $(filter 75 80 86 89 90 100 120,$(patsubst sm_%,%,$(shell $(NVCC) --list-gpu-code)))
nvcc-check:
	@test -n '$(NVCC)' || { echo 'nvcc-check needs nvcc: ./bootstrap cuda fetches it'; exit 2; }
	+@set -e; for c in common $(LIB) $(CHAPTERS); do $(STEP) -C $$c nvcc-check CHECKED_SMS='$(SMS)' NVCC_OUT=$(CURDIR)/build/nvcc-all/$$c; done

clean:
	rm -rf build

.PHONY: all help chapter run plots record ncu docs diff test build-tests sanitize aarch64 check coverage mutation nvcc-check clean common lib install lib-rows $(CHAPTERS) $(NUMBERS)
$(NUMBERS): ; @:
