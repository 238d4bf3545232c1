/* zeros.cu - leaves all answers at 0. */
#include "practice.h"

void launch(const practice_t *p) { cudaMemsetAsync(p->out, 0, (p->rows ? p->rows : p->n) * sizeof *p->out, 0); }
