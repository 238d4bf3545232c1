/*
 * plain.h - text of others (a file's name, a compiler's message, what a program printed) made fit for a terminal.
 *
 * A terminal obeys what it is sent: colours, the cursor, the title, the direction of writing.  So what is no character
 * to be seen becomes '?': controls (C0, DEL, C1), separators of lines and paragraphs, marks and overrides of direction,
 * characters without width, and bytes that are not UTF-8.  In place: the text never becomes longer.
 */
#ifndef COURSE_PLAIN_H
#define COURSE_PLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One line of it: line ends and tabs become blanks. */
char *plain_line(char *text);
/* Line feeds and tabs stay. */
char *plain_lines(char *text);

/* A stream that hands on to `to`, which stays open, what is written to it, with plain_lines; NULL with errno.  Of the
 * caller. */
FILE *plain_stream(FILE *to);

/* Would plain_line leave it as it is? */
bool plain_is(const char *text);
/* Whether a character (its Unicode number) is there to be seen. */
bool plain_seen(uint32_t c);

#ifdef __cplusplus
}
#endif
#endif
