/*
 * plain.h - makes foreign text (a file's name, a compiler's message, a program's output) safe to print on a terminal.
 *
 * A terminal executes control sequences: colours, the cursor, the title, the direction of writing.  So every character
 * that is not visible is replaced by '?': controls (C0, DEL, C1), separators of lines and paragraphs, marks and
 * overrides of direction, characters without width, and bytes that are not UTF-8.  The text is changed in place: it
 * never becomes longer.
 */
#ifndef COURSE_PLAIN_H
#define COURSE_PLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Makes the text one line: line ends and tabs become blanks. */
char *plain_line(char *text);
/* The same, but keeps line feeds and tabs. */
char *plain_lines(char *text);

/* Opens a stream that passes its text through plain_lines to `to`, which stays open.  The caller closes it.  NULL and
 * errno if that fails. */
FILE *plain_stream(FILE *to);

/* Returns whether plain_line would leave the text unchanged. */
bool plain_is(const char *text);
/* Returns whether the character (a code point) is visible. */
bool plain_seen(uint32_t c);

#endif
