/* mtx_text.c - see mtx_text.h */
#include "mtx_text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "hostmem.h"

enum {
    BUFFER = 1 << 18,
    LINE_MAX_CHARS = 1024, /* the limit of the Matrix Market format */
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

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/* If the lines of the file end in CR only, replaces each CR by LF, from buffer[from] on.  A CR at the end of the buffer
 * is replaced when the next byte is known. */
static void end_lines_at_cr(mtx_text_t *s, size_t from)
{
    char *p = s->buffer + from, *end = s->buffer + s->end;
    while (s->cr_ends && (p = memchr(p, '\r', (size_t)(end - p))) && ++p < end)
        if (*p != '\n') p[-1] = '\n';
}

/* Moves the unparsed bytes to the front and reads more after them. */
static int refill(mtx_text_t *s)
{
    err_t reason;
    memmove(s->buffer, s->buffer + s->start, s->end - s->start);
    s->end -= s->start;
    s->start = 0;
    const ssize_t got = mtx_bytes_read(&s->bytes, s->buffer + s->end, BUFFER - s->end, &reason);
    s->ended = got <= 0;
    if (got < 0) return mtx_text_fail(s, "%s%s", s->line ? "after this line: " : "", reason.text);
    const size_t from = s->end - (s->end > 0);
    s->end += (size_t)got;
    end_lines_at_cr(s, from);
    return 0;
}

/* Returns the next line, *length bytes with its newline, valid until the next call; NULL at
 * the end or after a failure. */
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
            ++s->line;
            s->start = (size_t)(newline + 1 - s->buffer);
            *length = (size_t)(newline + 1 - line);
            if (skipping) {
                skipping = false;
                continue;
            }
            return line;
        }
        if (s->end - s->start == BUFFER) {
            const char *p = line;
            while (is_blank(*p)) ++p; /* stops at the NUL after the buffer */
            if (*p != '%' && !skipping) {
                ++s->line;
                mtx_text_fail(s, "line of more than %d characters", LINE_MAX_CHARS);
                return NULL;
            }
            skipping = true;
            s->start = s->end - 1; /* a CR there may turn out to be the end of the line */
        }
        if (refill(s)) return NULL;
    }
}

/* Rejects the Ctrl-Z at the end of a DOS text and the NULs of a padded file, which a message would show only as '?'. */
static char *refuse_byte(mtx_text_t *s, char byte)
{
    mtx_text_fail(s, "byte 0x%02x (%s) %s", byte, byte ? "Ctrl-Z" : "NUL",
                  s->row && s->seen == s->entries ? "behind the last entry" : "at the start of the line");
    return NULL;
}

/* Returns the next line that is neither blank nor a comment. */
static char *next_data_line(mtx_text_t *s, size_t *length)
{
    for (char *line; (line = next_line(s, length));) {
        const char *p = line;
        while (is_blank(*p)) ++p;
        if (*p == '\n' || *p == '%') continue;
        if (*p == '\x1a' || *p == 0) return refuse_byte(s, *p);
        if (*length <= LINE_MAX_CHARS) return line;
        mtx_text_fail(s, "line of more than %d characters", LINE_MAX_CHARS);
        return NULL;
    }
    return NULL;
}

/* ---- checking one line --------------------------------------------------- */

/* Returns the word at *p, and moves *p past the word and the blanks after it.  *length is 0
 * at the end of the line. */
static const char *next_word(const char **p, size_t *length)
{
    while (is_blank(**p)) ++*p;
    const char *word = *p;
    while (!is_blank(**p) && **p != '\n') ++*p;
    *length = (size_t)(*p - word);
    while (is_blank(**p)) ++*p;
    return word;
}

/* Makes a word safe to quote in a message: printable and short. */
static const char *quote(const char *word, size_t length, char text[32])
{
    size_t n = length < 28 ? length : 28;
    for (size_t i = 0; i < n; ++i) text[i] = word[i] >= ' ' && word[i] <= '~' ? word[i] : '?';
    strcpy(text + n, length > n ? "..." : "");
    return text;
}

