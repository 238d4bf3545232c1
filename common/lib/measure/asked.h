/*
 * asked.h - the function that a large exercise computes instead of its chapter's: the same loads, but other terms.
 *
 * Each exercise of a chapter computes a different function, so no step of the course solves one, and no file solves
 * two.
 */
#ifndef COURSE_ASKED_H
#define COURSE_ASKED_H

#include <stddef.h>

typedef enum asked {
    ASKED_STEP,     /* what the chapter's steps compute */
    ASKED_ABSOLUTE, /* |x| instead of each x of the vector (chapter 01: of the numbers) */
    ASKED_SQUARES,  /* x * x instead of each x */
    ASKED_INVERTED, /* for a copy: every bit inverted */
    ASKED_COUNTED,  /* for a copy: byte i is xored with the low eight bits of i: b ^ (i & 255) */
    ASKED_COUNT
} asked_t;

#ifdef __cplusplus
/* In a submission, EXERCISE(ABSOLUTE) names the function with which `make run STUDENT=` compares the results. */
#define EXERCISE(WHAT) extern "C" { extern const int student_asked; const int student_asked = ASKED_##WHAT; }
#else
/* Returns the function that the linked file of the student names; ASKED_STEP if there is no file or it names none. */
asked_t asked_of_student(void);

/* Applies the function to count numbers, or to the bytes of a copy. */
void asked_numbers(asked_t asked, double *x, size_t count);
void asked_bytes(asked_t asked, unsigned char *bytes, size_t count);
#endif

#endif
