// Prints a text that -D gives it.
#include <cstdio>
int main() { printf("%s\n", NAME); }