/* Parses a whole number from 0 to 10^18 - 1.  Returns NULL and the value, or a phrase that says what is wrong. */
static const char *parse_whole(const char *word, size_t length, uint64_t *value)
{
    const bool negative = length && *word == '-';
    *value = 0;
    if (length && (*word == '+' || negative)) word++, length--;
    if (length == 0 || strspn(word, "0123456789") < length) return "is not a whole number";
    for (; length && *word == '0'; --length) ++word;
    if (negative && length) return "is negative";
    if (length > 18) return "is too large";
    while (length--) *value = *value * 10 + (uint64_t)(*word++ - '0');
    return NULL;
}

static int read_index(mtx_text_t *s, const char **p, const char *what, uint64_t limit, uint64_t *index)
{
    char text[32];
    size_t length;
    const char *word = next_word(p, &length);
    if (length == 0) return mtx_text_fail(s, "the line ends before the %s index", what);
    const char *wrong = parse_whole(word, length, index);
    if (wrong)
        return mtx_text_fail(s, "%s index '%s' %s: outside 1..%" PRIu64, what, quote(word, length, text), wrong, limit);
    if (*index < 1 || *index > limit)
        return mtx_text_fail(s, "%s index %" PRIu64 " is outside 1..%" PRIu64, what, *index, limit);
    return 0;
}

/* Rejects integers that a double cannot represent, because strtod would round them silently. */
static int check_integer(mtx_text_t *s, const char *word, size_t length, double value)
{
    enum { DIGITS = 320 }; /* DBL_MAX has 309 */
    char text[32], exact[DIGITS];
    const char *digits = word;
    if (*digits == '+' || *digits == '-') ++digits;
    while (*digits == '0') ++digits;
    snprintf(exact, sizeof exact, "%.0f", fabs(value));
    if (fabs(value) < 0x1p53 || !strncmp(exact, digits, (size_t)(word + length - digits))) return 0;
    return mtx_text_fail(s, "integer '%s' is beyond 2^53, and no double holds it: write real in the banner to read it "
                            "as %.17g",
                         quote(word, length, text), value);
}

/* Parses a decimal number that a double can hold; in integer fields without point and exponent. */
static int read_value(mtx_text_t *s, const char **p, double *value)
{
    char text[32], *end;
    size_t length;
    const char *word = next_word(p, &length);
    if (length == 0) return mtx_text_fail(s, "the line ends before the value");
    *value = strtod(word, &end);
    const bool name = strchr("nNiI", word[*word == '+' || *word == '-']); /* nan, inf */
    if (end != word + length || (!name && strspn(word, "+-.0123456789eE") < length)) /* rejects hexadecimal, too */
        return mtx_text_fail(s, "value '%s' is not a number", quote(word, length, text));
    if (name) return mtx_text_fail(s, "value '%s' is not finite", quote(word, length, text));
    if (!isfinite(*value))
        return mtx_text_fail(s, "value '%s' is too large: beyond %g", quote(word, length, text), DBL_MAX);
    if (s->field != FIELD_INTEGER) return 0;
    if (strspn(word, "+-0123456789") < length)
        return mtx_text_fail(s, "value '%s' is not an integer, but the banner says integer", quote(word, length, text));
    return check_integer(s, word, length, *value);
}

/* Rejects entries that a symmetric file must not hold: above the diagonal, unless as_listed, and on the diagonal of a
 * skew-symmetric one. */
static int check_place(mtx_text_t *s, uint64_t row, uint64_t col, double value)
{
    const char *kind = s->symmetry == SKEW ? "skew-symmetric" : "symmetric";
    if (s->symmetry == GENERAL) return 0;
    if (row < col && !s->as_listed)
        return mtx_text_fail(s, "entry (%" PRIu64 ", %" PRIu64 ") is above the diagonal of a %s file: "
                             "read it with --symmetric as-listed", row, col, kind);
    if (s->symmetry == SKEW && row == col && value != 0)
        return mtx_text_fail(s, "entry (%" PRIu64 ", %" PRIu64 ") is on the diagonal of a %s file and not zero", row,
                             col, kind);
    return 0;
}

/* Moves to the next position of a dense array.  Values are listed by columns: all rows, from the diagonal down if it is
 * symmetric, from below the diagonal if it is skew-symmetric. */
static void step_in_array(mtx_text_t *s)
{
    if (++s->row <= s->rows) return;
    ++s->col;
    s->row = s->symmetry == GENERAL ? 1 : s->symmetry == SKEW ? s->col + 1 : s->col;
}

