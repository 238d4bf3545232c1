// thrust::async: the results of its algorithms, with and without policies, one after another.
#include <cstdio>
#include <thrust/async/copy.h>
#include <thrust/async/for_each.h>
#include <thrust/async/reduce.h>
#include <thrust/async/scan.h>
#include <thrust/async/sort.h>
#include <thrust/async/transform.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

struct twice {
    __host__ __device__ int operator()(int x) const { return 2 * x; }
};
struct add_to {
    int *sum;
    __device__ void operator()(int x) const { atomicAdd(sum, x); }
};

int main()
{
    const int n = 100;
    thrust::device_vector<int> a(n), b(n), c(n), sum(1, 0);
    thrust::host_vector<int> h(n);
    thrust::sequence(a.begin(), a.end(), 1);
    auto doubled = thrust::async::transform(a.begin(), a.end(), b.begin(), twice());
    auto scanned = thrust::async::inclusive_scan(thrust::device.after(doubled), b.begin(), b.end(), c.begin());
    auto total = thrust::async::reduce(thrust::device.after(scanned), a.begin(), a.end(), 0, thrust::plus<int>());
    auto sorted = thrust::async::sort(thrust::device, a.begin(), a.end(), thrust::greater<int>());
    auto most = thrust::async::reduce(a.begin(), a.end(), -1, thrust::maximum<int>());
    thrust::async::for_each(a.begin(), a.end(), add_to{thrust::raw_pointer_cast(sum.data())}).wait();
    thrust::async::reduce_into(b.begin(), b.end(), c.begin(), 0).wait();
    auto copied = thrust::async::copy(thrust::device, thrust::host, a.begin(), a.end(), h.begin());
    thrust::when_all(sorted, copied).wait();
    printf("async %d %d %d %d %d %d\n", total.get(), most.extract(), (int)sum[0], (int)c[0], (int)c[n - 1], h[0]);
}
