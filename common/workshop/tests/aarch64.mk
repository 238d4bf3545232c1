# aarch64.mk - builds parts of the course for AArch64 and runs them with qemu: the tests of common/, of the simulator, of libspmv's
# CPU kernels and of chapter 04's CPU steps (native NEON), and the CPU steps of every chapter once.  From the root: make aarch64.  An
# emulator takes thirty times as long, so tests that know RUN_WITH run fewer cases (run.sh).  The libraries are unpacked into
# build/sysroot-aarch64; nothing is installed.
AARCH64 ?= aarch64-linux-gnu-
SYSROOT := $(CURDIR)/build/sysroot-aarch64
# A processor without SVE and pointer authentication, whose emulation takes longer.
AARCH64_RUN ?= qemu-aarch64 -cpu neoverse-n1 -L $(SYSROOT)
HAVE := $(and $(shell command -v $(AARCH64)gcc),$(shell command -v $(AARCH64)g++),$(shell command -v $(firstword $(AARCH64_RUN))),yes)

OUT := $(CURDIR)/build/aarch64
LIBRARIES := $(SYSROOT)/usr/lib/aarch64-linux-gnu
# The course's Makefiles, with another compiler and build folder.
CROSS := PKG_CONFIG_LIBDIR=$(LIBRARIES)/pkgconfig PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) $(MAKE) --no-print-directory BACKEND=simt \
         BUILD=$(OUT) CC='$(AARCH64)gcc --sysroot=$(SYSROOT)' LD='$(AARCH64)ld' OBJCOPY='$(AARCH64)objcopy'
CXX := $(AARCH64)g++ --sysroot=$(SYSROOT)
# The chapters without their kernels, which a CPU step never calls.  Not at -O3, because only the presence of instructions and the
# correctness of code are tested.
QUICKLY := CFLAGS='-Og -g1'
STEPLESS := $(QUICKLY) CXX='$(CXX) -no-pie -Wl,--unresolved-symbols=ignore-all' TEST_KERNELS=
CHAPTERS := 01_reduce 02_memcpy_vectorized 03_gemv 04_spmv_scalar 05_spmv_vector
SMALL_01_reduce := --size 100003
SMALL_02_memcpy_vectorized := --size 100003
SMALL_03_gemv := --rows 1000 --cols 1003
SMALL_04_spmv_scalar := --matrix random:20000,20000,200000
SMALL_05_spmv_vector := $(SMALL_04_spmv_scalar)
# Left out: test_bench, which measures time; test_alloc_rows, which starts itself again, which the emulator cannot do; and
# test_corpus, which limits the time of reading.
TESTS := $(filter-out test_bench test_alloc_rows test_corpus,$(patsubst common/lib/tests/%.c,%,$(wildcard common/lib/tests/test_*.c))) test_simt

test:
ifeq ($(HAVE),)
	@common/workshop/tests/skipped.sh aarch64 'it needs g++-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user'
else
	@[ $(SYSROOT) -nt common/workshop/tests/aarch64_sysroot.sh ] || common/workshop/tests/aarch64_sysroot.sh $(SYSROOT) || common/workshop/tests/skipped.sh aarch64 'its libraries could not be fetched'
	+@[ ! -e $(SYSROOT) ] || $(MAKE) --no-print-directory -f common/workshop/tests/aarch64.mk run
endif

run: programs
	@RUN_WITH='$(AARCH64_RUN)' OMP_WAIT_POLICY=passive common/workshop/tests/run.sh $(OUT)/bin
	@set -e; export OMP_WAIT_POLICY=passive; $(foreach c,$(CHAPTERS),$(AARCH64_RUN) $(OUT)/bin/$(c) --only 'c*' --once --format tsv \
	    $(SMALL_$(c)) >$(OUT)/$(c).tsv; awk '/ FAIL/ || $$3 == "cpu" {n[$$0 ~ /\tok/ ? "ok" : "skipped"]++} \
	    END {printf "%-32s %4d CPU rows ok, %d skipped\n", "$(c)", n["ok"], n["skipped"]; exit !n["ok"]}' $(OUT)/$(c).tsv;)

programs:
	+@$(CROSS) $(QUICKLY) CXX='$(CXX)' CXXFLAGS='-O1 -g1' -C common $(OUT)/libbasics.a $(TESTS:%=$(OUT)/bin/%)
	+@$(CROSS) CFLAGS='-O2 -g1' CXX='$(CXX)' -C 07_load_balance/libspmv cpu-tests CPU_TESTED='multiply many'
	+@set -e; $(foreach c,$(CHAPTERS),$(CROSS) $(STEPLESS) STEPS= -C $(c) all;)
	+@$(CROSS) $(STEPLESS) STEPS= -C 04_spmv_scalar cpu-test

.PHONY: test run programs
