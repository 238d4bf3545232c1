# goals.mk - tests, and checks of the sources by other programs
##

## make test                  runs every test (no GPU needed); N=5: of a chapter; ROOM=libspmv: of a room; LIST=yes lists the rooms
# N=5, ROOM=libspmv: the tests of a chapter or room (common/workshop/tests/rooms.txt).  Otherwise all tests, with their cost.
ROOM_LINE := $(if $(ROOM),$(shell grep '^$(ROOM) *|' common/workshop/tests/rooms.txt))
ROOM_FIELD = $(strip $(shell printf '%s' '$(ROOM_LINE)' | cut -d'|' -f$1))
PART := +@COSTS=$(CURDIR)/build/costs common/workshop/tests/costs.sh of
test: export SKIPPED := $(CURDIR)/build/skipped
test:
ifneq ($(LIST),)
	@sed 's/|[^|]*|/ /; /^#/d' common/workshop/tests/rooms.txt | fold -sw 118 | sed 's/^[a-z]*  *.*/&/; /^[a-z]*  /!s/^/             /'
	@echo 'make test N=5: the test program of a chapter, its steps, and what it counts'
else ifneq ($(ROOM),)
	@[ -n '$(ROOM_LINE)' ] || { echo 'ROOM=$(ROOM) is none of: '$$(sed -n 's/^\([a-z]*\) .*/\1/p' common/workshop/tests/rooms.txt); exit 2; }
	+@$(STEP) $(call ROOM_FIELD,2)
	@common/workshop/tests/run.sh build/$(BACKEND)/bin $(call ROOM_FIELD,3)
else ifneq ($(N),)
	+@$(STEP) $(SELECTED)/tested
	@CHAPTER=$(SELECTED) common/workshop/tests/run.sh build/$(BACKEND)/bin test_$(SELECTED) check_counts check_lines check_steps
else
	@mkdir -p build; rm -f $(SKIPPED) build/costs
	$(PART) build $(STEP) build-tests
	+@$(STEP) part-tests part-compiled part-sanitize part-aarch64 part-tools part-fuzz
	@common/workshop/tests/costs.sh table build/costs
	@common/workshop/tests/skipped.sh
endif

# The parts run at the same time, so that no processor waits for the last program of a part.  Besides the tests, which take longest,
# one program runs at a time, because tests have time limits.
part-sanitize part-aarch64 part-tools: export AT_ONCE := 1
part-tests:
	+@COSTS=build/costs common/workshop/tests/run.sh build/$(BACKEND)/bin
part-compiled:
	$(PART) compiled $(STEP) compile-tests
part-sanitize:
	$(PART) sanitize $(STEP) sanitize
part-aarch64:
	$(PART) aarch64 $(STEP) aarch64
part-fuzz:
	$(PART) fuzz $(STEP) fuzz-smoke
part-tools:
	$(PART) tools common/workshop/tests/tools.sh

# Tests run in parallel unless one needs what another builds.
TESTED := $(CHAPTERS:%=%/tested)
COMPILED := $(if $(NVCC),$(patsubst %,%/compiled,common $(LIB) $(CHAPTERS) $(APPS) $(DIST)))
TESTED_ROOMS := $(addsuffix /tested,common common/classroom/grade $(LIB) $(ROWS) $(APPS) $(DIST))
build-tests: common
	+@$(STEP) common/tested common/classroom/grade/tested
	+@$(STEP) $(LIB)/tested $(ROWS)/tested
	+@$(STEP) $(TESTED)
	+@$(STEP) $(APPS)/tested
	+@$(STEP) $(DIST)/tested
compile-tests: $(COMPILED)
ifeq ($(NVCC),)
	@common/workshop/tests/skipped.sh nvcc 'is not here: the .cu files were compiled by the simulator only'
endif
$(TESTED): %/tested: common
	+@$(STEP) -C $* test all grade-steps
$(filter-out $(LIB)/tested,$(TESTED_ROOMS)): %/tested: common
	+@$(STEP) -C $* test
$(LIB)/tested: common
	+@$(STEP) -C $(LIB) lib test
$(ROWS)/tested: $(LIB)/tested # otherwise both would compile the library at the same time
07_load_balance/tested $(DIST)/tested $(APPS)/tested: lib-rows
$(COMPILED): %/compiled:
	+@$(STEP) -C $* nvcc-check

