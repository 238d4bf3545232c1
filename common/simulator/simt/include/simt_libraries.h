/* simt_libraries.h - functions of the runtime for headers of CUDA's libraries: for kernels of the library, and for
 * memory that a thread of a kernel allocates. */
#ifndef SIMT_LIBRARIES_H
#define SIMT_LIBRARIES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels that this host thread launches between the two calls are checked but not counted, because a GPU's library
 * has other kernels.  They have no step limit. */
void simt_library_begin(void);
void simt_library_end(void);

/* malloc and free for a thread: device memory in a kernel, host memory in host code. */
void *simt_thread_malloc(size_t bytes);
void simt_thread_free(void *p);

/* Marks these bytes of device memory as written. */
void simt_library_wrote(const void *p, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
