// Asks for quasi-random numbers without a toolkit.
#include <cstdio>
#include <curand.h>
int main()
{
    curandGenerator_t g;
    printf("%d\n", curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32));
}
