/* fuzz_mtx.c - Matrix Market: the input is the file (gzip is recognised by its first bytes). */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_matrix(fuzz_file(data, size));
    return 0;
}
