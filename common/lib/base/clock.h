/* clock.h - time in seconds. */
#ifndef COURSE_CLOCK_H
#define COURSE_CLOCK_H

double clock_now(void); /* seconds on a clock that never steps back */

#endif
