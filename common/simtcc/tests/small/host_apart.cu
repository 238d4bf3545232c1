// The end of a program that check_simtcc.sh begins with a kernel and large_code.cu as host code in six ways.
int main()
{
    float *p, x = 0;
    cudaMalloc(&p, 4);
    cudaMemset(p, 0, 4);
    twice<<<1, 1>>>(p);
    a1_k(&x);
    a2_k(&x);
    a3_k(&x);
    a4_k(&x);
    a5_k(&x);
    a6_k(&x);
    return !(x > 0) + cudaDeviceSynchronize();
}
