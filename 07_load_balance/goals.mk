# goals.mk - the goals of chapter 07's rooms: libspmv, its rule, the applications, one matrix over several processes
##
# libspmv, and its rows inside the course.
LIB := 07_load_balance/libspmv
ROWS := 07_load_balance/rows
## make lib                   builds libspmv, the library of chapter 07   (docs/spmv-library.md)
lib:
	+@$(STEP) -C $(LIB) lib
## make install PREFIX=/usr/local [DESTDIR=]   installs libspmv; make uninstall removes it; make wheel builds its Python package
install:
	+@$(STEP) -C $(LIB) install $(if $(PREFIX),PREFIX='$(PREFIX)') $(if $(DESTDIR),DESTDIR='$(DESTDIR)')
uninstall:
	+@$(STEP) -C $(LIB) uninstall $(if $(PREFIX),PREFIX='$(PREFIX)') $(if $(DESTDIR),DESTDIR='$(DESTDIR)')
wheel:
	+@$(STEP) -C $(LIB) wheel $(if $(WHEELS),WHEELS='$(abspath $(WHEELS))')
## make record-ways, make rule   GPU=h200: times every kernel of libspmv on this GPU, and learns from the times which to choose
# The rule by which libspmv selects kernels: measures every kernel on this GPU, and learns the rule from the times.
record-ways: common
	+@$(STEP) -C $(ROWS) record-ways GPU=$(or $(GPU),h200)
rule:
	+@$(STEP) -C $(ROWS) rule GPU=$(or $(GPU),h200)
## make callers ARGS="--transpose" RECORD=FILE   times libspmv with several right-hand sides or transposed, and cuSPARSE
# Several right-hand sides and the transpose, compared with cuSPARSE: ARGS="--matrix FILE", RECORD=FILE.
callers: common
	+@$(STEP) -C $(ROWS) callers $(if $(ARGS),ARGS='$(ARGS)') $(if $(RECORD),RECORD='$(abspath $(RECORD))')
## make graphs RECORD=FILE     times libspmv and cuSPARSE in CUDA graphs of 20 products
graphs: common
	+@$(STEP) -C $(ROWS) graphs $(if $(ARGS),ARGS='$(ARGS)') $(if $(RECORD),RECORD='$(abspath $(RECORD))')
lib-rows: common
	+@$(STEP) -C $(ROWS) rows
07_load_balance: lib-rows

# Conjugate gradients and PageRank, with any SpMV of the chapters.
APPS := 07_load_balance/apps
## make apps                  builds 07_cg and 07_pagerank, programs of chapter 07   (docs/applications.md)
apps: common
	+@$(STEP) -C $(APPS) all

# One matrix on several processes: spmv_mpi and spmv_nccl.
DIST := 07_load_balance/distributed
dist: lib-rows
	+@$(STEP) -C $(DIST) all
## make mpi RANKS=4 ARGS=""    products with a matrix distributed over MPI ranks; make nccl: over GPUs   (docs/spmv-distributed.md)
mpi: dist
	@$(DIST)/mpirun.sh $(or $(RANKS),4) build/$(BACKEND)/bin/spmv_mpi $(ARGS)
nccl: dist
	@$(DIST)/mpirun.sh $(or $(RANKS),4) build/$(BACKEND)/bin/spmv_nccl $(ARGS)

.PHONY: lib install uninstall wheel record-ways rule callers graphs lib-rows apps dist mpi nccl
