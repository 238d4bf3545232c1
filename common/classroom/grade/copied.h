/*
 * copied.h - finds out whether a submission is a copy of a step of the course.
 */
#ifndef GRADE_COPIED_H
#define GRADE_COPIED_H

#include <stdbool.h>
#include <stddef.h>

/* Compares source[bytes] with the steps of a chapter, FOLDER/v*.cu, without comments, blanks and line ends, and with
 * the launcher's name replaced by that of a submission.  Returns true and the step in step[size] ("v8") if they are
 * equal. */
bool copied_from(const char *source, size_t bytes, const char *folder, char *step, size_t size);

#endif
