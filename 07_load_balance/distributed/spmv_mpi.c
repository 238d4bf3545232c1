/* spmv_mpi - y = A x over ranks on CPUs: mpirun -n 4 spmv_mpi --help */
#include "program.h"

int main(int argc, char **argv)
{
    static const char *const MATRICES[] = {"stencil27:50,50,50", "poisson3d:80,80,80", "like:cant", "rmat:15,16",
                                           "like:webbase-1M", NULL};
    static const program_t PROGRAM = {
        .name = "spmv_mpi", .record_name = "07_mpi", .backend = DIST_CPU, .matrices = MATRICES,
        .doc = "Computes y = A x with the rows of A distributed over MPI ranks.  Measures the product, the exchange of "
               "entries of x, and how evenly the work is cut.  Each rank has one thread unless --threads sets more."};
    return program_main(&PROGRAM, argc, argv);
}
