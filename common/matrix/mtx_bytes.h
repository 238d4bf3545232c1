/*
 * mtx_bytes.h - the bytes of a Matrix Market file, unpacked if they are gzip'd.
 *
 * By zlib's inflate and not its gzread, which passes over what stands behind the gzip data without a word: the end of a
 * file that was put together wrongly, perhaps.
 */
#ifndef COURSE_MTX_BYTES_H
#define COURSE_MTX_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <zlib.h>

#include "err.h"

typedef struct mtx_bytes {
    int fd;
    unsigned char *packed; /* as the file has them; the rest of these is z.next_in, z.avail_in */
    z_stream z;
    bool gzip, in_member, ended; /* a gzip file is one member or more; ended: fd is */
    size_t members;              /* unpacked so far */
    double given, limit;         /* bytes handed out, and the most there may be: more is a gzip bomb */
} mtx_bytes_t;

/* Opens path.  -1 and *err, a reason without the path; close it in any case. */
int mtx_bytes_open(mtx_bytes_t *b, const char *path, err_t *err);
void mtx_bytes_close(mtx_bytes_t *b);

/* At most `room` bytes, 0 at the end, -1 and *err: cut off, damaged, a bomb, junk behind the end. */
ssize_t mtx_bytes_read(mtx_bytes_t *b, char *to, size_t room, err_t *err);

/* What a file that begins so is, and what to do with it, if that is not text a matrix could be read from; else NULL. */
const char *mtx_bytes_other(const char *begin, size_t length);

#endif
