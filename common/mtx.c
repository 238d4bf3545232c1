/*
 * mtx.c - see mtx.h
 *
 * CHOLMOD parses the numbers.  Left alone it also forgives too much: an index 0 makes
 * the whole file 0-based, "1.5" is index 1, "1.0D3" is 1.0, words after the third number
 * are skipped, a symmetric pattern gets invented values, and it never says which line
 * it disliked.  So it reads through a sieve: a FILE (fopencookie) that unpacks gzip,
 * hands on only data lines that keep to the format, and remembers line and reason of
 * the first that does not.  Nothing is unpacked to disk and the text is read once.
 */
#include "mtx.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <suitesparse/cholmod.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "hostmem.h"

enum {
    BUFFER = 1 << 18,
    LINE_MAX_CHARS = 1024, /* the format's own limit; CHOLMOD splits longer lines */
    GZIP_RATIO = 1032,     /* deflate cannot shrink more than this (zlib, "Technical Details") */
};

typedef enum { FIELD_REAL, FIELD_INTEGER, FIELD_PATTERN, FIELD_COMPLEX } field_t;
typedef enum { GENERAL, SYMMETRIC, SKEW, HERMITIAN } symmetry_t;

typedef struct source {
    const char *path;
    gzFile gz;                /* reads plain text as well */
    char *buffer;             /* [BUFFER + 1] */
    size_t start, end;        /* what is left of it */
    bool ended;
    size_t line;              /* number of the line last read */
    const char *pending;      /* checked text on its way to CHOLMOD */
    size_t pending_bytes;
    char head[128];           /* banner and size line as CHOLMOD gets them */
    bool is_array;
    field_t field;
    symmetry_t symmetry;
    uint64_t rows, cols, entries; /* entries the file must have */
    uint64_t seen;
    bool failed;
    err_t *err;
} source_t;

/* Remembers "PATH:LINE: reason" and returns -1.  Only the first failure counts. */
__attribute__((format(printf, 2, 3))) static int fail(source_t *s, const char *format, ...)
{
    if (s->failed) return -1;
    s->failed = true;
    char reason[320];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return s->line ? err_set(s->err, "%.160s:%zu: %s", s->path, s->line, reason)
                   : err_set(s->err, "%.160s: %s", s->path, reason);
}

/* ---- lines --------------------------------------------------------------- */

/* Moves what is left to the front and reads more behind it. */
static int refill(source_t *s)
{
    memmove(s->buffer, s->buffer + s->start, s->end - s->start);
    s->end -= s->start;
    s->start = 0;
    int got = gzread(s->gz, s->buffer + s->end, (unsigned)(BUFFER - s->end));
    if (got > 0) {
        s->end += (size_t)got;
        return 0;
    }
    int code;
    const char *reason = gzerror(s->gz, &code);
    s->ended = true;
    if (code == Z_BUF_ERROR) return fail(s, "the gzip stream is cut off after this line");
    if (code == Z_ERRNO) return fail(s, "%s", strerror(errno));
    if (code != Z_OK && code != Z_STREAM_END) return fail(s, "damaged gzip data after this line (%s)", reason);
    return 0;
}

/* The next line, *length bytes with its newline, valid until the next call.  NULL at the
 * end or after a failure. */
static char *next_line(source_t *s, size_t *length)
{
    bool skipping = false; /* inside a comment longer than the buffer */
    for (;;) {
        char *line = s->buffer + s->start;
        char *newline = memchr(line, '\n', s->end - s->start);
        if (!newline && s->ended) {
            if (s->start == s->end) return NULL;
            newline = s->buffer + s->end; /* a last line without newline gets one */
            s->buffer[s->end++] = '\n';
        }
        if (newline) {
            s->line++;
            s->start = (size_t)(newline + 1 - s->buffer);
            *length = (size_t)(newline + 1 - line);
            if (skipping) {
                skipping = false;
                continue;
            }
            return line;
        }
        if (s->end - s->start == BUFFER) {
            if (line[0] != '%' && !skipping) {
                s->line++;
                fail(s, "line of more than %d characters", LINE_MAX_CHARS);
                return NULL;
            }
            skipping = true;
            s->start = s->end;
        }
        if (refill(s)) return NULL;
    }
}

