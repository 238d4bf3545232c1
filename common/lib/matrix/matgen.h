/*
 * matgen.h - matrices by recipe: the same seed gives the same matrix anywhere.
 */
#ifndef COURSE_MATGEN_H
#define COURSE_MATGEN_H

#include <stdbool.h>

#include "csr.h"

/* Makes a matrix from a recipe; the caller frees it.
 *   identity:N  diagonal:N  band:N,HALFWIDTH  dense:R,C  empty:R,C
 *   random:R,C,NNZ           rows and columns of nonzeros are uniform
 *   even:R,C,PER_ROW         exactly PER_ROW distinct random columns per row
 *   one_dense_row:N          diagonal plus one full row in the middle
 *   empty_rows:N,K           only every K-th row has entries (8 of them)
 *   powerlaw:R,C,NNZ         row lengths ~ 1/rank, shuffled
 *   rmat:SCALE,EDGE_FACTOR   Chakrabarti's recursive graph, a=.57 b=.19 c=.19
 *   scattered:N,WIDTH,PER_ROW  PER_ROW random columns of the WIDTH around the diagonal
 *   program:R,C,LONG         as linear programs: rows of 2 to 6, and LONG rows of C/4
 *   elements:NODES,DOF,K     finite elements: dense blocks of DOF unknowns (0: 1 to 6) for K nearby nodes
 *   diagonals:N,K,PERCENT    the main diagonal and K - 1 far apart, each PERCENT full
 *   blocks:N,SIZE,K          dense blocks: each row of blocks has one on the diagonal and K - 1 anywhere
 *   hypercube:SCALE          2^SCALE nodes, each linked with those whose number differs in one bit, and with itself
 *   triangle:N,WIDTH         the diagonal and WIDTH columns to the left of it
 *   elasticity:SIDE,DOF,BY_FIELD  DOF unknowns at each of SIDE^3 points, linked with those of 27 points; numbered
 *                            point by point, or (BY_FIELD not 0) first unknown 0 of all points, then unknown 1,
 *                            and so on
 *   convolution:NX,NY,K      an image and K x K points around each
 *   tomography:SIDE,ANGLES   SIDE rays of each angle through SIDE x SIDE points
 *   small_world:N,K,PERCENT  a ring, each with K neighbours on both sides, PERCENT of the links anywhere
 *   hypergraph:R,C,NEAR      nets of 2 to 65 pins, most of them within 2 NEAR
 *   dense_rows:N,COUNT,PER_ROW  COUNT full rows, PER_ROW random columns in the rest
 *   arrow:N,SIZE,BORDER      dense blocks on the diagonal, the last BORDER rows and columns full
 *   kkt:N,M,PER_ROW          N unknowns linked in a band, M constraints of PER_ROW unknowns
 *   staircase:STAGES,SIZE,PER_ROW  a linear program, each stage of SIZE rows linked with the next
 *   de_bruijn:N,SYMBOLS      node i is linked with SYMBOLS i + k mod N
 *   words:DOCUMENTS,TERMS,PER_DOCUMENT  terms by Zipf's law
 *   power_flow:BUSES         two unknowns for each bus, three or four neighbours
 *   contact:N,ZONE,PER_ROW   a 5-point grid with zones in which a row has PER_ROW more
 *   poisson2d:NX,NY  poisson3d:NX,NY,NZ   5- and 7-point stencils; stencil27:NX,NY,NZ
 *   like:NAME                generated like a matrix of the SuiteSparse collection; matgen_like.c lists the names
 * Before any of them: transposed:RECIPE; scrambled:RECIPE, with rows and columns renumbered at random; and
 * symmetric:RECIPE, with random values that are the same for (i, j) and (j, i).
 * NULL and *err, which lists the recipes if this one is unknown, or the range of its numbers. */
csr_t *matgen(const char *recipe, uint64_t seed, err_t *err);

/* Returns whether the text begins like a recipe, with a known name and a colon, or is such a name. */
bool matgen_is_recipe(const char *what);

/* Generates a part of the rows of poisson2d:, poisson3d: and stencil27:.  matgen_stencil_points stores the number of
 * grid points (rows and columns of the matrix) in *points, and returns false for any other recipe.  matgen_stencil_rows
 * returns rows first .. first + rows - 1 as a matrix with all columns; NULL and *err as matgen. */
bool matgen_stencil_points(const char *recipe, size_t *points);
csr_t *matgen_stencil_rows(const char *recipe, size_t first, size_t rows, err_t *err);

/* Makes count values uniform in (-1, 1), never zero, from seed: the x of every SpMV and the
 * input of every sum.  If `exact`, they are integers from -8 to 8, never 0. */
void matgen_vector(double *x, size_t count, uint64_t seed, int exact);

#endif
