/* fourier.cu - cuFFT compared with plain sums, forward and inverse; fourier N: mistakes */
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cufft.h>
#include <vector>

typedef std::complex<double> number;

static int bad;

static void is(const char *what, bool right)
{
    if (!right && ++bad)
        printf("%s\n", what);
}

/* `batch` transforms of n numbers, in place. */
static void one_dimension(int batch)
{
    const int n = 12;
    std::vector<cufftComplex> in(n * 3), out(n * 3);
    for (int i = 0; i < n * 3; ++i)
        in[i] = cufftComplex{(float)(i * 7 % 5), (float)(i * 3 % 4)};
    cufftComplex *d;
    cudaMalloc(&d, in.size() * sizeof *d);
    cudaMemcpy(d, in.data(), in.size() * sizeof *d, cudaMemcpyHostToDevice);
    cufftHandle plan;
    is("a plan", cufftPlan1d(&plan, n, CUFFT_C2C, batch) == CUFFT_SUCCESS);
    is("there", cufftExecC2C(plan, d, d, CUFFT_FORWARD) == CUFFT_SUCCESS);
    cudaMemcpy(out.data(), d, out.size() * sizeof *d, cudaMemcpyDeviceToHost);
    for (int k = 0; k < n * 3; ++k) {
        number sum = 0;
        for (int i = 0; i < n; ++i)
            sum += number(in[k / n * n + i].x, in[k / n * n + i].y) * std::polar(1.0, -2 * M_PI * i * (k % n) / n);
        is("the sum", abs(sum - number(out[k].x, out[k].y)) < 1e-4);
    }
    is("back", cufftExecC2C(plan, d, d, CUFFT_INVERSE) == CUFFT_SUCCESS);
    cudaMemcpy(out.data(), d, out.size() * sizeof *d, cudaMemcpyDeviceToHost);
    is("there and back", fabs(out[29].x / n - in[29].x) < 1e-5);
    is("another type", cufftExecZ2Z(plan, nullptr, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_TYPE);
    is("the end", cufftDestroy(plan) == CUFFT_SUCCESS && cufftDestroy(plan) == CUFFT_INVALID_PLAN);
}

/* Real numbers in two dimensions, out of place and in place, where each row has room for its transform. */
static void real_numbers()
{
    const int nx = 4, ny = 6;
    std::vector<double> x(nx * ny), y(nx * ny);
    double sum = 0;
    for (int i = 0; i < nx * ny; ++i)
        sum += x[i] = i * i % 11;
    double *d, *padded;
    cufftDoubleComplex *z, first;
    const size_t row = ny * sizeof *d, long_row = (ny + 2) * sizeof *d;
    cudaMalloc(&d, nx * row);
    cudaMalloc(&padded, nx * long_row);
    cudaMalloc(&z, nx * long_row);
    cudaMemcpy(d, x.data(), nx * row, cudaMemcpyHostToDevice);
    cudaMemcpy2D(padded, long_row, x.data(), row, row, nx, cudaMemcpyHostToDevice);
    cufftHandle there, back;
    is("plans", !cufftPlan2d(&there, nx, ny, CUFFT_D2Z) && !cufftPlan2d(&back, nx, ny, CUFFT_Z2D));
    is("D2Z", cufftExecD2Z(there, d, z) == CUFFT_SUCCESS);
    cudaMemcpy(&first, z, sizeof first, cudaMemcpyDeviceToHost);
    is("the mean", fabs(first.x - sum) < 1e-9);
    is("Z2D", cufftExecZ2D(back, z, d) == CUFFT_SUCCESS);
    cudaMemcpy(y.data(), d, nx * row, cudaMemcpyDeviceToHost);
    is("real numbers there and back", fabs(y[17] / (nx * ny) - x[17]) < 1e-9);
    is("in place", !cufftExecD2Z(there, padded, (cufftDoubleComplex *)padded) &&
                       !cufftExecZ2D(back, (cufftDoubleComplex *)padded, padded));
    cudaMemcpy2D(y.data(), row, padded, long_row, row, nx, cudaMemcpyDeviceToHost);
    is("in place there and back", fabs(y[17] / (nx * ny) - x[17]) < 1e-9);
}

/* The columns of a matrix of 4 rows. */
static void columns(int n)
{
    int length[] = {4};
    float x[20], *d;
    for (int i = 0; i < 20; ++i)
        x[i] = (float)i;
    cufftComplex *out, z[15];
    cudaMalloc(&d, sizeof x);
    cudaMalloc(&out, sizeof z);
    cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
    cufftHandle plan;
    is("many", cufftPlanMany(&plan, 1, length, length, 5, 1, length, 5, 1, CUFFT_R2C, n) == CUFFT_SUCCESS);
    is("R2C", cufftExecR2C(plan, d, out) == CUFFT_SUCCESS);
    cudaMemcpy(z, out, sizeof z, cudaMemcpyDeviceToHost);
    is("the sums of the columns", z[0].x == 30 && z[4].x == 46);
}

int main(int argc, char **argv)
{
    const int wrong = argc > 1 ? atoi(argv[1]) : 0;
    one_dimension(wrong == 1 ? 4 : 3);
    real_numbers();
    columns(wrong == 2 ? 6 : 5);
    printf("bad %d\n", bad);
}
