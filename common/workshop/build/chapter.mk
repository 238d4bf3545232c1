# chapter.mk - the rules of all chapters.  A chapter's Makefile lists its files in:
#   HOST       C files in addition to chapter.c, main.c and cpu_*.c  pad          (.c)
#   KERNELS    kernels in addition to the steps              huge                 (.cu)
#   CUDA_ONLY  files for machines with a GPU only           peers_cub            (.cu, .c or .cpp)
#   CUDA_LIBS  libraries for those                           -lcusparse
#   EXTRA      C++ files for both back ends                  peer_thrust_omp      (.cpp)
#   TEST_KERNELS  kernels of the tests                       test_peek            (.cu)
#   PARTS      the part of common/ to link: basics (without the room spmv), or all of it by default
# Its steps are the files v*_*.cu and cpu_*.c, also in the acts (a_*, b_*, ...) of a long chapter; acts share plan/.
ROOT := ..
CHAPTER := $(notdir $(CURDIR))
FOLDER := $(CHAPTER)
include $(ROOT)/common/workshop/build/config.mk

OUT := $(BUILD)/$(CHAPTER)
PROGRAM := $(BUILD)/bin/$(CHAPTER)
TEST := $(BUILD)/bin/test_$(CHAPTER)
COMMON := $(BUILD)/lib$(or $(PARTS),common).a

