// Copies, frees and memsets.  Cases from 1 on are wrong, their twins from 21 on are right.
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void twice(int *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 2 * i;
}
__global__ void fetch(cudaTextureObject_t t, int *x) { x[threadIdx.x] = tex1Dfetch<int>(t, 999 + threadIdx.x); }

int main(int, char **argv)
{
    const int number = atoi(argv[1]) % 20, right = atoi(argv[1]) > 20, n = 1000;
    const size_t bytes = n * sizeof(int), more = right ? bytes : bytes + 4;
    int *d_x, *d_y, *pinned, *h_x = (int *)malloc(bytes), *h_y = new int[n]();
    std::vector<int> h_z(n);
    cudaMalloc(&d_x, bytes); cudaMalloc(&d_y, bytes + 4);
    cudaMallocHost((void **)&pinned, bytes);
    cudaMemset(d_x, 0, bytes);
    cudaMemset(d_y, 0, bytes + 4);
    for (int i = 0; i < n; ++i) h_x[i] = i;
    switch (number) {
    case 1: cudaMemcpy(d_x, h_x, more, cudaMemcpyHostToDevice); break; // past the end of the GPU's buffer
    case 2: cudaMemcpy(h_x, d_y, more, cudaMemcpyDeviceToHost); break; // past the end of a malloc buffer
    case 3: cudaMemcpy(d_y, h_y, more, cudaMemcpyHostToDevice); break; // past a new buffer
    case 4: cudaMemcpy(h_z.data() + 1, d_y, more - 4, cudaMemcpyDeviceToHost); break; // past a vector
    case 5: cudaMemcpy(pinned, d_y, more, cudaMemcpyDeviceToHost); break; // past pinned memory
    case 6: cudaMemcpy(d_x, h_x, bytes, right ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost); break;
    case 7: cudaFree(d_x); if (!right) cudaFree(d_x); d_x = nullptr; break;
    case 8:
        if (!right) cudaFree(d_x);
        cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost);
        if (!right) d_x = nullptr;
        break;
    case 9: if (!right) cudaFree(d_x); twice<<<4, 256>>>(d_x, n); if (!right) d_x = nullptr; break;
    case 10: cudaFree(right ? d_y : d_y + 1); if (right) d_y = nullptr; break;
    case 11: cudaMemset(d_x, 0, more); break;
    case 12: cudaFree(right ? d_y : pinned); if (right) d_y = nullptr; break;
    case 13:
        if (!right) free(h_x), h_x = (int *)malloc(bytes / 2);
        cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
        break;
    case 14: cudaMemcpy2D(h_x, 100, d_y, 128, 100, right ? 31 : 32, cudaMemcpyDeviceToHost); break;
    case 15: cudaMemcpy(d_y + 1, right ? d_x : d_y, bytes, cudaMemcpyDeviceToDevice); break; // overlaps
    case 16: cudaMemcpy2D(h_x, right ? 100 : 25, d_y, 128, 100, 31, cudaMemcpyDeviceToHost); break; // pitch in elements
    case 17: { // a texture that is larger than its buffer
        cudaResourceDesc buffer = {};
        buffer.resType = cudaResourceTypeLinear;
        buffer.res.linear.devPtr = d_x;
        buffer.res.linear.desc = cudaCreateChannelDesc<int>();
        buffer.res.linear.sizeInBytes = more;
        cudaTextureDesc how = {};
        cudaTextureObject_t texture;
        cudaCreateTextureObject(&texture, &buffer, &how, nullptr);
        fetch<<<1, 2>>>(texture, d_y);
        break;
    }
    }
    cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFreeHost(pinned);
    free(h_x);
    delete[] h_y;
}
