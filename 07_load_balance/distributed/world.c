/* world.c - the status of a call, the agreement of all ranks on a status, and how they end together.  See dist.h,
 * dist_impl.h */
#include "dist.h"

#include <limits.h>
#include <stdio.h>

#include "device.h"
#include "dist_impl.h"

dist_status_t mpi_ok(int code, const char *what, err_t *err)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (code == MPI_SUCCESS) return DIST_OK;
    MPI_Error_string(code, text, &length);
    return FAIL_WITH(err, DIST_MPI_ERROR, "%s: %s", what, text);
}

dist_status_t cuda_ok(cudaError_t code, const char *what, err_t *err)
{
    return device_ok(code, what, err) ? DIST_GPU_ERROR : DIST_OK;
}

dist_status_t dist_agree(const dist_world_t *w, dist_status_t status, err_t *err)
{
    int first = status == DIST_OK ? INT_MAX : w->rank, code = status;
    if (mpi_ok(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, w->comm), "MPI_Allreduce", err))
        return DIST_MPI_ERROR;
    if (first == INT_MAX) return DIST_OK;
    err_t said = {{0}};
    if (first == w->rank && err) said = *err;
    if (mpi_ok(MPI_Bcast(&code, 1, MPI_INT, first, w->comm), "MPI_Bcast", err) ||
        mpi_ok(MPI_Bcast(&said, sizeof said, MPI_BYTE, first, w->comm), "MPI_Bcast", err))
        return DIST_MPI_ERROR;
    if (first == w->rank) return status;
    err_set(err, "rank %d: %.*s", first, (int)sizeof said.text - 30, said.text);
    return (dist_status_t)code;
}

void dist_end_all(const dist_world_t *w, const err_t *err)
{
    if (w->ranks == 1) return;
    fprintf(stderr, "rank %d: %s; all ranks end now\n", w->rank, err->text);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
