// thrust::device comes with thrust/set_operations.h, since release 2.
#include <thrust/set_operations.h>
auto policy = thrust::device;
int main() {}
