# goals.mk - exercises: copy, run and grade them
##
## make exercise N=5 E=1      copies an exercise to work/05/e1.cu   (docs/exercises/README.md)
# File names reach the shell in its environment, because they may contain any character.
exercise:
	@common/classroom/grade/exercise.sh '$(N)' "$$E" "$$TO"

# The simulator's counts decide the points; with a GPU (BACKEND=cuda) times are measured, too.
GRADE_OPTIONS = --build build/simt $(if $(filter cuda,$(BACKEND)),--card build/cuda) $(if $(UNSANDBOXED),--unsandboxed) \
    $(if $(SEED),--seed "$$SEED") $(if $(PREDICT),--predict "$$PREDICT")
GRADE_BACKENDS := $(sort simt $(BACKEND))
grader: common $(ON_SIMT)
	+@set -e; for b in $(GRADE_BACKENDS); do $(MAKE) --no-print-directory BACKEND=$$b -C common all; \
	    $(MAKE) --no-print-directory BACKEND=$$b -C common/classroom/grade all; for c in $(SELECTED); do \
	    $(MAKE) --no-print-directory BACKEND=$$b STUDENT= -C $$c grade-steps; done; done
## make grade N=5 E=1 STUDENT=FILE.cu   grades a file in a sandbox: points and reasons; GRADESCOPE=FILE: also for Gradescope
grade: grader
	@common/workshop/tools/student.sh "$$STUDENT" $(SELECTED) | grep 'it defines' >&2 || :
	@mkdir -p build/grades
	@record="build/grades/$$(basename -- "$$STUDENT" .cu).json"; $(if $(GRADESCOPE),rm -f "$$record";) \
	    build/simt/bin/grade $(GRADE_OPTIONS) --record "$$record" -- '$(N)' "$$E" "$$STUDENT"; status=$$?; \
	    $(if $(GRADESCOPE),common/classroom/grade/gradescope.py "$$record" "$$GRADESCOPE" $$status || status=74;,[ $$status -ne 1 ] || status=0;) exit $$status

## make assignment N=5 E=1 TO=FOLDER   writes an exercise for a class: GitHub Classroom, Gradescope   (docs/teaching.md)
# Writes a template for GitHub Classroom and an autograder for Gradescope.
assignment:
	@common/classroom/grade/assignment.sh '$(N)' "$$E" "$$TO" "$$COURSE"

## make leaderboard N=5 E=1 SUBMISSIONS=FOLDER   grades all files of a folder: table, plot, CSV, and a page for each file
# On a GPU one submission runs at a time, because two would disturb each other's times.
leaderboard: grader
	@exec build/simt/bin/leaderboard '$(N)' "$$E" "$$SUBMISSIONS" $(if $(JOBS),"$$JOBS",$(if $(filter cuda,$(BACKEND)),1,$(shell nproc))) $(GRADE_OPTIONS)

## make compare A=FILE.tsv B=FILE.tsv   compares two results files: ratios, and which differences are noise
compare:
	@common/workshop/tools/compare.sh "$$A" "$$B"

## make practice              small exercises, one after the other; N=5 E=2 chooses one, AGAIN=yes starts it again   (docs/practice.md)
## make watch                 the same, and tries the file whenever you save it;  make hint, make progress
## make solutions TO=FOLDER   writes the solutions of all exercises, for teachers
# Small exercises on the simulator (docs/practice.md).  An unsolved exercise is not an error of make.
PRACTICE = $(if $(filter-out yes,$(AGAIN)),$(error AGAIN=$(AGAIN): only AGAIN=yes starts an exercise again))build/simt/bin/practice $(if $(N),-n $(patsubst 0%,%,$(N))) $(if $(E),-e "$$E") $(if $(AGAIN),--again) $(if $(SEED),--seed "$$SEED")
practicing:
	@[ -e build/simt/bin/practice ] || echo 'the first build takes a minute; after it an answer takes a second'
	+@$(MAKE) --no-print-directory BACKEND=simt -C common all
	+@$(MAKE) --no-print-directory BACKEND=simt -C common/classroom/practice all
practice: practicing
	@$(PRACTICE) try || [ $$? -eq 1 ]
watch hint progress: practicing
	@$(PRACTICE) $@
solutions: practicing
	@$(PRACTICE) solutions "$$TO" && common/classroom/grade/solutions.sh "$$TO" && echo "$$(ls "$$TO" | wc -l) solutions are in $$TO"

.PHONY: exercise grader grade assignment leaderboard compare practice practicing watch hint progress solutions
