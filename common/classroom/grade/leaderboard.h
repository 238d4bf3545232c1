/*
 * leaderboard.h - shared by the parts of the leaderboard.
 *
 *   leaderboard.c        finds the files and grades new ones
 *   leaderboard_pages.c  table, CSV and plot
 *   leaderboard_html.py  HTML pages, and similar submissions
 */
#ifndef GRADE_LEADERBOARD_H
#define GRADE_LEADERBOARD_H

#include <sys/types.h>

#include "report_impl.h" /* text_t */

#define NOT_MARKED "not marked"

enum {
    CONTEXT = 12, HASH = 32, /* hex digits of a key */
    EXIT_SOME_UNMARKED = 1, EXIT_NO_INPUT = 2, EXIT_NOTHING_MARKED = 3,
};

typedef struct submission {
    char *path;                   /* its path for open() */
    const char *name;             /* its path in the folder */
    char key[CONTEXT + HASH + 2]; /* of its results in done/; "" if it cannot be read */
    struct submission *same;      /* the first file with the same content, perhaps itself */
    pid_t grader;
    char *line;                   /* "100\tpassed\t-\t-"; the pointers below point into it */
    const char *verdict, *time, *reason; /* verdict NULL: not graded yet */
    int points;
} submission_t;

typedef struct board {
    char *n, *e, *folder;
    char **options; /* grade's options, with the seed; ends with NULL */
    int option_count, jobs, not_read;
    char out[200];  /* build/leaderboard/NAME-N-E */
    char context[CONTEXT + 1];
    submission_t *file;
    size_t files, room;
    int unmarked;   /* files that could not be graded, through no fault of their own */
} board_t;

/* Prints a line on stderr: the subject, which may be any file name, or NULL, and the problem. */
void complain(const char *about, const char *pattern, ...) __attribute__((format(printf, 2, 3)));

/* Formats a text, which the caller frees.  Exits if memory is short. */
char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/* Appends any file name for the terminal, a table or a picture: at most `most` UTF-8 characters, without line ends,
 * control characters, characters that change the direction of writing, and characters that XML forbids.  Returns their
 * number. */
size_t put_plain(text_t *t, const char *s, size_t most);

/* Writes a new file and syncs it to the disk.  -1 and errno on failure. */
int write_whole(int folder, const char *name, const text_t *t);

/* Prints the table, writes a TSV, a CSV and a plot into the folder, all three or none, and then html/.  Returns 0, or
 * 74 after a message. */
int pages(const board_t *b, int folder);

#endif
