#!/bin/bash
# check_simtcc.sh: tests simtcc as it is installed, outside the course's folder.
# shellcheck source=common/workshop/tests/tally.sh
. common/workshop/tests/tally.sh
top=$PWD prefix=$place/usr
tests=$top/common/simtcc/tests small=$top/common/simtcc/tests/small
make --no-print-directory BACKEND=simt NVCC= install-simt PREFIX=/usr DESTDIR="$place" >"$place/said" 2>&1 || { cat "$place/said"; exit 1; }
cd "$place" || exit 2
simtcc=$prefix/bin/simtcc
silent() {
    "$@" >"$place/out" 2>&1 </dev/null || { cat "$place/out"; return 1; }
    [ ! -s "$place/out" ] || { cat "$place/out"; return 1; }
}
says() { grep -q -e "$1" "$place/out" || { echo "it does not say: $1"; cat "$place/out"; return 1; }; }

built() { # NAME [OPTION...]: builds NAME.cu of this folder, or of small, which must print nothing
    local name=$1 source=$tests/$1.cu
    [ -e "$source" ] || source=$small/$1.cu
    shift
    silent "$simtcc" "$source" -o "$name" "$@"
}
right() { ends 0 "$@" && ! says '^simt:' >/dev/null; } # TEXT COMMAND...: the command prints TEXT, and the simulator reports nothing
program() { built "$1" "${@:3}" && right "$2" "./$1"; } # NAME TEXT [OPTION...]: builds the program and runs it as right does
# OPTION NAME TEXT [ARGUMENT TEXT]...: builds a program, which without an argument is right and prints TEXT.  With each
# ARGUMENT it prints the next TEXT and ends with 86, or with 0 after =ARGUMENT; after + the last run printed TEXT, too.
cases_with() {
    local name=$2
    built "$2" ${1:+"$1"} && right "$3" "./$2" || return 1
    shift 3
    while [ $# -gt 0 ]; do
        case $1 in
        +) says "$2" ;;
        =*) ends 0 "$2" "./$name" "${1#=}" ;;
        *) ends 86 "$2" "./$name" "$1" ;;
        esac || return 1
        shift 2
    done
}
cases() { cases_with '' "$@"; }
checked_and_not() { cases "$@" && built "$1" --unchecked && ends 0 "$2" "./$1"; } # as cases; the unchecked program prints TEXT, too

builds() { built add && ends 0 'done <<<1998, 0>>>' ./add; }
check 'a program with code for the GPU compiles and runs' builds
first_hour() { # the output on the page is printed by the program of the page, or by one of its versions
    local page line
    for page in "$top/docs/first-hour.md" "$top/docs/zh/first-hour.md"; do
        awk '/^## / { on = /CUDA/ } on && /^    / { print substr($0, 5) }' "$page" >shown
        awk '/^\$ / || /^ *__shared__/ { on = 1 } /^[^ $]/ { on = 0 } on' shown >does # the commands, which are run only once for both languages
        if ! cmp -s does done_already; then
        cp "$tests/turn.cu" turn.cu
        silent "$simtcc" turn.cu -o turn || return 1
        { cat turn.cu && SIMT_WORKERS=1 ./turn; } >said 2>&1 # ends with 86
        eval "$(sed -n 's/^\$ \(sed .*\)/\1/p' shown)" && silent "$simtcc" turn.cu -o turn && "$prefix/bin/simt" run --explain ./turn >>said 2>&1 || return 1
        awk '/^ *__shared__/ { on = 1 } on && /^    / { print } /^\$/ { on = 0 }' shown >tile
        sed -i -e '/const int col/{r tile
            d}' -e '/col \* N + row/d' turn.cu && silent "$simtcc" turn.cu -o turn || return 1
        { cat turn.cu && SIMT_WORKERS=1 ./turn; } >>said 2>&1
        sed -i '/tile\[y\]/a\    __syncthreads();' turn.cu && silent "$simtcc" turn.cu -o turn && "$prefix/bin/simt" run --explain ./turn >>said 2>&1 || return 1
        fi && mv does done_already
        [ "$(grep -vc '^\$\|^\.\.\.$' shown)" -gt 30 ] || { echo "$page shows nothing"; return 1; }
        while IFS= read -r line; do
            case $line in '$ '* | ...) continue ;; esac
            grep -qxF -e "$line" said || { echo "$page: not printed: $line"; cat said; return 1; }
        done <shown
    done
    sed -i 's/tile\[32\]\[32\]/tile[32][33]/' turn.cu && silent "$simtcc" turn.cu -o turn && ends 0 ' 1.00 wave ' "$prefix/bin/simt" run --explain ./turn && ! says '31.25 wave' >/dev/null
}
check 'the commands and the output on the page of the first hour are right' first_hour
named_as_a_header() { # a program called vector is beside vector.cu when vector.cu is compiled again
    cp "$small/named_as_header.cu" vector.cu
    silent "$simtcc" vector.cu -o vector && ends 0 '^3$' ./vector && silent timeout 60 "$simtcc" vector.cu -o vector && ends 0 '^3$' ./vector && rm vector
}
check 'a program named like a header does not hide the header' named_as_a_header
check 'a function may differ between the passes for the host and for the GPU' cases passes '^passes 212125 7' + '^types 3052 367, 8 3' + '^stubs 42$' + '^widths 96$'
nvcc_options() {
    ends 0 'sm_80 is ignored: it concerns a GPU' "$simtcc" -arch=sm_80 -O3 -g -lineinfo -std=c++14 --use_fast_math -Xcompiler -Wall,-fopenmp -Xptxas=-v \
        -gencode arch=compute_90,code=sm_90 -I /nowhere -DUNUSED=1 -lcudart -x cu "$tests/add.cu" -o add2 && ends 0 'done' ./add2
}
check "options of nvcc are accepted or reported as ignored" nvcc_options
older_standard() { # uses names that C++17 removed or reserved, in a file of kernels and in one for the host
    local older=("$small/older_standard.cu" "$small/older_standard.cpp")
    silent "$simtcc" -std=c++14 "${older[@]}" -o older && ends 0 '^4 18$' ./older && silent "$simtcc" -std=c++11 "${older[@]}" -o older &&
        ends 1 'byte.* is ambiguous' "$simtcc" "${older[@]}" -o older
}
check '-std=c++14 keeps names that C++17 reserves' older_standard
included_first() { # also if the precompiled header is replaced by its text, for a file without kernels
    echo 'struct once { int a; };' >once.h && printf 'int main() { once o = {0}; return o.a; }\n' >once.cu
    silent "$simtcc" -include once.h once.cu -o once && ./once
}
check 'a file of -include is included once' included_first
several() {
    silent "$simtcc" -rdc=true -c "$small/part.cu" && [ -e part.o ] && silent "$simtcc" -dc "$small/part_main.cu" -D DOUBLED=42 -o main.o -MD &&
        grep -q 'part.cuh' main.d && silent "$simtcc" part.o main.o "$small/plain.c" -o several && ends 0 '42 42' ./several
}
check 'a program of several files links, and -MD writes its dependencies' several
toolkits_place() { # a Makefile may set CUDA_PATH to this folder, with bin/nvcc, include, and lib64 for its linker
    home=$prefix/lib/simt/toolkit
    silent "$home/bin/nvcc" -c "$small/spaced.cu" && silent gcc -I"$home/include" spaced.o "$small/plain.c" -L"$home/lib64" -lcudart -o by_hand && silent ./by_hand &&
        silent "$home/bin/nvcc" -cuda "$small/spaced.cu" && grep -q 'simt::launch("k"' spaced.cu.cpp.ii
}
check "CUDA_PATH may be the folder of simtcc, and -cuda writes the translation" toolkits_place
asked_for_libraries() { # as configure scripts do: uses the words after -o "a.out" in the last line, for a file that does not exist
    local words
    ends 0 'LIBRARIES=' "$prefix/lib/simt/toolkit/bin/nvcc" -dryrun nowhere.cu || return 1
    read -ra words < <(tail -n 1 "$place/out" | sed 's/^.*-o "a.out"//; s/"//g')
    silent gcc spaced.o "$small/plain.c" "${words[@]}" -o by_libraries && silent ./by_libraries
}
check '-dryrun prints the libraries that nvcc would link' asked_for_libraries
check 'a shift or conversion whose result is undefined in C++ gives a warning and the result of a GPU' cases shifts '^shifts no error, 1$' =1 'warning: shift by 32 of a number of 32 bits' \
    + '^  in mask_of, block (0,0,0), thread (0,0,0)' =2 'warning: shift by 64 of a number of 64 bits' =3 'warning: shift by -1 of a number of 32 bits' \
    =4 "warning: 3e+09 becomes 'int', into which it does not fit" =5 "warning: -\?nan becomes 'int'" =6 "warning: -3e+09 becomes 'unsigned int'" \
    =7 "warning: 1e+20 becomes 'long long int'"
