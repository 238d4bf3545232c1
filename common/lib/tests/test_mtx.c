/*
 * test_mtx.c - Matrix Market files: every kind, every way to be wrong.
 *
 * Files are made here, in a folder of their own.  With MATRIX_DIR set to a folder of
 * real matrices and their INDEX.tsv, those are read as well.
 */
#include <fcntl.h>
#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "battery.h"
#include "hostmem.h"
#include "mtx.h"
#include "plain.h"

static char folder[] = "/tmp/test_mtx.XXXXXX";
static char path[128];

FIXTURE(make_folder)
{
    return !mkdtemp(folder);
}

FIXTURE(remove_folder)
{
    return rmdir(folder); /* fails if a test left something behind */
}

/* Writes these bytes to a file of that name; `path` holds its path until the next call. */
static void put(const char *name, const void *bytes, size_t count)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, count, f), count);
    fclose(f);
}

/* The same, gzip'd. */
static void put_gz(const char *name, const void *bytes, size_t count)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    gzFile gz = gzopen(path, "wb9");
    assert_non_null(gz);
    for (size_t done = 0; done < count;) {
        unsigned n = (unsigned)(count - done < 1 << 20 ? count - done : 1 << 20);
        assert_int_equal(gzwrite(gz, (const char *)bytes + done, n), n);
        done += n;
    }
    assert_int_equal(gzclose(gz), Z_OK);
}

/* Its bytes, of which there is room for so many; how many.  The file is gone then. */
static size_t take(void *bytes, size_t room)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t count = fread(bytes, 1, room, f);
    fclose(f);
    unlink(path);
    return count;
}

static csr_t *read_text(const char *text)
{
    put("a.mtx", text, strlen(text));
    err_t err = {""};
    csr_t *A = mtx_read(path, &err);
    unlink(path);
    if (!A) fail_msg("%.300s\n%s", text, err.text);
    assert_int_equal(csr_check(A, NULL), 0);
    return A;
}

#define BANNER "%%MatrixMarket matrix "
#define DENSE (const double[])

