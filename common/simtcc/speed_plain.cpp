// Plain loops with the work of two kernels of speed.cu: processor time per element in ns, the minimum of five runs.
// c++ -O2 speed_plain.cpp -o speed_plain && ./speed_plain prints its lines of plots/data/simt/foreign_speed.tsv.
#include <cstdio>
#include <ctime>
#include <vector>

enum { THREADS = 1 << 20, SIDE = 256 };

static double now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

template <class F> static void time_of(const char *name, double elements, F work)
{
    double least = 1e300;
    for (int i = 0; i < 6; ++i) { // the first run allocates the memory
        const double begin = now();
        work();
        if (i > 0 && now() - begin < least) least = now() - begin;
    }
    printf("%s\tplain\tfp32\t%.2f\n", name, least / elements);
}

int main(int argc, char **)
{
    const float value = (float)argc; // unknown to the compiler
    std::vector<float> a(THREADS, value), b(THREADS, value), c(THREADS);
    time_of("vector_sum", THREADS, [&] { for (int i = 0; i < THREADS; ++i) c[i] = a[i] + b[i]; });
    time_of("plain_product", SIDE * SIDE, [&] {
        for (int row = 0; row < SIDE; ++row)
            for (int col = 0; col < SIDE; ++col) {
                float sum = 0;
                for (int k = 0; k < SIDE; ++k) sum += a[row * SIDE + k] * b[k * SIDE + col];
                c[row * SIDE + col] = sum;
            }
    });
    return !(c[SIDE] > 0);
}
