/* lib_session.h - the command line of a program that takes its input by --matrix, or a whole suite without it. */
#ifndef LIB_SESSION_H
#define LIB_SESSION_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "spmv_session.h"

/* extra: more options of the program, which are read into `input`; may be NULL.  *o must live as long as the
 * session. */
static inline spmv_session_t lib_session(const chapter_t *chapter, options_t *o, int argc, char **argv,
                                         const struct argp *extra, void *input)
{
    cli_parse(o, argc, argv, chapter->doc, extra, input);
    if (o->size || o->sweep || o->experiment) {
        fprintf(stderr, "%s: --size, --sweep and --experiment do not apply: choose the input by --matrix\n",
                chapter->name);
        exit(EX_USAGE);
    }
    return (spmv_session_t){.h = harness_open(chapter, o), .o = o, .gpu = strcmp(device_backend(), "cuda") == 0};
}

#endif
