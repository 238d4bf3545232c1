// A cuRAND state has the same size in a .cu file as in random_state.cpp.
#include <curand_kernel.h>
size_t here();
int main() { return here() != sizeof(curandState); }