refused() { # each line of refused.tsv has a message and code; all that is not yet refused is compiled as one file, because g++ may stop early
    local message program n=0 inline=$small/inline_variables.cu
    while IFS=$'\t' read -r message program; do
        n=$((n + 1)) # gives each line its own names
        printf '%s\t%s\n' "${message//@/$n}" "${program//@/$n}"
    done <"$tests/refused.tsv" >left
    while [ -s left ]; do
        { printf '#include <algorithm>\n#line 1\n' && cut -f 2 left; } >refused.cu
        ends 1 'refused.cu:[0-9:]* error: ' "$simtcc" -c refused.cu -o refused.o || return 1
        n=0
        while IFS=$'\t' read -r message program; do
            n=$((n + 1))
            grep -q "refused.cu:$n:[0-9:]* error: $message" "$place/out" || printf '%s\t%s\n' "$message" "$program"
        done <left >rest
        ! cmp -s left rest || { echo 'not refused:' && cat left; return 1; }
        mv rest left
    done
    ends 1 'constant_bytes.cu: error: the file has 80000 bytes of __constant__' "$simtcc" -c "$small/constant_bytes.cu" -o refused.o || return 1
    ends 1 'inline_variables.cu: error: [ac] is an inline variable of the GPU' "$simtcc" "$inline" -o inline && silent "$simtcc" -rdc=true "$inline" -o inline && ends 0 '^5 6 7$' ./inline || return 1
    ends 64 'only the legacy default stream' "$simtcc" -default-stream per-thread "$inline" -o inline && silent "$simtcc" -rdc=true --default-stream=legacy "$inline" -o inline || return 1
    built concept -std=c++20 && ends 1 'concept.cu:3:' "$simtcc" -std=c++17 "$small/concept.cu" -o concept || return 1
    built allowed --extended-lambda && ends 0 '^allowed 8661 14 6 no error' ./allowed
}
check 'code that nvcc refuses is refused, and code that nvcc allows compiles' refused
check 'a narrowing conversion in braces compiles in a kernel' program narrowed '^45$' # nvcc only warns about it
check 'a kernel may have the name of a function in a header' program kernel_names '^names 33333 no error'
shared() { built shared && ends 0 'shared 0 no error' ./shared && ends 86 '^simt: uninitialised memory: updates (atomic) shared number' ./shared dirty; }
check '__shared__ variables at file scope work' shared
intrinsics() { built math && ends 0 'numbers 0' ./math && says 'words 0' && says 'warps 0'; }
check 'intrinsics and the warp functions of before Volta give the results of a GPU' intrinsics
check 'a kernel argument with a destructor is destroyed on the host only' program arguments '512, destroyed on the host alone'
check 'kernels may launch kernels, and host threads may launch at once' cases children 'children 440' + 'threads 51200 no error'
device_runtime() {
    local i
    silent "$simtcc" "$tests/device_runtime.cu" -rdc=true -o runtime && ends 0 '^order 1 101 201 209 109 9, copies 2 30 0 30$' ./runtime && says '^memory 8064 no error' &&
        ! says '^simt:' >/dev/null || return 1
    for i in 1 2; do ends 86 "of the kernels' heap, where nothing is" ./runtime $i && says "device_runtime.cu:[0-9]*:  if (wrong == $i)" || return 1; done
    for i in 3 4; do ends 86 'free, delete or cudaFree of' ./runtime $i && says "device_runtime.cu:[0-9]*:  if (wrong == $i)" || return 1; done
}
check 'kernels may call the memory, copy and stream functions of the runtime' device_runtime
own_variables() { # without -rdc=true a variable of the GPU is local to its file
    local i own=$small/own_variables.cu wants=$small/extern_variable.cu
    sed 's/k1/k2/; s/f1/f2/; s/{1}/{2}/' "$own" >own2.cu
    silent "$simtcc" "$own" own2.cu "$small/own_variables_host.cpp" -o own && ends 0 '^own 12 13$' ./own || return 1
    ends 1 'simtcc: d, a variable of the GPU, is visible only in its file: nvcc gives .*; add -rdc=true to share it' "$simtcc" "$wants" "$own" -o wants &&
        silent "$simtcc" -rdc=true "$wants" "$own" -o wants && silent ./wants || return 1
    for i in true false; do # reports name a variable whether other files can see it or not
        silent "$simtcc" -rdc=$i "$small/named_variable.cu" -o named && ends 0 'warning: .* writes table\[3\], which' ./named || return 1
    done
}
check 'a variable of the GPU is local to its file without -rdc=true' own_variables
check 'a kernel may wait for the host, and a flag raised too late is explained' cases waits_for_host '^waited no error, 1$' late 'that the host may write later: in the simulator the host continues only after the kernel' \
    + 'waits_for_host.cu:8:'
check 'atomics of one and two bytes are atomic' cases small_atomics '^small -126 1 7 -100 127 1: no error' shared 'race on global memory: updates (atomic)'
check 'reading a __constant__ variable that was never written gives a hint' cases_with -rdc=true constants '^constants 6 no error' =1 'hint: reads weights\[0\], a __constant__ variable that was never written: it is 0' \
    + '^constants 0 no error' =2 'hint: reads weights\[2\], a __constant__' + '^constants 1 no error'
check 'runtime functions have the default arguments of CUDA' program fewest '^fewest 15 3 5 no error'
check 'a numbered barrier waits for its count, and a wrong count is reported' checked_and_not named_barriers '^named 0 no error' 1 'race on shared memory: reads shared buffer' 2 'race on shared memory: .* shared buffer' \
    3 'barrier 5 of 48 threads, in a block of 40' 4 'barrier 5 is for 32 threads here, and others that wait for it expect 64' \
    5 'endless loop: every remaining thread waits'
cuda_ptx() {
    built cuda_ptx && right '^ptx 0 2 no error' ./cuda_ptx &&
        ends 86 'race on shared memory: writes shared tile\[0\]' ./cuda_ptx 1 && ends 86 'endless loop: every remaining thread waits' ./cuda_ptx 2 &&
        ends 1 'cuda::ptx::cp_async_bulk_tensor is not supported by the simulator' "$simtcc" "$small/cuda_ptx_tensor.cu" -o tensor
}
check "cuda::ptx works, and a barrier that counts bytes waits for them" cuda_ptx
libcu_more() {
    local standard
    for standard in 17 20; do
        silent "$simtcc" -std=c++$standard "$tests/libcu_more.cu" -o libcu_more && ends 0 '^more 0 3 3314 192 18 3f800000 fffff0cb 80000000 3141592 8 no error' ./libcu_more &&
            ! says '^simt:' >/dev/null || return 1
    done
}
check 'functors, bit functions, latches and semaphores of libcu++ work' libcu_more
cub_includes() { # the CUB of CUDA 13 includes these headers
    silent "$simtcc" "$small/cub_iterators.cu" -o iterators && silent ./iterators
}
if [ -e /usr/include/cub/cub.cuh ]; then check "iterators of Thrust come with the header of CUB" cub_includes; fi
check 'mipmapped arrays and gathers of texels give the values of a GPU' cases mipmaps '^levels cudaErrorInvalidValue 0 100 100 200 300 300 0 0 200 15 0 100 139.844 200 300 300 0 0 200 15$' \
    + '^gather 11 12 2 1 0 0 0 0 11 15 7 3: no error'
