/* fuzz_record.c - the reader of results files: the input is one or several TSV files, which are summarised. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "spmv_summary.h"

static void sum_up(const char *path, int (*summary)(const char *path, FILE *to))
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to) fuzz_fail("no memory stream");
    if (summary(path, to)) fuzz_fail("a file that cannot be read");
    fclose(to);
    if (size && text[size - 1] != '\n') fuzz_fail("the last line is cut");
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    sum_up(path, summary_print);
    sum_up(path, summary_suite);
    return 0;
}
