// More __constant__ memory than a GPU has.
__constant__ float big[20000];
__global__ void k(float *p) { *p = big[threadIdx.x]; }
