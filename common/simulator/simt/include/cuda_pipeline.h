#include "cuda_pipeline_primitives.h" /* the functions of it; a pipeline as a class is in <cuda/pipeline>. */
