/* thrust.cu - device vectors, algorithms, functors and lambdas of Thrust; thrust N: mistakes */
#include <cstdio>
#include <thrust/complex.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

struct square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
struct only_here { /* device code, only in the second pass */
    __device__ int operator()(int x) const
    {
#ifdef __CUDA_ARCH__
        return x + 1;
#else
        return -1;
#endif
    }
};
struct body {
    float mass;
    int id;
};
struct lighter {
    __host__ __device__ bool operator()(const body &a, const body &b) const { return a.mass < b.mass; }
};
struct neighbour {
    const int *p;
    __device__ int operator()(int i) const { return p[i + 1]; }
};

__global__ void add(int *p, size_t n)
{
    const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += 1;
}

__global__ void sort_here(int *p, int n) { thrust::sort(thrust::seq, p, p + n); }

static void right(void)
{
    thrust::device_vector<int> d(1000);
    thrust::sequence(d.begin(), d.end());
    printf("sum %d\n", thrust::reduce(d.begin(), d.end()));
    printf("squares %d\n", thrust::transform_reduce(d.begin(), d.end(), square(), 0, thrust::plus<int>()));
    thrust::transform(d.begin(), d.end(), d.begin(), only_here());
    add<<<4, 256>>>(thrust::raw_pointer_cast(d.data()), d.size());
    printf("element %d\n", (int)d[0] + (int)d.back());
    thrust::inclusive_scan(d.begin(), d.end(), d.begin());
    thrust::sort(d.begin(), d.end(), thrust::greater<int>());
    thrust::host_vector<int> h = d;
    printf("sorted %d %d\n", h[0], h[999]);
    const int limit = 10;
    printf("few %d\n", (int)thrust::count_if(d.begin(), d.end(), [=] __device__(int x) { return x < limit; }));
    d.erase(thrust::remove_if(d.begin(), d.end(), [] __device__(int x) { return x % 2 == 0; }), d.end());
    printf("odd %zu\n", d.size());

    thrust::device_vector<body> bodies(3);
    for (int i = 0; i < 3; ++i)
        bodies[i] = body{(float)(5 * i % 4), i};
    printf("lightest %d\n", (int)(thrust::min_element(bodies.begin(), bodies.end(), lighter()) - bodies.begin()));
    thrust::device_vector<char> key(6, 'a'), keys(6);
    thrust::device_vector<int> count(6);
    key[4] = key[5] = 'b';
    const auto end = thrust::reduce_by_key(key.begin(), key.end(), thrust::counting_iterator<int>(0), keys.begin(),
                                           count.begin());
    printf("keys %d %d\n", (int)(end.first - keys.begin()), (int)count[1]);
    sort_here<<<1, 1>>>(thrust::raw_pointer_cast(count.data()), 6);
    printf("in a kernel %d\n", (int)count[5]);
    thrust::device_vector<thrust::complex<float>> z(4, thrust::complex<float>(1, 2));
    const thrust::complex<float> total = thrust::reduce(z.begin(), z.end());
    printf("complex %g %g\n", total.real(), total.imag());
    const auto squares = thrust::make_transform_iterator(thrust::counting_iterator<int>(1), square());
    printf("iterators %d\n", thrust::reduce(thrust::device, squares, squares + 10));
    thrust::device_vector<int> list{3, 1, 2}, other = {5, 6};
    const thrust::host_vector<int> on_host{7, 8};
    other = {4, 9};
    thrust::sort(list.begin(), list.end());
    printf("lists %d %d %d %zu\n", (int)list[0], (int)other[1], on_host[0], other.size());
    /* Thrust includes libcu++'s functors since CUDA 13. */
    const thrust::device_vector<int> even{0, 1, 0};
    thrust::stable_partition(list.begin(), list.end(), even.begin(), cuda::std::identity{});
    const int greatest = thrust::reduce(list.begin(), list.end(), 0, cuda::maximum<int>());
    printf("functors %d %d\n", (int)list[0], greatest);
}

int main(int argc, char **argv)
{
    thrust::device_vector<int> d(100, 1), e(100);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: right(); break;
    case 1: add<<<1, 128>>>(thrust::raw_pointer_cast(d.data()), 128); break;
    case 2: printf("%d\n", thrust::reduce(d.begin(), d.end() + 5)); break;
    case 3:
        thrust::sequence(e.begin(), e.end());
        thrust::transform(e.begin(), e.end(), e.begin(), neighbour{thrust::raw_pointer_cast(d.data())});
        break;
    case 4: printf("%d\n", *thrust::raw_pointer_cast(d.data())); break;
    case 5: printf("%d\n", (int)d[100]); break;
    }
    cudaDeviceSynchronize();
}
