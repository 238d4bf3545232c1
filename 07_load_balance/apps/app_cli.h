/* app_cli.h - the options of both applications, in addition to those of common/lib/measure/cli.h. */
#ifndef APPS_APP_CLI_H
#define APPS_APP_CLI_H

#include <stdio.h>

#include "cli.h"
#include "harness.h"
#include "method.h"

typedef struct app_cli {
    char rows[1024];       /* --backend and --spmv as one --only; "": neither was given */
    method_options_t options;
    const char *history;   /* NULL: not stored */
} app_cli_t;

/* A child for the program's argp; its input is an app_cli_t. */
extern const struct argp APP_ARGP;

/* Sets o->only to the requested rows, the table of --experiment 1, or `usual`.  Exits with 64 if an option does not
 * apply. */
void app_cli_rows(options_t *o, const app_cli_t *app, const char *program, const char *usual);

/* Opens a results file in addition to --record and writes its header with the columns chapter, step, kind, case, dtype
 * and the given ones.  NULL if path is NULL.  Exits with EX_IOERR if it cannot be opened. */
FILE *app_record_open(const char *path, const char *program, const options_t *o, const char *columns);

/* Closes it; -1 after a message on stderr.  f may be NULL. */
int app_record_close(FILE *f, const char *path, const char *program);

#endif