## make sanitize              runs the tests of the C library and of libspmv on the CPU with ASan and UBSan, and threads with TSan
# Runs the tests of the C library again with the address and undefined-behaviour sanitizers, and the threads of libspmv with the
# thread sanitizer, which needs fixed addresses (setarch -R).  Not at -O3: the sanitizers find nothing more there, and gcc took
# minutes for each of three kernel files of libspmv.  gcc 13 misaligns 64-byte vectors on ASan's fake stack.
SANITIZER_OPTIONS := ASAN_OPTIONS=detect_stack_use_after_return=0
QUICKLY := -Og -g1
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all $(QUICKLY)
sanitize: $(ON_SIMT)
	+@$(MAKE) --no-print-directory -C common BACKEND=simt BUILD=$(CURDIR)/build/sanitize STAND_IN=$(CURDIR)/build/simt/common/simulator/simt/simt.o \
	    CFLAGS='$(SANITIZERS)' LDFLAGS='$(SANITIZERS)' library-tests
	+@$(MAKE) --no-print-directory -C $(LIB) BACKEND=simt BUILD=$(CURDIR)/build/sanitize \
	    CFLAGS='$(SANITIZERS)' LDFLAGS='$(SANITIZERS)' cpu-tests thread-test
	+@$(MAKE) --no-print-directory -C $(LIB) BACKEND=simt BUILD=$(CURDIR)/build/tsan \
	    CFLAGS='-fsanitize=thread $(QUICKLY)' LDFLAGS=-fsanitize=thread thread-test
	@$(SANITIZER_OPTIONS) common/workshop/tests/run.sh build/sanitize/bin
	@RUN_WITH="$$(setarch -R true 2>/dev/null && echo setarch -R)" common/workshop/tests/run.sh build/tsan/bin

## make fuzz SECONDS=60       fuzzes readers, writers and options with libFuzzer, a minute each   (TARGET=mtx: only one)
# Runs the fuzz targets of common/workshop/fuzz, SECONDS each; `make test` runs each for a second.
fuzz:
	+@$(MAKE) --no-print-directory -C common/workshop/fuzz run $(if $(SECONDS),SECONDS=$(SECONDS)) $(if $(TARGET),TARGET='$(TARGET)')
fuzz-smoke:
	+@$(MAKE) --no-print-directory -C common/workshop/fuzz smoke

## make aarch64               runs the tests of the C library and the CPU steps on AArch64, with qemu
# Builds the parts that need no library for AArch64 and runs them with qemu, if both are installed.
aarch64:
	+@$(MAKE) --no-print-directory -f common/workshop/tests/aarch64.mk

## make check                 runs shellcheck, codespell, prose, cppcheck, clang, clang-tidy, clang-format, valgrind (TOOLS="..." for some)
## make coverage              prints the share of lines of common/ that the tests execute
## make mutation SAMPLE=60    breaks 60 lines of common/, one at a time, and checks that a test fails
# Checks the sources with other programs; measures the tests' coverage; makes mutants of the library that tests must detect.
check:
	@common/workshop/tests/tools.sh $(TOOLS)
coverage:
	@common/workshop/tests/coverage.sh
mutation:
	@common/workshop/tests/mutation.sh $(or $(SAMPLE),60) $(SEED)

## make compile-commands      writes compile_commands.json, by which editors with clangd understand C and kernels
# Writes the command that builds each file on this back end, for an editor (clangd).
compile-commands:
	+@CUDA_HOME='$(CUDA_HOME)' common/workshop/tools/compile_commands.py compile_commands.json $(BACKEND) \
	    common common/classroom/grade $(LIB) $(ROWS) $(CHAPTERS) $(APPS) $(DIST)

## make nvcc-check SMS="90 120"   compiles every .cu file for these GPUs (all that nvcc knows, from sm_75 on)
# Compiles every .cu file for more GPUs than `make test` has time for.
SMS ?= $(filter 75 80 86 89 90 100 120,$(patsubst sm_%,%,$(shell $(NVCC) --list-gpu-code)))
nvcc-check:
	@test -n '$(NVCC)' || { echo 'nvcc-check needs nvcc: ./bootstrap cuda fetches it'; exit 2; }
	+@set -e; for c in common $(LIB) $(CHAPTERS) $(APPS) $(DIST); do \
	    $(STEP) -C $$c nvcc-check CHECKED_AS=-c FIRST_SMS='$(SMS)' CHECKED_SMS='$(SMS)' NVCC_OUT=$(CURDIR)/build/nvcc-all/$$c; done

.PHONY: test part-tests part-compiled part-sanitize part-aarch64 part-fuzz part-tools build-tests compile-tests sanitize fuzz fuzz-smoke aarch64 check coverage mutation compile-commands nvcc-check $(TESTED) $(TESTED_ROOMS) $(COMPILED)