/* The next line that is neither blank nor a comment. */
static char *next_data_line(source_t *s, size_t *length)
{
    for (char *line; (line = next_line(s, length));) {
        const char *p = line;
        while (*p == ' ' || *p == '\t' || *p == '\r') p++;
        if (*p == '\n' || *p == '%') continue;
        if (*length <= LINE_MAX_CHARS) return line;
        fail(s, "line of more than %d characters", LINE_MAX_CHARS);
        return NULL;
    }
    return NULL;
}

/* ---- checking one line --------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The word at *p, which moves behind it and the blanks that follow; *length 0 at the end
 * of the line. */
static const char *next_word(const char **p, size_t *length)
{
    while (is_blank(**p)) ++*p;
    const char *word = *p;
    while (!is_blank(**p) && **p != '\n') ++*p;
    *length = (size_t)(*p - word);
    while (is_blank(**p)) ++*p;
    return word;
}

/* A word as it may be quoted in a message: printable, not endless. */
static const char *quote(const char *word, size_t length, char text[32])
{
    size_t n = length < 28 ? length : 28;
    for (size_t i = 0; i < n; i++) text[i] = word[i] >= ' ' && word[i] <= '~' ? word[i] : '?';
    strcpy(text + n, length > n ? "..." : "");
    return text;
}

/* Decimal digits only, at most 18 of them.  -1 if it is anything else. */
static int parse_whole(const char *word, size_t length, uint64_t *value)
{
    if (length == 0 || length > 18) return -1;
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)word[i])) return -1;
        *value = *value * 10 + (uint64_t)(word[i] - '0');
    }
    return 0;
}

static int check_index(source_t *s, const char **p, const char *what, uint64_t limit, uint64_t *index)
{
    char text[32];
    size_t length;
    const char *word = next_word(p, &length);
    if (length == 0) return fail(s, "the line ends before the %s index", what);
    if (parse_whole(word, length, index))
        return fail(s, "%s index '%s' is not a whole number", what, quote(word, length, text));
    if (*index < 1 || *index > limit)
        return fail(s, "%s index %" PRIu64 " is outside 1..%" PRIu64, what, *index, limit);
    return 0;
}

/* [+-]digits[.digits][e[+-]digits], finite; integer fields without point and exponent. */
static int check_value(source_t *s, const char **p)
{
    char text[32], number[LINE_MAX_CHARS + 1];
    size_t length;
    const char *word = next_word(p, &length), *c = word, *end = word + length;
    if (length == 0) return fail(s, "the line ends before the value");
    bool is_integer = true;
    size_t digits = 0, exponent_digits = 1;
    if (*c == '+' || *c == '-') c++;
    for (; c < end && isdigit((unsigned char)*c); c++) digits++;
    if (c < end && *c == '.') {
        is_integer = false;
        for (c++; c < end && isdigit((unsigned char)*c); c++) digits++;
    }
    if (digits && c < end && (*c == 'e' || *c == 'E')) {
        is_integer = false;
        exponent_digits = 0;
        if (++c < end && (*c == '+' || *c == '-')) c++;
        for (; c < end && isdigit((unsigned char)*c); c++) exponent_digits++;
    }
    if (c != end || digits == 0 || exponent_digits == 0) {
        if (strchr("nNiI", word[word[0] == '+' || word[0] == '-']))
            return fail(s, "value '%s' is not finite", quote(word, length, text));
        return fail(s, "value '%s' is not a number", quote(word, length, text));
    }
    if (s->field == FIELD_INTEGER && !is_integer)
        return fail(s, "value '%s' is not an integer, but the banner says so", quote(word, length, text));
    if (length > 100 || exponent_digits > 2) { /* only these can overflow; CHOLMOD makes 1e308 and up infinite */
        memcpy(number, word, length);
        number[length] = '\0';
        if (fabs(strtod(number, NULL)) >= 1e308)
            return fail(s, "value '%s' is beyond 1e308", quote(word, length, text));
    }
    return 0;
}

/* Indices, value, nothing behind them. */
static int check_entry(source_t *s, const char *line)
{
    if (s->seen == s->entries)
        return fail(s, "more than the %" PRIu64 " entries the size line announces", s->entries);
    if (!s->is_array) {
        uint64_t row, col;
        if (check_index(s, &line, "row", s->rows, &row) || check_index(s, &line, "column", s->cols, &col)) return -1;
        if (s->symmetry != GENERAL && row < col)
            return fail(s, "entry (%" PRIu64 ", %" PRIu64 ") is above the diagonal of a symmetric file", row, col);
        if (s->symmetry == SKEW && row == col)
            return fail(s, "entry (%" PRIu64 ", %" PRIu64 ") is on the diagonal of a skew-symmetric file", row, col);
    }
    if (s->field != FIELD_PATTERN && check_value(s, &line)) return -1;
    char text[32];
    size_t length;
    const char *word = next_word(&line, &length);
    if (length) return fail(s, "'%s' after the end of the entry", quote(word, length, text));
    s->seen++;
    return 0;
}

