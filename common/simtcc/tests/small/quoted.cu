// Prints a text from -D.
#include <cstdio>
int main() { printf("%s\n", NAME); }
