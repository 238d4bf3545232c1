# The course.  `make help` lists the goals.
ROOT := .
comma := ,

# make would ignore a variable whose name is misspelled, such as ARG="--only v1".
ifeq ($(MAKELEVEL),0)
  TYPED := $(strip $(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$v)))
  UNKNOWN := $(if $(TYPED),$(strip $(shell common/workshop/tools/typed.sh $(TYPED))))
  $(if $(UNKNOWN),$(error No goal uses $(UNKNOWN)=; make help shows the names, in capitals))
endif
include common/workshop/build/config.mk

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

# E selects an exercise; its copy is the student's file (make exercise).
ifneq ($(and $(N),$(E),$(filter undefined,$(origin STUDENT)),$(filter grade run chapter play,$(MAKECMDGOALS))),)
  export STUDENT := work/0$(patsubst 0%,%,$(N))/e$(E).cu
endif

RESULTS := build/results/$(BACKEND)
PICTURES := build/plots/$(BACKEND)
STEP := $(MAKE) --no-print-directory BACKEND=$(BACKEND)

# Checks the variables that a goal requires before anything is built.
need = $(if $(filter $1,$(MAKECMDGOALS)),$(foreach v,$2,$(if $($v),,$(error $v= is missing: make $1 $3))))
$(call need,record,GPU,GPU=h200: the folder under plots/data/ for this GPU)
$(call need,slides,N,N=1: the chapter)
$(call need,new-chapter,NAME,NAME=08_scale: a folder that is to be made)
$(call need,advise,MATRIX,MATRIX=FILE: a .mtx or .mtx.gz file$(comma) or a recipe)
$(if $(and $(filter advise,$(MAKECMDGOALS)),$(filter %.mtx %.gz,$(value MATRIX)),$(if $(wildcard $(value MATRIX)),,no)),$(error MATRIX=$(value MATRIX): there is no such file))
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

# A student's step belongs to one chapter.
ifneq ($(filter run chapter all play $(NUMBERS) $(CHAPTERS),$(or $(MAKECMDGOALS),all)),)
  include common/workshop/build/student.mk
  $(if $(and $(value STUDENT),$(word 2,$(SELECTED))),$(error make $(or $(MAKECMDGOALS),all) STUDENT=FILE.cu needs N=1: the chapter that the step is for))
endif

# Printed before anything is built: the plan, and how long it may take.
ifeq ($(MAKELEVEL)$(filter run,$(MAKECMDGOALS))$(strip $(ARGS)),0run)
  $(info run: $(if $(N),chapter $(SELECTED),$(words $(SELECTED)) chapters) on $(if $(filter simt,$(BACKEND)),the CPU; \
kernels run on a simulator (simt) that checks and counts them$(comma) and predicts times,the GPU).)
  $(info $(if $(N),The first build takes a minute$(comma) the run a minute or two,The first table comes after a minute$(comma) the last after five to ten); Ctrl-C stops it$(comma) rows so far are kept.)
  $(info )
endif
ifneq ($(call strange,$(GPU)),)
  $(error GPU becomes the name of a folder: letters, digits and . _ -)
endif

## make                       builds every chapter
all: $(SELECTED)
	@echo '$(words $(SELECTED)) chapter$(if $(word 2,$(SELECTED)),s are, is) built, in build/$(BACKEND)/bin; make run runs $(if $(word 2,$(SELECTED)),them,it), make help says what else there is'

# Prints the comments that begin with ## here and in the goals.mk of the rooms.
help:
	@sed -n 's/^## \{0,1\}//p' $(MAKEFILE_LIST)
	@echo
	@echo 'BACKEND=cuda|simt          a GPU, or the CPU simulator      (chosen: $(BACKEND))'
	@echo 'SM=80                      compute capability to build for  (chosen: $(SM))'
	@echo 'V=1                        shows the commands of a build, not one line per file'