STEPS := $(sort $(basename $(wildcard v*_*.cu [a-z]_*/v*_*.cu [a-z]_*/v*_*.c plan/*.cu plan/*.c)))
HOST += $(basename $(wildcard cpu_*.c))
OBJECTS := $(patsubst %,$(OUT)/%.o,chapter $(HOST) $(EXTRA) $(STEPS) $(KERNELS))
ifeq ($(BACKEND),cuda)
  OBJECTS += $(patsubst %,$(OUT)/%.o,$(CUDA_ONLY))
  LIBS += $(CUDA_LIBS)
endif

# STUDENT=file.cu adds a student's step to the table; its launcher is called TOPIC_student.
include $(ROOT)/common/workshop/build/student.mk
ifneq ($(STUDENT),)
  PROGRAM := $(PROGRAM)_student
  STUDENT_OBJECT := $(OUT)/student/$(subst /,_,$(basename $(STUDENT))).o
endif

all: $(PROGRAM) ; @:
test: $(TEST) ; @:

include $(ROOT)/common/workshop/build/rules.mk

$(PROGRAM): $(OUT)/main.o $(STUDENT_OBJECT) $(OBJECTS) $(COMMON)
	$(call link)

# Steps with one mistake each, described in test_mutants.txt (common/lib/tests/mutants.awk), compiled in several files, and their
# list, mutants.inc.  BROKEN: part:file for each file that gets a mistake.
ifneq ($(wildcard test_mutants.txt),)
BREAK := $(ROOT)/common/lib/tests/mutants.awk
BROKEN := $(shell awk '/^== / {part = $$2} /^@ / {for (i = 2; i <= NF; ++i) print part ":" $$i}' test_mutants.txt)
PARTS_BROKEN := $(sort $(foreach b,$(BROKEN),$(firstword $(subst :, ,$b))))
MUTANTS := $(PARTS_BROKEN:%=$(OUT)/mutants/%.o)
$(foreach p,$(PARTS_BROKEN),$(eval $(OUT)/mutants/$p.cu: $(patsubst $p:%,%,$(filter $p:%,$(BROKEN)))))
$(OUT)/mutants/%.cu: test_mutants.txt $(BREAK)
	@mkdir -p $(@D)
	@awk -v PART=$* -f $(BREAK) $< >$@
$(OUT)/mutants/mutants.inc: test_mutants.txt $(BREAK) $(sort $(foreach b,$(BROKEN),$(lastword $(subst :, ,$b))))
	@mkdir -p $(@D)
	@awk -f $(BREAK) $< >$@
# Broken steps may have unused functions or variables.
$(MUTANTS): KERNEL_FLAGS += -w
$(MUTANTS): NVCC_FLAGS += -w -Xcompiler -w
$(MUTANTS): %.o: %.cu
	$(call compile_kernel,$<,$(patsubst $(ROOT)/%,%,$<))
$(patsubst %.c,$(OUT)/%.o,$(wildcard test_*.c)): $(OUT)/mutants/mutants.inc
$(patsubst %.c,$(OUT)/%.o,$(wildcard test_*.c)): CPPFLAGS_ALL += -I$(OUT)/mutants
.SECONDARY: $(MUTANTS:.o=.cu)
endif

$(TEST): $(MUTANTS) $(patsubst %.c,$(OUT)/%.o,$(wildcard test_*.c)) $(TEST_KERNELS:%=$(OUT)/%.o) $(OBJECTS) $(COMMON)
	$(call link,-lcmocka)

ifneq ($(STUDENT),)
# The launcher that chapter.c declares.
LAUNCHER := $(shell sed -n 's/^cudaError_t \([a-z_]*_student\).*/\1/p' chapter.c)
STUDENT_SOURCE := $(if $(filter /%,$(STUDENT)),$(STUDENT),$(ROOT)/$(STUDENT))
# Warnings are not errors in a student's step.  The host's compiler thinks that a value from a shuffle is uninitialized.
$(STUDENT_OBJECT): KERNEL_FLAGS += -Wno-error -Wno-maybe-uninitialized
$(STUDENT_OBJECT): $(STUDENT_SOURCE)
	$(call compile_kernel,$<,$(if $(findstring /,$(STUDENT)),,./)$(STUDENT))
	@nm $@ | grep -q ' T $(LAUNCHER)$$' || { rm -f $@; \
	    echo 'STUDENT=$(STUDENT): the file does not define $(LAUNCHER); copy it from $(CHAPTER)/exercise.cu' >&2; exit 1; }
$(PROGRAM): FORCE # always relinked: another STUDENT file gives a program of the same name
endif

# Everything but main, for programs that use steps of several chapters.
ARCHIVE := $(BUILD)/lib$(CHAPTER).a
archive: $(ARCHIVE)
$(ARCHIVE): $(OBJECTS)
	$(call says,AR,$@)
	rm -f $@
	ar rcs $@ $^

# The kernels of this chapter in the grader's runner, with which `make grade` compares a submission.
GRADE := $(BUILD)/grade/kit
grade-steps: $(if $(wildcard grade_call.c),$(BUILD)/grade/steps_$(CHAPTER)) ; @:
$(BUILD)/grade/steps_$(CHAPTER): $(GRADE)/runner.o $(GRADE)/job.o $(GRADE)/confine.o $(GRADE)/call_$(CHAPTER).o $(patsubst %,$(OUT)/%.o,$(STEPS)) $(BUILD)/libcommon.a
	$(call says,LD,$@)
	$(CXX) -fopenmp -rdynamic $^ $(LIBS) $(LIBS_ALL) -lseccomp -o $@
	@chmod a+rx $@

# Mutants are compiled only for the newest GPU, because some mistakes are in code for this GPU only.
$(NVCC_OUT)/mutants/%.o: $(OUT)/mutants/%.cu
	@mkdir -p $(@D)
	$(call says,NVCC,$<)
	$(call nvcc_checks,$(lastword $(CHECKED_SMS)),-w -Xcompiler -w $(NVCC_DEPS) -o $@ -fatbin)

nvcc-check: $(PARTS_BROKEN:%=$(NVCC_OUT)/mutants/%.o) $(patsubst %.cu,$(NVCC_OUT)/%.o,$(wildcard *.cu [a-z]_*/v*_*.cu plan/*.cu))

clean:
	rm -rf $(OUT) $(PROGRAM) $(TEST) $(ARCHIVE)

.PHONY: all test grade-steps archive nvcc-check clean FORCE
