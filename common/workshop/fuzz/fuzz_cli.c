/*
 * fuzz_cli.c - fuzzes the option parser: each line of the input is one argument.
 *
 * cli_parse ends a program that was called wrongly.  Here exit() returns instead, and so does argp.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "cli.h"
#include "fuzz.h"

static jmp_buf left;
static int exit_status; /* of a call of exit(), or -1 */
static bool inside, complained; /* inside cli_parse; libFuzzer also calls exit() */

void __real_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status)
{
    if (!inside) __real_exit(status);
    exit_status = status;
    longjmp(left, 1);
}

void __wrap_argp_error(const struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));
void __wrap_argp_error(const struct argp_state *state, const char *format, ...)
{
    char text[4096];
    va_list args;
    (void)state;
    va_start(args, format);
    if (vsnprintf(text, sizeof text, format, args) < 5) fuzz_fail("no reason");
    va_end(args);
    complained = true;
}

error_t __real_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index, void *input);
error_t __wrap_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index, void *input);
error_t __wrap_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index, void *input)
{
    return __real_argp_parse(argp, argc, argv, flags | ARGP_NO_EXIT, index, input);
}

/* An option that only a chapter has. */
static const struct argp_option EXTRA_OPTIONS[] = {{"lanes", 2000, "L", 0, "Lanes a row", 0}, {0}};
static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    size_t *lanes = state->input;
    err_t err;
    if (key != 2000) return ARGP_ERR_UNKNOWN;
    if (cli_parse_size(arg, lanes, &err)) argp_error(state, "--lanes: %s", err.text);
    return 0;
}

static void check(const options_t *o)
{
    static const char *const STEPS[] = {"", "v1", "v12", "cusparse_csr"};
    if (o->dtype >= DTYPE_COUNT) fuzz_fail("dtype %d", (int)o->dtype);
    if (o->reps > 100000 || o->threads < 0 || o->threads > 1024 || o->sms < 0 || o->sms > 1024) fuzz_fail("a number");
    if (o->format > REPORT_JSON || o->experiment < 0 || o->experiment > 1000) fuzz_fail("a choice");
    if ((o->matrix && !*o->matrix) || (o->record && !*o->record)) fuzz_fail("an empty name");
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; ++i)
        if (cli_selects(o, STEPS[i]) && o->only && !*o->only) fuzz_fail("an empty list selects");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { WORDS = 64 };
    static char name[] = "chapter";
    static options_t o;
    static size_t lanes;
    char *argv[WORDS + 1] = {name}, *text = malloc(size + 1);
    int argc = 1;
    const struct argp extra = {.options = EXTRA_OPTIONS, .parser = parse_extra};
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    for (char *word = strtok(text, "\n"); word && argc < WORDS; word = strtok(NULL, "\n")) argv[argc++] = word;
    exit_status = -1;
    complained = false;
    inside = true;
    if (!setjmp(left)) cli_parse(&o, argc, argv, "A chapter.", size % 2 ? &extra : NULL, size % 2 ? &lanes : NULL);
    inside = false;
    if (exit_status != -1 && exit_status != EX_USAGE) fuzz_fail("exit status %d", exit_status);
    if (exit_status == -1 && !complained) check(&o);
    free(text);
    return 0;
}
