# aarch64.mk - the parts of the course that need no library but the C one, built for AArch64 and run by qemu: the
# host code of common/ with its tests, and the CPU steps of chapter 04 with native NEON.  From the root: make aarch64
ROOT := .
include common/config.mk

AARCH64_CC ?= aarch64-linux-gnu-gcc
AARCH64_RUN ?= qemu-aarch64 -L /usr/aarch64-linux-gnu
HAVE := $(and $(shell command -v $(AARCH64_CC)),$(shell command -v $(firstword $(AARCH64_RUN))),yes)

OUT := build/aarch64
CHAPTER := 04_spmv_scalar
LIBRARY := csr dtype err formats formats_block formats_ell hostmem matgen matgen_like verify
TESTS := test_csr test_dtype test_formats test_matgen test_verify test_cpu
TESTS_OF_COMMON := $(filter-out test_cpu,$(TESTS))

test:
ifeq ($(HAVE),)
	@echo 'aarch64: left out; it needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user'
else
	+@$(MAKE) --no-print-directory -f common/tests/aarch64.mk programs
	@RUN_WITH='$(AARCH64_RUN)' OMP_WAIT_POLICY=passive common/tests/run.sh $(OUT)/bin
endif

programs: $(TESTS:%=$(OUT)/bin/%)

# The flags of cpu.mk but the ones that only x86 has: those rows are skipped here.
FLAGS := O0 O1 O2 fast avx2 avx512 fast_avx2 fast_avx512
FLAGS_O0 := -O0
FLAGS_O1 := -O1
FLAGS_O2 := -O2
FLAGS_fast := -O3 -ffast-math
CPU_OBJECTS := $(patsubst $(CHAPTER)/%.c,$(OUT)/%.o,$(wildcard $(CHAPTER)/cpu*.c) $(CHAPTER)/matrix_runs.c $(CHAPTER)/peer_mkl.c) \
               $(FLAGS:%=$(OUT)/cpu_naive_%.o)

COMPILE = @mkdir -p $(@D); $(AARCH64_CC) -D_GNU_SOURCE -Icommon/tests/aarch64 -Icommon -I$(CHAPTER) -Icommon/simt/include \
          $(CFLAGS_ALL) $(DEPS) $(1) -c $< -o $@
LINK = @mkdir -p $(@D); $(AARCH64_CC) -fopenmp $^ -lm -ldl -o $@

$(OUT)/%.o: common/%.c
	$(call COMPILE)
$(OUT)/%.o: common/tests/%.c
	$(call COMPILE)
$(OUT)/%.o: $(CHAPTER)/%.c
	$(call COMPILE,-DCPU_TESTS_ALONE)
define FLAGS_RULE
$(OUT)/cpu_naive_$(1).o: $(CHAPTER)/cpu_naive.c
	$$(call COMPILE,-DFLAGS_NAME=spmv_scalar_naive_$(1) $(FLAGS_$(1)))
endef
$(foreach f,$(FLAGS),$(eval $(call FLAGS_RULE,$(f))))

$(TESTS_OF_COMMON:%=$(OUT)/bin/%): $(OUT)/bin/%: $(OUT)/%.o $(LIBRARY:%=$(OUT)/%.o)
	$(LINK)
$(OUT)/bin/test_cpu: $(OUT)/test_cpu.o $(CPU_OBJECTS) $(LIBRARY:%=$(OUT)/%.o)
	$(LINK)

-include $(wildcard $(OUT)/*.d)
.PHONY: test programs
