// A Thrust vector, whose kernels are not counted, and a kernel that is counted.
#include <thrust/device_vector.h>
__global__ void own(int *p) { p[threadIdx.x] += 1; }
int main()
{
    thrust::device_vector<int> d(64);
    own<<<1, 64>>>(thrust::raw_pointer_cast(d.data()));
}
