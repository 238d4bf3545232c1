# student.mk - STUDENT=FILE.cu, a step of the learner's own: if it cannot be built, one line says so before anything is.
# $(value STUDENT) is the name as it was typed: it may hold a $.
STUDENT_FAULT := $(if $(value STUDENT),$(shell $(ROOT)/common/workshop/tools/student.sh '$(subst ','\'',$(value STUDENT))'))
ifneq ($(STUDENT_FAULT),)
  $(error $(STUDENT_FAULT))
endif
