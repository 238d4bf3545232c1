// cuSPARSE on a captured stream, with scalars in GPU memory, which are read when the graph is launched.
// With an argument x is shorter than the width of A.
#include <cstdio>
#include <cusparse.h>
#ifndef CUSPARSEAPI
#error helpers of the CUDA samples ask for it
#endif
__global__ void set(float *scalars, float alpha, float beta) { scalars[0] = alpha, scalars[1] = beta; }

int main(int argc, char **)
{
    enum { N = 3 };
    const int offsets[N + 1] = {0, 1, 2, 4}, columns[] = {0, 1, 0, 2};
    const float values[] = {1, 2, 3, 4}, ones[N * 2] = {1, 1, 1, 1, 1, 1};
    float *v, *x, *y, *Y, *scalars, h[N], H[N * 2];
    int *o, *c;
    cudaMalloc(&o, sizeof offsets), cudaMemcpy(o, offsets, sizeof offsets, cudaMemcpyHostToDevice);
    cudaMalloc(&c, sizeof columns), cudaMemcpy(c, columns, sizeof columns, cudaMemcpyHostToDevice);
    cudaMalloc(&v, sizeof values), cudaMemcpy(v, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMalloc(&x, sizeof ones), cudaMemcpy(x, ones, sizeof ones, cudaMemcpyHostToDevice);
    cudaMalloc(&y, sizeof h), cudaMemset(y, 0, sizeof h);
    cudaMalloc(&Y, sizeof H), cudaMemset(Y, 0, sizeof H);
    cudaMalloc(&scalars, 8);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cusparseHandle_t sparse;
    cusparseCreate(&sparse);
    cusparseSetStream(sparse, stream);
    cusparseSetPointerMode(sparse, CUSPARSE_POINTER_MODE_DEVICE);
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t X, Z;
    cusparseDnMatDescr_t B, C;
    cusparseCreateCsr(&A, N, N, 4, o, c, v, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                      CUDA_R_32F);
    cusparseCreateDnVec(&X, argc > 1 ? N - 1 : N, x, CUDA_R_32F);
    cusparseCreateDnVec(&Z, N, y, CUDA_R_32F);
    cusparseCreateDnMat(&B, N, 2, N, x, CUDA_R_32F, CUSPARSE_ORDER_COL);
    cusparseCreateDnMat(&C, N, 2, N, Y, CUDA_R_32F, CUSPARSE_ORDER_COL);
    void *buffer;
    cudaMalloc(&buffer, 1 << 16);

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    const cusparseOperation_t n = CUSPARSE_OPERATION_NON_TRANSPOSE;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    int status = cusparseSpMV(sparse, n, scalars, A, X, scalars + 1, Z, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer);
    status |= cusparseSpMM(sparse, n, n, scalars, A, B, scalars + 1, C, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 1; i <= 2; ++i) {
        set<<<1, 1, 0, stream>>>(scalars, 10 * i, i);
        cudaGraphLaunch(exec, stream);
    }
    cudaStreamSynchronize(stream);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(H, Y, sizeof H, cudaMemcpyDeviceToHost);
    printf("captured %d, %g %g %g, %g %g, %s\n", status, h[0], h[1], h[2], H[2], H[5],
           cudaGetErrorString(cudaGetLastError()));
}
