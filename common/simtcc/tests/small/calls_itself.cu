// Recursive host code: inlining it into itself took a minute and a half.
#include <algorithm>
#include <vector>
struct pair {
    int i;
    double s;
};
__global__ void k(int *p) { *p = 42; }
int main()
{
    std::vector<pair> v(9);
    std::stable_sort(v.begin(), v.end(), [](const pair &a, const pair &b) { return a.s < b.s; });
    int *p, x;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost);
    return x != 42;
}
