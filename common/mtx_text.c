/* mtx_text.c - see mtx_text.h */
#include "mtx_text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostmem.h"

enum {
    BUFFER = 1 << 18,
    LINE_MAX_CHARS = 1024, /* the format's own limit; CHOLMOD splits longer lines */
    GZIP_RATIO = 1032,     /* deflate cannot shrink more than this (zlib, "Technical Details") */
    BOMB_RATIO = 200,      /* matrices shrink 3 to 10 times; what grows more than this ... */
    BOMB_BYTES = 64 << 20, /* ... and beyond so many bytes is a gzip bomb */
};

int mtx_text_fail(mtx_text_t *s, const char *format, ...)
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
static int refill(mtx_text_t *s)
{
    memmove(s->buffer, s->buffer + s->start, s->end - s->start);
    s->end -= s->start;
    s->start = 0;
    int got = gzread(s->gz, s->buffer + s->end, (unsigned)(BUFFER - s->end));
    if (got > 0) {
        s->end += (size_t)got;
        s->text_bytes += got;
        if (s->text_bytes <= s->text_limit || gzdirect(s->gz)) return 0;
        return mtx_text_fail(s, "unpacks to more than %.0f bytes: unpack it with gunzip if it is meant", s->text_limit);
    }
    int code;
    const char *reason = gzerror(s->gz, &code);
    s->ended = true;
    const char *where = s->line ? " after this line" : "", *colon = strstr(reason, ": "); /* "<fd:3>: why" */
    if (code == Z_BUF_ERROR) return mtx_text_fail(s, "the gzip stream is cut off%s", where);
    if (code == Z_ERRNO) return mtx_text_fail(s, "%s", strerror(errno));
    if (code == Z_OK || code == Z_STREAM_END) return 0;
    return mtx_text_fail(s, "damaged gzip data%s (%s)", where, colon ? colon + 2 : reason);
}

/* The next line, *length bytes with its newline, valid until the next call.  NULL at the
 * end or after a failure. */
static char *next_line(mtx_text_t *s, size_t *length)
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
                mtx_text_fail(s, "line of more than %d characters", LINE_MAX_CHARS);
                return NULL;
            }
            skipping = true;
            s->start = s->end;
        }
        if (refill(s)) return NULL;
    }
}

