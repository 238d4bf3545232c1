/* fourier_xt.cu - cuFFT's callbacks, and transforms over two GPUs (SIMT_DEVICES=2); fourier_xt N: mistakes */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cufftXt.h>

enum { N = 64 };
static int bad;

static void is(const char *what, bool right)
{
    if (!right && ++bad)
        printf("%s\n", what);
}

struct filter { const float *weight; int beyond; };
__device__ cufftComplex weighted(void *in, size_t i, void *info, void *)
{
    const filter *f = (const filter *)info;
    cufftComplex c = ((cufftComplex *)in)[i];
    const float w = f->weight[i + f->beyond];
    return {w * c.x, w * c.y};
}
__device__ void real_part(void *out, size_t i, cufftComplex c, void *, void *) { ((float *)out)[i] = c.x / N; }
__device__ cufftCallbackLoadC load = weighted;
__device__ cufftCallbackStoreC store = real_part;

/* A forward transform, and an inverse one that loads with weights and stores only real parts. */
static void callbacks(int beyond)
{
    float x[N], weight[N], *d_weight, *real;
    cufftComplex z[N], *d;
    for (int i = 0; i < N; ++i) {
        z[i] = {x[i] = (float)(i * 7 % 5), 0};
        weight[i] = i == 0 ? 0.0f : 1.0f; // removes the mean
    }
    cudaMalloc(&d, sizeof z);
    cudaMalloc(&real, sizeof x);
    cudaMalloc(&d_weight, sizeof weight);
    cudaMemcpy(d, z, sizeof z, cudaMemcpyHostToDevice);
    cudaMemcpy(d_weight, weight, sizeof weight, cudaMemcpyHostToDevice);
    const filter f = {d_weight, beyond};
    filter *info;
    cudaMalloc(&info, sizeof f);
    cudaMemcpy(info, &f, sizeof f, cudaMemcpyHostToDevice);
    cufftCallbackLoadC loads;
    cufftCallbackStoreC stores;
    cudaMemcpyFromSymbol(&loads, load, sizeof loads);
    cudaMemcpyFromSymbol(&stores, store, sizeof stores);
    cufftHandle there, back;
    cufftPlan1d(&there, N, CUFFT_C2C, 1);
    cufftPlan1d(&back, N, CUFFT_C2C, 1);
    is("a callback", !cufftXtSetCallback(back, (void **)&loads, CUFFT_CB_LD_COMPLEX, (void **)&info));
    is("another", !cufftXtSetCallback(back, (void **)&stores, CUFFT_CB_ST_COMPLEX, nullptr));
    is("one of another type",
       cufftXtSetCallback(back, (void **)&loads, CUFFT_CB_LD_REAL, nullptr) == CUFFT_INVALID_TYPE);
    is("there", !cufftExecC2C(there, d, d, CUFFT_FORWARD));
    cufftExecC2C(back, d, (cufftComplex *)real, CUFFT_INVERSE);
    float mean = 0, y[N];
    cudaMemcpy(y, real, sizeof y, cudaMemcpyDeviceToHost);
    for (float v : x) mean += v / N;
    for (int i = 0; i < N; ++i) is("a number without the mean", beyond || fabsf(y[i] - (x[i] - mean)) < 1e-5f);
}

__device__ cufftComplex without_mean(void *in, size_t i, void *, void *)
{ return i % (N / 2 + 1) ? ((cufftComplex *)in)[i] : cufftComplex{0, 0}; }
__device__ cufftCallbackLoadC load_others = without_mean;

/* Real numbers, forward and inverse in place: rows of N numbers in N + 2. */
static void callback_in_place()
{
    enum { ROWS = 3, LONG = N + 2 };
    float x[ROWS][LONG] = {}, y[ROWS][LONG], *d;
    for (int r = 0; r < ROWS; ++r)
        for (int i = 0; i < N; ++i) x[r][i] = (float)(i * (7 + r) % 5);
    cudaMalloc(&d, sizeof x);
    cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
    cufftCallbackLoadC loads;
    cudaMemcpyFromSymbol(&loads, load_others, sizeof loads);
    cufftHandle there, back;
    cufftPlan1d(&there, N, CUFFT_R2C, ROWS);
    cufftPlan1d(&back, N, CUFFT_C2R, ROWS);
    is("one in place", !cufftXtSetCallback(back, (void **)&loads, CUFFT_CB_LD_COMPLEX, nullptr));
    is("there in place", !cufftExecR2C(there, d, (cufftComplex *)d));
    is("back in place", !cufftExecC2R(back, (cufftComplex *)d, d));
    cudaMemcpy2D(y, sizeof *y, d, sizeof *y, N * sizeof **y, ROWS, cudaMemcpyDeviceToHost);
    for (int r = 0; r < ROWS; ++r) {
        float mean = 0;
        for (int i = 0; i < N; ++i) mean += x[r][i] / N;
        for (int i = 0; i < N; ++i) is("a row in place", fabsf(y[r][i] / N - (x[r][i] - mean)) < 1e-5f);
    }
    cufftDestroy(there);
    cufftDestroy(back);
    cudaFree(d);
}

__global__ void halve(cufftComplex *z, size_t n)
{
    const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = {z[i].x / 2, z[i].y / 2};
}

static void two_gpus()
{
    cufftHandle plan;
    int which[] = {0, 1};
    size_t work[2];
    cufftComplex z[N];
    for (int i = 0; i < N; ++i) z[i] = {(float)(i % 7), (float)(i % 3)};
    cufftCreate(&plan);
    is("the GPUs", !cufftXtSetGPUs(plan, 2, which));
    is("the plan", !cufftMakePlan1d(plan, N, CUFFT_C2C, 1, work));
    cudaLibXtDesc *d;
    is("memory", !cufftXtMalloc(plan, &d, CUFFT_XT_FORMAT_INPLACE));
    is("its parts", d->descriptor->nGPUs == 2 && d->descriptor->size[1] == N / 2 * sizeof *z);
    is("up", !cufftXtMemcpy(plan, d, z, CUFFT_COPY_HOST_TO_DEVICE));
    is("there", !cufftXtExecDescriptorC2C(plan, d, d, CUFFT_FORWARD));
    for (int gpu : which) {
        cudaSetDevice(gpu);
        halve<<<1, N>>>((cufftComplex *)d->descriptor->data[gpu], d->descriptor->size[gpu] / sizeof *z);
        cudaDeviceSynchronize();
    }
    is("back", !cufftXtExecDescriptor(plan, d, d, CUFFT_INVERSE));
    is("down", !cufftXtMemcpy(plan, z, d, CUFFT_COPY_DEVICE_TO_HOST));
    for (int i = 0; i < N; ++i) is("half a number", fabsf(z[i].x / N - (i % 7) / 2.0f) < 1e-5f);
    is("no memory", !cufftXtFree(d));
}

int main(int argc, char **argv)
{
    callbacks(argc > 1 ? atoi(argv[1]) : 0);
    callback_in_place();
    if (argc == 1) two_gpus();
    printf("bad %d\n", bad);
}