branches() {
    local i
    built branches && right '^end 0, branches 1684 no error' ./branches || return 1
    for i in 1 2 3 4 7; do ends 86 'race between streams: .* of .*branches.cu:.*nothing orders the two' ./branches $i || return 1; done
    ends 86 "race between streams: reads .*, which a copy in stream 1 writes, at .*branches.cu:$(sed -n '/copied here$/=' "$tests/branches.cu")," ./branches 8 || return 1
    ends 86 'in stream 1 writes' ./branches 7 && ends 86 'the first stream does not wait for it at the end' ./branches 5 && says '^end 904' &&
        ends 86 'host reads seen\[5\] before it has waited' ./branches 6 && ends 86 'add in another branch of the graph writes' ./branches 4
}
check 'a race between branches of a graph is reported' branches
check "a thread can capture its own default stream" cases own_stream '^own 0, 222 of 3 nodes, captured 1 0: no error$' 2 'race between streams: .* q\[0\]'
ended_capture() {
    local legacy='906/901 906/901 906/901 900/901 900/901 906/901' apart='0/0 0/0 0/0 900/901 900/901' end='907/901 906/901 0/0 $'
    built ended_capture && ends 0 '^sum 10$' ./ended_capture && says "^$legacy 900/901 $end" && says "^$legacy 0/0 $end" &&
        says "^$apart 900/901 900/901 907/901 0/0 0/0 $" && says "^$apart 0/0 0/0 907/901 0/0 0/0 $"
}
check "a capture ends with the errors of a GPU" ended_capture
locals() {
    built locals && right 'no error' ./locals 0 &&
        ends 86 'simt: reads 4 bytes of a local variable whose function or thread has ended' ./locals 1 && says 'in returned' && ends 86 'a local variable whose function or thread has ended' ./locals 2 &&
        ends 86 'simt: reads 4 bytes of a local variable of thread (' ./locals 3 && says 'an illegal memory access was encountered'
}
check 'the address of a local variable is reported if it is used too late' locals
unwritten() { # uninitialised values change the result
    local line n=0
    built unwritten && right '^1146 no error' ./unwritten 0 || return 1
    for line in 'float other = 0, sum;' 'float bins\[4\];' 'int most;' 'unsigned n;' 'T sum, other\[2\];'; do
        ends 86 '^simt: [a-z]* is read before it has a value' ./unwritten $((n += 1)) && says "unwritten.cu:[0-9]*:  $line" || return 1
    done
    right '^496 no error' ./unwritten 6 && ends 86 '^-1.69474e+38' ./unwritten 1 && ends 86 '^[-0-9.e+]* unspecified launch failure' "$prefix/bin/simt" run --strict ./unwritten 1
}
check 'reading a local variable that was never written is reported' unwritten
division() { # a GPU continues; an x86 CPU would stop
    local zero='^-1 17 1 17 -1 -17 1 -1 255 1 1 4711 no error' none='^17 0 0 0 -17 0 0 17 17 1 1 4711 no error'
    [ "$(uname -m)" = x86_64 ] || return 0
    built division && right "$none" ./division 1 && ends 0 "$zero" ./division &&
        says 'warning: integer division by zero' && says 'in divide, block (0,0,0)' && says 'division.cu:25:' && ends 86 '^0 0 .* unspecified launch failure' "$prefix/bin/simt" run --strict ./division &&
        built division --unchecked && ends 0 "$zero" ./division
}
check 'an integer division by zero does not stop a kernel' division
too_large() { # inlining all its nested calls takes minutes
    SIMTCC_SECONDS=1 ends 0 'large_code.cu: some functions are not inlined, because that takes more than 1 s' "$simtcc" "$small/large_code.cu" -o large_code && silent ./large_code &&
        printf 'int main() { return x; }\n' >wrong.cu && ends 1 'was not declared' "$simtcc" wrong.cu -o wrong && ! says 'some functions are not inlined' >/dev/null || return 1
    # Host code needs no inlining, even in a file that launches kernels of another file.
    { cat "$small/large_host.cu" && sed 's/__device__/static/; s/__global__//; /^int main/,$d' "$small/large_code.cu"; } >large_host.cu
    SIMTCC_SECONDS=2 silent "$simtcc" large_host.cu "$small/large_kernel.cu" -o large_host && silent ./large_host
}
check 'code that is too large to be inlined still compiles' too_large
host_apart() { # host code beside kernels, such as stb_image.h; inlining it like kernels would take minutes
    local how i=0 ways=('' static 'extern "C"' 'static inline' '__host__' namespace)
    {
        printf '__global__ void twice(float *p) { p[0] *= 2; }\n'
        for how in "${ways[@]}"; do # names begin with a1_, a2_, ...
            i=$((i + 1))
            [ "$how" != namespace ] || { how=static && printf 'namespace ours {\n'; }
            sed "s/__device__/$how/; s/__global__/$how/; /^int main/,\$d; s/\\b\(f[0-9]*\|k\)\\b/a${i}_\1/g" "$small/large_code.cu"
        done
        printf '} using namespace ours;\n' && cat "$small/host_apart.cu"
    } >apart.cu
    silent "$simtcc" -c apart.cu && silent "$simtcc" apart.o -o apart && silent ./apart && objdump -dr apart.o >apart.s || return 1
    for i in 1 2 3 4 5 6; do
        [ "$(grep -c "\(call\|R_X86_64_PLT32\).*a${i}_f1" apart.s)" -ge 3 ] || { echo "${ways[i - 1]}: f2 has not its three calls of f1"; return 1; }
    done
}
check 'host code beside kernels is not inlined, so it compiles fast' host_apart
older_host() { # host files that g++ compiles without simtcc, in the C++ standard that a course's Makefile sets
    local i
    silent "$simtcc" -c "$small/older_host_kernel.cu" || return 1
    for i in c++11 gnu++14 c++14 c++17 c++20; do
        { silent g++ "-std=$i" -Wall -Wextra -Werror -I"$prefix/lib/simt/toolkit/include" -c "$small/older_host.cpp" -o older.o && silent "$simtcc" older.o older_host_kernel.o -o older && silent ./older; } ||
            { echo "$i"; return 1; }
    done
}
check 'g++ compiles host files in every standard from C++11 on' older_host
toolkit_headers() { # the headers of a toolkit that declare parts of cuda_runtime.h
    local i
    "$simtcc" -M "$small/toolkit_headers.cu" >header.d && silent "$simtcc" -c "$small/toolkit_headers.cu" || return 1
    sed -n 's/^#include <\(.*_.*\)>$/\1/p' "$small/toolkit_headers.cu" | while read -r i; do
        grep -q "$prefix/lib/simt/include/$i" header.d || { echo "$i is not ours"; return 1; }
    done
}
check "headers of a toolkit that are parts of cuda_runtime.h exist" toolkit_headers
calls_itself() { # inlining a recursive function into itself took a minute and a half
    SIMTCC_SECONDS=20 silent "$simtcc" "$small/calls_itself.cu" -o stable && silent ./stable
}
check 'recursive host code compiles fast' calls_itself
if [ -e /usr/include/thrust/async/reduce.h ]; then check 'algorithms of thrust::async give the right results' program thrust_async '^async 5050 100 5050 10100 10100 100$'; fi
policies() { # since release 2 these headers include the policies
    silent "$simtcc" "$small/thrust_policy.cu" -o policies && silent ./policies && silent "$simtcc" "$small/thrust_policy_sets.cu" -o policies
}
if [ -e /usr/include/thrust/sort.h ]; then check 'thrust::device comes with thrust/sort.h and set_operations.h' policies; fi
behind_thrust() { # Thrust's launches are neither counted nor predicted
    silent "$simtcc" "$small/behind_thrust.cu" -o behind && ends 0 'put .* 1 .* launch-bound: 1 launch$' "$prefix/bin/simt" run --predict t4 ./behind &&
        ends 0 'put .* 2 .* launch-bound: 1 launch$' "$prefix/bin/simt" run --predict t4 ./behind more
}
if [ -e /usr/include/thrust/sort.h ]; then check "a prediction leaves out kernels of Thrust" behind_thrust; fi
shareable() {
    built shareable -lcuda && ends 86 'cuMemCreate of memory with a handle for other processes' ./shareable && says '^create 801'
}
check 'memory with a handle for other processes is refused with a message' shareable
check 'PTX carries, double shifts, byte products, comparisons and halves give the results of C++' checked_and_not ptx_more '^more 0 0 no error'
spans() {
    built spans && right '^spans 0 86 24 6: no error' ./spans &&
        ends 86 'out of bounds: reads a\[24\], but it has 24' ./spans 1 && built spans -std=c++20 && ends 0 '^spans 0 86 24 6' ./spans
}
check 'cuda::std::span and mdspan work, and an index out of range is reported' spans
addresses() { built addresses && ends 86 '^addresses 10 5 14 16 9 15, invalid configuration' ./addresses && ! says 'this address is not one' >/dev/null; }
check 'a kernel can be launched by its address' addresses
check 'cooperative groups give the results of a GPU' cases groups 'grid 0 no error' + 'lanes 0 no error' + 'large 0 no error' apart 'race on shared memory: .*scratch'
samples() { # the samples' helpers are in a folder above the .cu and .cpp files
    mkdir -p samples/Common samples/Samples/one
    echo '#define HELPED 7' >samples/Common/helper_cuda.h
    cp "$small/samples_one.cu" "$small/samples_there.cpp" samples/Samples/one
    silent "$simtcc" samples/Samples/one/samples_one.cu samples/Samples/one/samples_there.cpp -o one && ./one
}
check "the helpers of the CUDA samples are found from .cu and .cpp files" samples
check 'arithmetic of half rounds as a GPU does' cases half 'halves 0 0 0' + 'sums 128 0 128 256 128 31'
check 'numbers of 8 bits have the values of a GPU' program fp8 'eight bits 0 0'
whole() {
    built whole && ends 0 '^after main 63 no error' ./whole && says '^main no error' && ! says '^simt:' >/dev/null &&
        ends 0 '^set  *1  *64  *2 ' "$prefix/bin/simt" run --count --leaks ./whole && says '^simt: 0 not freed or destroyed' &&
        built whole --unchecked && ends 0 '^after main 63 no error' ./whole
}
check 'global objects may own memory, streams and events' whole
check 'arithmetic of bfloat16 rounds as a GPU does' program bfloat 'bfloats 0'
ptx() {
    built ptx && ends 0 'ptx 0: 4 128 33 no error' ./ptx &&
        ends 1 'ptx_unknown.cu:5: error: inline PTX: the simulator does not know this instruction: wgmma.fence' "$simtcc" "$small/ptx_unknown.cu" -o no &&
        built host_asm && ends 0 '^7' ./host_asm
}
check "inline PTX works in kernels, and inline assembly works in host code" ptx
check 'copies and barriers work with separate arrival and waiting' checked_and_not mbarrier '^mbarrier 0 0 0 36 no error' 1 'race on shared memory: writes shared tile\[0\]'
warp_matrices() {
    built ptx_mma && right '^mma 0 0 0 no error' ./ptx_mma &&
        ends 86 'lane 28 reads from lane 31, which does not exist in this block' ./ptx_mma 1 && ends 1 'ptx_volta.cu:6: error: inline PTX: the simulator does not know this shape' "$simtcc" "$small/ptx_volta.cu" -o volta
}
check 'mma, ldmatrix and stmatrix of inline PTX give the right sums' warp_matrices
clusters() {
    built clusters && ends 0 '^ring 0' ./clusters && says '^histogram 0 0' && says '^gather 2 12 22 32' && says '^alone 10 no error' && ! says '^simt:' >/dev/null &&
        ends 86 'shared memory of block (1,0,0), which may not have begun' ./clusters 1 && ends 86 'shared memory of block (3,0,0), which has ended' ./clusters 2 &&
        ends 86 'which may not have begun' ./clusters 3 && says 'clusters.cu:16:' && ends 86 'the grid (6,1,1) is not made of clusters of (4,1,1) blocks' ./clusters 4 &&
        ends 86 'a cluster of 16 blocks: more than 8 need' ./clusters 5 && says '^histogram 40 912' &&
        ends 86 'race on shared memory: .*mine\[' ./clusters 6 && says 'put a cluster.sync() between' &&
        silent "$simtcc" --unchecked "$tests/clusters.cu" -o bare && ends 0 '^ring 0' ./bare && says '^histogram 0 0' && says '^gather 2 12 22 32'
}
check 'clusters share memory, and a missing barrier is reported' clusters
check 'an access out of bounds in a class that a function returns is reported' cases returned '^returned 0 no error' 1 'out of bounds: writes s\[32\], but it has 32 elements of 16 bytes'
check 'nvcuda::wmma gives the right sums, and a missing __syncwarp() is reported' cases wmma 'wmma 0 0 0 0 no error' 1 'race on shared memory: reads shared tile'
check 'libcu++ atomics order memory, and a relaxed flag is reported' cases libcu 'handed over 42, 7, 4: no error' + 'largest 63 32' + 'turns 0' relaxed 'race on global memory: reads data'
check "__nv_atomic functions order memory, and a relaxed flag is reported" cases nv_atomics '^each 256 -128 63 384 1 64' + '^handed over 42: no error' relaxed 'race on global memory: reads n\[0\]'
atomic_loads() {
    built atomic_loads && right '^loads 21 21 2: no error' ./atomic_loads &&
        ends 86 'race on global memory: reads value' env SIMT_WORKERS=1 ./atomic_loads wrong
}
check 'an atomic load does not race with a plain read' atomic_loads
own_plain() {
    local i
    built own_plain || return 1
    for i in 1 2 3; do ends 86 'race on [a-z]* memory: updates (atomic) .* thread (0,0,0).* has written' env SIMT_WORKERS=1 ./own_plain $i || return 1; done
    for i in 21 22 23; do ends 0 '^no error' ./own_plain $i && ! says '^simt:' >/dev/null || return 1; done
}
check "a plain write before an atomic of the same thread races with the atomics of other threads" own_plain
check 'a thread that does not wait for cuda::pipeline is reported' cases pipeline 'pipeline 0 no error' =early 'warning: uninitialised memory: reads shared tile\[0\]' \
    missing 'waits for a value that no thread will write' + 'pipe.consumer_wait'
