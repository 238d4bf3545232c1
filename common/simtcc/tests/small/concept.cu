// A C++20 concept in a kernel, and typeof.
template <class T>
concept Number = requires(T a)
{
    a + a;
};
template <Number T>
__device__ T twice(T a)
{
    typeof(a) b = a;
    return a + b;
}
__global__ void k(int *p) { *p = twice(3); }
int main() {}
