/* simt_libraries.h - what headers of CUDA's libraries ask of the runtime: kernels that are a library's, not the
 * program's, and memory that a thread of a kernel allocates. */
#ifndef SIMT_LIBRARIES_H
#define SIMT_LIBRARIES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels launched by this host thread between the two are checked, but not counted, since those of a GPU's library
 * are others, and may take as many steps as they like. */
void simt_library_begin(void);
void simt_library_end(void);

/* malloc and free as a thread has them: in a kernel it is device memory, else the host's. */
void *simt_thread_malloc(size_t bytes);
void simt_thread_free(void *p);

/* These bytes of device memory count as written. */
void simt_library_wrote(const void *p, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
