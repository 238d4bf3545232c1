// The runtime by names that end in _v2.
int main()
{
    int *p;
    cudaMallocManaged(&p, 4);
    const cudaMemLocation card = {cudaMemLocationTypeDevice, 0};
    return cudaMemAdvise_v2(p, 4, cudaMemAdviseSetPreferredLocation, card) || cudaMemPrefetchAsync_v2(p, 4, card, 0);
}
