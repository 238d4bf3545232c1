// Objects that graphs share, and their destruction; attributes of streams.
#include <cstdio>
#include <cuda_runtime.h>
static int destroyed;
static void CUDART_CB destroy(void *data) { destroyed += *(int *)data; }

int main()
{
    int one = 1, ten = 10, hundred = 100;
    cudaGraph_t graph, copy;
    cudaGraphExec_t exec;
    cudaUserObject_t a, b, c;
    cudaGraphCreate(&graph, 0);
    const cudaError_t refused = cudaUserObjectCreate(&a, &one, destroy, 0, cudaUserObjectNoDestructorSync);
    cudaUserObjectCreate(&a, &one, destroy, 1, cudaUserObjectNoDestructorSync);
    cudaUserObjectCreate(&b, &ten, destroy, 1, cudaUserObjectNoDestructorSync);
    cudaUserObjectCreate(&c, &hundred, destroy, 2, cudaUserObjectNoDestructorSync);
    cudaGraphRetainUserObject(graph, a, 1, cudaGraphUserObjectMove);
    cudaGraphRetainUserObject(graph, b);
    cudaUserObjectRelease(c);
    printf("%d ", destroyed);
    cudaUserObjectRelease(c);
    printf("%d ", destroyed);
    cudaGraphReleaseUserObject(graph, b);
    printf("%d ", destroyed);
    cudaUserObjectRelease(b);
    printf("%d ", destroyed);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphClone(&copy, graph);
    cudaGraphDestroy(graph);
    cudaGraphExecDestroy(exec);
    printf("%d ", destroyed);
    const cudaError_t gone = cudaGraphReleaseUserObject(copy, a, 2);
    cudaGraphDestroy(copy);
    printf("%d %d %d\n", destroyed, refused == cudaErrorInvalidValue, gone == cudaErrorInvalidValue);

    cudaStream_t stream, other;
    cudaStreamAttrValue value = {}, got;
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &got);
    const int policy = got.syncPolicy;
    value.accessPolicyWindow.num_bytes = 4096;
    value.accessPolicyWindow.hitRatio = 0.5f;
    cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
    cudaStreamCopyAttributes(other, stream);
    cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &got);
    printf("%d %zu %g %s\n", policy, got.accessPolicyWindow.num_bytes, got.accessPolicyWindow.hitRatio,
           cudaGetErrorString(cudaPeekAtLastError()));
}
