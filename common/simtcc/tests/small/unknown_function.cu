// A kernel calls a function that is not declared.
__global__ void k(int *p) { *p = __nothing_of_the_kind(1); }
int main() {}
