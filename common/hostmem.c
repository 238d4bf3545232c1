/* hostmem.c - see hostmem.h */
#include "hostmem.h"

#include <stdint.h>
#include <unistd.h>

size_t hostmem_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_size > 0 ? (size_t)pages * (size_t)page_size : SIZE_MAX;
}

double hostmem_csr(double rows, double nnz) { return 8 * (rows + 1) + (4 + 8) * nnz; }

int hostmem_fits(double bytes, const char *what, err_t *err)
{
    double have = (double)hostmem_bytes();
    if (bytes <= have) return 0;
    return err_set(err, "%s needs %.1f GB, this machine has %.1f GB", what, bytes / 1e9, have / 1e9);
}