/* Parses the indices and the value, with nothing after them. */
static int read_entry(mtx_text_t *s, const char *line, mtx_entry_t *entry)
{
    char text[32];
    size_t length;
    uint64_t row = s->row, col = s->col;
    if (s->seen == s->entries)
        return mtx_text_fail(s, "more than the %" PRIu64 " entries the size line announces", s->entries);
    if (s->seen == s->room) return mtx_text_fail(s, "the file is still growing: read it once it is complete");
    if (!s->is_array &&
        (read_index(s, &line, "row", s->rows, &row) || read_index(s, &line, "column", s->cols, &col))) return -1;
    entry->value = 1;
    if (s->field != FIELD_PATTERN && read_value(s, &line, &entry->value)) return -1;
    if (check_place(s, row, col, entry->value)) return -1;
    const char *word = next_word(&line, &length);
    if (length)
        return mtx_text_fail(s, "'%s' after the end of the entry: %s", quote(word, length, text),
                             s->is_array                 ? "an array has one value per line, column by column"
                             : s->field == FIELD_PATTERN ? "the banner says pattern, whose entries have no values"
                                                         : "an entry is a row, a column and a value");
    entry->row = (int32_t)(row - 1);
    entry->col = (int32_t)(col - 1);
    ++s->seen;
    if (s->is_array) step_in_array(s);
    return 0;
}

bool mtx_text_next(mtx_text_t *s, mtx_entry_t *entry)
{
    size_t length;
    if (s->failed) return false;
    const char *line = next_data_line(s, &length);
    if (line) return read_entry(s, line, entry) == 0;
    if (s->seen < s->entries)
        mtx_text_fail(s, "the file ends after %" PRIu64 " of %" PRIu64 " entries", s->seen, s->entries);
    return false;
}

/* ---- banner and sizes ---------------------------------------------------- */

/* Returns the index of the next word in names[0..count), -1 if it is none of them. */
static int match_word(const char **p, const char *const *names, int count)
{
    size_t length;
    const char *word = next_word(p, &length);
    for (int i = 0; i < count; ++i)
        if (length == strlen(names[i]) && !strncasecmp(word, names[i], length)) return i;
    return -1;
}

static int read_banner(mtx_text_t *s)
{
    static const char *const OBJECT[] = {"matrix"}, *const FORMAT[] = {"coordinate", "array"};
    static const char *const FIELD[] = {"real", "integer", "pattern", "complex", "unsigned-integer"};
    static const char *const SYMMETRY[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    size_t length;
    const char *line = next_line(s, &length);
    if (!line) return mtx_text_fail(s, "empty file");
    const char *word = next_word(&line, &length);
    if (length != 14 || strncasecmp(word, "%%MatrixMarket", length))
        return mtx_text_fail(s, "not a Matrix Market file: no '%%%%MatrixMarket' at the start");
    if (match_word(&line, OBJECT, 1)) return mtx_text_fail(s, "the banner does not say 'matrix'");
    int format = match_word(&line, FORMAT, 2), field = match_word(&line, FIELD, 5);
    int symmetry = match_word(&line, SYMMETRY, 4);
    if (format < 0) return mtx_text_fail(s, "the banner's format must be coordinate or array");
    if (field < 0) return mtx_text_fail(s, "the banner's field must be real, integer, unsigned-integer, pattern "
                                             "or complex");
    if (symmetry < 0)
        return mtx_text_fail(s, "the banner's symmetry must be general, symmetric, skew-symmetric or hermitian");
    s->is_array = format == 1;
    s->field = field == 4 ? FIELD_INTEGER : (field_t)field; /* unsigned-integer: SciPy's word for uint32, uint64 */
    s->symmetry = (symmetry_t)symmetry;
    if (s->field == FIELD_COMPLEX)
        return mtx_text_fail(s, "complex%s matrices are not supported", symmetry == HERMITIAN ? " hermitian" : "");
    if (s->symmetry == HERMITIAN) return mtx_text_fail(s, "hermitian matrices are not supported");
    if (s->field == FIELD_PATTERN && (s->is_array || s->symmetry == SKEW))
        return mtx_text_fail(s, "a pattern cannot be %s", s->is_array ? "an array" : "skew-symmetric");
    return 0;
}

/* Returns the largest number of entries that the text can hold: "1 1\n" is the shortest pattern
 * entry, "1 1 1\n" the shortest with a value, "1\n" the shortest of an array. */
static double most_entries(const mtx_text_t *s)
{
    return (s->bytes.limit + 1) / (s->is_array ? 2 : s->field == FIELD_PATTERN ? 4 : 6);
}

/* Rejects sizes that cannot be right or for which memory is short, before anything is
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
    if (s->entries > INT32_MAX)
        return mtx_text_fail(s, "%" PRIu64 " entries: more than 2147483647 cannot be read", s->entries);
    /* Counts the triplets, the result and its transpose; for a symmetric file both halves and the whole.  A file that
     * announces more entries than it can hold is read to its end, so that the error can say how many there are. */
    const double entries = floor(fmin((double)s->entries, most_entries(s))), cols = (double)s->cols;
    s->room = (size_t)entries;
    double bytes = sizeof(mtx_entry_t) * entries + hostmem_csr(n, entries) + hostmem_csr(cols, entries);
    if (s->symmetry != GENERAL) bytes += hostmem_csr(n, 2 * entries);
    err_t reason;
    snprintf(what, sizeof what, "reading %" PRIu64 " x %" PRIu64 " with %.0f entries", s->rows, s->cols, entries);
    return hostmem_fits(bytes, what, &reason) ? mtx_text_fail(s, "%s", reason.text) : 0;
}

