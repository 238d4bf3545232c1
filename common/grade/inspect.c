/* inspect.c - the program: inspect words NAME INCLUDES <FILE; inspect object FILE ALLOWED ENTRY NAME (inspect.h). */
#include "inspect.h"

#include <string.h>

int main(int argc, char **argv)
{
    int found = -2;
    if (argc == 4 && !strcmp(argv[1], "words")) found = inspect_words(stdin, argv[2], argv[3]);
    if (argc == 6 && !strcmp(argv[1], "object")) found = inspect_object(argv[2], argv[3], argv[4], argv[5]);
    if (found == -2)
        fprintf(stderr, "usage: inspect words NAME INCLUDES | object FILE ALLOWED ENTRY NAME   (grade calls it)\n");
    return found == 0 ? 0 : found > 0 ? 10 : 2;
}