/* ---- banner and sizes ---------------------------------------------------- */

/* Which of names[0..count) the next word is, -1 if none. */
static int match_word(const char **p, const char *const *names, int count)
{
    size_t length;
    const char *word = next_word(p, &length);
    for (int i = 0; i < count; i++)
        if (length == strlen(names[i]) && !strncasecmp(word, names[i], length)) return i;
    return -1;
}

static int read_banner(source_t *s)
{
    static const char *const OBJECT[] = {"matrix"}, *const FORMAT[] = {"coordinate", "array"};
    static const char *const FIELD[] = {"real", "integer", "pattern", "complex"};
    static const char *const SYMMETRY[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    size_t length;
    const char *line = next_line(s, &length);
    if (!line) return fail(s, "empty file");
    if (length < 15 || strncasecmp(line, "%%MatrixMarket", 14) || !is_blank(line[14]))
        return fail(s, "not a Matrix Market file: no '%%%%MatrixMarket' at the start");
    line += 14;
    if (match_word(&line, OBJECT, 1)) return fail(s, "the banner does not say 'matrix'");
    int format = match_word(&line, FORMAT, 2), field = match_word(&line, FIELD, 4);
    int symmetry = match_word(&line, SYMMETRY, 4);
    if (format < 0) return fail(s, "the banner's format is neither 'coordinate' nor 'array'");
    if (field < 0) return fail(s, "the banner's field is none of real, integer, pattern, complex");
    if (symmetry < 0)
        return fail(s, "the banner's symmetry is none of general, symmetric, skew-symmetric, hermitian");
    if (*line != '\n') return fail(s, "the banner goes on after the symmetry");
    s->is_array = format == 1;
    s->field = (field_t)field;
    s->symmetry = (symmetry_t)symmetry;
    if (s->field == FIELD_COMPLEX)
        return fail(s, "complex%s matrices are not supported", symmetry == HERMITIAN ? " hermitian" : "");
    if (s->symmetry == HERMITIAN) return fail(s, "hermitian matrices are not supported");
    if (s->field == FIELD_PATTERN && (s->is_array || s->symmetry == SKEW))
        return fail(s, "a pattern cannot be %s", s->is_array ? "an array" : "skew-symmetric");
    return 0;
}

/* How many entries the text can hold at most: "1 1\n" is the shortest pattern entry,
 * "1 1 1\n" the shortest with a value, "1\n" the shortest of an array. */
static double most_entries(const source_t *s, double text_bytes)
{
    return (text_bytes + 1) / (s->is_array ? 2 : s->field == FIELD_PATTERN ? 4 : 6);
}

/* Refuses sizes that cannot be right, or that cannot be read here, before anything is
 * allocated for them.  text_bytes is INFINITY when nobody knows. */
static int check_sizes(source_t *s, double text_bytes)
{
    char what[128];
    if (s->rows > INT32_MAX || s->cols > INT32_MAX)
        return fail(s, "%" PRIu64 " x %" PRIu64 " is beyond 2147483647 rows or columns", s->rows, s->cols);
    if (s->symmetry != GENERAL && s->rows != s->cols)
        return fail(s, "symmetric, but %" PRIu64 " x %" PRIu64, s->rows, s->cols);
    double n = (double)s->rows, dense = n * (double)s->cols;
    if (s->is_array) {
        if (dense > INT32_MAX) return fail(s, "an array of %.0f values is beyond 2147483647", dense);
        s->entries = s->symmetry == GENERAL     ? s->rows * s->cols
                   : s->symmetry == SYMMETRIC   ? s->rows * (s->rows + 1) / 2
                   : s->rows                    ? s->rows * (s->rows - 1) / 2
                                                : 0;
    }
    if (s->entries && dense == 0)
        return fail(s, "%" PRIu64 " entries in a %" PRIu64 " x %" PRIu64 " matrix", s->entries, s->rows, s->cols);
    if ((double)s->entries > most_entries(s, text_bytes))
        return fail(s, "%" PRIu64 " entries announced, but the file has room for at most %.0f", s->entries,
                    most_entries(s, text_bytes));
    if (s->entries > INT32_MAX)
        return fail(s, "%" PRIu64 " entries: more than 2147483647 cannot be read", s->entries);
    /* CHOLMOD's triplets (or dense array), ours when halves are expanded, the result and its transpose */
    double entries = (double)s->entries, expanded = s->symmetry == GENERAL ? entries : 2 * entries;
    double bytes = s->is_array ? 8 * dense + hostmem_csr(n, dense)
                               : 16 * entries + (expanded > entries ? 16 * expanded : 0) +
                                     hostmem_csr(n, expanded) + hostmem_csr((double)s->cols, expanded);
    err_t reason;
    snprintf(what, sizeof what, "reading %" PRIu64 " x %" PRIu64 " with %" PRIu64 " entries", s->rows, s->cols,
             s->entries);
    return hostmem_fits(bytes, what, &reason) ? fail(s, "%s", reason.text) : 0;
}

/* The size line, and what CHOLMOD gets to see of both: always "general" for triplets, so
 * that it neither drops nor invents anything; we expand the halves ourselves. */
static int read_sizes(source_t *s, double text_bytes)
{
    static const char *const NAME[] = {"rows", "columns", "entries"};
    static const char *const SYMMETRY[] = {"general", "symmetric", "skew-symmetric"};
    uint64_t *const target[] = {&s->rows, &s->cols, &s->entries};
    char text[32];
    size_t length;
    const char *line = next_data_line(s, &length);
    if (!line) return fail(s, "the file ends before the size line");
    int numbers = s->is_array ? 2 : 3;
    for (int i = 0; i < numbers; i++) {
        const char *word = next_word(&line, &length);
        if (length == 0) return fail(s, "the size line ends before the number of %s", NAME[i]);
        if (parse_whole(word, length, target[i]))
            return fail(s, "the number of %s, '%s', is not a whole number", NAME[i], quote(word, length, text));
    }
    const char *word = next_word(&line, &length);
    if (length) return fail(s, "'%s' after the end of the size line", quote(word, length, text));
    if (check_sizes(s, text_bytes)) return -1;
    int n = snprintf(s->head, sizeof s->head, "%%%%MatrixMarket matrix %s real %s\n%" PRIu64 " %" PRIu64,
                     s->is_array ? "array" : "coordinate", s->is_array ? SYMMETRY[s->symmetry] : "general", s->rows,
                     s->cols);
    if (!s->is_array) n += snprintf(s->head + n, sizeof s->head - (size_t)n, " %" PRIu64, s->entries);
    s->head[n++] = '\n';
    s->pending = s->head;
    s->pending_bytes = (size_t)n;
    return 0;
}

/* ---- what CHOLMOD reads -------------------------------------------------- */

/* Sets `pending` to the next good line.  False at the end and at the first bad line. */
static bool next_entry(source_t *s)
{
    size_t length;
    if (s->failed) return false;
    const char *line = next_data_line(s, &length);
    if (line && check_entry(s, line) == 0) {
        s->pending = line;
        s->pending_bytes = length;
        return true;
    }
    if (!line && s->seen < s->entries)
        fail(s, "the file ends after %" PRIu64 " of %" PRIu64 " entries", s->seen, s->entries);
    return false;
}

/* After a failure CHOLMOD gets a line it must refuse.  A plain end of file would do as
 * well, but then it forgets to free its arrays. */
static ssize_t sieve_read(void *cookie, char *to, size_t size)
{
    static const char REFUSE_ME[] = "x\n";
    source_t *s = cookie;
    size_t done = 0;
    while (done < size) {
        if (s->pending_bytes == 0 && !next_entry(s)) {
            if (!s->failed || done) break;
            s->pending = REFUSE_ME;
            s->pending_bytes = 2;
        }
        size_t n = s->pending_bytes < size - done ? s->pending_bytes : size - done;
        memcpy(to + done, s->pending, n);
        s->pending += n;
        s->pending_bytes -= n;
        done += n;
    }
    return (ssize_t)done;
}

/* ---- from CHOLMOD to CSR ------------------------------------------------- */

/* Both halves of a symmetric or skew-symmetric matrix as triplets. */
static csr_t *expand_halves(const source_t *s, const int32_t *rows, const int32_t *cols, const double *values,
                            size_t count, err_t *err)
{
    double sign = s->symmetry == SKEW ? -1 : 1;
    int32_t *both_rows = malloc((2 * count + 1) * sizeof *both_rows);
    int32_t *both_cols = malloc((2 * count + 1) * sizeof *both_cols);
    double *both_values = malloc((2 * count + 1) * sizeof *both_values);
    csr_t *A = NULL;
    if (both_rows && both_cols && both_values) {
        size_t n = 0;
        for (size_t k = 0; k < count; k++) {
            both_rows[n] = rows[k];
            both_cols[n] = cols[k];
            both_values[n++] = values[k];
            if (rows[k] == cols[k]) continue;
            both_rows[n] = cols[k];
            both_cols[n] = rows[k];
            both_values[n++] = sign * values[k];
        }
        A = csr_from_triplets(s->rows, s->cols, n, both_rows, both_cols, both_values, err);
    } else {
        err_set(err, "out of memory for the other half");
    }
    free(both_rows);
    free(both_cols);
    free(both_values);
    return A;
}

static csr_t *csr_from_cholmod(const source_t *s, const cholmod_triplet *T, err_t *err)
{
    double *values = T->x;
    if (s->field == FIELD_PATTERN)
        for (size_t k = 0; k < T->nnz; k++) values[k] = 1;
    if (s->symmetry != GENERAL) return expand_halves(s, T->i, T->j, values, T->nnz, err);
    return csr_from_triplets(s->rows, s->cols, T->nnz, T->i, T->j, values, err);
}

/* The nonzeros of a column-major array. */
static csr_t *csr_from_array(const cholmod_dense *X, err_t *err)
{
    const double *x = X->x;
    size_t nnz = 0, to = 0;
    for (size_t i = 0; i < X->nrow * X->ncol; i++) nnz += x[i] != 0;
    csr_t *A = csr_alloc(X->nrow, X->ncol, nnz);
    if (!A) {
        err_set(err, "out of memory for %zu nonzeros", nnz);
        return NULL;
    }
    for (size_t r = 0; r < A->rows; r++) {
        for (size_t c = 0; c < A->cols; c++) {
            double value = x[c * X->d + r];
            if (value == 0) continue;
            A->col_indices[to] = (int32_t)c;
            A->values[to++] = value;
        }
        A->row_offsets[r + 1] = (int64_t)to;
    }
    return A;
}

/* Nothing to parse (CHOLMOD returns garbage for an array without values), but the text
 * must end here. */
static csr_t *parse_nothing(source_t *s)
{
    if (next_entry(s) || s->failed) return NULL;
    csr_t *A = csr_alloc(s->rows, s->cols, 0);
    if (!A) fail(s, "out of memory");
    return A;
}

/* Lets CHOLMOD read `file`, then sees the rest of the text and makes the CSR matrix. */
static csr_t *parse(source_t *s, FILE *file)
{
    if (s->entries == 0) return parse_nothing(s);
    cholmod_common common;
    cholmod_start(&common);
    common.print = 0; /* it complains to us, not to the terminal */
    cholmod_triplet *T = NULL;
    cholmod_dense *X = NULL;
    if (s->is_array) X = cholmod_read_dense(file, &common);
    else T = cholmod_read_triplet(file, &common);
    while (next_entry(s)) continue; /* nothing may follow the last entry, and gzip's checksum must match */
    err_t reason = {"out of memory"};
    csr_t *A = NULL;
    if (!s->failed && (X || T) && s->seen == s->entries)
        A = X ? csr_from_array(X, &reason) : csr_from_cholmod(s, T, &reason);
    if (!A) {
        s->line = 0;
        fail(s, "%s", common.status == CHOLMOD_INVALID ? "CHOLMOD refuses it" : reason.text);
    }
    cholmod_free_triplet(&T, &common);
    cholmod_free_dense(&X, &common);
    cholmod_finish(&common);
    /* sums of duplicates may still overflow */
    if (A && csr_check(A, &reason)) {
        A = csr_free(A);
        s->line = 0;
        fail(s, "%s", reason.text);
    }
    return A;
}

/* parse() in the C locale: elsewhere scanf may want a comma in numbers. */
static csr_t *parse_in_c_locale(source_t *s, FILE *file)
{
    locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", NULL);
    locale_t old = c_locale ? uselocale(c_locale) : NULL;
    csr_t *A = parse(s, file);
    if (c_locale) {
        uselocale(old);
        freelocale(c_locale);
    }
    return A;
}

static bool ends_in_gz(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && !strcasecmp(path + length - 3, ".gz");
}

/* Opens path; *text_bytes gets an upper bound of the text's length. */
static int open_source(source_t *s, double *text_bytes)
{
    int fd = open(s->path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0) return fail(s, "%s", strerror(errno));
    if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        close(fd);
        return fail(s, "is a directory");
    }
    s->gz = gzdopen(fd, "rb");
    if (!s->gz) {
        close(fd);
        return fail(s, "out of memory");
    }
    gzbuffer(s->gz, BUFFER);
    bool plain = gzdirect(s->gz);
    *text_bytes = S_ISREG(info.st_mode) ? (double)info.st_size * (plain ? 1 : GZIP_RATIO) : INFINITY;
    if (S_ISREG(info.st_mode) && info.st_size == 0) return fail(s, "empty file");
    if (plain && ends_in_gz(s->path)) return fail(s, "ends in .gz but holds no gzip data");
    return 0;
}