/* The next line that is neither blank nor a comment. */
static char *next_data_line(mtx_text_t *s, size_t *length)
{
    for (char *line; (line = next_line(s, length));) {
        const char *p = line;
        while (*p == ' ' || *p == '\t' || *p == '\r') p++;
        if (*p == '\n' || *p == '%') continue;
        if (*length <= LINE_MAX_CHARS) return line;
        mtx_text_fail(s, "line of more than %d characters", LINE_MAX_CHARS);
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

static int check_index(mtx_text_t *s, const char **p, const char *what, uint64_t limit, uint64_t *index)
{
    char text[32];
    size_t length;
    const char *word = next_word(p, &length);
    if (length == 0) return mtx_text_fail(s, "the line ends before the %s index", what);
    if (parse_whole(word, length, index))
        return mtx_text_fail(s, "%s index '%s' is not a whole number", what, quote(word, length, text));
    if (*index < 1 || *index > limit)
        return mtx_text_fail(s, "%s index %" PRIu64 " is outside 1..%" PRIu64, what, *index, limit);
    return 0;
}

/* A decimal number that CHOLMOD keeps finite (it makes 1e308 and up infinite); integer fields without point and
 * exponent.  In the C locale: see parse_in_c_locale. */
static int check_value(mtx_text_t *s, const char **p)
{
    char text[32], *end;
    size_t length;
    const char *word = next_word(p, &length);
    if (length == 0) return mtx_text_fail(s, "the line ends before the value");
    const double value = strtod(word, &end);
    if (end != word + length || strspn(word, "+-.0123456789eE") != length) /* nor hexadecimal, nor nan, nor inf */
        return mtx_text_fail(s, "value '%s' is not %s", quote(word, length, text),
                             strchr("nNiI", word[*word == '+' || *word == '-']) ? "finite" : "a number");
    if (s->field == FIELD_INTEGER && strcspn(word, ".eE") < length)
        return mtx_text_fail(s, "value '%s' is not an integer, but the banner says so", quote(word, length, text));
    if (fabs(value) >= 1e308) return mtx_text_fail(s, "value '%s' is beyond 1e308", quote(word, length, text));
    return 0;
}

/* Indices, value, nothing behind them. */
static int check_entry(mtx_text_t *s, const char *line)
{
    if (s->seen == s->entries)
        return mtx_text_fail(s, "more than the %" PRIu64 " entries the size line announces", s->entries);
    if (!s->is_array) {
        uint64_t row = 0, col = 0;
        if (check_index(s, &line, "row", s->rows, &row) || check_index(s, &line, "column", s->cols, &col)) return -1;
        if (s->symmetry != GENERAL && row < col)
            return mtx_text_fail(s, "entry (%" PRIu64 ", %" PRIu64 ") is above the diagonal of a symmetric file", row,
                                 col);
        if (s->symmetry == SKEW && row == col)
            return mtx_text_fail(s, "entry (%" PRIu64 ", %" PRIu64 ") is on the diagonal of a skew-symmetric file", row,
                                 col);
    }
    if (s->field != FIELD_PATTERN && check_value(s, &line)) return -1;
    char text[32];
    size_t length;
    const char *word = next_word(&line, &length);
    if (length) return mtx_text_fail(s, "'%s' after the end of the entry", quote(word, length, text));
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

static int read_banner(mtx_text_t *s)
{
    static const char *const OBJECT[] = {"matrix"}, *const FORMAT[] = {"coordinate", "array"};
    static const char *const FIELD[] = {"real", "integer", "pattern", "complex"};
    static const char *const SYMMETRY[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    size_t length;
    const char *line = next_line(s, &length);
    if (!line) return mtx_text_fail(s, "empty file");
    if (length < 15 || strncasecmp(line, "%%MatrixMarket", 14) || !is_blank(line[14]))
        return mtx_text_fail(s, "not a Matrix Market file: no '%%%%MatrixMarket' at the start");
    line += 14;
    if (match_word(&line, OBJECT, 1)) return mtx_text_fail(s, "the banner does not say 'matrix'");
    int format = match_word(&line, FORMAT, 2), field = match_word(&line, FIELD, 4);
    int symmetry = match_word(&line, SYMMETRY, 4);
    if (format < 0) return mtx_text_fail(s, "the banner's format is neither 'coordinate' nor 'array'");
    if (field < 0) return mtx_text_fail(s, "the banner's field is none of real, integer, pattern, complex");
    if (symmetry < 0)
        return mtx_text_fail(s, "the banner's symmetry is none of general, symmetric, skew-symmetric, hermitian");
    if (*line != '\n') return mtx_text_fail(s, "the banner goes on after the symmetry");
    s->is_array = format == 1;
    s->field = (field_t)field;
    s->symmetry = (symmetry_t)symmetry;
    if (s->field == FIELD_COMPLEX)
        return mtx_text_fail(s, "complex%s matrices are not supported", symmetry == HERMITIAN ? " hermitian" : "");
    if (s->symmetry == HERMITIAN) return mtx_text_fail(s, "hermitian matrices are not supported");
    if (s->field == FIELD_PATTERN && (s->is_array || s->symmetry == SKEW))
        return mtx_text_fail(s, "a pattern cannot be %s", s->is_array ? "an array" : "skew-symmetric");
    return 0;
}

/* How many entries the text can hold at most: "1 1\n" is the shortest pattern entry,
 * "1 1 1\n" the shortest with a value, "1\n" the shortest of an array. */
static double most_entries(const mtx_text_t *s)
{
    return (s->text_limit + 1) / (s->is_array ? 2 : s->field == FIELD_PATTERN ? 4 : 6);
}

/* Refuses sizes that cannot be right, or that cannot be read here, before anything is
 * allocated for them. */
static int check_sizes(mtx_text_t *s)
{
    char what[128];
    if (s->rows > INT32_MAX || s->cols > INT32_MAX)
        return mtx_text_fail(s, "%" PRIu64 " x %" PRIu64 " is beyond 2147483647 rows or columns", s->rows, s->cols);
    if (s->symmetry != GENERAL && s->rows != s->cols)
        return mtx_text_fail(s, "symmetric, but %" PRIu64 " x %" PRIu64, s->rows, s->cols);
    double n = (double)s->rows, dense = n * (double)s->cols;
    if (s->is_array) {
        if (dense > INT32_MAX) return mtx_text_fail(s, "an array of %.0f values is beyond 2147483647", dense);
        s->entries = s->symmetry == GENERAL     ? s->rows * s->cols
                   : s->symmetry == SYMMETRIC   ? s->rows * (s->rows + 1) / 2
                   : s->rows                    ? s->rows * (s->rows - 1) / 2
                                                : 0;
    }
    if (s->entries && dense == 0)
        return mtx_text_fail(s, "%" PRIu64 " entries in a %" PRIu64 " x %" PRIu64 " matrix", s->entries, s->rows,
                             s->cols);
    if ((double)s->entries > most_entries(s))
        return mtx_text_fail(s, "%" PRIu64 " entries announced, but the file has room for at most %.0f", s->entries,
                    most_entries(s));
    if (s->entries > INT32_MAX)
        return mtx_text_fail(s, "%" PRIu64 " entries: more than 2147483647 cannot be read", s->entries);
    /* CHOLMOD's triplets (or dense array), ours when halves are expanded, the result and its transpose */
    double entries = (double)s->entries, expanded = s->symmetry == GENERAL ? entries : 2 * entries;
    double bytes = s->is_array ? 8 * dense + hostmem_csr(n, dense)
                               : 16 * entries + (expanded > entries ? 16 * expanded : 0) +
                                     hostmem_csr(n, expanded) + hostmem_csr((double)s->cols, expanded);
    err_t reason;
    snprintf(what, sizeof what, "reading %" PRIu64 " x %" PRIu64 " with %" PRIu64 " entries", s->rows, s->cols,
             s->entries);
    return hostmem_fits(bytes, what, &reason) ? mtx_text_fail(s, "%s", reason.text) : 0;
}

/* The size line, and what CHOLMOD gets to see of both: always "general" for triplets, so
 * that it neither drops nor invents anything; we expand the halves ourselves. */
static int read_sizes(mtx_text_t *s)
{
    static const char *const NAME[] = {"rows", "columns", "entries"};
    static const char *const SYMMETRY[] = {"general", "symmetric", "skew-symmetric"};
    uint64_t *const target[] = {&s->rows, &s->cols, &s->entries};
    char text[32];
    size_t length;
    const char *line = next_data_line(s, &length);
    if (!line) return mtx_text_fail(s, "the file ends before the size line");
    int numbers = s->is_array ? 2 : 3;
    for (int i = 0; i < numbers; i++) {
        const char *word = next_word(&line, &length);
        if (length == 0) return mtx_text_fail(s, "the size line ends before the number of %s", NAME[i]);
        if (parse_whole(word, length, target[i]))
            return mtx_text_fail(s, "the number of %s, '%s', is not a whole number", NAME[i],
                                 quote(word, length, text));
    }
    const char *word = next_word(&line, &length);
    if (length) return mtx_text_fail(s, "'%s' after the end of the size line", quote(word, length, text));
    if (check_sizes(s)) return -1;
    int n = snprintf(s->head, sizeof s->head, "%%%%MatrixMarket matrix %s real %s\n%" PRIu64 " %" PRIu64,
                     s->is_array ? "array" : "coordinate", s->is_array ? SYMMETRY[s->symmetry] : "general", s->rows,
                     s->cols);
    if (!s->is_array) n += snprintf(s->head + n, sizeof s->head - (size_t)n, " %" PRIu64, s->entries);
    s->head[n++] = '\n';
    s->pending = s->head;
    s->pending_bytes = (size_t)n;
    return 0;
}

/* ---- entries, and what CHOLMOD reads -------------------------------------------------- */

bool mtx_text_next(mtx_text_t *s)
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
        mtx_text_fail(s, "the file ends after %" PRIu64 " of %" PRIu64 " entries", s->seen, s->entries);
    return false;
}

/* After a failure CHOLMOD gets a line it must refuse.  A plain end of file would do as
 * well, but then it forgets to free its arrays. */
ssize_t mtx_text_read(void *cookie, char *to, size_t size)
{
    static const char REFUSE_ME[] = "x\n";
    mtx_text_t *s = cookie;
    size_t done = 0;
    while (done < size) {
        if (s->pending_bytes == 0 && !mtx_text_next(s)) {
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

/* ---- opening and closing ------------------------------------------------- */

bool mtx_ends_in_gz(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && !strcasecmp(path + length - 3, ".gz");
}

static int open_file(mtx_text_t *s)
{
    int fd = open(s->path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0) return mtx_text_fail(s, "%s", strerror(errno));
    if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        close(fd);
        return mtx_text_fail(s, "is a directory");
    }
    s->gz = gzdopen(fd, "rb");
    if (!s->gz) {
        close(fd);
        return mtx_text_fail(s, "out of memory");
    }
    gzbuffer(s->gz, BUFFER);
    bool plain = gzdirect(s->gz);
    const double size = (double)info.st_size;
    s->text_limit = !S_ISREG(info.st_mode) ? INFINITY
                  : plain                  ? size
                                           : fmin(GZIP_RATIO * size, fmax(BOMB_RATIO * size, BOMB_BYTES));
    if (S_ISREG(info.st_mode) && info.st_size == 0) return mtx_text_fail(s, "empty file");
    if (plain && mtx_ends_in_gz(s->path)) return mtx_text_fail(s, "ends in .gz but holds no gzip data");
    return 0;
}

int mtx_text_open(mtx_text_t *s, const char *path, err_t *err)
{
    *s = (mtx_text_t){.path = path, .err = err};
    s->buffer = calloc(BUFFER + 1, 1);
    if (!s->buffer) return mtx_text_fail(s, "out of memory");
    return open_file(s) || read_banner(s) || read_sizes(s) ? -1 : 0;
}

void mtx_text_close(mtx_text_t *s)
{
    if (s->gz) gzclose(s->gz);
    free(s->buffer);
}
