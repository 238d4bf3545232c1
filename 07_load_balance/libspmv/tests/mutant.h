/* mutant.h - mutant() returns the number of the mutant that the patched kernels of test_spmv_mutants run; 0 for
 * none. */
#ifdef __cplusplus
extern "C"
#endif
int mutant(void);
