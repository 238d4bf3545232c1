// cuda::std::span and mdspan: on the host, in kernels, with constant extents, column-major.  With an argument
// an index is too large.
#include <cstdio>
#include <vector>
#include <cuda/std/mdspan>
using matrix = cuda::std::mdspan<int, cuda::std::dims<2>>;
using columns = cuda::std::mdspan<const int, cuda::std::extents<int, 4, cuda::std::dynamic_extent>,
                                  cuda::std::layout_left>;
__global__ void turned(matrix to, columns from)
{
    const int row = threadIdx.x / to.extent(1), column = threadIdx.x % to.extent(1);
    to(row, column) = from(row, column);
}
__global__ void sum(cuda::std::span<const int> a, cuda::std::span<int, 1> to, size_t from)
{
    for (int x : a.subspan(from)) to[0] += x;
}
int main(int argc, char **)
{
    std::vector<int> h(24);
    for (int i = 0; i < 24; ++i) h[i] = i;
    const cuda::std::span<int> all(h);
    int *a, *b, total = 0, wrong = 0;
    cudaMalloc(&a, all.size_bytes());
    cudaMalloc(&b, all.size_bytes());
    cudaMemcpy(a, all.data(), all.size_bytes(), cudaMemcpyHostToDevice);
    turned<<<1, 24>>>(matrix(b, 4, 6 + (argc > 1)), columns(a, 6));
    cudaMemcpy(h.data(), b, all.size_bytes(), cudaMemcpyDeviceToHost);
    const cuda::std::mdspan m(h.data(), 4, 6);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 6; ++j) wrong += m(i, j) != i + 4 * j;
    cudaMemset(b, 0, sizeof *b);
    sum<<<1, 1>>>({a, 24}, cuda::std::span<int, 1>(b, 1), 20);
    cudaMemcpy(&total, b, sizeof total, cudaMemcpyDeviceToHost);
    printf("spans %d %d %d %d: %s\n", wrong, total, (int)m.size(), (int)m.stride(0),
           cudaGetErrorString(cudaGetLastError()));
}
