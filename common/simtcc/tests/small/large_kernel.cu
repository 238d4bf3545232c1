// The kernel that large_host.cu launches.
__global__ void twice(float *p, int n) { p[0] *= 2; }
