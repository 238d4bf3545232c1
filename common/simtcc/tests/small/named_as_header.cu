// Includes a header whose name the program beside it has: check_simtcc.sh calls it vector.cu.
#include <cstdio>
#include <vector>
__global__ void k() {}
int main()
{
    std::vector<int> v(3);
    k<<<1, 1>>>();
    printf("%zu\n", v.size());
}