check 'NVTX marks and ranges compile and do nothing' program marks '^marks 4' -lnvToolsExt
async_copies() {
    built async_copies && right '^copies 0 no error' ./async_copies || return 1
    for forgotten in 1 2 3 4; do
        ends 86 'reads shared tile\[.*, into which thread (.*) copies at .*async_copies.cu:.*, and has not waited for it' ./async_copies $forgotten || return 1
    done
    ends 86 'reads shared tile\[0\], into which this thread copies at .*:75' ./async_copies 5 && ends 86 'writes shared tile\[0\], into which this thread copies' ./async_copies 6 &&
        built async_copies --unchecked && ends 0 '^copies 0 no error' ./async_copies
}
check 'using shared memory before its asynchronous copy has finished is reported' async_copies
driver() {
    silent "$simtcc" -fatbin "$tests/module.cu" && silent "$simtcc" --ptx -o kernels "$tests/module.cu" && [ "$(head -c 14 module.fatbin)" = '// simt module' ] &&
        built driver -lnvrtc -lcuda && ends 0 '^driver 0: 0' ./driver module.fatbin && says '^compiled' && ! says '^simt:' >/dev/null &&
        ends 86 'a call of the driver interface before cuInit' ./driver kernels 1 && says '^3' &&
        ends 86 'out of bounds: writes .*\[10\], but it has 10' ./driver kernels 2 && says 'in beyond, block' && says 'module.cu:19:  a\[n + threadIdx.x\] = 1;' &&
        ends 86 'cuModuleLoad needs a module that simtcc built' ./driver kernels 3 && says '^200' &&
        ends 86 'beyond with 8 bytes of arguments: it has 12' ./driver kernels 4 &&
        ends 86 'out of bounds: writes ' ./driver kernels 5 && ends 86 'launch of a function whose module is not loaded' ./driver kernels 6 && says '^400' &&
        ends 0 'NVRTC calls simtcc, which must be installed' env SIMTCC=/nowhere/simtcc ./driver kernels &&
        silent "$simtcc" "$small/driver_in_c.c" -o c && ./c &&
        silent "$simtcc" -c "$tests/driver.cu" && silent g++ driver.o -L"$prefix/lib/simt" -lnvrtc -lcudart -o by_hand && ends 3 'linked by simtcc, or with -rdynamic' ./by_hand kernels
}
check 'the driver interface loads modules, and NVRTC compiles kernels' driver
copied() { # the samples copy these headers into a folder of their own for NVRTC
    mkdir -p copied && cp -rL "$prefix/lib/simt/include/cooperative_groups.h" "$prefix/lib/simt/include/cooperative_groups" \
        "$prefix/lib/simt/include/cuda" copied &&
        silent "$simtcc" -ptx -I copied "$small/copied_headers.cu" -o copied.ptx
}
check "copies of the headers of the simulator compile" copied
check 'graphs can allocate memory and have conditional nodes' cases task_graphs '^allocating 0 0 0, sum 30' + '^captured 34 no error' + '^20 10 10 10 10 20 30 0 7 3 no error' \
    1 'a graph allocates memory again that its last launch allocated' + 'task_graphs.cu:.*cudaGraphAddMemAllocNode' \
    2 "a graph's while node has run its body" + 'the launch timed out' 3 'out of bounds: writes ' + 'in fill, block'
check 'user objects of graphs and attributes of streams work' cases user_objects '^0 100 100 110 110 111 1 1$' + '^1 4096 0.5 invalid argument$'
check "edges of a graph can be read, and copies of a graph can be changed" cases edges '^edges 3 2, 1$' + '^run 4 5, 10 20 0, 13 23 no error$'
check "host code may use OpenMP and std::atomic" program openmp 'openmp 4 499500 4 8 2; 32768 67108864' -Xcompiler -fopenmp
heap() {
    built heap && ends 86 "out of bounds: writes 4 bytes of the kernels' heap" ./heap 1 && ends 86 "reads 4 bytes of the kernels' heap" ./heap 2 &&
        ends 0 'popped 45, then 63 pieces of 64 KiB, 39999: no error' ./heap 3 &&
        says "^simt: hint: no kernel has freed 63 pieces of the kernels' heap, 4128768 bytes, allocated at .*heap.cu:67" && right 'areas 49 8: no error' ./heap 4 && ends 86 "reads 8 bytes of the kernels' heap, where nothing is" ./heap 5
}
check 'malloc and new in kernels respect cudaLimitMallocHeapSize' heap
large() { # more threads at once than a process may have pairs of mappings
    built large && ends 0 '^together 81920' env SIMT_SMS=40 ./large && says '^bytes 32' && ! says '^simt:' >/dev/null &&
        ends 86 'race on shared memory: reads shared part\[' ./large 1 &&
        ends 86 'out of bounds: writes ' ./large 2 && says 'in many, block (1000,0,0)' && ends 86 'more than 2^31-1 blocks' ./large 3 && says '^refused 1'
}
check 'launches at the limits of a GPU run' large
bounds() {
    built bounds && right '^bounds 64, cudaSuccess' ./bounds 0 &&
        ends 86 'bad launch of plain: the block has 65 threads, and the kernel has __launch_bounds__(64)' ./bounds 1 && says '^bounds 64, cudaErrorInvalidValue' &&
        ends 86 'bad launch of first: the block has 65 threads' ./bounds 2 && ends 86 'bad launch of inner::hidden: the block has 128 threads' ./bounds 3
}
check 'a block larger than __launch_bounds__ is refused' bounds
mistakes() {
    ends 1 'unknown_function.cu:2: __nothing_of_the_kind is not supported' "$simtcc" "$small/unknown_function.cu" -o no &&
        ends 1 'semicolon.cu:4:' "$simtcc" "$small/semicolon.cu" -o no &&
        ends 1 'cudaGraphicsGLRegisterBuffer: the simulator has no graphics' "$simtcc" "$small/graphics.cu" -o no &&
        ends 1 'cudaNothingOfTheKind is not supported by the simulator' "$simtcc" "$small/graphics.cu" -o no &&
        ends 1 'tensor_map.cu:3: CUtensorMap is not supported by the simulator' "$simtcc" "$small/tensor_map.cu" -o no &&
        # Also in a host file; a toolkit's header does not include the other headers of a toolkit.
        mkdir -p toolkit && printf '#include "cuda_runtime_api.h"\n' >toolkit/cuda_gl_interop.h &&
        printf '#ifndef __CUDA_RUNTIME_API_H__\n#error of a toolkit\n#endif\n' >toolkit/cuda_runtime_api.h &&
        ends 1 'graphics_host.cpp:4: cudaGraphicsMapResources: the simulator has no graphics' env CPLUS_INCLUDE_PATH=toolkit "$simtcc" "$small/graphics_host.cpp" -o no &&
        ! says 'of a toolkit' >/dev/null &&
        ends 64 'is not an option of simtcc' "$simtcc" --no-such-option "$tests/add.cu" &&
        ends 66 'nowhere.cu: no such file' "$simtcc" nowhere.cu &&
        ends 69 'the simulator cannot provide cudnn' "$simtcc" "$tests/add.cu" -lcudnn -o no &&
        ends 64 'no code for a GPU' "$simtcc" -optix-ir "$tests/add.cu" && ends 64 'no files' "$simtcc" && [ ! -e no ]
}
check 'compiler errors have the file, the line and the name' mistakes
runs() {
    ends 0 'add  *4 *256 *1 *64 *3.91 *32 *3.91' "$prefix/bin/simt" run --count ./add && says 'done' &&
        ends 0 "add.cu:25 .*load .*c\[i\] = a\[i\]" "$prefix/bin/simt" run -e ./add &&
        ends 0 'predicted for H200, not measured' "$prefix/bin/simt" run --predict ./add && says 'launch-bound' &&
        ends 0 'predicted for T4' "$prefix/bin/simt" run --predict=t4 ./add &&
        ends 0 'predicted for T4' "$prefix/bin/simt" run --predict t4 ./add &&
        ends 0 'predicted for T4' "$prefix/bin/simt" run --predict "$prefix/lib/simt/cards/t4.card" ./add &&
        ends 0 'done' "$prefix/bin/simt" run --trace trace.tsv ./add && [ "$(wc -l <trace.tsv)" -gt 30 ]
}
check 'simt run prints counts, lines, predictions and a trace' runs
refuses() {
    ends 64 'Usage: simt run' "$prefix/bin/simt" && ends 127 'nowhere' "$prefix/bin/simt" run ./nowhere &&
        ends 64 'whole number from 1 to 1024' "$prefix/bin/simt" run --sms 0 ./add && ends 64 'no_gpu' "$prefix/bin/simt" run --predict=no_gpu ./add &&
        ends 0 'multiprocessors' "$prefix/bin/simt" run --help
}
check 'simt run refuses wrong arguments with a message' refuses
faults() {
    ends 1 'simt: out of bounds: reads a\[1000\]' ./add more && says 'at .*add.cu:25:  if (i < n)' &&
        built races &&
        ends 0 'simt: warning: all write the same value' ./races 1 && ends 0 'warning: all write the same value' ./races 2 &&
        ends 0 'warning: all write the same value' ./races 9 && ends 86 '^simt: race on global memory: writes a\[0\]' ./races 13 && ! says 'order does not matter' >/dev/null && ends 0 'warning: all write the same value' ./races 14 && ends 86 'simt: race on shared memory: writes shared any' ./races 10 &&
        ends 0 'simt: warning: barrier in divergent code' ./races 11 && says 'thread (0,0,0) waits in another' && ends 86 'simt: barrier in divergent code' ./races 12 &&
        ends 86 'simt: race on global memory' ./races 3 && says 'no error' && ends 0 'warning: uninitialised memory' ./races 4 &&
        right '^no error' ./races 5 && ends 86 '^simt: barrier skipped: 32 of 64' ./races 17 &&
        ends 86 '^simt: race on shared memory: writes shared s' ./races 18 && ! says 'order does not matter' >/dev/null &&
        ends 86 '^simt: uninitialised memory: adds to b\[0\]' ./races 19 && ends 86 '^simt: uninitialised memory: updates (atomic) b\[0\]' ./races 20 && ends 0 'warning: race on global memory: reads' ./races 6 &&
        ends 86 'simt: __shfl_sync: lane 0 reads from lane 30, which has returned' ./races 8 && right 'no error' ./races 28 &&
        right 'no error' ./races 29 && ends 86 'race on shared memory: reads shared s' ./races 15 && ends 86 'race on shared memory: writes shared s' ./races 16 &&
        ends 86 'race on shared memory: writes shared s\[3\]' ./races 7 && right 'no error' ./races 27 &&
        for i in 1 2 3 4 5 6 8 11 12; do ends 86 'unspecified launch failure' "$prefix/bin/simt" run --strict ./races $i || return 1; done
}
check 'a fault stops the program, a race does not, and --strict stops at a race' faults
no_memory() { # a null pointer from a refused cudaMalloc, and one without
    local how
    built no_memory || return 1
    for how in k m c; do
        ends 86 'null pointer' ./no_memory l$how && says 'note: cudaMalloc of 1099511627776 bytes was refused: the GPU has [0-9]* MB' || return 1
        ends 86 'null pointer' ./no_memory n$how && ! says 'was refused' >/dev/null || return 1
    done
}
check 'a null pointer report names the cudaMalloc that was refused' no_memory
template_variable() {
    built template_variable && ends 86 'not device memory: reads 4 bytes' ./template_variable && says "a variable template is the host's here" &&
        ends 86 'not device memory: reads 4 bytes' ./template_variable 1 && ! says 'a variable template' >/dev/null
}
check "a variable template is reported as a variable of the host" template_variable
many_races() { built many_races && ends 86 '^many: no error' timeout 10 ./many_races && says 'race on global memory: reads sum'; }
check 'a race that occurs a hundred thousand times does not slow the program down' many_races
rounds() {
    built rounds && SIMT_WORKERS=1 ends 86 '^rounds: no error' ./rounds && says '^places 192$' &&
        says '2 source lines with errors, 1 with warnings' && ! says 'order does not matter' >/dev/null
}
check 'a line in an unrolled loop is reported once' rounds
# These checks are for simtcc only; the course's kernels do not have them.
pairs() { # FILE WORDS...: run 1, 2, ... has a mistake and reports these words; run 21, 22, ... is right and reports nothing
    local file=$1 i=0 words status
    shift
    silent "$simtcc" "$tests/$file.cu" -o "$file" || return 1
    for words; do
        i=$((i + 1))
        SIMT_WORKERS=1 "./$file" $i >"$place/out" 2>&1 # blocks run in order
        status=$?
        grep -q "^simt: $words" "$place/out" || { echo "$file $i does not say: $words"; cat "$place/out"; return 1; }
        case $words in hint* | warning*) [ $status -eq 0 ] ;; *) [ $status -eq 86 ] ;; esac || { echo "$file $i: exit status $status"; return 1; }
        if ! "./$file" $((20 + i)) >"$place/out" 2>&1 || grep -q '^simt:' "$place/out"; then echo "$file $((20 + i)) is right, and yet:"; cat "$place/out"; return 1; fi
    done
}
check 'using data before its stream has finished is reported' pairs order 'host reads pinned\[0\] .* a copy in stream 1 writes it' \
    'host reads managed\[0\] .*kernel put in the default stream' 'host reads mapped\[0\] .*kernel put in stream 3' \
    'host writes pinned\[3\] .*a copy in stream 1 reads it' 'race between streams: reads d_a\[0\], which kernel put in stream 1 writes' \
    'race between streams: writes d_a\[0\], which kernel copy in stream 2 reads' 'race between streams: this reads d_a' \
    'race between streams: reads d_a' 'race between streams: reads d_a' 'race between streams: reads d_a\[0\], which a copy in the default' \
    'race between streams: this writes d_a\[31\], which a copy' 'race between streams: this frees d_a\[0\], which kernel put' \
    'host reads pinned\[0\]' 'race between streams: writes d_a\[0\], which kernel count in stream 2 updates (atomic)' \
    'host reads mapped\[0\] before it has waited: kernel signal' 'host reads pinned\[0\] before it has waited: a copy in stream 1' \
    'host reads managed\[0\] before it has waited: kernel count' 'host reads pinned\[0\] before it has waited: a copy in stream 2' \
    'host reads .* before it has waited: a copy in stream' 'host reads pinned\[0\] before it has waited: a copy in stream 1'