/* Compares A, as read from the text, with the dense matrix and with `nnz` stored entries; frees A. */
static void expect_matrix(csr_t *A, const char *text, size_t rows, size_t cols, size_t nnz, const double *dense)
{
    assert_int_equal(A->rows, rows);
    assert_int_equal(A->cols, cols);
    assert_int_equal(A->nnz, nnz);
    double *got = calloc(rows * cols + 1, sizeof *got);
    for (size_t r = 0; r < rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
            got[r * cols + (size_t)A->col_indices[nz]] = A->values[nz];
    for (size_t i = 0; i < rows * cols; ++i)
        if (got[i] != dense[i]) fail_msg("%s\nelement %zu is %g, not %g", text, i, got[i], dense[i]);
    free(got);
    csr_free(A);
}

static void expect(const char *text, size_t rows, size_t cols, size_t nnz, const double *dense)
{
    expect_matrix(read_text(text), text, rows, cols, nnz, dense);
}


TEST(kinds_of_files)
{
    expect(BANNER "coordinate real general\n2 3 3\n1 1 1.5\n2 3 -2e0\n2 1 .5\n", 2, 3, 3, DENSE{1.5, 0, 0, .5, 0, -2});
    expect(BANNER "coordinate integer general\n1 2 2\n1 2 -7\n1 1 +3\n", 1, 2, 2, DENSE{3, -7});
    expect(BANNER "coordinate unsigned-integer general\n1 2 2\n1 2 7\n1 1 4294967295\n", 1, 2, 2,
           DENSE{4294967295., 7});
    expect(BANNER "array unsigned-integer general\n2 1\n3\n4\n", 2, 1, 2, DENSE{3, 4});
    expect(BANNER "coordinate pattern general\n2 2 2\n1 2\n2 1\n", 2, 2, 2, DENSE{0, 1, 1, 0});
    /* CHOLMOD left alone makes this one 2 -1; -1 2 */
    expect(BANNER "coordinate pattern symmetric\n2 2 3\n1 1\n2 1\n2 2\n", 2, 2, 4, DENSE{1, 1, 1, 1});
    expect(BANNER "coordinate pattern symmetric\n1 1 1\n1 1\n", 1, 1, 1, DENSE{1});
    expect(BANNER "coordinate real symmetric\n3 3 3\n1 1 1\n3 1 5\n3 2 6\n", 3, 3, 5, DENSE{1, 0, 5, 0, 0, 6, 5, 6, 0});
    expect(BANNER "coordinate integer symmetric\n1 1 1\n1 1 4\n", 1, 1, 1, DENSE{4});
    expect(BANNER "coordinate real skew-symmetric\n2 2 1\n2 1 5\n", 2, 2, 2, DENSE{0, -5, 5, 0});
    expect(BANNER "coordinate real general\n2 2 4\n1 1 0\n2 2 0.0\n1 1 0\n1 2 3\n", 2, 2, 3, DENSE{0, 3, 0, 0});
    expect(BANNER "coordinate real general\n1 1 3\n1 1 1\n1 1 2\n1 1 4\n", 1, 1, 1, DENSE{7});
    expect(BANNER "array real general\n2 3\n1\n0\n2\n3\n0\n4\n", 2, 3, 4, DENSE{1, 2, 0, 0, 3, 4});
    expect(BANNER "array integer symmetric\n2 2\n1\n2\n0\n", 2, 2, 3, DENSE{1, 2, 2, 0});
    expect(BANNER "array real skew-symmetric\n3 3\n1\n0\n3\n", 3, 3, 4, DENSE{0, -1, 0, 1, 0, -3, 0, 3, 0});
    expect(BANNER "array real skew-symmetric\n1 1\n", 1, 1, 0, DENSE{0});
}

TEST(empty_matrices)
{
    expect(BANNER "coordinate real general\n0 0 0\n", 0, 0, 0, DENSE{0});
    expect(BANNER "coordinate real general\n3 0 0\n", 3, 0, 0, DENSE{0});
    expect(BANNER "coordinate pattern symmetric\n0 0 0", 0, 0, 0, DENSE{0});
    expect(BANNER "coordinate real general\n2 2 0\n% nothing\n\n", 2, 2, 0, DENSE{0, 0, 0, 0});
    expect(BANNER "array real general\n0 3\n", 0, 3, 0, DENSE{0});
    expect(BANNER "array real symmetric\n0 0\n", 0, 0, 0, DENSE{0});
}

TEST(liberties_that_are_fine)
{
    const double *one = DENSE{0, 2.5};
    expect(BANNER "coordinate real general\r\n%c\r\n\r\n1 2 1\r\n1 2 2.5\r\n", 1, 2, 1, one);
    expect(BANNER "coordinate real general\n%c\n%\n\n1 2 1\n\n  \t\n%between\n1 2 2.5\n%after\n\n", 1, 2, 1, one);
    expect(BANNER "coordinate real general\n1 2 1\n1 2 2.5", 1, 2, 1, one); /* no last newline */
    expect(BANNER "coordinate real general\n  1\t2   1  \n\t1  2\t2.5e+0 \n", 1, 2, 1, one);
    expect("%%matrixmarket MATRIX Coordinate REAL General\n1 2 1\n1 2 25E-1\n", 1, 2, 1, one);
    expect(BANNER "coordinate real general\n1 2 1\n1 2 1e-400\n", 1, 2, 1, DENSE{0, 0});
    expect(BANNER "coordinate real general\n1 2 2\n1 1 1.7976931348623157e308\n1 2 -1e308\n", 1, 2, 2,
           DENSE{DBL_MAX, -1e308});
    expect(BANNER "coordinate real general\n1 2 2\n001 02 1\n1 2 1.5\n", 1, 2, 1, one);
    expect(" \t" BANNER "coordinate real general\n  % c\n\v1\f2 1\n 1 2 2.5\n", 1, 2, 1, one);
    expect(BANNER "coordinate real general % of unit length\n1 2 1\n1 2 2.5\n", 1, 2, 1, one);
    expect(BANNER "coordinate real general\n+1 +2 +1\n+1 +0000000000000000000000000002 +2.5\n", 1, 2, 1, one);
    expect("\xef\xbb\xbf" BANNER "coordinate real general\n1 2 1\n1 2 2.5\n", 1, 2, 1, one);
    expect(BANNER "coordinate real general\r%c\r1 2 1\r1 2 2.5\r", 1, 2, 1, one);
    expect(BANNER "coordinate real general\r%c\n1 2 1\r\n1 2 2.5", 1, 2, 1, one); /* all three line ends */
    expect(BANNER "coordinate real general\n%c\r1 1 1\n1 2 1\n1 2 \r2.5\n", 1, 2, 1, one); /* here CR is a blank */
    expect(BANNER "coordinate real skew-symmetric\n2 2 3\n1 1 0\n2 1 5\n2 2 -0.0\n", 2, 2, 4, DENSE{0, -5, 5, 0});
}

/* The reader takes the text in pieces: a line end may be the last byte of one and the first of the next. */
TEST(line_ends_anywhere)
{
    enum { COUNT = 28000 }; /* more than one piece, 1 << 18 bytes */
    const char *const ends[] = {"\n", "\r", "\r\n"};
    char *text = malloc(64 + COUNT * 24);
    for (size_t shift = 0; shift < 3 * 16; shift += getenv("RUN_WITH") ? 7 : 1) {
        const char *end = ends[shift % 3];
        size_t n = (size_t)sprintf(text, "%scoordinate integer general%s%%%.*s%s1 9 %d%s", BANNER, end, (int)shift / 3,
                                   "0123456789abcdef", end, COUNT, end);
        for (int i = 0; i < COUNT; ++i) n += (size_t)sprintf(text + n, "1 %d %d%s", i % 9 + 1, i, end);
        csr_t *A = read_text(text);
        assert_int_equal(A->nnz, 9);
        double sum = 0;
        for (int i = 0; i < 9; ++i) sum += A->values[i];
        assert_true(sum == (double)COUNT * (COUNT - 1) / 2);
        csr_free(A);
    }
    free(text);
}

/* As many entries as bytes can hold: the room that is asked for them is enough. */
TEST(shortest_entries)
{
    static const char *const KIND[][2] = {
        {"coordinate pattern", "1 1\n"}, {"coordinate real", "1 1 0\n"}, {"array real", "0\n"}};
    for (int k = 0; k < 3; ++k) {
        char text[8000];
        sprintf(text, "%s%s general\n%s\n", BANNER, KIND[k][0], k == 2 ? "1000 1" : "1 1 1000");
        for (int i = 0; i < 1000; ++i) strcat(text, KIND[k][1]);
        const double dense[1000] = {k == 0 ? 1000 : 0};
        expect(text, k == 2 ? 1000 : 1, 1, k != 2, dense);
    }
}

TEST(long_comments)
{
    enum { LONG = 700000 }; /* longer than the reader's buffer */
    char *text = malloc(LONG + 200);
    strcpy(text, BANNER "coordinate real general\n%");
    size_t n = strlen(text);
    memset(text + n, '5', LONG);
    for (int end = 0; end < 2; ++end) {
        sprintf(text + n + LONG, "%c%% short\n1 2 1\n1 2 2.5\n", "\n\r"[end]);
        for (size_t indent = 0; indent < 3; ++indent) { /* of the comment */
            expect(text, 1, 2, 1, DENSE{0, 2.5});
            memcpy(text + n - 1 + indent, " %", 2);
        }
        memcpy(text + n - 1, "%55", 3);
    }
    free(text);
}

/* Reading must fail with a line that holds `reason`, and `line` (0: no line number). */
static void expect_refused_file(size_t line, const char *reason)
{
    err_t err = {""};
    csr_t *A = mtx_read(path, &err);
    char where[160];
    if (line) snprintf(where, sizeof where, "%s:%zu: ", path, line);
    else snprintf(where, sizeof where, "%s: ", path);
    if (A) fail_msg("read what should be refused: %s", reason);
    if (strncmp(err.text, where, strlen(where)) || !strstr(err.text, reason) || strchr(err.text, '\n'))
        fail_msg("'%s' is not '%s... %s'", err.text, where, reason);
}

/* The same of a file of that name with these bytes. */
static void expect_refused_bytes(const char *name, const void *bytes, size_t count, size_t line, const char *reason)
{
    put(name, bytes, count);
    expect_refused_file(line, reason);
    unlink(path);
}

static void expect_refused(const char *text, size_t line, const char *reason)
{
    expect_refused_bytes("bad.mtx", text, strlen(text), line, reason);
    put_gz("bad.mtx.gz", text, strlen(text)); /* the same reason through gzip */
    if (*text) expect_refused_file(line, reason);
    unlink(path);
}

TEST(bad_banners)
{
    expect_refused("", 0, "empty file");
    expect_refused("%%MatrixMarketmatrix coordinate real general\n1 1 0\n", 1, "not a Matrix Market file");
    expect_refused(BANNER "coordinate real generally\n1 1 0\n", 1, "must be general");
    expect_refused(BANNER "coordinate complex Hermitian\n1 1 1\n1 1 1 0\n", 1, "complex hermitian");
    expect_refused(BANNER "coordinate pattern skew-symmetric\n1 1 0\n", 1, "pattern cannot be skew");
}

TEST(bad_sizes)
{
    expect_refused(BANNER "coordinate real general\n%\n%\n", 3, "ends before the size line");
    expect_refused(BANNER "coordinate real general\n%\n2 2\n", 3,
                   "size line ends before the number of entries: is it missing?");
    expect_refused(BANNER "coordinate real general\n1 1 2.5\n", 2,
                   "the number of entries, '2.5', is not a whole number: is the size line missing?");
    expect_refused(BANNER "coordinate real general\ntwo 2 1\n", 2, "'two'");
    expect_refused(BANNER "coordinate real general\n99999999999999999999 2 1\n", 2, "is too large");
    expect_refused(BANNER "coordinate real general\n2 2 -99999999999999999999\n", 2,
                   "entries, '-99999999999999999999', is negative");
    expect_refused(BANNER "coordinate real general\n2 2 --1\n", 2, "not a whole number");
    expect_refused(BANNER "coordinate real general\n2 + 1\n", 2, "not a whole number");
    expect_refused(BANNER "coordinate real general\n2147483648 1 0\n", 2, "2147483648 x 1 is beyond 2147483647");
    expect_refused(BANNER "coordinate pattern general\n9 9 3000000\n1 1\n", 3, "ends after 1 of 3000000 entries");
    for (int n = 1; n < 60; ++n) { /* the message must not depend on the buffer's size */
        char text[200], words[64];
        sprintf(text, "%scoordinate pattern general\n%%%.*s\n9 9 %d\n1 1\n", BANNER, n / 2,
                "000000000000000000000000000000", n + 1);
        sprintf(words, "ends after 1 of %d entries", n + 1);
        expect_refused(text, 4, words);
    }
}

TEST(bad_entries)
{
#define REAL BANNER "coordinate real general\n"
    expect_refused(REAL "2 2 2\n1 1 1\n3 1 1\n", 4, "row index 3 is outside 1..2");
    expect_refused(REAL "2 2 2\n1 1 1\n1 3 1\n", 4, "column index 3 is outside 1..2");
    expect_refused(REAL "2 2 2\n0 1 1\n1 1 1\n", 3, "row index 0 is outside 1..2"); /* not 0-based: wrong */
    expect_refused(REAL "2 2 1\n1 0 1\n%  \n", 3, "column index 0 is outside");
    expect_refused(REAL "2 2 1\n1 -0 1\n", 3, "column index 0 is outside");
    expect_refused(REAL "2 2 1\n1 99999999999999999999 1\n", 3,
                   "column index '99999999999999999999' is too large: outside 1..2");
    expect_refused(REAL "2 2 1\n+ 1 1\n", 3, "row index '+' is not a whole number");
    expect_refused(REAL "2 2 1\n1 1-1 1\n", 3, "column index '1-1' is not a whole number");
    expect_refused(REAL "2 2 1\n1e0 1 1\n", 3, "row index '1e0'");
    expect_refused(REAL "2 2 1\n1\n     \n", 3, "ends before the column index");
    expect_refused(REAL "2 2 1\n1 1 \n\n\n", 3, "ends before the value");
    expect_refused(REAL "2 2 1\n1 1 +infinity\n", 3, "value '+infinity' is not finite");
    expect_refused(REAL "2 2 1\n1 1 -nan(7)\n", 3, "value '-nan(7)' is not finite");
    expect_refused(REAL "2 2 1\n1 1 -Indefinite\n", 3, "value '-Indefinite' is not a number");
    expect_refused(REAL "2 2 1\n1 1 -1.7976931348623159e308\n", 3, "is too large");
    expect_refused(REAL "2 2 1\n1 1 1e\n", 3, "value '1e' is not a number");
    expect_refused(REAL "2 2 1\n1 1 .\n", 3, "value '.' is not a number");
    expect_refused(REAL "2 2 1\n1 1 -\n", 3, "value '-' is not a number");
    expect_refused(REAL "2 2 1\n1 1 1 7\n", 3,
                   "'7' after the end of the entry: an entry is a row, a column and a value");
    expect_refused(REAL "2 2 1\n1 1 1\n\n2 2 2\n", 5, "more than the 1 entries");
    expect_refused(REAL "2 2 1\n1 1 1\n\x1a", 4, "byte 0x1a (Ctrl-Z) behind the last entry");
    expect_refused(REAL "2 2 2\n1 1 1\r\n \x1a", 4, "byte 0x1a (Ctrl-Z) at the start of the line");
    expect_refused(REAL "\x1a", 2, "byte 0x1a (Ctrl-Z) at the start of the line");
    expect_refused_bytes("a.mtx", REAL "2 2 1\n1 1 1\n\0\0", sizeof REAL "2 2 1\n1 1 1\n\0",
                         4, "byte 0x00 (NUL) behind the last entry");
    expect_refused(REAL "2 2 1\n\x01\x02\x7f\xff\n", 3, "row index '\?\?\?\?' is not");
    expect_refused(BANNER "coordinate real symmetric\n2 2 1\n1 2 1\n", 3, "(1, 2) is above the diagonal");
    expect_refused(BANNER "coordinate real symmetric\n2 2 1\n1 2 1\n", 3, "--symmetric as-listed");
    expect_refused(BANNER "coordinate real skew-symmetric\n2 2 1\n1 2 1\n", 3, "--symmetric as-listed");
    expect_refused(BANNER "array real general\n1 2\n1 2\n\n\n", 3,
                   "'2' after the end of the entry: an array has one value per line, column by column");
    expect_refused(BANNER "array real general\n1 2\n1\nNaN\n", 4, "value 'NaN' is not finite");
}

#define INTEGER BANNER "coordinate integer general\n"

/* Integers are accepted if a double holds them, else refused: a file that says `integer` must not be rounded. */
TEST(large_integers)
{
    expect(INTEGER "1 3 3\n1 1 9007199254740992\n1 2 -9007199254740994\n1 3 1152921504606846976\n", 1, 3, 3,
           DENSE{9007199254740992., -9007199254740994., 1152921504606846976.});
    expect(INTEGER "1 1 1\n1 1 +0009007199254740994\n", 1, 1, 1, DENSE{9007199254740994.});
    expect_refused(INTEGER "1 1 1\n1 1 9007199254740993\n", 3, "to read it as 9007199254740992");
    expect_refused(INTEGER "1 1 1\n1 1 -18446744073709551615\n", 3, "to read it as -1.8446744073709552e+19");
    expect_refused(BANNER "array integer general\n1 1\n9223372036854775807\n", 3, "'9223372036854775807'");
    expect(REAL "1 1 1\n1 1 9007199254740993\n", 1, 1, 1, DENSE{9007199254740992.}); /* as every real number */
    expect(INTEGER "1 2 3\n1 1 9007199254740991\n1 1 1\n1 2 9007199254740994\n", 1, 2, 2,
           DENSE{9007199254740992., 9007199254740994.});
    const char *const row =
        INTEGER "2 9 12\n2 9 9007199254740992\n2 8 2\n2 7 3\n2 6 4\n2 5 5\n2 4 6\n2 3 7\n2 2 8\n2 1 9\n"
                "1 1 9007199254740992\n2 8 ";
    char text[300];
    sprintf(text, "%s%s", row, "3\n2 8 4\n"); /* 2 + 3 + 4 beside two large ones that are alone */
    const double large = 0x1p53;
    expect(text, 2, 9, 10, DENSE{large, 0, 0, 0, 0, 0, 0, 0, 0, 9, 8, 7, 6, 5, 4, 3, 9, large});
    sprintf(text, "%s%s", row, "9007199254740992\n2 1 1\n");
    expect(text, 2, 9, 10, DENSE{large, 0, 0, 0, 0, 0, 0, 0, 0, 10, 8, 7, 6, 5, 4, 3, large + 2, large});
    sprintf(text, "%s%s", row, "9007199254740993\n2 1 1\n");
    expect_refused(text, 13, "no double holds it");
    sprintf(text, "%s%s", row, "9007199254740991\n2 8 9007199254740992\n");
    expect_refused(text, 0, "entry (2, 8): its duplicates add up to an integer that no double holds");
    expect_refused(INTEGER "1 1 2\n1 1 1\n1 1 9007199254740996\n", 0, "an integer that no double holds");
    expect_refused(INTEGER "1 2 3\n1 2 9007199254740992\n1 2 1\n1 2 -9007199254740992\n", 0, "entry (1, 2)");
}

/* With --symmetric as-listed.  n x n, or `reason` if it must be refused. */
static void expect_as_listed(const char *text, size_t n, size_t nnz, const double *dense, const char *reason)
{
    put("a.mtx", text, strlen(text));
    err_t err = {""};
    csr_t *A = mtx_read_as_listed(path, &err);
    unlink(path);
    if (reason && (A || !strstr(err.text, reason) || strncmp(err.text, path, strlen(path))))
        fail_msg("%s\n'%s' is not '%s'", text, err.text, reason);
    if (reason) return;
    if (!A) fail_msg("%s\n%s", text, err.text);
    assert_int_equal(csr_check(A, NULL), 0);
    expect_matrix(A, text, n, n, nnz, dense);
}

#define SYMMETRIC BANNER "coordinate real symmetric\n"
#define SKEW BANNER "coordinate real skew-symmetric\n"

TEST(symmetric_as_listed)
{
    const double *three = DENSE{1, 5, 6, 5, 0, 0, 6, 0, 0};
    expect_as_listed(SYMMETRIC "3 3 3\n1 1 1\n2 1 5\n3 1 6\n", 3, 5, three, NULL);               /* the lower half */
    expect_as_listed(SYMMETRIC "3 3 3\n1 1 1\n1 2 5\n1 3 6\n", 3, 5, three, NULL);               /* the upper half */
    expect_as_listed(SYMMETRIC "3 3 5\n1 2 5\n2 1 5\n3 1 6\n1 1 1\n1 3 6\n", 3, 5, three, NULL); /* both */
    expect_as_listed(SYMMETRIC "3 3 3\n1 1 1\n1 2 5\n3 1 6\n", 3, 5, three, NULL); /* each pair once, on either side */
    expect_as_listed(SYMMETRIC "3 3 4\n1 1 1\n1 2 5\n2 1 5\n3 1 6\n", 3, 5, three, NULL);
    expect_as_listed(BANNER "coordinate pattern symmetric\n2 2 2\n1 2\n2 1\n", 2, 2, DENSE{0, 1, 1, 0}, NULL);
    expect_as_listed(SYMMETRIC "2 2 0\n", 2, 0, DENSE{0, 0, 0, 0}, NULL);
    expect_as_listed(SYMMETRIC "2 2 2\n1 2 0\n2 1 -0.0\n", 2, 2, DENSE{0, 0, 0, 0}, NULL);
    expect_as_listed(SKEW "2 2 1\n1 2 5\n", 2, 2, DENSE{0, 5, -5, 0}, NULL);
    expect_as_listed(SKEW "2 2 2\n2 1 -5\n1 2 5\n", 2, 2, DENSE{0, 5, -5, 0}, NULL);
    expect_as_listed(SKEW "2 2 3\n2 1 -5\n1 2 5\n1 1 0\n", 2, 3, DENSE{0, 5, -5, 0}, NULL);
    expect_as_listed(SYMMETRIC "2 2 4\n1 2 2\n2 1 5\n1 2 3\n2 2 1\n", 2, 3, DENSE{0, 5, 5, 1}, NULL); /* 2 + 3 */
    expect_as_listed(SYMMETRIC "2 2 3\n1 2 2\n2 2 1\n1 2 3\n", 2, 3, DENSE{0, 5, 5, 1}, NULL);
    expect_as_listed(REAL "2 2 2\n1 2 2\n2 1 3\n", 2, 2, DENSE{0, 2, 3, 0}, NULL); /* says nothing of general files */
    expect_as_listed(BANNER "array real symmetric\n2 2\n1\n2\n3\n", 2, 4, DENSE{1, 2, 2, 3}, NULL);

    expect_as_listed(SYMMETRIC "3 3 3\n2 1 5\n3 3 9\n1 2 6\n", 0, 0, NULL,
                     "entry (1, 2) is 6, but (2, 1) is 5: the matrix is not symmetric");
    expect_as_listed(SYMMETRIC "2 2 2\n2 1 5\n1 2 0\n", 0, 0, NULL, "entry (1, 2) is 0, but (2, 1) is 5");
    expect_as_listed(SYMMETRIC "2 2 2\n2 1 5\n1 2 -5\n", 0, 0, NULL, "not symmetric");
    expect_as_listed(SYMMETRIC "2 2 3\n2 1 5\n1 2 5\n2 1 5\n", 0, 0, NULL, "entry (1, 2) is 5, but (2, 1) is 10");
    expect_as_listed(SYMMETRIC "2 2 2\n2 1 1\n1 2 1.0000000000000002\n", 0, 0, NULL,
                     "entry (1, 2) is 1.0000000000000002, but (2, 1) is 1: the matrix is not");
    expect_as_listed(SKEW "2 2 2\n2 1 5\n1 2 5\n", 0, 0, NULL,
                     "entry (1, 2) is 5, but (2, 1) is 5: the matrix is not skew-symmetric");
    expect_as_listed(SKEW "2 2 1\n1 1 5\n", 0, 0, NULL, ":3: entry (1, 1) is on the diagonal");
    expect_as_listed(SYMMETRIC "2 2 1\n1 3 5\n", 0, 0, NULL, ":3: column index 3 is outside");
}

TEST(long_lines)
{
    char text[2000] = BANNER "coordinate real general\n1 1 1\n1 1 ";
    size_t n = strlen(text);
    memset(text + n, '1', 1500);
    expect_refused(text, 3, "line of more than 1024 characters");
    char *endless = malloc(1 << 20);
    memset(endless, 'x', 1 << 20);
    memcpy(endless, text, n);
    expect_refused_bytes("bad.mtx", endless, 1 << 20, 3, "line of more than 1024 characters");
    free(endless);
}

TEST(files_that_are_no_files)
{
    snprintf(path, sizeof path, "%s/missing.mtx", folder);
    expect_refused_file(0, "No such file");
    snprintf(path, sizeof path, "%s", folder);
    expect_refused_file(0, "is a directory");
    char binary[5000];
    for (size_t i = 0; i < sizeof binary; ++i) binary[i] = (char)(i * 37 % 251);
    expect_refused_bytes("binary.mtx", binary, sizeof binary, 1, "not a Matrix Market file");
    const char text[] = REAL "1 1 1\n1 1 1\n";
    expect_refused_bytes("text.mtx.gz", text, sizeof text - 1, 0, "ends in .gz but holds no gzip data");
    put("closed.mtx", "x", 1);
    if (geteuid() != 0) { /* root may read everything */
        chmod(path, 0);
        expect_refused_file(0, "Permission denied");
    }
    unlink(path);
}

/* Files in a known other format (bzip2, tar, UTF-16, ...) are named in the message, also inside gzip. */
TEST(other_formats)
{
    static const struct {
        const char *bytes;
        size_t at, count;
        const char *words;
    } OTHERS[] = {
        {"BZh91AY&SY", 0, 10, "bzip2 data: unpack it with bunzip2"},
        {"\xfd""7zXZ\0", 0, 6, "xz data: unpack it with unxz"},
        {"\x5d\0\0\x80\0", 0, 5, "lzma data: unpack it with unlzma"},
        {"\x28\xb5\x2f\xfd", 0, 4, "zstd data: unpack it with unzstd"},
        {"\x04\x22\x4d\x18", 0, 4, "lz4 data: unpack it with unlz4"},
        {"\x1f\x9d\x90", 0, 3, "compress data: unpack it with uncompress"},
        {"PK\3\4", 0, 4, "a zip archive: unpack it with unzip"},
        {"7z\xbc\xaf\x27\x1c", 0, 6, "a 7z archive: unpack it with 7z x"},
        {"ash219/\0ustar", 249, 13, "a tar archive: unpack it with tar -x"},
        {"\xff\xfe%\0%\0", 0, 6, "UTF-16 text: convert it to UTF-8 with iconv -f UTF-16"},
        {"\xfe\xff\0%\0%", 0, 6, "UTF-16 text: convert it to UTF-8 with iconv -f UTF-16"},
        {"%\0%\0M\0", 0, 6, "UTF-16 text: convert it to UTF-8 with iconv -f UTF-16LE"},
        {"\0%\0%\0M", 0, 6, "UTF-16 text: convert it to UTF-8 with iconv -f UTF-16BE"},
        {"\xff\xfe\0\0%\0\0\0", 0, 8, "UTF-32 text: convert it to UTF-8 with iconv -f UTF-32"},
        {"\0\0\xfe\xff\0\0\0%", 0, 8, "UTF-32 text: convert it to UTF-8 with iconv -f UTF-32"},
        {"MATLAB 5.0 MAT-file", 0, 19, "a MATLAB file"},
        {"\x89HDF\r\n\x1a\n", 0, 8, "an HDF5 file"},
        {"<!DOCTYPE html>\n", 0, 16, "a web page"},
    };
    char bytes[1000];
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; ++i) {
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes + OTHERS[i].at, OTHERS[i].bytes, OTHERS[i].count);
        expect_refused_bytes("other.mtx", bytes, sizeof bytes, 0, OTHERS[i].words);
        put_gz("other.mtx.gz", bytes, sizeof bytes);
        expect_refused_file(0, OTHERS[i].words);
        unlink(path);
        expect_refused_bytes("other.mtx.gz", bytes, OTHERS[i].at + OTHERS[i].count,
                             0, OTHERS[i].words); /* not "no gzip data" */
    }
    put_gz("inner.gz", REAL "1 1 0\n", strlen(REAL "1 1 0\n"));
    const size_t count = take(bytes, sizeof bytes);
    put_gz("twice.mtx.gz", bytes, count);
    expect_refused_file(0, "gzip data inside gzip data: unpack it once with gunzip");
    unlink(path);
}