static int read_sizes(mtx_text_t *s)
{
    static const char *const NAME[] = {"rows", "columns", "entries"};
    uint64_t *const target[] = {&s->rows, &s->cols, &s->entries};
    char text[32];
    size_t length;
    const char *line = next_data_line(s, &length);
    if (!line) return mtx_text_fail(s, "the file ends before the size line");
    int numbers = s->is_array ? 2 : 3;
    for (int i = 0; i < numbers; ++i) {
        const char *word = next_word(&line, &length);
        if (length == 0) return mtx_text_fail(s, "the size line ends before the number of %s: is it missing?", NAME[i]);
        const char *wrong = parse_whole(word, length, target[i]);
        if (wrong)
            return mtx_text_fail(s, "the number of %s, '%s', %s%s", NAME[i], quote(word, length, text), wrong,
                                 i + 1 == numbers ? ": is the size line missing?" : "");
    }
    const char *word = next_word(&line, &length);
    if (length) return mtx_text_fail(s, "'%s' after the end of the size line", quote(word, length, text));
    s->col = 1;
    s->row = s->is_array && s->symmetry == SKEW ? 2 : 1;
    return check_sizes(s);
}

/* ---- opening and closing ------------------------------------------------- */

static bool ends_in_gz(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && !strcasecmp(path + length - 3, ".gz");
}

/* Opens the file and inspects its first bytes. */
static int open_file(mtx_text_t *s)
{
    enum { HEAD = 512 }; /* bytes of a tar archive's header */
    err_t reason;
    if (mtx_bytes_open(&s->bytes, s->path, &reason)) return mtx_text_fail(s, "%s", reason.text);
    while (!s->ended && s->end <= HEAD)
        if (refill(s)) return -1;
    const char *other = mtx_bytes_other(s->buffer, s->end);
    if (s->end == 0) return mtx_text_fail(s, "empty file");
    if (other) return mtx_text_fail(s, "%s", other);
    if (!s->bytes.gzip && ends_in_gz(s->path)) return mtx_text_fail(s, "ends in .gz but holds no gzip data");
    if (s->end >= 3 && !memcmp(s->buffer, "\xef\xbb\xbf", 3)) s->start = 3; /* UTF-8's byte order mark */
    /* The end of the banner shows how lines end: in a file with other line ends a CR is a blank. */
    const size_t first = strcspn(s->buffer, "\r\n");
    s->cr_ends = first + 1 < s->end && s->buffer[first] == '\r' && s->buffer[first + 1] != '\n';
    end_lines_at_cr(s, 0);
    return 0;
}

int mtx_text_open(mtx_text_t *s, const char *path, bool as_listed, err_t *err)
{
    *s = (mtx_text_t){.path = path, .bytes = {.fd = -1}, .as_listed = as_listed, .err = err};
    s->buffer = calloc(BUFFER + 1, 1);
    if (!s->buffer) return mtx_text_fail(s, "out of memory");
    return open_file(s) || read_banner(s) || read_sizes(s) ? -1 : 0;
}

void mtx_text_close(mtx_text_t *s)
{
    mtx_bytes_close(&s->bytes);
    free(s->buffer);
}
