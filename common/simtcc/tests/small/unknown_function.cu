// A function of the GPU that nobody has.
__global__ void k(int *p) { *p = __nothing_of_the_kind(1); }
int main() {}