/* A whole gzip file and something behind it: zeros, as tapes have them, and further gzip data are read, the rest is not
 * passed over in silence. */
TEST(behind_gzip)
{
    const char *const first = REAL "1 2 2\n1 1 1\n", *const second = "1 2 2.5\n";
    char bytes[2000] = "";
    size_t count[2] = {0};
    for (int i = 0; i < 2; ++i) {
        const size_t done = i ? count[0] : 0;
        put_gz("part.gz", i ? second : first, strlen(i ? second : first));
        count[i] = done + take(bytes + done, 500);
    }
    for (size_t zeros = 0; zeros < 1000; zeros += 333) {
        put("both.mtx.gz", bytes, count[1] + zeros);
        err_t err = {""};
        csr_t *A = mtx_read(path, &err);
        unlink(path);
        if (!A) fail_msg("%s", err.text);
        expect_matrix(A, "two members", 1, 2, 2, DENSE{1, 2.5});
    }
    const char *const junk[] = {"x", "\x1f", "\x1f\x8b", "\x1f\x8b\x08", "1 2 2.5\n", "\n"};
    for (size_t zeros = 0; zeros < 2; ++zeros)
        for (size_t i = 0; i < sizeof junk / sizeof *junk; ++i) {
            strcpy(bytes + count[1] + zeros, junk[i]);
            expect_refused_bytes("junk.mtx.gz", bytes, count[1] + zeros + strlen(junk[i]),
                                 0, "other bytes follow the gzip data");
            memset(bytes + count[1], 0, 100);
        }
}

