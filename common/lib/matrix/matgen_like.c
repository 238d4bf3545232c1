/*
 * matgen_like.c - generated matrices that are like named ones of the SuiteSparse collection.
 *
 * There is one generator, with one line of numbers per matrix.  Row lengths: each row draws
 * from the quantiles of its matrix; the lengths are scaled to the number of nonzeros, and
 * the last few nonzeros are added or removed one by one, so that nnz is exact.  Columns: a
 * row is a list of runs of consecutive columns; each run lies on the diagonal, in the
 * near window, on a hub column or anywhere in the wide window.  Rows of a group share
 * their runs, as the rows of a finite element node or the pages of a site do.
 *
 * A generated matrix has the rows, columns, nonzeros, mean and longest row of the original,
 * and roughly its spread of lengths, its distance of columns from the diagonal, its share
 * of consecutive columns and its similarity of adjacent rows.  (Features after P. Mpakos et
 * al., Feature-based SpMV performance analysis on contemporary devices, IPDPS 2023; nonzeros
 * as the collection lists them, explicit zeros of the files not counted.)  Its values are
 * random, and it is not symmetric.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matgen_impl.h"

enum { QUANTILES = 10 };

/* The shares of rows (millionths) whose length is at most that in lengths[]. */
static const int64_t SHARE[QUANTILES] = {0, 100000, 250000, 500000, 750000, 900000, 990000, 999000, 999900, 1000000};

typedef struct standin {
    const char *name;
    size_t rows, cols, nnz;
    int32_t lengths[QUANTILES]; /* row lengths at SHARE; 0 = an empty row */
    int32_t heavy, longest;     /* the `heavy` longest rows: longest, then evenly down to longest / heavy */
    int32_t unit;               /* lengths and runs are multiples of this: unknowns per mesh node */
    int32_t group, apart_pct;   /* rows that share length and runs; percent of rows that do not share the length */
    int32_t slide;              /* 1: all rows have the same runs relative to the diagonal, as on a regular grid */
    int32_t run;                /* runs are 1 .. run units long */
    int32_t near, near_pct;     /* half width of the near window in columns; percent of runs in it */
    int32_t wide;               /* half width of the wide window in thousandths of the columns */
    int32_t hub_pct;            /* percent of runs on hubs: few columns get most of them */
} standin_t;

/*  name, rows, columns, nonzeros
 *  shares of rows: 0  10  25  50  75  90  99  99.9  99.99  100 %, heavy, longest, unit, group, apart_pct, slide, run,
 *  near, near_pct, wide, hub_pct */
