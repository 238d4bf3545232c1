// Functions that Thrust of CUDA 13 declares in sort.h only.
#include <thrust/device_vector.h>
#include <thrust/sort.h>
int main()
{
    thrust::device_vector<int> d(9);
    thrust::sequence(d.begin(), d.end(), 2);
    printf("most %d", (int)*thrust::max_element(d.begin(), d.end()));
}
