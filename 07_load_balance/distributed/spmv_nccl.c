/* spmv_nccl - y = A x over GPUs, a process for each: mpirun -n 4 spmv_nccl --help */
#include "program.h"

int main(int argc, char **argv)
{
#ifdef COURSE_CUDA
    static const char *const MATRICES[] = {
        "poisson3d:32,32,32", "stencil27:154,154,154", "poisson3d:256,256,256", "circuit5M", "rmat:22,16", NULL};
#else
    static const char *const MATRICES[] = {"poisson3d:16,16,16", "rmat:9,8",
                                           NULL}; /* the simulator can compute these in seconds */
#endif
    static const program_t PROGRAM = {
        .name = "spmv_nccl",
        .record_name = "07_nccl",
        .backend = DIST_CUDA,
        .matrices = MATRICES,
        .doc =
            "Computes y = A x with the rows of A distributed over GPUs, one GPU per rank.  If ranks share a GPU, or "
            "without NCCL and the direct transport, MPI copies entries of x through host buffers."};
    return program_main(&PROGRAM, argc, argv);
}
