#!/bin/bash
# check_simtcc.sh: simtcc as it is installed, outside of the course: options, several files, what it refuses, CMake, and what a program
# says of itself.
# shellcheck source=common/tests/tally.sh
. "$(dirname "$0")/tally.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
top=$PWD prefix=$place/usr
tests=$top/common/simtcc/tests
make --no-print-directory BACKEND=simt NVCC= install-simt PREFIX=/usr DESTDIR="$place" >"$place/said" 2>&1 || { cat "$place/said"; exit 1; }
cd "$place" || exit 2
simtcc=$prefix/bin/simtcc
silent() {
    "$@" >"$place/out" 2>&1 </dev/null || { cat "$place/out"; return 1; }
    [ ! -s "$place/out" ] || { cat "$place/out"; return 1; }
}
says() { grep -q -e "$1" "$place/out" || { echo "it does not say: $1"; cat "$place/out"; return 1; }; }

builds() { silent "$simtcc" "$tests/add.cu" -o add && ends 0 'done <<<1998, 0>>>' ./add; }
check 'a program, and what is for the card alone' builds
nvcc_options() {
    ends 0 'sm_80 is for a card: ignored' "$simtcc" -arch=sm_80 -O3 -g -lineinfo -std=c++14 --use_fast_math -Xcompiler -Wall,-fopenmp -Xptxas=-v \
        -gencode arch=compute_90,code=sm_90 -I /nowhere -DUNUSED=1 -lcudart -x cu "$tests/add.cu" -o add2 && ends 0 'done' ./add2
}
check "nvcc's options" nvcc_options
several() {
    printf '#include "part.cuh"\n__device__ int twice(int x) { return 2 * x; }\n__global__ void k(int *p) { *p = twice(21); }\nvoid run(int *p) { k<<<1, 1>>>(p); }\n' >part.cu
    printf 'void run(int *p);\n' >part.cuh
    printf '#include <cstdio>\n#include "part.cuh"\nint main() { int *d, x; cudaMalloc(&d, 4); run(d); cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost); printf("%%d %%d\\n", x, DOUBLED); }\n' >main.cu
    printf 'int plain(void) { return 1; }\n' >plain.c
    silent "$simtcc" -rdc=true -c part.cu && [ -e part.o ] && silent "$simtcc" -dc main.cu -D DOUBLED=42 -o main.o -MD &&
        grep -q 'part.cuh' main.d && silent "$simtcc" part.o main.o plain.c -o several && ends 0 '42 42' ./several
}
check 'several files, -c, -MD' several
intrinsics() { silent "$simtcc" "$tests/math.cu" -o math && ends 0 'numbers 0' ./math && says 'warps 0'; }
check 'intrinsics, and the warp before Volta' intrinsics
arguments() { silent "$simtcc" "$tests/arguments.cu" -o arguments && ends 0 '512, destroyed on the host alone' ./arguments; }
check 'arguments with a destructor' arguments
children() { silent "$simtcc" "$tests/children.cu" -o children && ends 0 'children 440' ./children && says 'threads 51200 no error'; }
check 'kernels that launch kernels, host threads that launch at once' children
groups() { silent "$simtcc" "$tests/groups.cu" -o groups && ends 0 'grid 0 no error' ./groups && says 'lanes 0 no error'; }
check 'cooperative groups' groups
halves() { silent "$simtcc" "$tests/half.cu" -o half && ends 0 'halves 0' ./half; }
check 'half' halves
mistakes() {
    printf '__global__ void k(int *p) { *p = __nothing_of_the_kind(1); }\nint main() {}\n' >unknown.cu
    printf '#include <GL/glut.h>\nint main() {}\n' >graphics.cu
    printf '__global__ void k(int *p) {\n    *p = 1\n}\nint main() {}\n' >wrong.cu
    ends 1 'unknown.cu:1: __nothing_of_the_kind is not supported' "$simtcc" unknown.cu -o no &&
        ends 1 'wrong.cu:2:' "$simtcc" wrong.cu -o no &&
        ends 64 'not an option that is known here' "$simtcc" --no-such-option "$tests/add.cu" &&
        ends 66 'nowhere.cu: no such file' "$simtcc" nowhere.cu &&
        ends 69 'there is no cusparse here' "$simtcc" "$tests/add.cu" -lcusparse -o no &&
        ends 64 'no code for a card' "$simtcc" -ptx "$tests/add.cu" && ends 64 'no files' "$simtcc" && [ ! -e no ]
}
check 'what is wrong is named, with file and line' mistakes
runs() {
    ends 0 'add  *4 *256 *1 *64 *3.91 *32 *3.91' "$prefix/bin/simt" run --count ./add && says 'done' &&
        ends 0 "add.cu:25 .*load .*c\[i\] = a\[i\]" "$prefix/bin/simt" run -e ./add &&
        ends 0 'predicted for H200, not measured' "$prefix/bin/simt" run --predict ./add && says 'launch-bound' &&
        ends 0 'predicted for T4' "$prefix/bin/simt" run --predict=t4 ./add &&
        ends 0 'done' "$prefix/bin/simt" run --trace trace.tsv ./add && [ "$(wc -l <trace.tsv)" -gt 30 ]
}
check 'simt run: counts, lines, predictions, a trace' runs
refuses() {
    ends 64 'Usage: simt run' "$prefix/bin/simt" && ends 127 'nowhere' "$prefix/bin/simt" run ./nowhere &&
        ends 64 'no number from 1 to 1024' "$prefix/bin/simt" run --sms 0 ./add && ends 64 'no_card' "$prefix/bin/simt" run --predict=no_card ./add &&
        ends 0 'multiprocessors' "$prefix/bin/simt" run --help
}
check 'simt run: what it refuses' refuses
faults() {
    ends 1 'simt: out of bounds: reads buffer 1\[1000\]' ./add more && says 'at .*add.cu:25:  if (i < n)' &&
        silent "$simtcc" "$tests/races.cu" -o races &&
        ends 0 'simt: warning: all write the same value' ./races 1 && ends 0 'warning: all write the same value' ./races 2 &&
        ends 86 'simt: race on global memory' ./races 3 && says 'no error' && ends 0 'warning: uninitialised memory' ./races 4 &&
        ends 0 'warning: barrier skipped: 40 of 64' ./races 5 && ends 0 'warning: race on global memory: reads' ./races 6 &&
        for i in 1 2 3 4 5 6; do ends 86 'unspecified launch failure' "$prefix/bin/simt" run --strict ./races $i || return 1; done
}
check 'faults stop, races are said and go on; --strict' faults
by_cmake() {
    mkdir -p cm && cd cm && cp "$tests/add.cu" part.cu && sed -i 's/int main(int argc, char \*\*argv)/int run(int argc, char **argv)/' part.cu &&
        printf 'int run(int, char **);\nint main(int argc, char **argv) { return run(argc, argv); }\n' >main.cpp &&
        printf 'cmake_minimum_required(VERSION 3.18)\nproject(demo LANGUAGES CXX CUDA)\nadd_library(part STATIC part.cu)\nset_target_properties(part PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\nadd_executable(demo main.cpp)\ntarget_link_libraries(demo part)\n' >CMakeLists.txt &&
        { cmake -B b -DCMAKE_TOOLCHAIN_FILE="$prefix/lib/simt/simtcc.cmake" && cmake --build b && ./b/demo; } >said 2>&1
    grep -q 'done <<<1998, 0>>>' said || { cat said; return 1; }
}
if command -v cmake >/dev/null 2>&1; then check 'CMake' by_cmake; else echo '[  SKIPPED ] cmake is not installed'; fi
cd "$place" || exit 2
scores() {
    mkdir -p corpus/one corpus/two && cp "$tests/add.cu" corpus/one/ && printf 'int main() { return 3; }\n' >corpus/two/bad.cu &&
        ends 0 '2 programs; compile 2 (100 %), run 1 (50 %), are right 1 (50 %)' "$top/common/simtcc/score.py" corpus --simtcc "$simtcc" --out score.tsv &&
        [ "$(awk -F '\t' '$6 == "yes"' score.tsv | cut -f1)" = one/add.cu ]
}
check 'the score of a folder' scores
tally
