# config.mk - settings for all Makefiles of the course: back end, compilers, flags, folders.
# The including Makefile sets ROOT.

ifneq ($(words $(CURDIR)),1)
  $(error make cannot work in a folder whose name has blanks; move the course out of "$(CURDIR)")
endif
HASH := \#
UNFIT := $(strip $(foreach c,' " ` $$ & ; | < > ( ) * ? [ ] % : \ $(HASH),$(findstring $c,$(CURDIR))))
ifneq ($(UNFIT),)
  $(error make cannot work in a folder whose name has $(UNFIT); move the course out of "$(CURDIR)")
endif

# Disables make's built-in rules, which would try to link an object's .d file as a source.
MAKEFLAGS += -r

# Names of files and folders are plain text: make expands nothing in them, here or in a make called from here.  Recipes read them
# from the environment, "$$STUDENT", where the shell expands nothing in them either.
$(foreach v,A B CORPUS COURSE E GPU GRADESCOPE JOBS LIST MATRIX_DIR NAME NAMES PREDICT RUNS SEED STUDENT SUBMISSIONS TO V,\
    $(if $(filter-out undefined,$(origin $v)),$(eval override export $v := $$(value $v))))
# The characters of a name that make or a shell would interpret, for names that become part of a rule; empty if there are none.
strange = $(strip $(foreach c,' " ` $$ & ; | < > ( ) * ? [ ] { } % : \ ! = ~,$(findstring $c,$1)) $(word 2,$1))

# The CUDA toolkit, if there is one.
NVCC ?= $(or $(shell command -v nvcc 2>/dev/null),$(wildcard /usr/local/cuda/bin/nvcc),$(wildcard $(abspath $(ROOT))/build/toolkit/bin/nvcc))
CUDA_HOME ?= $(if $(NVCC),$(abspath $(dir $(realpath $(NVCC)))..))

# cuda if there are nvcc and a GPU, otherwise simt, the simulator on the CPU.
DETECTED := $(if $(NVCC),$(if $(wildcard /dev/nvidia0),cuda,simt),simt)
BACKEND ?= $(DETECTED)
ifeq ($(filter cuda simt,$(BACKEND)),)
  $(error BACKEND=$(BACKEND) must be cuda or simt)
endif
ifeq ($(BACKEND)$(NVCC),cuda)
  $(error BACKEND=cuda needs nvcc: install the CUDA toolkit, or use BACKEND=simt)
endif

# The GPU for which kernels are compiled: the one in the machine, or sm_90.  SM=80 overrides it.
SM ?= $(or $(if $(filter cuda,$(BACKEND)),$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null \
        | head -n 1 | tr -d .)),90)

BUILD := $(ROOT)/build/$(BACKEND)
include $(ROOT)/common/workshop/build/quiet.mk

CC ?= cc
CXX ?= c++
OBJCOPY ?= objcopy
# The version of a compiler, and its description after the name.
describe = $(shell $1 -dumpversion 2>/dev/null; $1 --version 2>/dev/null | sed -n '1s/^[^ ]*//p')
CXX_IS := $(call describe,$(CXX))
# The compiler for programs that the build itself runs, even if CC is a cross compiler.
HOST_CC ?= cc

WARN := -Wall -Wextra -Wpedantic -Werror
# Dependencies of an object under both its names: one make gets BUILD as an absolute path, another computes it here.
NAMES = '$(sort $@ $(abspath $@) $(patsubst $(abspath $(ROOT))/%,$(ROOT)/%,$(abspath $@)))'
DEPS = -MMD -MP -MT$(NAMES)
# The rooms of common/.  A file sees the headers of the rooms in SEES; users of the library see all.
ROOMS := lib/base lib/matrix lib/report simulator/predict lib/measure lib/spmv
SEES := $(ROOMS)
# Include paths of common/ outside of the rooms: headers of its tests, simt.h.
BESIDE_ROOMS := -I$(ROOT)/common/lib -I$(ROOT)/common/simulator
CPPFLAGS_ALL = -D_GNU_SOURCE $(SEES:%=-I$(ROOT)/common/%) $(BESIDE_ROOMS) $(CPPFLAGS)
CFLAGS_ALL := -std=c11 -O3 -g -fopenmp $(WARN) $(CFLAGS)
LIBS_ALL := -lz -ljansson -lm -pthread

# librsb, a baseline of chapters 04 to 07, if it is installed.
ifeq ($(shell pkg-config --exists librsb 2>/dev/null && echo yes),yes)
  HAVE_RSB := -DHAVE_RSB
  LIBS_ALL := $(shell pkg-config --libs librsb) $(LIBS_ALL)
endif

# gold takes a third of ld's time; cross compilers have their own linker.
FAST_LINKER := $(if $(findstring -linux-gnu-,$(CXX)),,$(if $(wildcard /usr/bin/ld.gold),-fuse-ld=gold))

ifeq ($(BACKEND),simt)
  # clang is allowed for the tests of common/ that are only C (make check).
  ifneq ($(if $(filter library-tests,$(MAKECMDGOALS)),,$(findstring clang,$(CXX_IS))),)
    $(error The simulator needs g++ 12 or newer, and CXX=$(CXX) is clang: make CXX=g++, or BACKEND=cuda)
  endif
  ifneq ($(filter 4 5 6 7 8 9 10 11,$(firstword $(subst ., ,$(CXX_IS)))),)
    $(error The simulator needs g++ 12 or newer, and $(CXX) is g++ $(firstword $(CXX_IS)): install g++-12, then make CXX=g++-12)
  endif
  CPPFLAGS_ALL += -I$(ROOT)/common/simulator/simt/include
  BESIDE_ROOMS += -I$(ROOT)/common/simulator/simt
  # Kernels are compiled with the thread sanitizer's hooks for each access and each basic block, which our own runtime implements
  # (common/simulator/simt/README.md explains each flag).  -g1: reports name lines, not variables.
  KERNEL_FLAGS := -std=c++17 -g1 -O1 -fno-tree-sra -fno-tree-sink -fsanitize=thread -fsanitize-coverage=trace-pc \
                  --param=tsan-distinguish-volatile=1 --param=tsan-instrument-func-entry-exit=0 \
                  -finline-functions -finline-small-functions --param=max-inline-insns-auto=2000 \
                  --param=inline-min-speedup=0 --param=inline-unit-growth=100000 \
                  --param=large-function-growth=100000 --param=large-unit-insns=1000000 \
                  -Wall -Wextra -Werror -Wno-unknown-pragmas
  # The translator from CUDA's syntax to C++ (common/Makefile builds it).
  TRANSLATE := $(BUILD)/bin/translate
  # The header that every kernel includes first, with its precompiled form (prefix.hpp.gch).
  PREFIX_HEADER := $(BUILD)/common/prefix.hpp
  # The simulator's objects are created before the program's objects and never destroyed (simt_never_destroyed in
  # variables.cpp), because the program's constructors and destructors may call CUDA.
  KEEPS_OBJECTS := $(OBJCOPY) --rename-section .init_array=.init_array.00102 \
                           --redefine-sym __cxa_atexit=simt_never_destroyed
  LIBS_ALL += -lboost_context -ldw $(FAST_LINKER)
  FLAGS_TEXT := simt: g++ $(KERNEL_FLAGS)
else
  # A distribution's packages have the headers in /usr/include, which every compiler searches.
  CPPFLAGS_ALL += -DCOURSE_CUDA $(if $(filter-out /usr,$(CUDA_HOME)),-isystem $(CUDA_HOME)/include)
  NVCC_FLAGS := -std=c++17 -O3 -lineinfo -Xptxas -v -Xcompiler -Wall,-Wextra -gencode=arch=compute_$(SM),code=sm_$(SM)
  LIBS_ALL += -L$(CUDA_HOME)/lib64 -Wl,-rpath,$(CUDA_HOME)/lib64 -lcudart_static -ldl -lrt
  FLAGS_TEXT := nvcc -std=c++17 -O3 -lineinfo sm_$(SM)
endif
# keep NAME,TEXT: writes TEXT to $(BUILD)/NAME, only if it has changed.
keep = $(if $(subst x$2x,,x$(file <$(BUILD)/$1)x),$(shell mkdir -p $(BUILD) && echo '$2' >$(BUILD)/$1))
# The folder of the course, for objects that contain its path; the files on which every object depends.
$(call keep,place,$(abspath $(ROOT)))
$(call keep,made_by,$(call describe,$(CC)); $(CXX_IS))
SETTINGS := $(ROOT)/common/workshop/build/config.mk $(BUILD)/made_by
FLAGS_TEXT += ; cc $(CFLAGS_ALL)
