/* spmv_summary.h - the lines under experiment 2: the chapter's best step against cuSPARSE's two bests. */
#ifndef COURSE_SPMV_SUMMARY_H
#define COURSE_SPMV_SUMMARY_H

#include <stdio.h>

/* Makes an empty file from a mkstemp template; its name, or NULL. */
const char *summary_temporary(char *name);

/* Reads the TSV record at path and prints one line for each case and type that has cold times:
 * best step, cuSPARSE CSR as is (no preprocess), cuSPARSE's best of all, and the two ratios. */
void summary_print(const char *path, FILE *to);

#endif