check 'using stream-ordered memory from another stream is reported' pairs pools 'race between streams: writes a\[0\], which cudaMallocAsync in stream 1 allocates' \
    'race between streams: this writes a\[0\], which cudaMallocAsync in stream 1 allocates' 'warning: uninitialised memory: reads a\[' \
    'race between streams: this frees a\[0\], which kernel put in stream 1 writes'
check 'a parent kernel that does not wait for its child kernel is reported' pairs behind_launch 'race between kernels: writes b\[5\], which the thread that has launched this kernel reads after that' \
    'race between kernels: reads a\[5\], which the thread that has launched this kernel writes after that'
check 'races between streams are found to the byte' pairs bytes 'race between streams: this writes d_a' 'race between streams: this writes d_a' \
    'race between streams: this writes d_a' 'host reads pinned\[33\] before it has waited: a copy'
assertions() {
    built assertion && ends 0 'assertion failed: (int)threadIdx.x < n' ./assertion 60 ask && says '^1' &&
        ends 86 'assertion failed' ./assertion 60 && ends 0 '^0' ./assertion 64 ask
}
check 'a failed assertion is reported, and the program ends with status 86 unless it checks errors' assertions
in_order() { # --strict stops at a race between streams
    ends 86 'unspecified launch failure' "$prefix/bin/simt" run --strict ./order 5 && ends 86 'race between streams' "$prefix/bin/simt" run --strict ./order 7 &&
        ends 86 'host reads pinned' "$prefix/bin/simt" run --strict ./order 1 && ends 0 'no error' "$prefix/bin/simt" run --strict ./order 25
}
check '--strict stops at a race between streams' in_order
grid_sync() {
    local i
    built grid_sync || return 1
    for i in 1 2; do ends 86 '^simt: grid.sync() in a kernel that was not launched cooperatively$' ./grid_sync $i && says '^0 0 unspecified launch failure$' || return 1; done
    for i in 3 4 5; do ends 0 '^2 1 no error$' ./grid_sync $i && ! says '^simt:' >/dev/null || return 1; done
    right '^0 0 no error$' ./grid_sync 6
}
check 'grid.sync() in a kernel that was not launched cooperatively is reported' grid_sync
fixed_grid() {
    built fixed_grid && right '^sum 150 cudaSuccess$' ./fixed_grid &&
        ends 86 'cooperative launch of 150 blocks: the GPU holds 64' ./fixed_grid 1 && says '^sum 0 cudaErrorCooperativeLaunchTooLarge$' &&
        ends 86 'cooperative launch of 2000 blocks: the GPU holds 1056' ./fixed_grid 2 &&
        ends 86 'cooperative launch of 150 blocks: the GPU holds 64' env SIMT_SMS=8 ./fixed_grid
}
check 'a cooperative grid that fits an H200 runs' fixed_grid
equal_copies() {
    built equal_copies && ends 0 '^copies: no error' ./equal_copies 0 &&
        [ "$(grep -c '^simt: warning: all write the same value, so their order does not matter: race between streams: this writes d' "$place/out")" -eq 3 ] &&
        ends 86 '^simt: race between streams: this writes d' ./equal_copies 1 && ends 86 '^simt: race between streams: this writes d' ./equal_copies 2
}
check 'two streams that copy equal bytes to one address give a warning' equal_copies

index="out of bounds: index"
check 'an index beyond an array, or from one buffer into another, is reported' pairs arrays "$index 4 of an array 'int \[4\]'" \
    "$index 8 of an array 'int \[8\]'" "$index 6 of an array 'float \[6\]'" "$index 5 of an array 'int \[5\]'" \
    "$index -1 of an array 'int \[4\]'" "$index 5 of an array 'int \[5\]'" 'out of bounds: reads x\[1'
host='a buffer of the host, which has'
check 'a copy, memset or free beyond its buffer is reported' pairs copies '.* 4004 bytes to d_x, which has 4000' ".* to $host 4000" ".*from $host 4000" \
    ".* to $host 4000 bytes, from byte 4 on" '.* to pinned, which has 4000' '.* to d_x, from host memory' 'cudaFree of d_x, on which' \
    '.*from d_x, on which cudaFree' 'use after free: writes d_x\[' 'cudaFree of byte 4 of d_y' 'cudaMemset of 4004 bytes in d_x' \
    'cudaFree of pinned memory' ".*from $host 2000" 'copy of rows' 'a copy onto itself: 4000 bytes to byte 4 of d_y, from d_y' \
    'copy of rows of 100 bytes, of which one begins each 25 bytes' 'out of bounds: reads d_x\[1000\]'
check 'legal code that is rarely intended gives a hint' pairs hints 'hint: cudaMemset writes bytes: each is 0x01' 'hint: cudaMemset writes bytes: each is 0xe8' \
    'hint: copies back memory that was never written: 32 words of d_x, the first at byte 128' \
    'hint: reads d_x\[0\], which cudaMemcpy, at .*hints.cu:.*, writes from pageable memory: that may return before all is there' \
    "hint: no kernel has freed 64 pieces of the kernels' heap, 1024 bytes, allocated at .*hints.cu:12" 'a texture of 1024 bytes of d_x, which has 256'
too_early() {
    ends 0 'warning: cudaEventElapsedTime of an event for which the host has not waited' ./hints 7 && ends 0 'no error' ./hints 27 && ! says warning >/dev/null
}
check 'cudaEventElapsedTime before the host has waited for the event gives a warning' too_early
check 'a kernel argument may be a reference to managed memory' cases references '^references 7 7 888 no error$' host 'not device memory: reads 4 bytes'
check 'races by missing fences, masks and barriers are reported' pairs idioms 'race on global memory: reads data\[3' 'race on global memory: reads d\[0\]' 'race on shared memory: ' \
    'race on global memory: ' 'hint: __shfl_down_sync with the mask 0x000000ff that __activemask gave' 'endless loop: the block has met here 262144 times' \
    'race on global memory: updates (atomic) d\[0\], which block (0,0,0) thread 0 has written' 'race on shared memory: '
check 'memcpy and memset in kernels are checked' pairs byte_calls 'out of bounds: writes d_bytes\[2048\], but it has 2048' 'race on global memory: writes d_bytes\[1\]' \
    'warning: uninitialised memory: reads d_fresh\[0\]'
byte_calls() {
    right '^bytes 999 no error' ./byte_calls 20 &&
        built byte_calls -DOWN && right '^bytes 7 no error' ./byte_calls 24
}
check "memset of the program replaces that of the simulator" byte_calls
check 'reading an unset member is reported, but not copying padding' pairs padding 'warning: uninitialised memory: reads a\[0\]' 'warning: uninitialised memory: reads a\[' \
    'warning: uninitialised memory: reads a\[0\]' 'warning: uninitialised memory: reads a\[0\]' 'warning: uninitialised memory: reads a\[2\]' \
    'warning: uninitialised memory: reads shared mine' 'hint: copies back memory that was never written'
neighbours() {
    built neighbours && ends 0 '^neighbours 81 no error' ./neighbours && says 'warning: __shfl_sync: lane 0 reads from lane 31, which does not take part' &&
        says 'note: the mask here is 0x000001ff; any value may come: if it is used' && ends 86 'simt: __shfl_sync: lane 0 reads from lane 8, which has returned' ./neighbours 1 &&
        ends 86 'simt: __ballot_sync: mask 0xffffffff names lane 16, which came here with the mask 0xffff0000' ./neighbours 2 &&
        ends 86 'does not take part' "$prefix/bin/simt" run --strict ./neighbours
}
check 'a shuffle from an inactive lane gives a warning, or an error if its value is used' neighbours
check 'each of eleven mistakes in graph algorithms is reported' pairs graphs 'race on global memory' 'out of bounds: reads' 'out of bounds: reads' 'race on shared memory' \
    'warning: race on global memory: reads' 'race on global memory' 'race on global memory' 'race on global memory' 'race on global memory' \
    '__shfl_down_sync: lane 0 reads from lane 16, which has returned' 'warning: uninitialised memory: reads mine\[0'
