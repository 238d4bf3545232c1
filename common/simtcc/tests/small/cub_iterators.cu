// Thrust's iterators by CUB's header, as of CUDA 13.
#include <cub/cub.cuh>
int main()
{
    thrust::constant_iterator<int> a(7);
    thrust::counting_iterator<int> b(3);
    thrust::discard_iterator<> c;
    *c = 1;
    return a[5] + b[2] != 12;
}
