# simtcc.cmake - a toolchain file for CMake: cmake -DCMAKE_TOOLCHAIN_FILE=PREFIX/lib/simt/simtcc.cmake ...
get_filename_component(SIMT_LIB "${CMAKE_CURRENT_LIST_DIR}" ABSOLUTE)
set(CMAKE_CUDA_COMPILER "${SIMT_LIB}/../../bin/simtcc")
set(CUDAToolkit_ROOT "${SIMT_LIB}/toolkit")
set(CUDA_TOOLKIT_ROOT_DIR "${SIMT_LIB}/toolkit") # for find_package(CUDA), from before CMake 3.8
# Programs that the C++ compiler links use the simulator instead of CUDA's runtime.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L${SIMT_LIB} -Wl,--dynamic-list=${SIMT_LIB}/program_symbols")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-L${SIMT_LIB}")
