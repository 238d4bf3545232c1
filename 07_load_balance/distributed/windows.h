/*
 * windows.h - the letters of a matrix and where they lie in the windows: what shared.c and direct.c have in common.
 *
 * A window is a line of its own (what `ended` points to), then a row of flags for each rank, then two halves.
 */
#ifndef DIST_WINDOWS_H
#define DIST_WINDOWS_H

#include "dist_impl.h"
#include "protocol.h"

enum {
    WINDOW_LINE = 64,        /* bytes; what one rank writes is not in a line with what another does */
    WINDOW_PIECE = 4 << 10,  /* bytes of a letter that are worth a piece */
    WINDOW_PIECE_OF_WORDS = 256, /* words: so many entries are */
    WINDOW_WORDS = 64 << 10  /* a matrix without a longer letter is sent in words */
};

typedef struct windows {
    protocol_t p;           /* letters and mail lie in host memory, what they point to where the windows are */
    size_t bytes;           /* of this rank's window */
    size_t *half_bytes;     /* [ranks] */
    int64_t *places;        /* [ranks]  where in the halo of rank k my entries begin */
    char *own[2];           /* this rank's halves; without words each is a halo */
} windows_t;

/* Counts letters, agrees on pieces and words, at most most_pieces.  Collective, the same answer on every rank. */
dist_status_t windows_open(windows_t *s, const dist_matrix_t *d, int most_pieces, err_t *err);
/* Sets the pointers.  bases [ranks]: the windows as this rank sees them; index: lists.send_index, halo: where words are
 * taken to, both as whoever runs the protocol sees them.  Local. */
void windows_place(windows_t *s, const dist_matrix_t *d, char *const *bases, const int32_t *index, void *halo);
/* At which entry of a half entry i of the halo is. */
int32_t windows_slot(const windows_t *s, const dist_matrix_t *d, int32_t i);
void windows_close(windows_t *s);

#endif