static const standin_t STANDINS[] = {
    {"shyy41", 4720, 4720, 20042, /* flow: 1 to 6 per row, even, next to the diagonal */
     {1, 3, 4, 4, 5, 6, 6, 6, 6, 6}, 0, 6, 1, 1, 0, 1, 1, 60, 100, 0, 0},
    {"mip1", 66463, 66463, 10352819, /* integer program: long runs, groups of like rows, one row of 66395 */
     {4, 20, 38, 82, 160, 360, 1000, 1450, 1600, 1800}, 1, 66395, 1, 96, 5, 0, 30, 600, 25, 600, 0},
    {"ash219", 219, 85, 438, /* surveying: exactly 2 per row */
     {2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 0, 2, 1, 1, 0, 0, 1, 20, 100, 0, 0},
    {"Si41Ge41H72", 185639, 185639, 15011265, /* quantum chemistry: clusters at the diagonal and far off it */
     {13, 20, 25, 30, 40, 160, 640, 655, 661, 662}, 1, 662, 1, 64, 5, 0, 4, 300, 50, 150, 0},
    {"Ga41As41H72", 268096, 268096, 18488476, /* quantum chemistry: clusters at the diagonal and far off it */
     {18, 20, 24, 29, 38, 115, 540, 680, 700, 702}, 1, 702, 1, 64, 5, 0, 4, 300, 55, 120, 0},
    {"webbase-1M", 1000005, 1000005, 3105536, /* web: median row 1, longest 4700, sites of like rows, hub columns */
     {1, 1, 1, 1, 3, 5, 22, 150, 850, 4000}, 1, 4700, 1, 24, 8, 0, 1, 120, 35, 1000, 15},
    {"cop20k_A", 121192, 121192, 2624331, /* finite elements badly numbered: 0 to 81 a row, columns far apart */
     {0, 0, 9, 23, 31, 38, 50, 66, 78, 81}, 1, 81, 1, 3, 25, 0, 4, 4000, 30, 1000, 0},
    {"cant", 62451, 62451, 4007383, /* finite elements, 3 unknowns per node, narrow band, rows up to 78 */
     {9, 45, 63, 72, 75, 75, 78, 78, 78, 78}, 1, 78, 3, 9, 0, 0, 2, 330, 100, 0, 0},
    {"consph", 83334, 83334, 6010480, /* finite elements, 3 unknowns per node, rows up to 81 */
     {9, 42, 75, 81, 81, 81, 81, 81, 81, 81}, 1, 81, 3, 6, 0, 0, 3, 900, 65, 60, 0},
    {"pwtk", 217918, 217918, 11524432, /* finite elements, 6 unknowns per node, nearly all rows 48 to 54 */
     {42, 48, 54, 54, 54, 54, 60, 84, 120, 150}, 1, 180, 6, 12, 0, 0, 3, 400, 90, 300, 0},
    {"scircuit", 170998, 170998, 958936, /* circuit: diagonal, a few near, some anywhere, rows up to 353 */
     {1, 2, 3, 5, 7, 9, 18, 40, 100, 200}, 1, 353, 1, 3, 30, 0, 3, 100, 60, 1000, 8},
    {"mac_econ_fwd500", 206500, 206500, 1273389, /* economy: 1 to 44 per row, near the diagonal, no runs */
     {1, 2, 3, 5, 8, 12, 19, 30, 40, 44}, 1, 44, 1, 2, 0, 0, 1, 250, 100, 0, 0},
    {"mc2depi", 525825, 525825, 2100225, /* epidemic as Markov chain: 4 per row in a narrow band */
     {4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, 0, 4, 1, 1, 0, 1, 2, 400, 100, 0, 0},
    {"rma10", 46835, 46835, 2329092, /* harbour, finite elements: rows 4 to 145, runs of 7, part of them far */
     {4, 18, 28, 44, 68, 90, 125, 140, 144, 145}, 1, 145, 1, 8, 10, 0, 12, 300, 85, 300, 0},
    {"circuit5M", 5558326, 5558326, 59524291, /* circuit: short like rows, twelve rows of 107 thousand to 1.3 million */
     {1, 4, 6, 9, 12, 16, 30, 60, 200, 2000}, 12, 1290501, 1, 32, 5, 0, 3, 400, 50, 1000, 15},
    {"eu-2005", 862664, 862664, 19235140, /* web by address: runs of 3 in the site, hubs, longest row 6985 */
     {0, 2, 6, 14, 28, 50, 98, 200, 550, 2200}, 1, 6985, 1, 8, 20, 0, 5, 400, 82, 1000, 8},
    {"in-2004", 1382908, 1382908, 16917053, /* web by address: runs of 4 in the site, a fifth of the rows empty */
     {0, 0, 1, 5, 11, 24, 90, 270, 950, 4500}, 1, 7753, 1, 10, 15, 0, 6, 300, 96, 100, 1},
    {"web-Google", 916428, 916428, 5105039, /* web with shuffled numbers: no locality, a fifth of the rows empty */
     {0, 0, 2, 4, 8, 13, 24, 45, 110, 330}, 1, 456, 1, 1, 0, 0, 1, 0, 0, 1000, 30},
    {"ldoor", 952203, 952203, 42493817, /* finite elements, 7 unknowns per node, rows 28 to 77 */
     {28, 28, 42, 42, 49, 63, 77, 77, 77, 77}, 0, 77, 7, 7, 0, 0, 2, 600, 65, 500, 0},
    {"bone010", 986703, 986703, 47851783, /* finite elements on voxels, 3 unknowns per node, rows up to 63 */
     {12, 27, 42, 54, 63, 63, 63, 63, 63, 63}, 0, 63, 3, 9, 0, 0, 3, 600, 60, 18, 0},
    {"rail4284", 4284, 1096894, 11284032, /* linear program, short and wide: rows spread over all columns */
     {1, 90, 350, 1000, 2700, 5600, 17500, 33000, 42000, 50000}, 1, 56182, 1, 2, 50, 0, 9, 0, 0, 1000, 0},
};

/* ---- row lengths --------------------------------------------------------- */

/* Draws a length, in units, with linear interpolation between the quantiles. */
static int32_t length_at(const standin_t *s, rng_t rng)
{
    int64_t share = (int64_t)rng_below(&rng, 1000000);
    int q = 0;
    while (share >= SHARE[q + 1]) ++q;
    int64_t low = s->lengths[q], step = s->lengths[q + 1] - low;
    return (int32_t)((low + step * (share - SHARE[q]) / (SHARE[q + 1] - SHARE[q])) / s->unit * s->unit);
}

/* Multiplies all lengths by the same factor, so that they sum up to nearly nnz.  Lengths
 * are rounded up or down to a multiple of unit at random, in the same way for all rows
 * of a group. */
static void scale_lengths(const standin_t *s, int32_t *lengths, size_t rows, size_t nnz, uint64_t seed)
{
    uint64_t sum = 0;
    for (size_t r = 0; r < rows; ++r) sum += (uint64_t)lengths[r];
    if (sum == 0) return;
    uint64_t unit = (uint64_t)s->unit, divisor = sum * unit;
    for (size_t r = 0; r < rows; ++r) {
        if (lengths[r] == 0) continue;
        rng_t rng = rng_stream(seed, FOR_ROUNDING, r / (size_t)s->group);
        uint64_t chance = (uint64_t)((double)divisor * ((double)rng_below(&rng, 1 << 20) / (1 << 20)));
        uint64_t scaled = ((uint64_t)lengths[r] * nnz + chance) / divisor * unit;
        uint64_t least = s->lengths[0] ? (uint64_t)s->lengths[0] : 1, most = (uint64_t)s->longest;
        lengths[r] = (int32_t)(scaled < least ? least : scaled > most ? most : scaled);
    }
}

/* Sets lengths[rows], with sum nnz.  The heavy rows are at random positions.  While the
 * other rows are scaled and fitted, heavy rows have length 0, which both steps keep. */
static int draw_lengths(const standin_t *s, int32_t *lengths, uint64_t seed)
{
    size_t group = (size_t)s->group, light = s->nnz, heavy[16] = {0};
    for (size_t r = 0; r < s->rows; ++r) {
        rng_t alone = rng_stream(seed, FOR_LENGTHS, r), shared = rng_stream(seed, FOR_GROUP_LENGTHS, r / group);
        lengths[r] = length_at(s, (int32_t)rng_below(&alone, 100) < s->apart_pct || group == 1 ? alone : shared);
    }
    rng_t rng = rng_stream(seed, FOR_HEAVY_ROWS, 0);
    for (int32_t h = 0; h < s->heavy; ++h) {
        heavy[h] = (s->rows * (size_t)h + (size_t)rng_below(&rng, s->rows)) / (size_t)s->heavy;
        lengths[heavy[h]] = 0;
        light -= (size_t)(s->longest - s->longest / s->heavy * h);
    }
    scale_lengths(s, lengths, s->rows, light, seed);
    if (matgen_fit_lengths(lengths, s->rows, (size_t)s->longest, light, group, s->unit, seed)) return -1;
    for (int32_t h = 0; h < s->heavy; ++h) lengths[heavy[h]] = s->longest - s->longest / s->heavy * h;
    return 0;
}

/* ---- columns ------------------------------------------------------------- */

/* Draws a column within +-half of the anchor, mirrored at the edges of the matrix. */
static int64_t draw_window(rng_t *rng, int64_t anchor, int64_t half, int64_t cols)
{
    int64_t col = anchor - half + (int64_t)rng_below(rng, (uint64_t)(2 * half + 1));
    if (col < 0) col = -col;
    if (col >= cols) col = 2 * (cols - 1) - col;
    return col < 0 || col >= cols ? (int64_t)rng_below(rng, (uint64_t)cols) : col;
}

/* Draws a hub column.  The cube of a uniform number makes few columns frequent (the first of
 * a million is in every hundredth draw); the multiplication scatters them over the matrix. */
static int64_t draw_hub(rng_t *rng, int64_t cols)
{
    uint64_t u = rng_next(rng) >> 32, cube = (u * u >> 32) * u >> 32;
    return (int64_t)((cube * (uint64_t)cols >> 32) * 2654435761u % (uint64_t)cols);
}

/* Writes the runs of row r, with `length` columns in all; returns their number.  The first run is on the diagonal. */
static size_t draw_runs(const standin_t *s, size_t r, int32_t length, run_t *runs, uint64_t seed)
{
    size_t same = s->slide ? s->rows : (size_t)s->group; /* this many rows share a stream */
    rng_t rng = rng_stream(seed, FOR_COLUMNS, r / same);
    int64_t cols = (int64_t)s->cols, anchor = (int64_t)(s->slide ? r : r - r % same) * cols / (int64_t)s->rows;
    int32_t near_room = s->wide ? s->near : INT32_MAX; /* when half of the near window is full, go farther */
    bool heavy = length > cols / 16;
    size_t count = 0;
    for (int32_t left = length, len; left > 0; left -= len) {
        len = s->unit * (int32_t)(1 + rng_below(&rng, (uint64_t)s->run));
        if (len > left) len = left;
        int32_t kind = (int32_t)rng_below(&rng, 100);
        int64_t col;
        if (heavy) { /* all over the matrix, from left to right */
            col = (length - left + (int64_t)rng_below(&rng, (uint64_t)len)) * cols / length;
        } else if (count == 0 && s->rows == s->cols) {
            col = (int64_t)r - len / 2;
        } else if (kind < s->hub_pct) {
            col = draw_hub(&rng, cols);
        } else if (kind < s->hub_pct + s->near_pct && near_room > 0) {
            col = draw_window(&rng, anchor, s->near, cols);
            near_room -= len;
        } else {
            col = s->wide < 1000 ? draw_window(&rng, anchor, cols * s->wide / 1000, cols)
                                 : (int64_t)rng_below(&rng, (uint64_t)cols);
        }
        col -= col % s->unit;
        runs[count++] = (run_t){(int32_t)(col < 0 ? 0 : col), len};
    }
    return count;
}

static csr_t *make(const standin_t *s, uint64_t seed, err_t *err)
{
    int32_t *lengths = matgen_array(s->rows, sizeof *lengths, err);
    run_t *runs = lengths ? matgen_array((size_t)s->longest, sizeof *runs, err) : NULL;
    csr_t *A = NULL;
    if (runs && draw_lengths(s, lengths, seed))
        err_set(err, "like:%s: the course's table of this matrix is wrong", s->name);
    else if (runs) A = matgen_alloc_rows(s->rows, s->cols, lengths, err);
    for (size_t r = 0; A && r < s->rows; ++r) {
        size_t count = draw_runs(s, r, lengths[r], runs, seed);
        matgen_place_runs(A->col_indices + A->row_offsets[r], runs, count, (int32_t)s->cols);
    }
    if (A) matgen_random_values(A, seed);
    free(lengths);
    free(runs);
    return A;
}

csr_t *matgen_like(const char *name, uint64_t seed, err_t *err)
{
    char known[400] = "";
    for (size_t i = 0; i < sizeof STANDINS / sizeof *STANDINS; ++i) {
        if (!strcmp(name, STANDINS[i].name)) return make(&STANDINS[i], seed, err);
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, " %s", STANDINS[i].name);
    }
    return err_null(err, "there is no generated matrix like '%.60s'; choose one of:%s", name, known);
}
