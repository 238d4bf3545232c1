/*
 * plain.h - makes foreign text (a file's name, a compiler's message, a program's output) safe to print on a terminal.
 *
 * A terminal executes control sequences: colours, the cursor, the title, the direction of writing.  So every character
 * that is not visible is replaced by '?': controls (C0, DEL, C1), separators of lines and paragraphs, marks and
 * overrides of direction, characters without width, and bytes that are not UTF-8.  In place: the text never becomes
 * longer.
 */
#ifndef COURSE_PLAIN_H
#define COURSE_PLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes it one line: line ends and tabs become blanks. */
char *plain_line(char *text);
/* Line feeds and tabs stay. */
char *plain_lines(char *text);

/* A stream that passes its text through plain_lines to `to`, which stays open.  The caller owns it; NULL
 * with errno. */
FILE *plain_stream(FILE *to);

/* Would plain_line leave it as it is? */
bool plain_is(const char *text);
/* Is the character (its Unicode number) visible? */
bool plain_seen(uint32_t c);

#ifdef __cplusplus
}
#endif
#endif
