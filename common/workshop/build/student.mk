# student.mk - STUDENT=FILE.cu, a student's step: if it cannot be built, prints one line before anything is built.
# $(value STUDENT) is the name as it was typed, because it may contain a $.
STUDENT_FAULT := $(if $(value STUDENT),$(shell $(ROOT)/common/workshop/tools/student.sh '$(subst ','\'',$(value STUDENT))' $(if $(word 2,$(SELECTED)),,$(SELECTED))))
ifneq ($(STUDENT_FAULT),)
  $(error $(STUDENT_FAULT))
endif
