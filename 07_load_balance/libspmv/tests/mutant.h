/* mutant.h - which mutant the patched kernels of test_spmv_mutants are at the moment; 0: none. */
#ifdef __cplusplus
extern "C"
#endif
int mutant(void);
