# cpu.mk - the CPU steps of this chapter; its Makefile includes this before ../common/workshop/build/chapter.mk.
HOST += cpu experiments matrix_of_runs

# Compiles cpu_naive.c once more for each set of flags, which come after the course's own flags and override them.
# Only these objects have such flags: the table in cpu.c runs them on suitable processors only, and no other code has
# fast-math.
NAIVE_FLAGS := O0 O1 O2 fast
NAIVE_O0 := -O0
NAIVE_O1 := -O1
NAIVE_O2 := -O2
NAIVE_fast := -O3 -ffast-math
NAIVE_FLAGS += avx2 avx512 fast_avx2 fast_avx512
ifneq ($(filter x86_64%,$(shell $(or $(CC),cc) -dumpmachine)),) # elsewhere these rows are skipped
  NAIVE_avx2 := -O3 -mavx2 -mfma
  NAIVE_avx512 := -O3 -mavx512f
  NAIVE_fast_avx2 := $(NAIVE_avx2) -ffast-math
  NAIVE_fast_avx512 := $(NAIVE_avx512) -ffast-math
endif
HOST += $(NAIVE_FLAGS:%=cpu_naive_%)

define NAIVE_RULE
%/cpu_naive_$(1).o: cpu_naive.c cpu.mk $(SETTINGS)
	@mkdir -p $$(@D)
	$$(call says,CC,$$@)
	$$(CC) $$(CPPFLAGS_ALL) -DFLAGS_NAME=spmv_scalar_naive_$(1) $$(CFLAGS_ALL) $$(NAIVE_$(1)) $$(DEPS) -c $$< -o $$@
endef
$(foreach f,$(NAIVE_FLAGS),$(eval $(call NAIVE_RULE,$(f))))

# NEON on other machines: SIMDe 0.7.4 or newer, which has the multiply-add and the load of one lane.
HASH := \#
SIMDE := $(shell printf '$(HASH)include <simde/arm/neon/%s.h>\n' fma ld1_lane | $(or $(CC),cc) -x c -fsyntax-only - 2>/dev/null && \
    echo -DHAVE_SIMDE)
%/cpu_neon.o: CPPFLAGS_ALL += $(SIMDE)

LIBS += -ldl
