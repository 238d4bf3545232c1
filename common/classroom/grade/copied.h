/*
 * copied.h - whether a submission is a step of the course as it stands.
 */
#ifndef GRADE_COPIED_H
#define GRADE_COPIED_H

#include <stdbool.h>
#include <stddef.h>

/* Compares source[bytes] with the steps of a chapter, FOLDER/v*.cu: without comments, blanks and line ends, and with
 * the launcher's name as a submission has it.  True, and which step in step[size] ("v8"), if it is one. */
bool copied_from(const char *source, size_t bytes, const char *folder, char *step, size_t size);

#endif
