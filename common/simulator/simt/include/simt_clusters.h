/* simt_clusters.h - thread block clusters and launch bounds in kernels of programs of simtcc.  A block without a
 * cluster is a cluster of one block.  cuda_runtime.h includes this file; cooperative_groups.h has clusters as a
 * group. */
#ifndef SIMT_CLUSTERS_H
#define SIMT_CLUSTERS_H

namespace simt {
/* Stores __cluster_dims__(x, y, z) of the kernel of that name. */
inline int in_clusters(const char *kernel, unsigned x, unsigned y = 1, unsigned z = 1)
{ return simt_in_clusters(kernel, x, y, z); }
/* Stores __launch_bounds__(threads) of a kernel. */
inline int in_bounds(const void *kernel, unsigned threads) { return simt_in_bounds(kernel, threads); }
} // namespace simt

SIMT_INLINE dim3 __clusterDim() { return dim3(simt_cluster_dim()); }
/* The index of the cluster in the grid, and of the block in the cluster. */
SIMT_INLINE dim3 __clusterIdx()
{
    const uint3 i = simt_block_idx(), n = simt_cluster_dim();
    return dim3(i.x / n.x, i.y / n.y, i.z / n.z);
}
SIMT_INLINE dim3 __clusterRelativeBlockIdx()
{
    const uint3 i = simt_block_idx(), n = simt_cluster_dim();
    return dim3(i.x % n.x, i.y % n.y, i.z % n.z);
}
SIMT_INLINE dim3 __clusterGridDimInClusters()
{
    const uint3 all = simt_grid_dim(), n = simt_cluster_dim();
    return dim3(all.x / n.x, all.y / n.y, all.z / n.z);
}
SIMT_INLINE unsigned __clusterRelativeBlockRank()
{
    const dim3 i = __clusterRelativeBlockIdx(), n = __clusterDim();
    return (i.z * n.y + i.y) * n.x + i.x;
}
SIMT_INLINE unsigned __clusterSizeInBlocks()
{
    const uint3 n = simt_cluster_dim();
    return n.x * n.y * n.z;
}
SIMT_INLINE unsigned __clusterDimIsSpecified() { return __clusterSizeInBlocks() > 1; }
SIMT_INLINE void __cluster_barrier_arrive() { simt_cluster_arrive(); }
SIMT_INLINE void __cluster_barrier_arrive_relaxed() { simt_cluster_arrive(); }
SIMT_INLINE void __cluster_barrier_wait() { simt_cluster_wait(); }
SIMT_INLINE void *__cluster_map_shared_rank(const void *p, unsigned rank) { return simt_cluster_map(p, rank); }
SIMT_INLINE unsigned __cluster_query_shared_rank(const void *p) { return simt_cluster_rank_of(p); }

#endif