csr_t *mtx_read(const char *path, err_t *err)
{
    source_t s = {.path = path, .err = err};
    csr_t *A = NULL;
    double text_bytes = 0;
    s.buffer = malloc(BUFFER + 1);
    if (!s.buffer) fail(&s, "out of memory");
    else if (open_source(&s, &text_bytes) == 0 && read_banner(&s) == 0 && read_sizes(&s, text_bytes) == 0) {
        FILE *file = fopencookie(&s, "r", (cookie_io_functions_t){.read = sieve_read});
        if (file) {
            A = parse_in_c_locale(&s, file);
            fclose(file);
        } else {
            fail(&s, "%s", strerror(errno));
        }
    }
    if (s.gz) gzclose(s.gz);
    free(s.buffer);
    return A;
}

/* ---- writing ------------------------------------------------------------- */

static int write_text(gzFile gz, const csr_t *A)
{
    if (gzprintf(gz, "%%%%MatrixMarket matrix coordinate real general\n%zu %zu %zu\n", A->rows, A->cols, A->nnz) <= 0)
        return -1;
    for (size_t r = 0; r < A->rows; r++)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; nz++)
            if (gzprintf(gz, "%zu %d %.17g\n", r + 1, A->col_indices[nz] + 1, A->values[nz]) <= 0) return -1;
    return 0;
}

