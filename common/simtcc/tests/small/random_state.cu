// A state of cuRAND's is as large in a .cu file as in random_state.cpp.
#include <curand_kernel.h>
size_t here();
int main() { return here() != sizeof(curandState); }
