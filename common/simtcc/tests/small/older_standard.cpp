// The names of older_standard.h, and the keyword register, in a host file.
#include "older_standard.h"
int host()
{
    register int i = size;
    return i + (int)sizeof(byte) + (int)(__cplusplus / 100 % 100);
}