/* Writes to fd, which stays open, and sees that it is on the disk.  -1 with errno. */
static int write_file(int fd, const csr_t *A, bool zip)
{
    int copy = dup(fd);
    gzFile gz = copy < 0 ? NULL : gzdopen(copy, zip ? "wb" : "wbT"); /* T: as it is */
    if (!gz) {
        if (copy >= 0) close(copy);
        return -1;
    }
    gzbuffer(gz, BUFFER);
    errno = 0;
    int status = write_text(gz, A);
    if (gzclose(gz) != Z_OK) status = -1;
    if (status && !errno) errno = EIO;
    return status ? -1 : fsync(fd);
}

int mtx_write(const char *path, const csr_t *A, err_t *err)
{
    err_t reason;
    if (csr_check(A, &reason)) return err_set(err, "%.160s: not written: %.300s", path, reason.text);
    size_t size = strlen(path) + sizeof ".XXXXXX";
    char *temporary = malloc(size);
    if (!temporary) return err_set(err, "%.160s: out of memory", path);
    snprintf(temporary, size, "%s.XXXXXX", path);
    int fd = mkstemp(temporary), status = -1;
    if (fd >= 0) {
        mode_t mask = umask(0); /* mkstemp makes it private; a result file should not be */
        umask(mask);
        locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", NULL), old = c_locale ? uselocale(c_locale) : NULL;
        status = fchmod(fd, 0666 & ~mask) || write_file(fd, A, ends_in_gz(path)) || rename(temporary, path);
        if (c_locale) {
            uselocale(old);
            freelocale(c_locale);
        }
    }
    if (status) err_set(err, "%.160s: %s", path, strerror(errno));
    if (status && fd >= 0) unlink(temporary);
    if (fd >= 0) close(fd);
    free(temporary);
    return status ? -1 : 0;
}
