// Mipmapped arrays: levels by number and by gradients, filled by copies and by surfaces; the four texels of a gather.
#include <cstdio>

enum { WIDTH = 16, HEIGHT = 8, LEVELS = 4 };

__global__ void fill(cudaSurfaceObject_t level, int width, int height, float value)
{
    for (int y = 0; y < height; ++y)
        for (int x = threadIdx.x; x < width; x += blockDim.x) surf2Dwrite(value + x, level, 4 * x, y);
}

__global__ void read(cudaTextureObject_t t, float *out)
{
    const float x = 0.5f / WIDTH, y = 0.5f; // the first column of level 0
    int n = 0;
    for (float level : {0.0f, 1.0f, 1.4f, 2.0f, 3.0f, 9.0f, -1.0f}) out[n++] = tex2DLod<float>(t, x, y, level);
    out[n++] = tex2D<float>(t, x, y);
    out[n++] = tex2DGrad<float>(t, x, y, make_float2(4.0f / WIDTH, 0), make_float2(0, 4.0f / HEIGHT));
    tex2DLod<float>(&out[n++], t, 15.5f / WIDTH, y, 0);
}

__global__ void gather(cudaTextureObject_t plain, cudaTextureObject_t bytes, float4 *out)
{
    out[0] = tex2Dgather<float4>(plain, 2, 1);           // between columns 1 and 2, rows 0 and 1
    out[1] = tex2Dgather<float4>(plain, 0, 0);           // at the corner: clamped
    const uchar4 v = tex2Dgather<uchar4>(bytes, 1, 1, 2);
    out[2] = make_float4(v.x, v.y, v.z, v.w);
}

int main()
{
    cudaMipmappedArray_t mip;
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaMallocMipmappedArray(&mip, &floats, make_cudaExtent(WIDTH, HEIGHT, 0), LEVELS, cudaArraySurfaceLoadStore);
    for (int k = 0; k < LEVELS; ++k) {
        cudaArray_t level;
        cudaExtent extent;
        cudaGetMipmappedArrayLevel(&level, mip, k);
        cudaArrayGetInfo(nullptr, &extent, nullptr, level);
        cudaResourceDesc r = {};
        r.resType = cudaResourceTypeArray;
        r.res.array.array = level;
        cudaSurfaceObject_t surface;
        cudaCreateSurfaceObject(&surface, &r);
        fill<<<1, 32>>>(surface, extent.width, extent.height, 100.0f * k);
        cudaDestroySurfaceObject(surface);
    }
    cudaArray_t beyond;
    printf("levels %s", cudaGetErrorName(cudaGetMipmappedArrayLevel(&beyond, mip, LEVELS)));
    cudaGetLastError();

    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = mip;
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.maxMipmapLevelClamp = LEVELS - 1;
    float *d_out, out[12];
    cudaMalloc(&d_out, sizeof out);
    for (cudaTextureFilterMode between : {cudaFilterModePoint, cudaFilterModeLinear}) {
        how.mipmapFilterMode = between;
        cudaTextureObject_t t;
        cudaCreateTextureObject(&t, &r, &how, nullptr);
        read<<<1, 1>>>(t, d_out);
        cudaMemcpy(out, d_out, 10 * sizeof *out, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 10; ++i) printf(" %g", out[i]);
        cudaDestroyTextureObject(t);
    }
    cudaFreeMipmappedArray(mip);

    float rows[2][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}};
    uchar4 colours[2][2] = {{{1, 2, 3, 4}, {5, 6, 7, 8}}, {{9, 10, 11, 12}, {13, 14, 15, 16}}};
    cudaChannelFormatDesc four = cudaCreateChannelDesc<uchar4>();
    cudaArray_t a, b;
    cudaMallocArray(&a, &floats, 4, 2, cudaArrayTextureGather);
    cudaMallocArray(&b, &four, 2, 2, cudaArrayTextureGather);
    cudaMemcpy2DToArray(a, 0, 0, rows, sizeof rows[0], sizeof rows[0], 2, cudaMemcpyHostToDevice);
    cudaMemcpy2DToArray(b, 0, 0, colours, sizeof colours[0], sizeof colours[0], 2, cudaMemcpyHostToDevice);
    how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    r = {};
    r.resType = cudaResourceTypeArray;
    cudaTextureObject_t plain, bytes;
    r.res.array.array = a;
    cudaCreateTextureObject(&plain, &r, &how, nullptr);
    r.res.array.array = b;
    cudaCreateTextureObject(&bytes, &r, &how, nullptr);
    gather<<<1, 1>>>(plain, bytes, (float4 *)d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    printf("\ngather");
    for (float x : out) printf(" %g", x);
    printf(": %s\n", cudaGetErrorString(cudaGetLastError()));
}
