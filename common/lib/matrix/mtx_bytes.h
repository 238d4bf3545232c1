/*
 * mtx_bytes.h - reads the bytes of a Matrix Market file, and unpacks them if they are compressed by gzip.
 *
 * It uses zlib's inflate instead of gzread because gzread silently ignores bytes after the gzip data, which may be the
 * rest of a damaged file.
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
    unsigned char *packed; /* compressed bytes; z.next_in and z.avail_in are those not used yet */
    z_stream z;
    bool gzip, in_member, ended; /* a gzip file consists of members; ended: fd is at its end */
    size_t members;              /* the number of members unpacked so far */
    double given, limit;         /* bytes returned so far, and the limit above which the file is a gzip bomb */
} mtx_bytes_t;

/* Opens path.  -1 and *err, a reason without the path.  Close it also after an error. */
int mtx_bytes_open(mtx_bytes_t *b, const char *path, err_t *err);
void mtx_bytes_close(mtx_bytes_t *b);

/* Returns at most `room` bytes; 0 at the end; -1 and *err if the file is cut off or damaged, a gzip bomb, or followed
 * by other bytes. */
ssize_t mtx_bytes_read(mtx_bytes_t *b, char *to, size_t room, err_t *err);

/* If a file that begins with these bytes has another format, returns the format's name and what to do, else NULL. */
const char *mtx_bytes_other(const char *begin, size_t length);

#endif
