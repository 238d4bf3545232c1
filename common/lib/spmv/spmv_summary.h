/* spmv_summary.h - prints, below a run of many matrices, how a chapter's steps compare with the best of cuSPARSE. */
#ifndef COURSE_SPMV_SUMMARY_H
#define COURSE_SPMV_SUMMARY_H

#include <stdio.h>

/* Both read the TSV results file at path, which may consist of several concatenated ones.  "CSR as is" is the fastest
 * cuSPARSE CSR without preprocess, "best of all" the fastest of all formats.  -1 after a line on stderr if the file
 * cannot be read, or if memory is short. */

/* Prints a line for each case and type that has cold times: best step, CSR as is, best of all, and the two ratios. */
int summary_print(const char *path, FILE *to);

/* Prints these lines, then one for each step over all cases: geometric mean, worst and best of both ratios, geometric
 * mean of the efficiency, and the median of the runs after which its set-up has paid off against CSR as is.
 * The last two lines are for the best step of each case, without and with set-up. */
int summary_suite(const char *path, FILE *to);

#endif
