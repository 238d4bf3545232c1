// A program of several files: the function of part.cu that part_main.cu calls.
void run(int *p);
