/* one_ends.c - put before MPI (LD_PRELOAD): in the middle of products rank 1 is killed, or, with ONE_ENDS=stuck, does
 * nothing any more.  The others are past the barrier and wait for what it would have sent.
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