/* From a pipe, in as small pieces as can be. */
TEST(pipes)
{
    for (int zip = 0; zip < 2; ++zip) {
        const char text[] = BANNER "coordinate real general\r1 2 1\r1 2 2.5\r";
        char bytes[500];
        if (zip) put_gz("piped", text, sizeof text - 1);
        else put("piped", text, sizeof text - 1);
        const size_t count = take(bytes, sizeof bytes);
        assert_int_equal(mkfifo(path, 0600), 0);
        const pid_t writer = fork();
        if (writer == 0) {
            const int fd = open(path, O_WRONLY);
            for (size_t i = 0; i < count; ++i)
                if (write(fd, bytes + i, 1) != 1 || usleep(100)) _exit(1);
            _exit(0);
        }
        err_t err = {""};
        csr_t *A = mtx_read(path, &err);
        if (!A) fail_msg("%s", err.text);
        expect_matrix(A, text, 1, 2, 1, DENSE{0, 2.5});
        waitpid(writer, NULL, 0);
        unlink(path);
    }
}

/* The name of a file is shown, but its control characters do not reach the terminal. */
TEST(names_that_steer)
{
    static const char *const NAMES[][2] = {
        {"plain \xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80", NULL}, /* any language stays */
        {"a\x1b[31m\r\n\t\x7f", "a?[31m   ?"},
        {"\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "???\xc2\xa0"},
        {"\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf", "???\xe2\x80\xaf"},
        {"\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa", "????"},
        {"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x8d", "???\xe2\x80\x8d"},
        {"\x9b\xff\xc3", "???"},                              /* no UTF-8 */
        {"\xc2\xe4\xb8\xad\xe4\xb8", "?\xe4\xb8\xad??"},
        {"\xc0\x9b\xe0\x82\x9b\xed\xa0\x80\xf4\x90\x80\x80", "????????????"}, /* nor are these */
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; ++i) {
        const char *shown = NAMES[i][1] ? NAMES[i][1] : NAMES[i][0];
        err_t err;
        char words[200];
        err_set(&err, "%s", NAMES[i][0]);
        if (strcmp(err.text, shown)) fail_msg("%zu: '%s' is not '%s'", i, err.text, shown);
        assert_int_equal(plain_is(NAMES[i][0]), !NAMES[i][1]);
        assert_true(plain_is(shown));
        snprintf(path, sizeof path, "%s/%s", folder, NAMES[i][0]);
        snprintf(words, sizeof words, "%s/%s: No such file", folder, shown);
        assert_null(mtx_read(path, &err));
        assert_non_null(strstr(err.text, words));
    }
}

/* A gzip'd file cut at any byte is refused; so is one with a flipped bit, unless the bit did not matter. */
TEST(damaged_gzip)
{
    char text[3000] = REAL "60 60 60\n", bytes[3000];
    for (int i = 1; i <= 60; ++i) sprintf(text + strlen(text), "%d %d %d.5\n", i, i * 7 % 60 + 1, i * i);
    put_gz("whole.mtx.gz", text, strlen(text));
    csr_t *A = mtx_read(path, NULL);
    assert_non_null(A);
    size_t size = take(bytes, sizeof bytes);
    for (size_t cut = 1; cut < size; ++cut) {
        put("cut.mtx.gz", bytes, cut);
        err_t err = {""};
        if (mtx_read(path, &err)) fail_msg("read the first %zu of %zu bytes", cut, size);
        assert_non_null(strstr(err.text, "cut.mtx.gz:"));
        unlink(path);
    }
    for (size_t i = 0; i < size; ++i) {
        bytes[i] ^= 0x10;
        put("flipped.mtx.gz", bytes, size);
        csr_t *B = mtx_read(path, NULL);
        assert_true(!B || same_matrix(A, B));
        csr_free(B);
        unlink(path);
        bytes[i] ^= 0x10;
    }
    csr_free(A);
}

/* Text files cut at any byte, or with any byte replaced, never crash. */
TEST(damaged_text)
{
    const char whole[] = BANNER "coordinate real symmetric\n% c\n3 3 4\n1 1 1.5\n2 1 -2e1\n3 2 .5\n3 3 4\n";
    const char strange[] = {0, '9', '-', '%', '\n', (char)0xff};
    size_t size = strlen(whole);
    for (size_t cut = 0; cut < size; ++cut) {
        put("cut.mtx", whole, cut);
        csr_t *A = mtx_read(path, NULL);
        assert_true(!A || cut >= size - 2); /* without the last newline it is whole */
        csr_free(A);
        unlink(path);
    }
    for (size_t i = 0; i < size; ++i) {
        for (size_t k = 0; k < sizeof strange; ++k) {
            char text[sizeof whole];
            memcpy(text, whole, sizeof whole);
            text[i] = strange[k];
            put("odd.mtx", text, size);
            csr_t *A = mtx_read(path, NULL);
            assert_true(!A || csr_check(A, NULL) == 0);
            csr_free(A);
            unlink(path);
        }
    }
}

/* 64 MB of newlines in 64 kB of gzip: read in a buffer's worth of memory.  Under an emulator 4 MB. */
TEST(gzip_bomb)
{
    size_t size = (size_t)(getenv("RUN_WITH") ? 4 : 64) << 20;
    char *text = malloc(size);
    memset(text, '\n', size);
    memcpy(text, REAL, strlen(REAL));
    put_gz("bomb.mtx.gz", text, size);
    free(text);
    expect_refused_file(size - strlen(REAL) + 1, "ends before the size line");
    unlink(path);
}

TEST(sizes_beyond_memory)
{
    err_t err = {""};
    assert_int_equal(hostmem_fits((double)hostmem_bytes() / 2, "x", &err), 0);
    assert_int_equal(hostmem_fits(1e18, "the moon", &err), -1);
    assert_non_null(strstr(err.text, "the moon needs 1000000000.0 GB, this machine has "));
    if (hostmem_bytes() < (size_t)34 << 30)
        expect_refused(REAL "2147483647 2147483647 0\n", 2, "this machine has");
}

/* A program in a language with decimal commas reads the same files. */
TEST(decimal_commas)
{
    const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "pl_PL.UTF-8", "de_DE", "fr_FR"};
    int found = 0;
    for (int i = 0; i < 5 && !found; ++i) found = setlocale(LC_ALL, names[i]) != NULL;
    if (!found) skip();
    expect(REAL "1 1 1\n1 1 2.5\n", 1, 1, 1, DENSE{2.5});
    setlocale(LC_ALL, "C");
}

