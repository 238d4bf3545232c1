/*
 * err.h - how the library says what went wrong.
 *
 * A function that can fail returns 0, or -1 and one readable sentence in
 * *err.  Printing it is for main() and what speaks for it: cli, harness (these two
 * may exit), spmv_session, spmv_summary.
 */
#ifndef COURSE_ERR_H
#define COURSE_ERR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct err {
    char text[1024];
} err_t;

/* Makes of a text one that a terminal shows as it is, in place: each byte that is no UTF-8, and each character that
 * err_steers, becomes '?'.  A file may be called anything: the text stays one line, in its colour and direction. */
void err_clean(char *text);
int err_is_clean(const char *text); /* it would stay as it is */

/* Whether a character (its Unicode number) moves, colours or turns round what a terminal shows: control characters, C1
 * controls, line separators, marks and overrides of the direction. */
int err_steers(uint32_t c);

/* Writes the sentence (printf style) into *err, cleaned, and returns -1.  err may be NULL.
 *     if (!p) return err_set(err, "%s: out of memory", path);                   */
int err_set(err_t *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
