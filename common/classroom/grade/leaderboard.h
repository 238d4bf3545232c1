/*
 * leaderboard.h - shared by the parts of the leaderboard.
 *
 *   leaderboard.c        finds the files, marks those that are not marked yet
 *   leaderboard_pages.c  table, CSV and plot
 *   leaderboard_html.py  pages for a browser, and which files resemble each other
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
    char *path;                   /* how it is opened */
    const char *name;             /* in the folder */
    char key[CONTEXT + HASH + 2]; /* of its files in done/; "" if it cannot be read */
    struct submission *same;      /* the first file with the same content, perhaps itself */
    pid_t grader;
    char *line;                   /* what the others point into: "100\tpassed\t-\t-" */
    const char *verdict, *time, *reason; /* verdict NULL: not marked yet */
    int points;
} submission_t;

typedef struct board {
    char *n, *e, *folder;
    char **options; /* grade's, the seed among them; ends with NULL */
    int option_count, jobs, not_read;
    char out[200];  /* build/leaderboard/NAME-N-E */
    char context[CONTEXT + 1];
    submission_t *file;
    size_t files, room;
    int unmarked;   /* through no fault of the file's */
} board_t;

/* Prints one line on stderr: the subject, which may be any file name, or NULL; and the problem. */
void complain(const char *about, const char *pattern, ...) __attribute__((format(printf, 2, 3)));

/* To be freed.  Exits without memory. */
char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/* A file or folder that may be called anything, for the terminal, a table or a picture: at most so many characters of
 * UTF-8 without line ends, control characters, marks that turn the direction of writing, and what no XML may hold.  How
 * many. */
size_t put_plain(text_t *t, const char *s, size_t most);

/* A new file, on the disk.  -1 and errno. */
int write_whole(int folder, const char *name, const text_t *t);

/* Prints the table, and writes a TSV, a CSV and a plot into the folder, all three or none, and then html/.  0, or 74
 * after saying why. */
int pages(const board_t *b, int folder);

#endif
