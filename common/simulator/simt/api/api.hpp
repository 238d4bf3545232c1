/* api.hpp - functions that the calls of the CUDA runtime share. */
#ifndef SIMT_API_HPP
#define SIMT_API_HPP

#include "state.hpp"

namespace simt {

/* ---- api.cpp ---- */
extern Settings settings;
/* The program, or a part of it, was built by simtcc --unchecked.  Its kernels have no hooks, so there is no shadow
   memory, no access is checked, and host code may touch device memory. */
extern bool without_hooks;
inline bool unchecked() { return without_hooks; }
extern cudaError_t last_error;
void set_last_error(cudaError_t e);
cudaError_t done(cudaError_t e);                /* stores and returns the result of a call: an earlier fault, else e */

/* ---- api_memory.cpp ---- */
enum Side { HOST, DEVICE, EITHER };
bool range_ok(const void *p, size_t bytes, Side side);   /* whether all bytes are on this side */
/* Reports an error for which a GPU returns only an error code. */
void complain(uintptr_t pc, const std::string &what, const std::string &hint);
/* Describes `bytes` bytes at p for a report: "buffer 3, which has 40 bytes", "host memory". */
std::string place_words(const void *p, size_t bytes);

/* ---- api_copies.cpp ---- */
/* The memory of a copy of `depth` slices with `height` rows of `width` bytes each. */
struct Box { char *p; size_t pitch, slice; };
/* now: the copy is complete when the call returns. */
cudaError_t copy_box(const Box &to, const Box &from, size_t width, size_t height, size_t depth, int kind,
                     uintptr_t pc, bool now);

/* ---- api_streams.cpp, api_capture.cpp ---- */
bool is_stream(cudaStream_t stream);
/* If the stream is being captured, adds the work as a node of its graph and returns true; else returns false. */
bool capture(cudaStream_t stream, cudaGraphNodeType type, std::function<cudaError_t()> work);
/* Runs work in a stream: now, when the stream's graph runs, or, if a kernel begins it, after that kernel. */
cudaError_t begin_in(cudaStream_t stream, cudaGraphNodeType type, const std::function<cudaError_t()> &work);

/* A call that would disturb a stream capture fails, and the capture fails, too, as measured on an H200.  LEGACY_WORK:
   work in the legacy stream, which waits for all blocking streams; UNSAFE: allowed during a capture in relaxed mode
   only; WAITS_FOR_ALL: waits for all streams. */
enum Disturbance { LEGACY_WORK, UNSAFE, WAITS_FOR_ALL };
cudaError_t disturbs_captures(Disturbance how);

/* ---- api_kernels.cpp ---- */
bool kernel_known(const void *kernel, simt_kernel *how);  /* can the kernel be launched by its address? */
/* Returns the launch of a kernel by its address, with copies of its arguments; empty if the kernel is not known. */
std::function<cudaError_t()> kernel_work(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                         uint3 cluster = {0, 0, 0}, bool cooperative = true);

/* ---- api_device.cpp ---- */
size_t limit_of(cudaLimit limit);
int device_count();
int device_current();

/* Checks that a call stores its result in memory of the submission only. */
#define RESULT(p)                                                                                  \
    check_result(p, sizeof *(p), *static_cast<const uintptr_t *>(__builtin_frame_address(0)),      \
                 (uintptr_t)__builtin_return_address(0))
unsigned most_threads(const void *kernel);      /* largest block of the kernel: __launch_bounds__ */
size_t shared_opt_in(const void *kernel);       /* bytes of dynamic shared memory that it has requested; 0: none.
                                                   nullptr: the most that any kernel has requested */

/* ---- api_textures.cpp ---- */
void image_stretches(std::vector<Stretch> *all);    /* adds the memory of textures and surfaces */

} // namespace simt

#endif
