// Calls part.cu, which is add.cu with run instead of main.
int run(int, char **);
int main(int argc, char **argv) { return run(argc, argv); }
