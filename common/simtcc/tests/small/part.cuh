// A program of several files: what part_main.cu calls of part.cu.
void run(int *p);
