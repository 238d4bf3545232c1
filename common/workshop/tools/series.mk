# One step of CHAPTER-OF-THE-COURSE, in the commit that it is, built with the course's harness on the simulator.
#   make                             builds it
#   make run ARGS="--size 1000"      runs it; ARGS="--help" shows what can be asked
# The course is where course.mk says; COURSE=FOLDER says otherwise.
CHAPTER := CHAPTER-OF-THE-COURSE
-include course.mk
ifeq ($(wildcard $(COURSE)/$(CHAPTER)/chapter.c),)
  $(error Where is the course?  make COURSE=FOLDER)
endif
all:
ifneq ($(TAKEN),yes) # else the course is built
	+@$(MAKE) --no-print-directory -C $(COURSE) BACKEND=simt LDFLAGS= $(CHAPTER) >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log
endif
	@$(COURSE)/common/workshop/tools/series.sh put $(CHAPTER)
	+@$(MAKE) --no-print-directory -C build/course/$(CHAPTER) BACKEND=simt CFLAGS=-Wno-unused # of the helpers of other steps
run: all
	@build/course/build/simt/bin/$(CHAPTER) $(ARGS)
.PHONY: all run
