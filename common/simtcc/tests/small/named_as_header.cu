// Includes a header with the name of the program: check_simtcc.sh calls this file vector.cu.
#include <cstdio>
#include <vector>
__global__ void k() {}
int main()
{
    std::vector<int> v(3);
    k<<<1, 1>>>();
    printf("%zu\n", v.size());
}
