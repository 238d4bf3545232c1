# quiet.mk - a build prints one short line per file; V=1 shows the commands.  Compiler messages are always shown.
ifneq ($(V),1)
  MAKEFLAGS += --silent
endif
# says WHAT,FILE: the short line, for a recipe.
says = @$(if $(filter 1,$(V)),,printf '%-4s %s\n' $1 '$(patsubst $(abspath $(ROOT))/%,%,$(abspath $2))')
