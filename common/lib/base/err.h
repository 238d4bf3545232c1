/*
 * err.h - how functions report errors.
 *
 * A function that can fail returns 0, or -1 and one readable sentence in *err
 * (comments say "-1 and *err").  Only main() prints it, or code that acts for main():
 * cli and harness (these two may exit), spmv_session, spmv_summary.
 */
#ifndef COURSE_ERR_H
#define COURSE_ERR_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct err {
    char text[1024];
} err_t;

/* Writes the sentence (printf style) into *err, as a plain line (plain.h: a file name may contain any character), and
 * returns -1.  err may be NULL.  Example: if (!p) return err_set(err, "%s: out of memory", path); */
int err_set(err_t *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same in a function that returns a pointer: return err_null(err, "%s: out of memory", path); */
#define err_null(...) (err_set(__VA_ARGS__), NULL)

/* Prints the sentence as a line on standard error. */
void err_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
