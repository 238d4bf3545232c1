// Products of tiles by nvcuda::wmma compared with plain sums.
#include <cstdio>
#include <mma.h>
using namespace nvcuda;

template <class C, class LA, class LB> __global__ void tiles(const half *a, const half *b, C *c, int n)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, LA> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, LB> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, C> fc;
    const int row = 16 * (threadIdx.x / 32), column = 16 * blockIdx.x;
    wmma::fill_fragment(fc, C(0.0f));
    for (int k = 0; k < n; k += 16) {
        const bool rows = std::is_same<LA, wmma::row_major>::value, b_rows = std::is_same<LB, wmma::row_major>::value;
        wmma::load_matrix_sync(fa, rows ? a + row * n + k : a + k * n + row, n);
        wmma::load_matrix_sync(fb, b_rows ? b + k * n + column : b + column * n + k, n);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = C((float)fc.x[i] * 2.0f);
    wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

template <class C, class LA, class LB> int wrong()
{
    const int n = 32;
    half h_a[n * n], h_b[n * n], *a, *b;
    C h_c[n * n], *c;
    for (int i = 0; i < n * n; ++i) {
        h_a[i] = __float2half((float)(i % 7) - 3);
        h_b[i] = __float2half((float)(i % 5) - 1);
    }
    cudaMalloc(&a, sizeof h_a);
    cudaMalloc(&b, sizeof h_b);
    cudaMalloc(&c, sizeof h_c);
    cudaMemcpy(a, h_a, sizeof h_a, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h_b, sizeof h_b, cudaMemcpyHostToDevice);
    tiles<C, LA, LB><<<n / 16, 64>>>(a, b, c, n);
    cudaMemcpy(h_c, c, sizeof h_c, cudaMemcpyDeviceToHost);
    const bool rows = std::is_same<LA, wmma::row_major>::value, b_rows = std::is_same<LB, wmma::row_major>::value;
    int bad = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int k = 0; k < n; ++k)
                sum += __half2float(h_a[rows ? i * n + k : k * n + i]) *
                       __half2float(h_b[b_rows ? k * n + j : j * n + k]);
            bad += (float)h_c[i * n + j] != 2 * sum;
        }
    return bad;
}

// Other lanes see the stored tile only after a __syncwarp().
__global__ void stores(float *to, bool meets)
{
    __shared__ float tile[256];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 3.0f);
    wmma::store_matrix_sync(tile, c, 16, wmma::mem_row_major);
    if (meets) __syncwarp();
    to[threadIdx.x] = tile[255 - threadIdx.x];
}

int main(int argc, char **)
{
    float *to;
    cudaMalloc(&to, 128);
    stores<<<1, 32>>>(to, argc == 1);
    printf("wmma %d", wrong<float, wmma::row_major, wmma::row_major>());
    printf(" %d", wrong<float, wmma::row_major, wmma::col_major>());
    printf(" %d", wrong<float, wmma::col_major, wmma::row_major>());
    printf(" %d %s\n", wrong<half, wmma::col_major, wmma::col_major>(), cudaGetErrorString(cudaGetLastError()));
}