labelled() { # file names contain the planted bugs
    mkdir -p labelled && for i in push_atomicBug push_NoAtomicBug tree_guardBug_syncBug; do printf '#include "%s/graphs.cu"\n' "$tests" >labelled/$i.cu; done
    printf '# a comment\npush_atomic: 1\npush_No: 21\ntree: 5\n' >runs
    ends 0 '2 with a bug, found 2 (recall 1.000); 1 right, falsely accused 0, falsely warned 0' python3 "$top/common/simtcc/races.py" labelled --runs runs --simtcc "$simtcc" --out labelled.tsv &&
        says 'guard+sync.1.0.1.0' && grep -q 'push_atomicBug.cu.*atomic.1.1.0.race on global memory$' labelled.tsv &&
        [ "$(grep -c '^# run: ' labelled.tsv)" -eq 3 ] || return 1
    printf 'push: 21\ntree: 25\n' >runs
    ends 0 'found 0 (recall 0.000)' python3 "$top/common/simtcc/races.py" labelled --runs runs --simtcc "$simtcc" || return 1
    # A program that was not run is not judged; one that fails at once is reported.
    printf '^elsewhere: 1\n' >runs
    ends 1 'no program was run' python3 "$top/common/simtcc/races.py" labelled --runs runs --simtcc "$simtcc" && says 'tree_.* is left out, because no line of runs' || return 1
    printf 'int main() { return 2; }\n' >labelled/opens_boundsBug.cu && printf 'opens: file\n' >runs &&
        ends 0 'opens_boundsBug.cu: each run ended with status 2 and no report' python3 "$top/common/simtcc/races.py" labelled --runs runs --simtcc "$simtcc"
}
check 'races.py computes recall and false alarms' labelled
# not_run PROGRAM: the results are the same if all launches run, or some, or only those that must; writes not_all in the
# last case.
not_run() { # how many launches run depends on the machine's speed, except in the last case
    "./$1" >some && SIMT_EVERY_LAUNCH=never "./$1" >not_all && SIMT_EVERY_LAUNCH=1 "./$1" >all && tail -n 1 all | grep -q '^no error' &&
        cmp <(sed 's/, .*//' all) <(sed 's/, .*//' not_all) && cmp <(sed 's/, .*//' all) <(sed 's/, .*//' some) && ! grep ', [^0]' all
}
repeats() { # counts and reports must not change either
    built repeats && not_run repeats || return 1
    [ "$(sed -n 's/.*, \([0-9]*\) not run/\1/p' not_all | tr '\n' ' ')" = "4 0 0 0 4 0 0 0 0 9 0 0 0 0 0 4 4 8 4 0 0 4 0 0 " ] || return 1
    ends 86 'host reads managed\[3\] before it has waited: kernel plain' env SIMT_EVERY_LAUNCH=never ./repeats 1 &&
        ends 86 'race between streams: reads out\[0\], which kernel plain' env SIMT_EVERY_LAUNCH=never ./repeats 2 &&
        "$prefix/bin/simt" run --counts counts ./repeats >/dev/null 2>&1 && "$prefix/bin/simt" run --counts all_counts --every-launch ./repeats >/dev/null 2>&1 && cmp counts all_counts &&
        SIMT_EVERY_LAUNCH=never "$prefix/bin/simt" run --predict t4 ./repeats 2>predicted >not_all && "$prefix/bin/simt" run --predict t4 --every-launch ./repeats 2>all >/dev/null &&
        grep -q '^same: .* 4 not run' not_all && grep -q '^plain.*launch-bound' all && cmp <(sed 's/;.*//' predicted) <(sed 's/;.*//' all) # the limiter of a row is that of its last launch that was run
}
check 'a repeated launch is not run again, and its results are the same' repeats
library_repeats() { # as repeats, for calls of a library
    [ -r "$prefix/lib/simt/libcublas.a" ] || return 0
    built blas_repeats -lcublas && not_run blas_repeats &&
        [ "$(sed -n 's/.*, \([0-9]*\) not run/\1/p' not_all | tr '\n' ' ')" = "5 0 0 0 0 0 " ]
}
check "a repeated library call is not run again, and its results are the same" library_repeats
processes() {
    built processes && right '^processes 0 no error' ./processes &&
        ends 2 'cudaIpcOpenMemHandle needs a handle' ./processes 1 && ends 201 'in the process that owns the memory' ./processes 2 &&
        ends 2 'memory of the other process no longer exists' ./processes 3 && ends 144 'an event that is not for other processes' ./processes 4 &&
        ends 1 'cudaIpcGetMemHandle needs a buffer of cudaMalloc' ./processes 5 && ends 5 'out of bounds: reads .*, but it has 5000 elements' ./processes 6 &&
        ends 1 'a pointer that cudaIpcOpenMemHandle did not return' ./processes 7
}
check 'memory, events and pools can be shared between processes' processes
pinned() { # a GPU accesses pinned host memory by the same requests
    built pinned && ends 0 '^k ' "$prefix/bin/simt" run --counts pinned.tsv ./pinned && grep -q '^1.k.1.64.2.8.2.8.0.0.32.00$' pinned.tsv
}
check 'accesses to pinned memory are counted' pinned
as_nvcc() { # kernel, loads, stores and wavefronts of shared loads of nvcc's code
    built as_nvcc && ends 0 '^as nvcc: no error' "$prefix/bin/simt" run --counts as_nvcc.tsv ./as_nvcc &&
        tail -n +2 as_nvcc.tsv | cut -f 2,5,7,9 | tr '\t' ' ' >as_nvcc.said && diff - as_nvcc.said <<'END'
nest 20 1 0
rolled 32 1 0
neighbours<8> 9 1 0
sum_apart 0 1 2
sum_of_pairs 0 1 3
sum_of_all 0 1 33
sum_of_integers 0 1 1
sum_of_long_ones 0 1 3
sines 4 1 0
short_sines 1 1 0
side_by_side 2 1 1
behind_33 3 1 3
tree 1 1 11
asked_twice 1 2 0
swaps 2 1 7
both_sides 1 3 0
END
}
check 'counts agree with code of nvcc that differs from code of g++' as_nvcc
types() { # as as_nvcc, with the wavefronts of shared stores
    [ -r "$prefix/lib/simt/types.so" ] || { echo 'types.cpp was not built: is there a gcc-NN-plugin-dev for this g++?'; return 1; }
    built types && ends 0 '^types: no error' "$prefix/bin/simt" run --counts types.tsv ./types &&
        tail -n +2 types.tsv | cut -f 2,5,7,9,10 | tr '\t' ' ' >types.said && diff - types.said <<'END' || return 1
all_of 1 1 0 0
first_three 1 1 0 0
last_three 2 1 0 0
first_and_third 2 1 0 0
stored 4 4 0 0
updated 1 1 0 0
all_of 2 1 0 0
first_three 2 1 0 0
last_three 2 1 0 0
first_and_third 2 1 0 0
stored 4 4 0 0
updated 2 2 0 0
all_of 4 1 0 0
first_three 3 1 0 0
last_three 3 1 0 0
first_and_third 2 1 0 0
stored 4 4 0 0
updated 4 4 0 0
all_of 1 1 0 0
first_three 1 1 0 0
last_three 2 1 0 0
first_and_third 1 1 0 0
stored 4 4 0 0
updated 1 1 0 0
all_of 1 1 0 0
first_three 1 1 0 0
last_three 2 1 0 0
first_and_third 1 1 0 0
stored 4 4 0 0
updated 1 1 0 0
built 4 1 0 0
built 4 4 0 0
doubles 1 1 0 0
whole 8 8 0 0
whole 2 2 0 0
whole 1 1 0 0
mixed 1 1 0 0
store_between 2 2 0 0
store_elsewhere 1 2 0 0
branch_between 2 1 0 0
quotient_between 2 1 0 0
pair_of<QUOTIENTS> 2 1 4 2
pair_of<ROOTS> 2 1 4 2
pair_of<EXPONENTIALS> 2 1 2 2
small 2 1 2 1
small 2 1 2 2
small 2 1 2 2
END
    # With -use_fast_math floats need no branch.
    built types -use_fast_math && "$prefix/bin/simt" run --counts types.tsv ./types >/dev/null 2>&1 &&
        [ "$(grep '^[0-9]*.pair_of' types.tsv | cut -f 9 | tr '\n' ' ')" = '2 2 2 ' ] || return 1
    # simtcc does not use the plugin with another version of g++.
    cp -R "$prefix" other && echo 1.0 >other/lib/simt/types.version && silent other/bin/simtcc "$tests/types.cu" -o types &&
        other/bin/simt run --counts types.tsv ./types >/dev/null 2>&1 && [ "$(sed -n 2p types.tsv | cut -f 5)" = 4 ] || return 1
    # simtcc compiles without the plugin if g++ crashes with it.
    cp "$prefix/lib/simt/types.version" other/lib/simt && silent c++ -shared -fPIC -fno-rtti -I"$(c++ -print-file-name=plugin)/include" "$small/plugin_crash.cpp" -o other/lib/simt/types.so &&
        ends 0 'g++ crashes with the plugin' other/bin/simtcc "$tests/types.cu" -o types && other/bin/simt run --counts types.tsv ./types >/dev/null 2>&1 &&
        [ "$(sed -n 2p types.tsv | cut -f 5)" = 4 ]
}
check 'counts of vectors, structs and branches agree with nvcc' types
beside_ncu() { # stops after the first launch; the profiler's output is written by hand
    ends 0 '^add  *4 ' "$prefix/bin/simt" run --counts counts.tsv --launches 1 ./add && [ "$(wc -l <counts.tsv)" -eq 2 ] || return 1
    { echo '==PROF== Connected'; echo '"done" in 3 s, said the program'; echo '"ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Value"'
        metric() { printf '"0","add(int const*)","(256, 1, 1)","(4, 1, 1)","%s","%s"\n' "$1" "$2"; }
        metric l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum 64; metric l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum "$1"
        metric l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum 7; metric smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum 0
        metric smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum n/a; metric l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum 0
        metric smsp__thread_inst_executed_per_inst_executed.ratio 31.9; } >ncu.csv
    python3 "$top/common/simtcc/ncu.py" --csv ncu.csv --counts counts.tsv --name add --out ncu.tsv >"$place/out" 2>&1 && says "$2" && grep -q "^add.*.1.add.4.256.active_lanes.31.25.31.9.-$" ncu.tsv
}
check 'ncu.py reports equal counts' beside_ncu 250 '^4 of 4 counts equal, all counts of 1 of 1 kernels'
check 'ncu.py reports different counts' beside_ncu 1,250 '^3 of 4 counts equal, all counts of 0 of 1 kernels'
words() { ends 86 'the flag may become visible before the data' ./idioms 1 && ends 0 'hint: ' "$prefix/bin/simt" run --strict ./idioms 5; }
check 'a flag without a fence is named, and --strict does not stop at a hint' words
leaks() {
    built leaks && ends 0 'leak: d_left, 40 bytes, allocated at .*leaks.cu:8: no cudaFree' "$prefix/bin/simt" run --leaks ./leaks &&
        says 'leak: pinned, 80 bytes, .*leaks.cu:10: no cudaFreeHost' && says 'leak: managed, 120 bytes' && says 'leak: a stream, .*leaks.cu:12' &&
        says 'leak: an event, .*leaks.cu:13' && says '^simt: 5 not' && ends 0 '^simt: 0 not freed or destroyed' "$prefix/bin/simt" run --leaks ./leaks 1 && ends 0 '^no error' ./leaks &&
        [ "$(wc -l <"$place/out")" -eq 1 ]
}
check 'simt run --leaks lists memory, streams and events that were not freed' leaks

