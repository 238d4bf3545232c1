/* mtx_bytes.c - see mtx_bytes.h */
#include "mtx_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PACKED = 1 << 16,
    GZIP_RATIO = 1032,     /* deflate cannot compress more than this (zlib, "Technical Details") */
    BOMB_RATIO = 200,      /* a file that unpacks to more than this many times its size and to more than BOMB_BYTES */
    BOMB_BYTES = 64 << 20, /* is rejected as a gzip bomb (matrices shrink 3 to 10 times) */
};

/* Reads more bytes of the file and appends them to the unused ones. */
static int fill(mtx_bytes_t *b, err_t *err)
{
    memmove(b->packed, b->z.next_in, b->z.avail_in);
    b->z.next_in = b->packed;
    ssize_t got;
    do got = read(b->fd, b->packed + b->z.avail_in, PACKED - b->z.avail_in);
    while (got < 0 && errno == EINTR);
    if (got < 0) return err_set(err, "%s", strerror(errno));
    b->z.avail_in += (unsigned)got;
    b->ended = got == 0;
    return 0;
}

int mtx_bytes_open(mtx_bytes_t *b, const char *path, err_t *err)
{
    struct stat info;
    *b = (mtx_bytes_t){.fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (b->fd < 0 || fstat(b->fd, &info)) return err_set(err, "%s", strerror(errno));
    if (S_ISDIR(info.st_mode)) return err_set(err, "is a directory");
    b->packed = b->z.next_in = calloc(PACKED, 1);
    if (!b->packed) return err_set(err, "out of memory");
    while (b->z.avail_in < 2 && !b->ended)
        if (fill(b, err)) return -1;
    const double size = S_ISREG(info.st_mode) ? (double)info.st_size : INFINITY;
    b->limit = size;
    if (b->z.avail_in < 2 || b->packed[0] != 0x1f || b->packed[1] != 0x8b) return 0;
    b->gzip = true;
    b->limit = fmin(GZIP_RATIO * size, fmax(BOMB_RATIO * size, BOMB_BYTES));
    const int gzip_window = 15 + 16; /* 2^15 bytes; + 16: gzip's head and checksum */
    return inflateInit2(&b->z, gzip_window) == Z_OK ? 0 : err_set(err, "out of memory");
}

void mtx_bytes_close(mtx_bytes_t *b)
{
    if (b->gzip) inflateEnd(&b->z);
    free(b->packed);
    if (b->fd >= 0) close(b->fd);
}

static ssize_t copy(mtx_bytes_t *b, char *to, size_t room, err_t *err)
{
    if (b->z.avail_in == 0 && !b->ended && fill(b, err)) return -1;
    const size_t n = b->z.avail_in < room ? b->z.avail_in : room;
    memcpy(to, b->z.next_in, n);
    b->z.next_in += n;
    b->z.avail_in -= (unsigned)n;
    return (ssize_t)n;
}

/* Sets the error if inflate cannot continue, and returns -1; `cut` means that the file ends too early. */
static int refuse(const mtx_bytes_t *b, bool cut, err_t *err)
{
    if (b->members && b->z.total_out == 0) /* bytes that are not a gzip member */
        return err_set(err, "other bytes follow the gzip data: unpack the file with gunzip and check that the matrix "
                            "is complete");
    return cut ? err_set(err, "the gzip stream is cut off")
               : err_set(err, "damaged gzip data (%s)", b->z.msg ? b->z.msg : zError(Z_DATA_ERROR));
}

static ssize_t unpack(mtx_bytes_t *b, char *to, size_t room, err_t *err)
{
    b->z.next_out = (Bytef *)to;
    b->z.avail_out = (unsigned)room;
    while (b->z.avail_out == room) {
        if (b->z.avail_in == 0 && !b->ended && fill(b, err)) return -1;
        while (b->members && !b->in_member && b->z.avail_in && !*b->z.next_in) /* padding zeros, as on a tape */
            b->z.next_in++, b->z.avail_in--;
        if (b->z.avail_in == 0 && !b->ended) continue;
        if (b->z.avail_in == 0 && !b->in_member) return 0;
        b->in_member = true;
        const int code = inflate(&b->z, Z_NO_FLUSH);
        if (code == Z_BUF_ERROR && b->ended) return refuse(b, true, err);
        if (code == Z_MEM_ERROR) return err_set(err, "out of memory");
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return refuse(b, false, err);
        if (code == Z_STREAM_END) {
            ++b->members;
            b->in_member = false;
            inflateReset(&b->z);
        }
    }
    return (ssize_t)(room - b->z.avail_out);
}

ssize_t mtx_bytes_read(mtx_bytes_t *b, char *to, size_t room, err_t *err)
{
    const ssize_t got = b->gzip ? unpack(b, to, room, err) : copy(b, to, room, err);
    if (got > 0) b->given += (double)got;
    if (b->gzip && b->given > b->limit)
        return err_set(err, "unpacks to more than %.0f bytes: if that is intended, unpack the file with gunzip",
                       b->limit);
    return got;
}

const char *mtx_bytes_other(const char *begin, size_t length)
{
    static const struct {
        const char *bytes;
        size_t at, count;
        const char *what;
    } KNOWN[] = {
        {"\x1f\x8b", 0, 2, "gzip data inside gzip data: unpack it once with gunzip"},
        {"BZh", 0, 3, "bzip2 data: unpack it with bunzip2"},
        {"\xfd" "7zXZ", 0, 5, "xz data: unpack it with unxz"},
        {"\x5d\0\0", 0, 3, "lzma data: unpack it with unlzma"},
        {"\x28\xb5\x2f\xfd", 0, 4, "zstd data: unpack it with unzstd"},
        {"\x04\x22\x4d\x18", 0, 4, "lz4 data: unpack it with unlz4"},
        {"\x1f\x9d", 0, 2, "compress data: unpack it with uncompress"},
        {"PK\3\4", 0, 4, "a zip archive: unpack it with unzip and take the .mtx file in it"},
        {"7z\xbc\xaf", 0, 4, "a 7z archive: unpack it with 7z x and take the .mtx file in it"},
        {"ustar", 257, 5, "a tar archive: unpack it with tar -xf and take the .mtx file in it"},
        {"\xff\xfe\0\0", 0, 4, "UTF-32 text: convert it to UTF-8 with iconv -f UTF-32 -t UTF-8"},
        {"\0\0\xfe\xff", 0, 4, "UTF-32 text: convert it to UTF-8 with iconv -f UTF-32 -t UTF-8"},
        {"\xff\xfe", 0, 2, "UTF-16 text: convert it to UTF-8 with iconv -f UTF-16 -t UTF-8"},
        {"\xfe\xff", 0, 2, "UTF-16 text: convert it to UTF-8 with iconv -f UTF-16 -t UTF-8"},
        {"%\0%\0", 0, 4, "UTF-16 text: convert it to UTF-8 with iconv -f UTF-16LE -t UTF-8"},
        {"\0%\0%", 0, 4, "UTF-16 text: convert it to UTF-8 with iconv -f UTF-16BE -t UTF-8"},
        {"MATLAB", 0, 6, "a MATLAB file: save the matrix as Matrix Market instead"},
        {"\x89HDF", 0, 4, "an HDF5 file: save the matrix as Matrix Market instead"},
        {"<", 0, 1, "a web page, probably from a failed download: fetch the file again"},
    };
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; ++i)
        if (length >= KNOWN[i].at + KNOWN[i].count && !memcmp(begin + KNOWN[i].at, KNOWN[i].bytes, KNOWN[i].count))
            return KNOWN[i].what;
    return NULL;
}
