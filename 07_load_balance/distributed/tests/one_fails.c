/* one_fails.c - preloaded before MPI (LD_PRELOAD).  Memory cannot be shared, so ranks use messages; rank 1 cannot start
 * an exchange, and must report this while the others wait.
 */
#include <mpi.h>

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
    (void)size, (void)unit, (void)info, (void)comm, (void)base, (void)win;
    return MPI_ERR_INTERN;
}

int MPI_Startall(int count, MPI_Request requests[])
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 1 ? MPI_ERR_INTERN : PMPI_Startall(count, requests);
}
