/* one_ends.c - preloaded before MPI (LD_PRELOAD).  After several products rank 1 kills itself, or sleeps forever with
 * ONE_ENDS=stuck, while the other ranks wait for its entries.
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int MPI_Barrier(MPI_Comm comm)
{
    static int count;
    int rank;
    const int code = PMPI_Barrier(comm);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 1 || ++count < 8) return code;
    if (!getenv("ONE_ENDS")) raise(SIGKILL);
    for (;;) pause();
}
