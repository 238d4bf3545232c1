/*
 * copied.h - detects copies of the course's steps.
 */
#ifndef GRADE_COPIED_H
#define GRADE_COPIED_H

#include <stdbool.h>
#include <stddef.h>

/* Compares source[bytes] with the steps of a chapter, FOLDER/v*.cu, ignoring comments and blanks, and with the
 * launcher's name replaced by that of a submission.  If they are equal, returns true and stores the step in step[size]
 * ("v8"). */
bool copied_from(const char *source, size_t bytes, const char *folder, char *step, size_t size);

#endif
