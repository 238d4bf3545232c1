// Structs with padding, written member by member and copied whole: the padding need not be written.
// Cases from 1 on leave a member or a struct unset, their twins from 21 on are right.
#include <cstdio>
#include <cstdlib>
#include <cstring>
struct item { int id; double value; char kind; double more; };  // 32 bytes, 4 and 7 of them padding
struct pair { double value; int id; };                          // 16, 4 at the end
struct small { short n; char kind; };                           // 4, 1
struct point { float x, y, z; };                                // none

template <class T> __global__ void copy(T *to, const T *from) { *to = *from; }
template <class T> __global__ void copy_all(T *to, const T *from, int n) { memcpy(to, from, n * sizeof(T)); }

__global__ void set(item *a, bool all)
{
    const int i = threadIdx.x;
    if (all) a[i].id = i;
    a[i].value = 1, a[i].kind = 'a', a[i].more = 1;
}
__global__ void set(pair *a, bool all)
{
    if (all) a->value = 1;
    a->id = 2;
}
__global__ void set(small *a, bool all)
{
    if (all) a->n = 1;
    a->kind = 2;
}
__global__ void set(point *a, bool all)
{
    a->x = a->y = 0;
    if (all) a->z = 0;
}
__global__ void in_shared(item *to, bool all)
{
    __shared__ item mine;
    if (all) mine.id = 1;
    mine.value = 2, mine.kind = 'c', mine.more = 3;
    *to = mine;
}

template <class T> static T *two()
{
    T *a;
    cudaMalloc(&a, 8 * sizeof(T));
    return a;
}
int main(int, char **argv)
{
    const int number = atoi(argv[1]) % 20;
    const bool right = atoi(argv[1]) > 20;
    item *items = two<item>();
    pair *pairs = two<pair>();
    small *smalls = two<small>();
    point *points = two<point>();
    item h[5];
    switch (number) {
    case 1: set<<<1, 4>>>(items, right), copy<<<1, 1>>>(items + 4, items); break;
    case 2: set<<<1, right ? 4 : 3>>>(items, true), copy_all<<<1, 1>>>(items + 4, items, 4); break;
    case 3: set<<<1, 1>>>(pairs, right), copy<<<1, 1>>>(pairs + 1, pairs); break;
    case 4: set<<<1, 1>>>(smalls, right), copy<<<1, 1>>>(smalls + 1, smalls); break;
    case 5: set<<<1, 1>>>(points, right), copy<<<1, 1>>>(points + 1, points); break;
    case 6: in_shared<<<1, 1>>>(items, right); break;
    case 7: // to the host
        set<<<1, 4>>>(items, true);
        cudaMemcpy(h, items, (right ? 4 : 5) * sizeof *h, cudaMemcpyDeviceToHost);
        break;
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
