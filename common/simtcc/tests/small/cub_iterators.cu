// Uses Thrust's iterators and includes only CUB's header, which CUDA 13 allows.
#include <cub/cub.cuh>
int main()
{
    thrust::constant_iterator<int> a(7);
    thrust::counting_iterator<int> b(3);
    thrust::discard_iterator<> c;
    *c = 1;
    return a[5] + b[2] != 12;
}
