/* one_fails.c - put before MPI (LD_PRELOAD): rank 1 cannot start an exchange, and says so while the others wait for it.
 */
#include <mpi.h>

int MPI_Startall(int count, MPI_Request requests[])
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 1 ? MPI_ERR_INTERN : PMPI_Startall(count, requests);
}
