/* fuzz_recipe.c - the text after --matrix: a recipe, generated on a machine of 8 MiB. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "matgen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    err_t err = {""};
    char *recipe = malloc(size + 1);
    if (!recipe) return 0;
    memcpy(recipe, data, size);
    recipe[size] = 0;
    csr_t *A = matgen(recipe, 42, &err);
    fuzz_check(A, &err, "");
    csr_free(A);
    free(recipe);
    return 0;
}
