/*
 * inspect.h - what a submission is made of, before anything of it runs: its words as the compiler reads them, and its
 * object file.  The program `inspect` (inspect.c) says what is not allowed, a line each, and build.sh calls it.
 *
 * The stand-in sees what a kernel and a launcher do through calls that the compiler puts in front of every access
 * to memory.  So that nothing escapes it, there are two looks.  The words: nothing that changes how a part of the file
 * is compiled (attributes, pragmas, assembler), and no name of the stand-in's.  The object file: nothing is called,
 * defined or jumped to but what is on the list, and every access has its call in front.
 */
#ifndef GRADE_INSPECT_H
#define GRADE_INSPECT_H

#include <stdbool.h>
#include <stdio.h>

/* The two that look print what they refuse, at most three lines, and return how much there was; -1 and a line on stderr
 * if they could not look. */

/* The preprocessed file on `in`; what headers say is not looked at.  name: what the file is called in `in`.  includes:
 * a file of the headers that it may name, a line each. */
int inspect_words(FILE *in, const char *name, const char *includes);

/* The object file at `path`.  allowed: a file of extended regular expressions, a line each, of which one must match a
 * function that is called.  entry: the function it must have. */
int inspect_object(const char *path, const char *allowed, const char *entry, const char *name);

#endif
