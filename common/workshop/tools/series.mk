# One step of CHAPTER-OF-THE-COURSE, built with the course's harness on the simulator.
#   make                             builds the step of this commit
#   make run ARGS="--size 1000"      runs it; ARGS="--help" lists the options
# course.mk has the path of the course; COURSE=FOLDER overrides it.
CHAPTER := CHAPTER-OF-THE-COURSE
-include course.mk
ifeq ($(wildcard $(COURSE)/$(CHAPTER)/chapter.c),)
  $(error Where is the course?  make COURSE=FOLDER)
endif
all:
ifneq ($(TAKEN),yes) # otherwise the course is built
	+@$(MAKE) --no-print-directory -C $(COURSE) BACKEND=simt LDFLAGS= $(CHAPTER) >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log
endif
	@$(COURSE)/common/workshop/tools/series.sh put $(CHAPTER)
	+@$(MAKE) --no-print-directory -C build/course/$(CHAPTER) BACKEND=simt CFLAGS=-Wno-unused # for helpers of other steps
run: all
	@build/course/build/simt/bin/$(CHAPTER) $(ARGS)
.PHONY: all run
