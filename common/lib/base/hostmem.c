/* hostmem.c - see hostmem.h */
#include "hostmem.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* Finds a number by `format` in the lines of a file of the kernel and returns it times `unit`; SIZE_MAX if there is
 * none. */
static size_t number_in(const char *path, const char *format, size_t unit)
{
    char line[128];
    unsigned long long number;
    size_t bytes = SIZE_MAX;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, format, &number) == 1 && number < SIZE_MAX / unit) bytes = (size_t)number * unit;
    if (f) fclose(f);
    return bytes;
}

size_t hostmem_bytes(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    const size_t physical = pages > 0 && page_size > 0 ? (size_t)pages * (size_t)page_size : SIZE_MAX;
    const size_t available = number_in("/proc/meminfo", "MemAvailable: %llu kB", 1024);
    /* the limit of a container: cgroup v2, and v1, in which a huge number means no limit */
    const size_t v2 = number_in("/sys/fs/cgroup/memory.max", "%llu", 1);
    const size_t v1 = number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", "%llu", 1);
    const size_t allowed = v1 < v2 ? v1 : v2, least = available < physical ? available : physical;
    return allowed < least ? allowed : least;
}

double hostmem_csr(double rows, double nnz) { return 8 * (rows + 1) + (4 + 8) * nnz; }

int hostmem_fits(double bytes, const char *what, err_t *err)
{
    double have = (double)hostmem_bytes();
    if (bytes <= have) return 0;
    return err_set(err, "%s needs %.1f GB, this machine has %.1f GB free: choose a smaller problem", what,
                   bytes / 1e9, have / 1e9);
}
