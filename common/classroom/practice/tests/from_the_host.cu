/* from_the_host.cu - copies the input without a kernel. */
#include "practice.h"

void launch(const practice_t *p) { cudaMemcpy(p->out, p->in, p->n * sizeof *p->out, cudaMemcpyDeviceToDevice); }
