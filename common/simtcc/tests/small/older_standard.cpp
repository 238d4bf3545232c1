// The words of older_standard.h, and register, in a file for the host.
#include "older_standard.h"
int host()
{
    register int i = size;
    return i + (int)sizeof(byte) + (int)(__cplusplus / 100 % 100);
}
