# nccl.mk - finds NCCL for libdist.a: sets NCCL (the library's file, empty without NCCL) and NCCL_HOME.
#   NCCL_HOME=DIR  where NCCL is, if it is not beside the toolkit or in the system
ifeq ($(BACKEND),cuda)
  NCCL_HOME ?= $(firstword $(patsubst %/include/nccl.h,%,$(wildcard $(CUDA_HOME)/include/nccl.h /usr/include/nccl.h /usr/local/include/nccl.h)))
  NCCL := $(firstword $(wildcard $(foreach d,lib lib64 lib/$(shell uname -m)-linux-gnu,$(NCCL_HOME)/$d/libnccl.so.2)))
  ifneq ($(NCCL),)
    LIBS += $(NCCL) -Wl,-rpath,$(abspath $(dir $(NCCL)))
  endif
endif
