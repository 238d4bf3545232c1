// grade 2 2 exactly 100: *
// A class with operators; sizes are both unsigned and size_t.
#include "chapter.h"
template <typename U> class view
{
  public:
    view(const void *p, size_t bytes) : data_((U *)p), count_(bytes / sizeof(U)) {}
    __host__ __device__ size_t size() const { return count_; }
    __device__ U &operator[](size_t i) const { return data_[i]; }

  private:
    U *data_;
    size_t count_;
};
template <typename U> __global__ void copy(view<U> to, view<const U> from)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < from.size()) to[i] = from[i];
}
template <typename U> static cudaError_t memcpy_student_launch(U *to, const U *from, size_t bytes, cudaStream_t stream)
{
    const unsigned block = 192;
    view<U> t(to, bytes);
    view<const U> f(const_cast<U *>(from), bytes);
    if (f.size() > 0) copy<U><<<(unsigned)((f.size() + block - 1) / block), block, 0, stream>>>(t, f);
    const size_t done = f.size() * sizeof(U), rest = bytes - done;
    view<unsigned char> tail_to((char *)to + done, rest);
    view<const unsigned char> tail_from((char *)from + done, rest);
    if (rest > 0) copy<unsigned char><<<1, 32, 0, stream>>>(tail_to, tail_from);
    return cudaGetLastError();
}
MEMCPY_STEP(memcpy_student, 16)
