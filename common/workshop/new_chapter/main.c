/* 00_topic - command line to problems. */
#include "topic.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    options_t o;
    err_t err;
    problem_t p;
    cli_parse(&o, argc, argv, TOPIC.doc, NULL, NULL);
    cli_refuse_unused(&o, "00_topic", CLI_SIZE, 0);

    harness_t *h = harness_open(&TOPIC, &o);
    if (topic_open(&p, o.size ? o.size : 100000, o.seed, &err)) {
        fprintf(stderr, "00_topic: %s\n", err.text);
        return EXIT_BAD_INPUT;
    }
    harness_run(h, &p);
    topic_close(&p);
    return harness_close(h);
}
