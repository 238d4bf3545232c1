// The C file of a program of several files; no other file calls its function.
int plain(void) { return 1; }