# ---- without checks ----
same_unchecked() { # an unchecked program prints the same as the checked one
    local name
    for name in children groups libcu math nv_atomics passes pipeline ptx_mma shared task_graphs wmma; do
        [ -x "$name" ] || silent "$simtcc" "$tests/$name.cu" -o "$name" || return 1
        silent "$simtcc" --unchecked "$tests/$name.cu" -o unchecked && "./$name" >checked_says 2>/dev/null &&
            ends 0 '^simt: this program was compiled with simtcc --unchecked: no checks, no counts$' ./unchecked || return 1
        ./unchecked 2>/dev/null | cmp - checked_says || return 1
    done
}
check '--unchecked gives the same results' same_unchecked
rolled() { # unrolling would copy a call to which all threads must return
    "$simtcc" -cuda "$tests/../speed.cu" -o rolled.ii && grep -A2 'GCC unroll' rolled.ii >unrolled && grep -q 'int k = 0' unrolled &&
        ! grep -qE 'half > 0|d > 0' unrolled && grep -q 'first < SIDE' unrolled && "$simtcc" --unchecked -cuda "$tests/../speed.cu" -o rolled.ii && ! grep -q 'GCC unroll' rolled.ii
}
check 'loops with barriers or shuffles are not unrolled' rolled
waits() { # also if the program's own file polls a volatile variable
    for more in -DUNUSED -DVOLATILE; do
        silent "$simtcc" --unchecked $more "$tests/spins.cu" -o spins || return 1
        for workers in 1 2; do
            ends 0 '^no error' env SIMT_WORKERS=$workers timeout 60 ./spins && says '^atomic 42' && says '^ptx 42' && says '^lock 512' && says '^tickets 512' && says '^grid 160' || return 1
        done
    done
    says '^volatile 42'
}
check '--unchecked threads can wait for each other' waits
not_counted() {
    SIMTCC_UNCHECKED=1 silent "$simtcc" "$tests/add.cu" -o plain_add && ends 64 'built by simtcc --unchecked, so it can be neither counted' "$prefix/bin/simt" run --count ./plain_add &&
        ends 64 'without --unchecked' "$prefix/bin/simt" run --trace t ./plain_add && ends 64 'without --unchecked' "$prefix/bin/simt" run --strict ./plain_add && ends 0 'done' "$prefix/bin/simt" run --workers 1 ./plain_add || return 1
    silent "$simtcc" --unchecked "$small/unchecked_crash.cu" -o crash && ends 139 '^simt: crash in k, of an unchecked program: build it without --unchecked' ./crash && ends 139 'crash in host code' ./crash 1
}
check '--unchecked refuses counts and reports a crash in one line' not_counted
mixed() { # files with and without hooks, and modules
    silent "$simtcc" -c "$small/part.cu" -o part.o && silent "$simtcc" --unchecked -c "$small/part_main.cu" -D DOUBLED=42 -o main.o && silent "$simtcc" --unchecked part.o main.o "$small/plain.c" -o several && ends 0 '42 42' ./several &&
        silent "$simtcc" --unchecked -ptx -o bare "$tests/module.cu" && ends 3 'an unchecked module in a program that is checked' ./driver bare &&
        silent "$simtcc" --unchecked "$tests/driver.cu" -lnvrtc -lcuda -o driver_unchecked && ends 0 '^driver 0: 0' ./driver_unchecked bare && says '^compiled' && ends 0 '^driver 0: 0' ./driver_unchecked kernels
}
check '--unchecked files and modules link with checked ones' mixed

by_cmake() {
    cp -R "$small/cmake" cm && cd cm && sed 's/int main(int argc, char \*\*argv)/int run(int argc, char **argv)/' "$tests/add.cu" >part.cu &&
        { cmake -B b -DCMAKE_TOOLCHAIN_FILE="$prefix/lib/simt/simtcc.cmake" && cmake --build b && ./b/demo; } >said 2>&1
    grep -q 'done <<<1998, 0>>>' said || { cat said; return 1; }
    # Without the toolchain file CMake links with the host's compiler.
    rm -rf b
    { cmake -B b -DCMAKE_CUDA_COMPILER="$simtcc" && cmake --build b; } >said 2>&1
    grep -q 'undefined reference to .simt_links_with_simtcc__CMake_needs_its_toolchain_file' said || { cat said; return 1; }
}
by_find_cuda() { # find_package(CUDA) and cuda_add_executable, for projects from before CMake 3.8
    { cmake -S "$small/find_cuda" -B find_cuda -DCMAKE_TOOLCHAIN_FILE="$prefix/lib/simt/simtcc.cmake" && cmake --build find_cuda && ./find_cuda/demo; } >said 2>&1
    if ! grep -q '^42 42$' said || ldd find_cuda/demo | grep -q cudart; then cat said; return 1; fi
}
quoted_lists() { # FindCUDA makes an empty argument of no flags, and adds quotes that nvcc removes
    silent "$simtcc" -Xcompiler ',"-g","-O2"' -Xcompiler '' "$tests/add.cu" -o add_quoted && ends 0 'done' ./add_quoted || return 1
    # Quotes of a string must stay.
    silent "$simtcc" -D 'NAME="gpu"' "$small/quoted.cu" -o quoted && ends 0 '^gpu$' ./quoted && silent "$simtcc" -Xcompiler '-DNAME="host"' "$small/quoted.cu" -o quoted && ends 0 '^host$' ./quoted
}
check 'quoted and empty options of FindCUDA are accepted' quoted_lists
if command -v cmake >/dev/null 2>&1; then check "find_package(CUDA) of CMake builds a program" by_find_cuda; check 'CMake builds a program, and reports a missing toolchain file' by_cmake; else echo '[  SKIPPED ] cmake is not installed'; fi
# ---- libraries of CUDA's ----
thrust() {
    built thrust --extended-lambda && ends 0 'sorted 501500 2' ./thrust && says 'odd 500' && says 'iterators 385' && says 'lists 1 9 7 2' && says 'functors 2 3' &&
        says 'keys 2 9' && says 'in a kernel 9' && ! grep simt: "$place/out" &&
        silent "$simtcc" "$small/thrust_sort.cu" -o sorts && ends 0 '^most 10$' ./sorts && # functions that CUDA 13 declares only in sort.h
        ends 134 'out of bounds: reads buffer 1\[100\]' ./thrust 1 && says 'in add, block' && says 'thrust.cu:' &&
        ends 134 'out of bounds: reads buffer 1\[100\]' ./thrust 2 && says 'in thrust::reduce' && says 'at .*thrust.cu:.*d.end() + 5' &&
        ends 134 'out of bounds: reads buffer 1\[100\]' ./thrust 3 && says 'at .*thrust.cu:.*return p\[i + 1\]' &&
        ends 134 'host code reads device memory: buffer 1\[0\]' ./thrust 4 &&
        ends 134 'of 4 bytes to host memory, from buffer 1, which has 400 bytes, from byte 400 on' ./thrust 5 && says 'at .*thrust.cu:.*d\[100\]'
}
if [ -e /usr/include/thrust/device_vector.h ]; then check 'Thrust works, and its faults are reported in the program' thrust; fi
cub() {
    built cub --extended-lambda && ends 0 'block 25522 99 25502, warp 376' ./cub && says 'sorted 100 100' && says 'GPU 25522 100' && says '^each 1 4 7 9, no error' &&
        says 'before the last 25502' && says 'greatest 100 100' && says 'few 51' && says 'keys 1 1' && says 'bins 87 83, 43 41 43 42' && says 'ranges 17 151, 17 152, 1 5' && ! grep simt: "$place/out" &&
        ends 86 'out of bounds: reads in\[512\]' ./cub 1 && says 'in cub::DeviceReduce' && says 'at .*cub.cu:.*DeviceReduce::Sum'
}
if [ -e /usr/include/cub/cub.cuh ]; then check 'CUB works in a block, in a warp and on the whole GPU' cub; fi
uncounted() {
    silent "$simtcc" "$small/thrust_uncounted.cu" -o uncounted && ends 0 'own ' "$prefix/bin/simt" run --count ./uncounted && ! grep 'Thrust' "$place/out"
}
if [ -e /usr/include/thrust/device_vector.h ]; then check "kernels of Thrust are not counted" uncounted; fi
there() { [ -r "$prefix/lib/simt/lib$1.a" ] || { echo "[  SKIPPED ] $2 is not installed"; return 1; }; }
blas() {
    built blas -lcublas && ends 0 '^bad 0' ./blas && ! grep simt: "$place/out" &&
        ends 86 'out of bounds: cublasSgemm reads A, 8 x 8 elements of 4 bytes with a leading dimension of 16' ./blas 1 && says 'at .*blas.cu:' &&
        says '480 bytes, but it has 256' && says 'an illegal memory access' && ends 86 'not device memory: cublasSgemm reads A' ./blas 2 &&
        ends 0 'warning: uninitialised memory: cublasSgemm reads C(0,0)' ./blas 3 && ends 86 'freed memory: cublasSgemm reads A' ./blas 4 &&
        cp "$small/blas_first.cu" first.cu && silent "$simtcc" first.cu -lcublas -o first && ends 86 'cublasSdot reads x, 5 elements' ./first && says 'at first.cu:11' && says 'first 30' && says 'EXECUTION_FAILED'
}
there cublas libopenblas-dev && check 'cuBLAS band, packed, Hermitian and batched calls give the right results' cases_with -lcublas blas_more '^bad 0, no error' 1 'cublasSspmv reads the triangle, 28 elements of 4 bytes, from byte 0 of p on: 112 bytes, but it has 108' \
    2 'cublasSgbmv reads A, 5 x 7 elements' 3 'cublasStbsv writes x, 7 elements of 4 bytes, every 2-th'
