// Inline assembly for the host, which is not PTX.
#include <cstdio>
int main()
{
    int a = 7, b = 0;
    __asm__(""
            : "=r"(b)
            : "0"(a));
    printf("%d\n", b);
}
