// Calls functions of the runtime by their names that end in _v2.
int main()
{
    int *p;
    cudaMallocManaged(&p, 4);
    const cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0};
    return cudaMemAdvise_v2(p, 4, cudaMemAdviseSetPreferredLocation, gpu) || cudaMemPrefetchAsync_v2(p, 4, gpu, 0);
}