there cublas libopenblas-dev && check 'cuBLAS-XT takes operands in host memory' cases_with -lcublas blas_xt '^xt 0 15 1 64, 1 1, 4 2 0 17$' short 'cublasDgemm reads B, 3 x 4 elements .* 192 bytes, but it has 112'
there cublas libopenblas-dev && check 'names of cuBLAS that end in _v2 exist' program blas_v2_names '^norm 5$' -lcublas
check 'cuSPARSE products, conversions and solves give the right results' cases_with -lcusparse sparse '^bad 0, no error' \
    1 'cusparseSpMV reads the values of A, 3 elements of 4 bytes, from byte 0 of p on: 12 bytes, but it has 8' \
    2 'cusparseSpMV: A has 3 columns, but nonzero 1 is in column 3' + 'at .*sparse.cu:' 3 'null pointer: cusparseSpMV writes the buffer' \
    =4 'warning: uninitialised memory: cusparseSpMV reads x(0,0)' =5 '^CUSPARSE_STATUS_SUCCESS 4$' \
    6 'cusparseXcsrsort: the matrix: offset 2 is 3, but must be from 2 to 2'
there cusolver libopenblas-dev && check 'cuSOLVER systems, eigenvalues and singular values are right' cases_with -lcusolver solver '^bad 0, no error' \
    1 'cusolverDnSgetrf writes A, 7 x 7 elements .* 388 bytes, but it has 364' 2 'null pointer: cusolverDnSgetrf writes the workspace' \
    =3 '^status 0, info 1$' =4 'warning: uninitialised memory: cusolverDnSgetrf reads A(0,0)'
blas_lt() { # -lcublasLt links cuBLAS
    built blas_lt -lcublasLt && ends 0 '^products 0 0 no error' ./blas_lt &&
        ends 13 'cublasLtMatmul writes D, 8 x 8 elements .* 256 bytes, but it has 240' ./blas_lt 1 || return 1
    ./blas_lt 2 && return 1
    [ $? -eq 7 ] # sizes that do not match
}
captured() {
    built captured -lcublas -lcufft -lcurand && right '^captured 0 64 no error' ./captured &&
        right '^captured 0 64 no error' ./captured 1 &&
        ends 86 'out of bounds: cublasSgemm writes C, 8 x 8 elements' ./captured 2 && says 'captured.cu:.*cudaGraphLaunch' &&
        ends 86 'cublasSgemm: refused with status 7' ./captured 3 && says 'captured.cu:.*cudaGraphLaunch'
}
there cublas libopenblas-dev && there cufft libfftw3-dev && check 'captured calls of cuBLAS, cuFFT and cuRAND run in each launch of the graph' captured
check 'captured calls of cuSPARSE run in each launch of the graph' cases_with -lcusparse sparse_captured '^captured 0, 40 80 280, 280 280, no error' x 'cusparseSpMV: refused with status 3'
there cublas libopenblas-dev && check 'cuBLASLt products with epilogues give the right results' blas_lt
brought() {
    silent "$simtcc" -extended-lambda "$tests/brought.cu" -o brought -lcublas && right '^brought 4 8 3 64 1.5 no error' ./brought &&
        silent "$simtcc" "$small/runtime_v2_names.cu" -o v2 && ./v2
}
there cublas libopenblas-dev && check "CUDA library headers include the headers that programs expect" brought
there cublas libopenblas-dev && check 'cuBLAS gives the right results, and bad operands are reported' blas
random() {
    for SIMT_TOOLKIT in none ''; do
        export SIMT_TOOLKIT
        built random -lcurand && ends 0 'good 32 of 32, no error' ./random &&
            says 'philox 6627e8d5 e169c58d bc57ac4c 9b00dbd8' && ! grep simt: "$place/out" &&
            ends 86 'curandGenerateUniform writes the numbers, 40001 elements' ./random 1 || return 1
    done
    # With a toolkit the numbers are a GPU's, even if CUDA_PATH is simtcc's own.
    [ ! -r "${CUDA_HOME:-/usr/local/cuda}/include/curand_kernel.h" ] || {
        CUDA_PATH=$prefix/lib/simt/toolkit built random -lcurand && ends 0 'xorwow 624778773' ./random
    }
}
check 'cuRAND works with and without a toolkit' random
quasi() {
    if [ -r "${CUDA_HOME:-/usr/local/cuda}/lib64/libcurand.so" ]; then
        built sobol -lcurand && right '^quasi-random 0: no error' ./sobol || return 1
    fi
    SIMT_TOOLKIT=none silent "$simtcc" "$small/sobol_without.cu" -lcurand -o none && ends 0 'quasi-random numbers need the direction numbers' ./none && says '^203'
}
check 'quasi-random numbers need a toolkit, and a message says so' quasi
states() { # the type has the same size in a C++ file and a .cu file
    silent "$simtcc" "$small/random_state.cpp" "$small/random_state.cu" -o states && ./states
}
check "a state of cuRAND has the same size in a C++ file" states
there cufft libfftw3-dev && check 'cuFFT gives the right results, and short operands are reported' cases_with -lcufft fourier '^bad 0' 1 'out of bounds: cufftExecC2C reads the input, 12 x 4 elements of 8 bytes' + 'at .*fourier.cu:' \
    2 'out of bounds: cufftExecR2C reads the input, 21 elements'
fourier_xt() {
    built fourier_xt -lcufft && ends 0 '^bad 0' env SIMT_DEVICES=2 ./fourier_xt && ! grep simt: "$place/out" &&
        ends 86 'out of bounds: reads d_weight\[64\]' env SIMT_DEVICES=2 ./fourier_xt 1 && says 'in simt_fft_load'
}
there cufft libfftw3-dev && check 'cuFFT callbacks and transforms over two GPUs give the right results' fourier_xt
no_library() {
    make --no-print-directory -C "$top" BACKEND=simt NVCC= cublas_NEEDS=nowhere.h install-simt PREFIX=/usr DESTDIR="$place/less" >/dev/null 2>&1 &&
        ends 69 '-lcublas: simtcc was installed without libopenblas-dev' "$place/less/usr/bin/simtcc" "$tests/add.cu" -lcublas -o no &&
        ends 69 'the simulator cannot provide cudnn, which is closed' "$simtcc" "$tests/add.cu" -lcudnn -o no
}
check 'linking a missing library fails with its package' no_library
toolkit() { # headers of a toolkit given by -I are searched last
    mkdir -p toolkit && printf '#error the toolkit'"'"'s\n' | tee toolkit/cuda_runtime.h >toolkit/cuda_runtime_api.h && printf '#define ONLY_THERE 7\n' >toolkit/only_there.h
    silent "$simtcc" -Itoolkit "$small/toolkit_last.cu" -o with && { ./with; [ $? -eq 7 ]; } && silent "$simtcc" -I toolkit "$small/toolkit_last.cu" -o with
}
by_path() { # CMake's FindCUDAToolkit names libraries by path, and passes arguments in a file
    printf '%s\n' "$tests/blas.cu" /nowhere/lib64/libcublas.so -o >words
    silent "$simtcc" @words by_path && ends 0 '^bad 0' ./by_path
}
there cublas libopenblas-dev && check "a library of a toolkit can be named by its path" by_path
check "headers of a toolkit do not replace those of the simulator" toolkit
cd "$place" || exit 2
scores() { # in three/, a hint quotes a line of the program that looks like a failure
    mkdir -p corpus/one corpus/two corpus/three && cp "$tests/add.cu" corpus/one/ && printf 'int main() { return 3; }\n' >corpus/two/bad.cu && cp "$small/score_hint.cu" corpus/three/hint.cu &&
        ends 0 '3 programs; compile 3 (100 %), end in time 3 (100 %), are right 2 (67 %)' "$top/common/simtcc/score.py" corpus --simtcc "$simtcc" --out score.tsv &&
        [ "$(awk -F '\t' '$7 == "yes"' score.tsv | cut -f1 | tr '\n' ' ')" = 'one/add.cu three/hint.cu ' ]
}
check 'score.py counts the programs that are right' scores
scored_again() { # unchecked code is several times as fast, so the work is doubled until checked code is too slow
    mkdir -p slow
    for n in 21 22 23 24 25 26; do
        sed "s/1 << 21/1 << $n/" "$small/score_slow.cu" >slow/slow.cu
        "$top/common/simtcc/score.py" slow --simtcc "$simtcc" --limit 2 --out score.tsv >said 2>&1
        grep -q 'end in time 1 (100 %), are right 1' said || break
    done
    ends 0 'end in time 0 (0 %), are right 0 (0 %), have an error reported 0 (0 %), end in time only unchecked 1 (100 %), are right unchecked 1' cat said &&
        [ "$(awk -F '\t' '$7 == "yes"' score.tsv | cut -f1,11)" = "slow.cu	no" ] && ends 0 '^score.open.foreign.1.1.1.0.0.0.100.0.1.1.1.100' "$top/common/simtcc/score.py" --sum score.tsv
}
check 'score.py runs a program that is too slow again unchecked' scored_again
scored_library() {
    mkdir -p library && cp "$tests/blas.cu" "$tests/on_gpu.h" library/ && ends 0 '1 programs; compile 1 (100 %), end in time 1 (100 %), are right 1' "$top/common/simtcc/score.py" library --simtcc "$simtcc" --out score.tsv
}
there cublas libopenblas-dev && check 'score.py links the libraries that a program includes' scored_library
two_goals() { # make -j2 grader simtcc: both wait for one goal, which builds common/ for the simulator
    local backend goal
    for backend in simt cuda; do
        for goal in grader simtcc install-simt; do
            make -C "$top" -pn "BACKEND=$backend" help 2>/dev/null | grep -qE "^$goal:.* common$([ $backend = simt ] || echo -simt)( |\$)" || { echo "$goal does not wait for common/"; return 1; }
        done
    done
}
check 'make builds the grader and simtcc at the same time' two_goals
tally
