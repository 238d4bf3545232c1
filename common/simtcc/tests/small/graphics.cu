// Functions of the runtime that the simulator does not have; with a toolkit's headers they are declared.
extern "C" cudaError_t cudaGraphicsGLRegisterBuffer(void *), cudaNothingOfTheKind(void);
int main() { return cudaGraphicsGLRegisterBuffer(0) || cudaNothingOfTheKind(); }
