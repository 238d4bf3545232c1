# rules.mk - the rules that compile files to objects, for common/ and for every chapter.
# Set before: ROOT, config.mk's variables, FOLDER (this folder's name from the root), OUT.

# Deletes the target of a recipe that failed or was interrupted.
.DELETE_ON_ERROR:

# Tests run once: at -O1 they compile in half the time.
$(OUT)/test_%.o $(OUT)/tests/%.o $(OUT)/lib/tests/%.o $(OUT)/simulator/simt/tests/%.o: CFLAGS_ALL := $(CFLAGS_ALL:-O3=-O1)
$(OUT)/%.o: %.c $(SETTINGS)
	@mkdir -p $(@D)
	$(call says,CC,$<)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(DEPS) -c $< -o $@

$(OUT)/%.o: %.cpp $(SETTINGS)
	@mkdir -p $(@D)
	$(call says,CXX,$<)
	$(CXX) -std=c++17 -O2 -g -fopenmp $(WARN) $(CPPFLAGS_ALL) $(CXXFLAGS) $(DEPS) -c $< -o $@

# link MORE: a program, by LINKER.
LINKER = $(CXX)
define link
@mkdir -p $(@D)
$(call says,LD,$@)
$(LINKER) -fopenmp $(LDFLAGS) $(filter-out FORCE,$^) $(LIBS) $(LIBS_ALL) $1 -o $@
endef

# script COMMAND: a program for the test driver that is a script.
define script
@mkdir -p $(@D)
@printf '#!/bin/sh\nexec %s\n' '$1' >$@
@chmod +x $@
endef

# If make was called from the top, common is already up to date.
ifeq ($(MAKELEVEL)$(filter common%,$(FOLDER)),0)
$(COMMON): FORCE
	@$(MAKE) --no-print-directory -C $(ROOT)/common BACKEND=$(BACKEND) $(or $(filter basics,$(PARTS)),all)
endif
FORCE:

# compile_kernel SOURCE,NAME: a .cu file to $@; reports call it NAME.
ifeq ($(BACKEND),simt)
# Removes a byte order mark at the start of the file, runs the preprocessor, replaces <<<grid, block>>> by a function
# call, and compiles; line numbers remain those of the .cu file.  cuda_runtime.h with its includes, 26,000 lines, is
# precompiled (common/Makefile).  Intermediate files have unique names, because another make may compile the same
# kernel.
PREFIX_FIRST = -include $(PREFIX_HEADER) -fpch-preprocess
define compile_kernel
@mkdir -p $(@D)
$(call says,SIMT,$(1))
ii=$(@:.o=).$$$$; \
{ printf '#line 1 "%s"\n' $(2); LC_ALL=C sed '1s/^\xef\xbb\xbf//' $(1); } | $(CXX) $(KERNEL_FLAGS) $(PREFIX_FIRST) $(CPPFLAGS_ALL) -I. $(DEPS) -MF $(@:.o=.d) -x c++ -E - -o $$ii.cu.ii && \
    $(TRANSLATE) <$$ii.cu.ii >$$ii.ii && $(CXX) $(KERNEL_FLAGS) -c $$ii.ii -o $@; status=$$?; rm -f $$ii.cu.ii $$ii.ii; exit $$status
endef
else
# The .ptxas file has the registers, spills and shared memory of each kernel.
define compile_kernel
@mkdir -p $(@D)
$(call says,NVCC,$(1))
$(NVCC) $(NVCC_FLAGS) $(subst -isystem $(CUDA_HOME)/include,,$(CPPFLAGS_ALL)) -I. -MD -MP -MF $(@:.o=.d) -MT $(NAMES) -c $(1) -o $@ 2> $(@:.o=.ptxas) || { cat $(@:.o=.ptxas) >&2; exit 1; }
@! grep 'warning' $(@:.o=.ptxas)
endef
endif

$(OUT)/%.o: %.cu $(SETTINGS) $(TRANSLATE) $(PREFIX_HEADER)
	$(call compile_kernel,$<,$(FOLDER)/$<)

# Compiles every .cu file by nvcc for the GPUs that the course supports, whatever the back end.  Code for the oldest is right for
# newer ones, except if it uses __CUDA_ARCH__ (in the file or a header of ours): such files are compiled for the other GPUs, too.  In
# tests nvcc compiles only the kernels of a file (-fatbin), because the simulator's build compiles the host code.  A file whose host
# code differs between back ends is compiled completely, as are all files by `make nvcc-check` (CHECKED_AS=-c).  The result never
# runs, so optimisations are left out if nvcc can.
CHECKED_SMS := 75 90
FIRST_SMS = $(firstword $(CHECKED_SMS))
LATER_SMS = $(filter-out $(FIRST_SMS),$(CHECKED_SMS))
CHECKED_AS = -fatbin
NVCC_OUT := $(ROOT)/build/nvcc/$(FOLDER)
NVCC_QUICKLY := $(if $(NVCC),$(shell $(NVCC) --help | grep -q -e -Ofc && echo -Ofc=max))
# The preprocessor lists the headers while it reads the file for the GPU.  nvcc -MD starts it once more, but works for -c, too.
NVCC_DEPS = $(if $(filter -c,$(CHECKED_AS)),-MD -MP -MF $(@:.o=.d) -MT $@,-Xcompiler -MD,-MP,-MF,$(@:.o=.d),-MT,$@)
# The macro makes g++'s <cmath> leave out the special functions, a fifth of what nvcc reads for a small file.
NVCC_QUICKLY += -D_GLIBCXX_BITS_SPECFUN_H -Xcompiler -ftrack-macro-expansion=0
# nvcc_checks GPUS,OUTPUT-OPTION
nvcc_checks = $(NVCC) -std=c++17 -O3 $(NVCC_QUICKLY) -Xcompiler -Wall,-Wextra -Werror all-warnings \
    $(foreach s,$1,-gencode=arch=compute_$s,code=sm_$s) -I. $(INSIDE:%=-I%) $(SEES:%=-I$(ROOT)/common/%) $(BESIDE_ROOMS) $2 $<
$(NVCC_OUT)/%.o: %.cu
	@mkdir -p $(@D)
	$(call says,NVCC,$<)
	$(call nvcc_checks,$(FIRST_SMS),$(NVCC_DEPS) -o $@ $(CHECKED_AS))
	@ours() { grep -o '[^ ]*' $(@:.o=.d) | grep -v '^/\|[:\]$$' | xargs grep -q "$$1"; }; \
	$(if $(filter -c,$(CHECKED_AS)),,if ours 'COURSE_CUDA\|__CUDACC__\|__SIMT__'; then $(call nvcc_checks,$(FIRST_SMS),-o $@ -c) || exit 1; fi;) \
	$(if $(LATER_SMS),if ours __CUDA_ARCH__; then $(call nvcc_checks,$(LATER_SMS),-o $(@:.o=.fatbin) -fatbin); fi)

-include $(wildcard $(OUT)/*.d $(OUT)/*/*.d $(OUT)/*/*/*.d $(OUT)/*/*/*/*.d $(NVCC_OUT)/*.d $(NVCC_OUT)/*/*.d $(NVCC_OUT)/*/*/*.d)
