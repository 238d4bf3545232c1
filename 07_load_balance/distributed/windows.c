/* windows.c - see windows.h */
#include "windows.h"

#include <stdlib.h>

static size_t lines(size_t bytes) { return (bytes + WINDOW_LINE - 1) / WINDOW_LINE * WINDOW_LINE; }

/* Returns the bytes of the flags of one source. */
static size_t flag_row(const protocol_t *p) { return lines((size_t)p->pieces * sizeof(uint32_t)); }

/* Returns the bytes of an entry in a half, or of its words. */
static size_t slot(const protocol_t *p) { return (size_t)p->element * (p->words ? 2 : 1); }
/* With words each source has one more slot than entries, for an empty message.  Returns the extra slots before those of
 * rank k. */
static int64_t more(const protocol_t *p, int k) { return p->words ? k : 0; }

/* Return the position in the halo of the entries that come from rank k, and their number. */
static int64_t from_place(const dist_matrix_t *d, int k)
{
    return d->o.exchange == DIST_REPLICATED ? d->first_col[k] : d->lists.source_offsets[k];
}
static int64_t from_count(const dist_matrix_t *d, int k)
{
    if (k == d->w->rank) return 0;
    return d->o.exchange == DIST_REPLICATED ? d->first_col[k + 1] - d->first_col[k] : d->lists.source_counts[k];
}

dist_status_t windows_open(windows_t *s, const dist_matrix_t *d, int most_pieces, err_t *err)
{
    const dist_world_t *w = d->w;
    const size_t ranks = (size_t)w->ranks;
    protocol_t *p = &s->p;
    *s = (windows_t){.p = {.rank = w->rank, .ranks = w->ranks, .element = (int)d->element},
                     .half_bytes = calloc(ranks, sizeof *s->half_bytes), .places = calloc(ranks, sizeof *s->places)};
    p->letters = calloc(ranks, sizeof *p->letters);
    p->mail = calloc(ranks, sizeof *p->mail);
    int64_t *mine = calloc(ranks, sizeof *mine), most = 0;
    const bool enough = s->half_bytes && s->places && p->letters && p->mail && mine;
    dist_status_t status = ENOUGH(w, enough, err, "out of memory for messages to %zu ranks", ranks);
    for (int k = 0; k < w->ranks && !status; ++k) {
        mine[k] = from_place(d, k);
        if (from_count(d, k) > most) most = from_count(d, k);
    }
    if (!status)
        status = mpi_ok(MPI_Alltoall(mine, 1, MPI_INT64_T, s->places, 1, MPI_INT64_T, w->comm), "MPI_Alltoall", err);
    if (!status)
        status = mpi_ok(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, w->comm), "MPI_Allreduce", err);
    free(mine);
    if (status) return status;

    const int64_t longest = most * p->element;
    p->words = longest <= WINDOW_WORDS;
    const int64_t worth = 1 + (p->words ? (most - 1) / WINDOW_PIECE_OF_WORDS : longest / WINDOW_PIECE);
    p->pieces = worth < most_pieces ? (int)worth : most_pieces;
    const uint64_t half = lines((d->halo + ranks) * slot(p));
    s->bytes = WINDOW_LINE + ranks * flag_row(p) + 2 * half;
    return mpi_ok(MPI_Allgather(&half, 1, MPI_UINT64_T, s->half_bytes, 1, MPI_UINT64_T, w->comm), "MPI_Allgather", err);
}

/* Returns whether the entries for `target` are consecutive, so that they need no index. */
static bool in_a_row(const lists_t *l, int target)
{
    const int32_t *index = l->send_index + l->target_offsets[target];
    for (int i = 1; i < l->target_counts[target]; ++i)
        if (index[i] != index[0] + i) return false;
    return true;
}

void windows_place(windows_t *s, const dist_matrix_t *d, char *const *bases, const int32_t *index, void *halo)
{
    protocol_t *p = &s->p;
    const int me = p->rank;
    const bool all = d->o.exchange == DIST_REPLICATED;
    const size_t halves = WINDOW_LINE + (size_t)p->ranks * flag_row(p);
    for (int k = 0; k < p->ranks; ++k) {
        const int64_t place = from_place(d, k);
        letter_t *l = &p->letters[k];
        mail_t *m = &p->mail[k];
        l->flags = (uint32_t *)(bases[k] + WINDOW_LINE + (size_t)me * flag_row(p));
        l->count = k == me ? 0 : all ? d->mine.cols : d->lists.target_counts[k];
        l->first = all || l->count == 0 ? 0 : d->lists.send_index[d->lists.target_offsets[k]];
        l->index = all || in_a_row(&d->lists, k) ? NULL : index + d->lists.target_offsets[k];
        m->flags = (const uint32_t *)(bases[me] + WINDOW_LINE + (size_t)k * flag_row(p));
        m->to = (char *)halo + place * p->element;
        m->count = from_count(d, k);
        for (int h = 0; h < 2; ++h) {
            s->own[h] = bases[me] + halves + (size_t)h * s->half_bytes[me];
            l->half[h] = bases[k] + halves + (size_t)h * s->half_bytes[k] +
                         (size_t)(s->places[k] + more(p, me)) * slot(p);
            m->half[h] = s->own[h] + (size_t)(place + more(p, k)) * slot(p);
        }
    }
}

int32_t windows_slot(const windows_t *s, const dist_matrix_t *d, int32_t i)
{
    int k = 0;
    while (k + 1 < d->w->ranks && from_place(d, k + 1) <= i) ++k;
    return i + (int32_t)more(&s->p, k);
}

void windows_close(windows_t *s)
{
    free(s->half_bytes);
    free(s->places);
    free(s->p.letters);
    free(s->p.mail);
    *s = (windows_t){0};
}
