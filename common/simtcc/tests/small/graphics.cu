// Functions of the runtime that the simulator does not have; a toolkit's headers declare them.
extern "C" cudaError_t cudaGraphicsGLRegisterBuffer(void *), cudaNothingOfTheKind(void);
int main() { return cudaGraphicsGLRegisterBuffer(0) || cudaNothingOfTheKind(); }
