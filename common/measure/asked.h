/*
 * asked.h - what a large exercise asks for in place of what its chapter computes: the same loads, another term.
 *
 * No step of the course solves an exercise as it stands, and no file two of them, since each asks for something else.
 */
#ifndef COURSE_ASKED_H
#define COURSE_ASKED_H

#include <stddef.h>

typedef enum asked {
    ASKED_STEP,     /* what the chapter's steps compute */
    ASKED_ABSOLUTE, /* |x| for each x of the vector (chapter 01: of the numbers) */
    ASKED_SQUARES,  /* x * x for each */
    ASKED_INVERTED, /* of a copy: every bit the other way round */
    ASKED_COUNTED,  /* of a copy: byte i with the low eight bits of i exchanged: b ^ (i & 255) */
    ASKED_COUNT
} asked_t;

#ifdef __cplusplus
/* In a submission: what `make run STUDENT=` compares it with.  EXERCISE(ABSOLUTE) */
#define EXERCISE(WHAT) extern "C" { extern const int student_asked; const int student_asked = ASKED_##WHAT; }
#else
/* What the student's file that was linked in says; ASKED_STEP if there is none, or it says nothing. */
asked_t asked_of_student(void);

/* What is asked for, of count numbers or of a copy's bytes. */
void asked_numbers(asked_t asked, double *x, size_t count);
void asked_bytes(asked_t asked, unsigned char *bytes, size_t count);
#endif

#endif
