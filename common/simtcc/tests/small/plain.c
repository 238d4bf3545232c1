// A program of several files: one in C, which nobody calls.
int plain(void) { return 1; }
