/*
 * rows.h - the rows of the applications' tables: everything that can multiply.
 *
 *     cpu, gpu        libspmv with a plan
 *     mpi             rows over the ranks of an mpirun, on CPUs (product_of_ranks)
 *     nccl, direct    the same on GPUs, which send each other messages or write into each other's memory
 *     04/v1, ...      every step of chapters 04 to 07 and every library, by chapter and name
 */
#ifndef APPS_ROWS_H
#define APPS_ROWS_H

#include "product.h"
#include "ranks.h"

/* The i-th row as a step with these operations (one program has one set), NULL past the last. */
const step_t *app_row(size_t i, const step_ops_t *ops);

/* True for mpi, nccl and direct; and which of them. */
bool app_row_is_ranks(const step_t *row);
ranks_place_t app_row_place(const step_t *row);

/* NULL, or why the row cannot take this spmv_problem. */
const char *app_row_skip(const step_t *row, const problem_t *spmv);

/* The product of that row; ended by its close().  NULL and *err. */
product_t *app_row_open(const step_t *row, const problem_t *spmv, err_t *err);

/* --only for the table of all SpMVs: some steps of each chapter, all of chapter 07, libraries. */
extern const char APP_ROWS_OF_THE_COURSE[];

#endif
