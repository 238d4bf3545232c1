// Asks for quasi-random numbers where there are none.
#include <cstdio>
#include <curand.h>
int main()
{
    curandGenerator_t g;
    printf("%d\n", curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32));
}
