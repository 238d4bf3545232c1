# goals.mk - predicted times: their errors, and the descriptions of kernels and GPUs for them
##
## make predict-check         compares predicted times with the measured ones of an H200   (docs/prediction.md)
# Errors of the predicted times against the H200's results; SET_ASIDE=1 also shows the rows not used to fit the model.
PREDICTED := build/predicted
predict-check:
	@[ -e $(PREDICTED)/done ] || $(MAKE) --no-print-directory BACKEND=simt NVCC= $(CHAPTERS)
	@[ -e $(PREDICTED)/done ] || common/simulator/predict/run_check.sh build/simt $(PREDICTED)
	@common/simulator/predict/check.py $(if $(SET_ASIDE),--held-out) $(if $(WRITE),--write plots/data/h200/predicted.tsv) plots/data/h200 \
	    common/simulator/predict/cards/h200.card $(PREDICTED)/*.tsv
## make predict-fresh         with a GPU: measures and predicts matrices and sizes that no results file has
# Rows not used to fit the model: measured on this GPU if there is one, else on an H200; predicted on any machine.
FRESH := $(if $(filter cuda,$(BACKEND)),build/fresh/measured,plots/data/h200/fresh)
predict-fresh:
ifeq ($(BACKEND),cuda)
	+@common/simulator/predict/fresh_programs.sh cuda
	@common/simulator/predict/run_fresh.sh cuda build/cuda/bin $(FRESH)
endif
	+@common/simulator/predict/fresh_programs.sh simt
	@CARD=$(or $(CARD),h200) common/simulator/predict/run_fresh.sh simt build/simt/bin build/fresh/predicted
	@common/simulator/predict/check.py --fresh $(if $(WRITE),--write plots/data/h200/predicted_fresh.tsv) $(FRESH) \
	    $(if $(findstring /,$(CARD)),$(CARD),common/simulator/predict/cards/$(or $(CARD),h200).card) build/fresh/predicted/*.tsv

## make kernels               with nvcc: writes the table of nvcc's code for every kernel, for predictions
# Writes the table of nvcc's data of the kernels.
KERNEL_FILES = $(sort $(wildcard 0*/v*.cu 0*/[a-z]_*/v*.cu 0*/plan/*.cu $(LIB)/gpu/*.cu $(LIB)/gpu/*/*.cu))
kernels:
	@common/simulator/predict/static_table.py plots/data/kernels.tsv $(KERNEL_FILES)

## make card TO=my.card       with a GPU: writes its description for predictions, to use with --card
# Measures this GPU, and writes a description for --card.
card:
	@test -n '$(NVCC)' || { echo 'card needs nvcc and a GPU: ./bootstrap cuda fetches nvcc'; exit 2; }
	@mkdir -p build/cuda
	@$(NVCC) -std=c++17 -O3 --extended-lambda -arch=sm_$(SM) common/simulator/predict/measure_gpu.cu -o build/cuda/measure_gpu
	@build/cuda/measure_gpu common/simulator/predict/cards/h200.card "$${TO:-build/my.card}" && echo "make run N=5 BACKEND=simt ARGS=\"--card $${TO:-build/my.card}\""

.PHONY: predict-check predict-fresh kernels card
