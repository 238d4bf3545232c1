// Local variables that are read before they are written.  0 and 6: none; N: case N.
#include <cstdio>
#include <cstdlib>

enum { N = 32 };

struct Sum { float sum; };

__device__ void clear(float &sum) { sum = 0; }

// Each variable has a value before it is read, or the compiler cannot tell.
__global__ void right(const int *in, float *out, int turn)
{
    float sum, before = 1, most, later[4], copied;
    clear(sum);
    for (int k = 0; k < N; ++k) sum += (float)in[k];
    most = before;
    for (int k = 0; k < N; ++k) most = max(most, (float)in[k]);
    for (int k = 0; k < 4; ++k) later[k] = 0;
    for (int k = 0; k < N; ++k) later[k % 4] += (float)in[k];
    float first;                                // set in the first round
    for (int k = 0; k < N; ++k)
        if (k > 0) first += (float)in[k];
        else first = (float)in[k];
    float by_asm, two[2];
    asm("mov.f32 %0, 0f00000000;" : "=f"(by_asm));
    by_asm += 1;
    float *p = &two[0];
    p[0] = p[1] = 2;
    two[0] += 1;
    int bits;
    memcpy(&bits, &in[0], sizeof bits);
    bits |= 1;
    int temp, low = 1, high = 2;
    temp = low, low = high, high = temp;
    bits += high;
    Sum s;
    s.sum = 0, s.sum += 1;
    { float sum = 3; sum += 1, s.sum += sum; }
    if (turn) copied = first;
    out[threadIdx.x] = sum + most + later[0] + by_asm + two[0] + (float)bits + s.sum + (turn ? copied : 0);
}

__global__ void a_sum(const int *in, float *out)
{
    float other = 0, sum;
    for (int k = 0; k < N; ++k) sum += (float)in[k];
    out[threadIdx.x] = sum + other;
}

template <class T> __global__ void sums(const T *in, float *out)
{
    float bins[4];
    for (int k = 0; k < N; ++k) bins[k % 4] += (float)in[k];
    out[threadIdx.x] = bins[threadIdx.x % 4];
}

__device__ __noinline__ int largest(const int *in)
{
    int most;
    for (int k = 0; k < N; ++k) most = max(most, in[k]);
    return most;
}
__global__ void called(const int *in, float *out) { out[threadIdx.x] = (float)largest(in); }

__global__ void counts(const int *in, float *out)
{
    unsigned n;
    for (int k = 0; k < N; ++k)
        if (in[k] & 1) ++n;
    out[threadIdx.x] = (float)n;
}

struct Total {
    int n;
    __device__ Total() : n(0) {}
    __device__ Total &operator+=(int x) { return n += x, *this; }
    __device__ operator float() const { return (float)n; }
};
template <typename T, int M> __global__ void total(const int *in, float *out)
{
    T sum, other[2];                            // the class initialises itself
    if (M == 2) other[0] = other[1] = T();
    for (int k = 0; k < N; ++k) sum += in[k];
    other[1] += 1;
    out[threadIdx.x] = (float)sum + (M == 2 ? (float)other[0] : 0);
}

int main(int, char **argv)
{
    int host[N], *in;
    float *out;
    for (int i = 0; i < N; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, N * sizeof *out);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    switch (atoi(argv[1])) {
    case 0: right<<<1, N>>>(in, out, 1); break;
    case 1: a_sum<<<1, N>>>(in, out); break;
    case 2: sums<<<1, N>>>(in, out); break;
    case 3: called<<<1, N>>>(in, out); break;
    case 4: counts<<<1, N>>>(in, out); break;
    case 5: total<float, 1><<<1, N>>>(in, out); break;
    case 6: total<Total, 2><<<1, N>>>(in, out); break;
    }
    float seen[N];
    cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost);
    printf("%g %s\n", seen[0], cudaGetErrorString(cudaDeviceSynchronize()));
}