/* The two matrices that live beside this file. */
TEST(matrices_of_the_repository)
{
    const char *const places[] = {"common/lib/tests/data", "tests/data", "data", "../common/lib/tests/data"};
    int i = 0;
    while (i < 4 && access(places[i], R_OK)) ++i;
    if (i == 4) skip();
    snprintf(path, sizeof path, "%s/tiny.mtx", places[i]);
    csr_t *A = mtx_read(path, NULL);
    assert_non_null(A);
    assert_true(A->rows == 5 && A->cols == 6 && A->nnz == 9 && csr_stats(A).empty_rows == 1);
    csr_free(A);
    snprintf(path, sizeof path, "%s/tiny_symmetric.mtx", places[i]);
    A = mtx_read(path, NULL);
    assert_non_null(A);
    assert_true(A->rows == 4 && A->nnz == 7 && A->values[6] == 1);
    csr_free(A);
}

/* One line of INDEX.tsv against what reading gives. */
static void check_real(const char *matrices, const char *name, size_t rows, size_t cols, size_t stored,
                       const char *symmetry, const char *field)
{
    char file[512];
    err_t err = {""};
    snprintf(file, sizeof file, "%s/%s.mtx.gz", matrices, name);
    csr_t *A = mtx_read(file, &err);
    if (!strcmp(field, "complex")) {
        assert_null(A);
        assert_non_null(strstr(err.text, "complex"));
        if (!strcmp(symmetry, "hermitian")) assert_non_null(strstr(err.text, "hermitian"));
        return;
    }
    if (!A) fail_msg("%s", err.text);
    size_t diagonal = 0;
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
            diagonal += (size_t)A->col_indices[nz] == r;
    size_t expanded = strcmp(symmetry, "general") ? 2 * stored - diagonal : stored;
    assert_int_equal(A->rows, rows);
    assert_int_equal(A->cols, cols);
    assert_int_equal(A->nnz, expanded);
    csr_free(A);
}

TEST(real_matrices)
{
    const char *matrices = getenv("MATRIX_DIR");
    char line[512], file[512], name[128], symmetry[32], field[32];
    if (!matrices) skip();
    snprintf(file, sizeof file, "%s/INDEX.tsv", matrices);
    FILE *index = fopen(file, "r");
    if (!index) skip();
    int read = 0;
    while (fgets(line, sizeof line, index)) {
        size_t rows, cols, stored;
        if (sscanf(line, "%127s %*s %zu %zu %zu %31s %31s", name, &rows, &cols, &stored, symmetry, field) != 6)
            continue;
        check_real(matrices, name, rows, cols, stored, symmetry, field);
        ++read;
    }
    fclose(index);
    assert_true(read > 0);
}

int main(void) { return cmocka_run_group_tests(tests, make_folder, remove_folder); }