## make chapter 5             builds one chapter             (or N=5)
chapter: $(SELECTED)
	@for c in $(SELECTED); do n=$${c#0}; \
	    echo "$$c is built: build/$(BACKEND)/bin/$${c}$(if $(STUDENT),_student) (--help: its options); make run N=$${n%%_*} runs the entire chapter"; done

## make new-chapter NAME=08_scale   writes the folder of a new chapter: one step, its test and a mutant (CONTRIBUTING.md)
new-chapter:
	@common/workshop/tools/new_chapter.sh "$$NAME"

# A chapter without sparse matrices needs only the basics of common/ (PARTS in its Makefile).
BASIC := $(shell grep -l '^PARTS := basics' $(CHAPTERS:%=%/Makefile) | sed 's|/.*||')
$(BASIC): basics
$(filter-out $(BASIC),$(CHAPTERS)): common
$(CHAPTERS):
	+@$(STEP) -C $@

basics:
	+@$(STEP) -C common basics
common: basics
	+@$(STEP) -C common
# Goals that use the simulator on any back end.  They must not run at the same time (make -j2 grader simtcc).
ON_SIMT := $(if $(filter simt,$(BACKEND)),common,common-simt)
common-simt:
	+@$(MAKE) --no-print-directory BACKEND=simt -C common

## make run                   runs all chapters: tables, results files, plots under build/
## make run N=5               runs one; ARGS="--help" shows its options
## make run N=5 ARGS="--matrix FILE --lanes 8"
## make run N=5 STUDENT=FILE.cu   adds your own step as a row of the table
# With ARGS a chapter has one run; without, one run per line of its runs.txt.  Each chapter runs while the next ones
# are built.
run: $(if $(word 2,$(SELECTED)),,$(SELECTED))
	+@$(if $(findstring n,$(firstword -$(MAKEFLAGS))),:) $(if $(word 2,$(SELECTED)),BUILT=build/log/$(BACKEND)) MAKE='$(MAKE)' common/workshop/tools/run_course.sh $(BACKEND) '$(SELECTED)' '$(STUDENT)' $(RESULTS) $(PICTURES) $(ARGS)

## make advise MATRIX=FILE    says in five lines which step of chapters 04 to 07 is best for a matrix, and why; ARGS="--json"
# The verdict on a matrix, over the chapters of SpMV: MATRIX=FILE [ARGS="--json"].
ifneq ($(filter advise,$(MAKECMDGOALS)),)
  $(if $(wildcard build/$(BACKEND)/bin/07_load_balance),,$(info advise: the first time it builds chapters 04 to 07, which takes about two minutes))
endif
advise: $(filter 04_% 05_% 06_% 07_%,$(CHAPTERS))
	@common/workshop/tools/advise.sh build/$(BACKEND)/bin "$$MATRIX" $(ARGS)

## make plots                 draws the plots of the last run
plots:
	@plots/draw.sh $(RESULTS) $(PICTURES)

## make record GPU=h200       runs all on this GPU and keeps the results in plots/data/h200/
# Measures on this GPU the results from which the pages are made.
record: $(SELECTED)
	@set -e; for c in $(SELECTED); do common/workshop/tools/run_chapter.sh build/$(BACKEND)/bin/$$c plots/data/$(GPU); done

## make matrices              fetches matrices of the SuiteSparse collection to build/matrices   (NAMES="cant LAW/cnr-2000": only these)
# Downloads real matrices to the folder in which the chapters search them.
matrices:
	@set -f; common/workshop/tools/matrices.sh $$NAMES

## make ncu N=1               compares the counts of the simulator with ncu (needs a GPU); PROGRAM=FILE.cu ARGS="...": of any program
# Compares the simulator's counts with the profiler's, on a machine with a GPU and ncu.
# PROGRAM="FILE.cu..." ARGS="...": for any program, built by nvcc and by simtcc (common/simtcc/ncu.py --help).
ifeq ($(origin PROGRAM),command line)
ncu: simtcc
	@common/simtcc/ncu.py $$PROGRAM -- $(ARGS)
else
ncu: $(SELECTED)
	+@$(MAKE) --no-print-directory BACKEND=simt $(SELECTED)
	@set -e; for c in $(SELECTED); do [ ! -e $$c/ncu.txt ] || common/workshop/tools/ncu.sh $$c plots/data/$(or $(GPU),h200)/simt_vs_ncu.tsv; done
endif

## make clean                 removes build/
clean:
	rm -rf build

# The goals of the rooms, in the order of the help.
include $(wildcard $(addsuffix /goals.mk,common/classroom/grade docs 07_load_balance common/simtcc common/simulator/predict common/workshop/tests))

.PHONY: all help chapter new-chapter run advise plots record matrices ncu clean basics common common-simt $(CHAPTERS) $(NUMBERS)
$(NUMBERS): $(if $(filter-out $(NUMBERS),$(MAKECMDGOALS)),,chapter) ; @:
