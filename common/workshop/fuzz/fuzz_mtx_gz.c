/*
 * fuzz_mtx_gz.c - Matrix Market in gzip: three bytes, then the text.  The bytes tell how the packed file is changed (0
 * not at all, 1 it is cut, 2 a byte changes, 3 text follows), and where.
 *
 * A randomly changed gzip file almost always fails its checksum; text that is packed here does not.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz.h"

/* Returns data in gzip format, allocated by malloc; *packed: its size. */
static uint8_t *pack(const uint8_t *data, size_t size, size_t *packed)
{
    z_stream z = {0};
    const size_t room = size + size / 100 + 100;
    uint8_t *to = malloc(room);
    if (!to || deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) fuzz_fail("no memory to pack");
    z.next_in = (Bytef *)data;
    z.avail_in = (uInt)size;
    z.next_out = to;
    z.avail_out = (uInt)room;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END) fuzz_fail("not packed");
    *packed = z.total_out;
    deflateEnd(&z);
    return to;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEAD = 3 };
    if (size < HEAD) return 0;
    size_t packed;
    uint8_t *file = pack(data + HEAD, size - HEAD, &packed);
    const size_t at = (size_t)(data[1] << 8 | data[2]) % packed;
    switch (data[0] % 4) {
    case 1: packed = at; break;
    case 2: file[at] ^= (uint8_t)(1 + data[2] % 255); break;
    case 3: memcpy(file + packed++, "x", 1); break;
    default: break;
    }
    if (fuzz_matrix(fuzz_file(file, packed)) && data[0] % 4 == 3) fuzz_fail("text behind the gzip data is passed over");
    free(file);
    return 0;
}
