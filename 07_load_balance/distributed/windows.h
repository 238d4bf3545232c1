/*
 * windows.h - the letters of a matrix and their positions in the windows, for shared.c and direct.c.
 *
 * A window begins with one cache line (`ended` points to it); a row of flags for each rank and two halves follow.
 */
#ifndef DIST_WINDOWS_H
#define DIST_WINDOWS_H

#include "dist_impl.h"
#include "protocol.h"

enum {
    WINDOW_LINE = 64,        /* bytes; no two ranks write to the same line */
    WINDOW_PIECE = 4 << 10,  /* bytes of a piece of a letter */
    WINDOW_PIECE_OF_WORDS = 256, /* entries of a piece, with words */
    WINDOW_WORDS = 64 << 10  /* bytes; words are used if no letter is longer */
};

typedef struct windows {
    protocol_t p;           /* letters and mail are in host memory and point into the windows */
    size_t bytes;           /* of this rank's window */
    size_t *half_bytes;     /* [ranks] */
    int64_t *places;        /* [ranks]  where this rank's entries begin in the halo of rank k */
    char *own[2];           /* this rank's halves; without words each of them is a halo */
} windows_t;

/* Counts letters, and agrees on words and on the number of pieces, at most most_pieces.  Collective; the same result on
 * every rank. */
dist_status_t windows_open(windows_t *s, const dist_matrix_t *d, int most_pieces, err_t *err);
/* Sets the pointers.  bases [ranks]: the addresses of the windows on this rank; index: lists.send_index; halo: the
 * destination of words.  index and halo are addresses where the protocol runs (host or GPU).  Local. */
void windows_place(windows_t *s, const dist_matrix_t *d, char *const *bases, const int32_t *index, void *halo);
/* Returns the index in a half of entry i of the halo. */
int32_t windows_slot(const windows_t *s, const dist_matrix_t *d, int32_t i);
void windows_close(windows_t *s);

#endif
