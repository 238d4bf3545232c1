# goals.mk - builds simtcc, and tests it on other people's programs
##
## make simtcc                builds simtcc, which replaces nvcc, and simt run: CUDA programs on the CPU, checked and counted
# Runs any .cu file on the CPU: simtcc replaces nvcc; simt run (docs/simtcc.md).
simtcc: $(ON_SIMT)
	+@$(STEP) -C common/simtcc install
	@echo 'build/simtcc/bin/simtcc FILE.cu -o PROGRAM; build/simtcc/bin/simt run PROGRAM; make install-simt PREFIX=/usr/local installs both'
## make simt-score CORPUS=FOLDER   builds and runs every CUDA program of a folder, and counts those that are right
# Counts how many programs of a folder work: CORPUS=FOLDER [LIST=FILE] (common/simtcc/score.py --help)
simt-score: simtcc
	@common/simtcc/score.py "$$CORPUS" $(if $(LIST),--list "$$LIST") --out build/results/simt-score.tsv && echo build/results/simt-score.tsv
## make simt-races CORPUS=FOLDER RUNS=FILE   runs programs with known bugs: which bugs are reported, and which reports are false
# Counts the reported bugs in programs that name their bug: CORPUS=FOLDER RUNS=FILE (common/simtcc/races.py --help)
simt-races: simtcc
	@common/simtcc/races.py "$$CORPUS" --runs "$$RUNS" --out build/results/simt-races.tsv && echo build/results/simt-races.tsv
## make install-simt PREFIX=/usr/local [DESTDIR=]   installs simtcc and simt; uninstall-simt removes them   (docs/simtcc.md)
install-simt: $(ON_SIMT)
	+@$(STEP) -C common/simtcc install $(if $(PREFIX),PREFIX='$(PREFIX)',PREFIX=/usr/local) $(if $(DESTDIR),DESTDIR='$(DESTDIR)')
uninstall-simt:
	+@$(STEP) -C common/simtcc uninstall $(if $(PREFIX),PREFIX='$(PREFIX)',PREFIX=/usr/local) $(if $(DESTDIR),DESTDIR='$(DESTDIR)')

.PHONY: simtcc simt-score simt-races install-simt uninstall-simt
