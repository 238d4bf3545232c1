#!/bin/sh
# tools.sh [TOOL ...]: checks the sources with other programs, one line each; without an argument with all of them.
#   scripts  shellcheck                      text      codespell: pages, comments, messages
#   C code   cppcheck, clang-tidy            layout    clang-format: how far each file is from .clang-format
#   prose    prose.py: words and sentence openings that pages must not use
#   tests    clang: the C library built by another compiler; valgrind: leaks and reads of unwritten memory
# A missing tool is named and skipped.  Exits with 1 if a tool found something.
# shellcheck disable=SC2317 # the run_ functions are called by their names
cd "$(dirname "$0")/../../.." || exit 2
found=$(mktemp) || exit 2
trap 'rm -f "$found"' EXIT; trap 'exit 130' HUP INT TERM
status=0
jobs=${AT_ONCE:-$(nproc 2>/dev/null || echo 2)}

say() { printf '%-13s %s\n' "$1" "$2"; }
# verdict TOOL CHECKED: prints the contents of $found, if any
verdict() {
    if [ -s "$found" ]; then
        say "$1" "$2: $(grep -c . "$found") lines to look at"
        sed 's/^/    /' "$found"
        status=1
    else
        say "$1" "$2: nothing found"
    fi
}

LIBRARY='common/lib/base/*.c common/lib/matrix/*.c common/lib/report/*.c common/lib/measure/*.c common/lib/spmv/*.c 07_load_balance/libspmv/*.c 07_load_balance/rows/*.c :!07_load_balance/*/tests'
INCLUDES='-Icommon/lib/base -Icommon/lib/matrix -Icommon/lib/report -Icommon/simulator/predict -Icommon/lib/measure -Icommon/lib/spmv -Icommon/lib -Icommon/simulator -Icommon/simulator/simt -Icommon/simulator/simt/include -Ibuild/simt/common -I07_load_balance/libspmv -I07_load_balance/libspmv/cpu -I07_load_balance/libspmv/gpu'
# Files that imitate learners' submissions are exempt.
HANDED_IN=':!common/classroom/grade/exploits :!common/classroom/grade/honest'
# Files for nvcc or for one instruction set are checked by their compilers only.
not_for_tools() { grep -vE '/(device_cuda|spmv_cusparse|cpu_kernels_[a-z0-9]*)\.c$'; }

run_shellcheck() {
    scripts=$(git ls-files '*.sh' bootstrap .ci/run)
    # shellcheck disable=SC2086 # one word per file
    shellcheck -f gcc $scripts >"$found" 2>&1
    verdict shellcheck "$(echo "$scripts" | wc -l) scripts"
}

run_codespell() {
    # shellcheck disable=SC2086 # words
    files=$(git ls-files $HANDED_IN '*.md' '*.c' '*.h' '*.cu' '*.cuh' '*.cpp' '*.hpp' '*.sh' '*.awk' '*.gp' '*.mk' '*Makefile' bootstrap \
        '*.cff' '*.py' | grep -v '^docs/\(pages/\)\{0,1\}zh/\|\.zh\.md')
    # shellcheck disable=SC2086 # one word per file
    codespell -q 3 -I common/workshop/tests/words.txt $files >"$found" 2>&1
    verdict codespell "$(echo "$files" | wc -l) files"
}

# prose.py itself is tested with sentences of earlier pages and their edited versions.
run_prose() {
    python3 -B common/workshop/tests/prose.py --test common/workshop/tests/prose_samples.txt >"$found" 2>&1
    python3 -B common/workshop/tests/prose.py >>"$found" 2>&1
    verdict prose pages
}

# With one job cppcheck also compares files, and reports a variable as uninitialized although the called function sets it.
run_cppcheck() {
    # shellcheck disable=SC2086 # words
    cppcheck -q -j 2 --std=c11 --enable=warning,performance,portability --inline-suppr -D_GNU_SOURCE $INCLUDES \
        --suppressions-list=common/workshop/tests/cppcheck.txt --template='{file}:{line}: {id}: {message}' \
        common/lib/base/*.c common/lib/matrix/*.c common/lib/report/*.c common/lib/measure/*.c common/lib/spmv/*.c common/lib/tests/*.c \
        0?_*/*.c 07_load_balance/libspmv/*.c 07_load_balance/libspmv/cpu/*.c 07_load_balance/libspmv/gpu/*.c 07_load_balance/rows/*.c >"$found" 2>&1
    verdict cppcheck "$(git ls-files 'common/*.c' '0?_*.c' | wc -l) C files"
}

# Only g++ compiles the simulator, so its object is linked unchanged.  clang-tidy reports clang's warnings about its sources.
run_clang() {
    { make --no-print-directory -j "$jobs" -C common BACKEND=simt BUILD="$PWD/build/simt" all &&
        make --no-print-directory -j "$jobs" -C common BACKEND=simt BUILD="$PWD/build/clang" STAND_IN="$PWD/build/simt/common/simulator/simt/simt.o" \
            CC=clang CXX=clang++ library-tests; } >build/clang.log 2>&1 ||
        { grep -E 'error|warning' build/clang.log || tail -n 3 build/clang.log; } >"$found"
    [ -s "$found" ] || common/workshop/tests/run.sh build/clang/bin >build/clang.log || grep -v ' 0 failed' build/clang.log >"$found"
    verdict clang "common/ with -Werror, $(tail -n 1 build/clang.log)"
}

# Host functions that are measured besides the library's: the simulator, the grader, programs, launchers.  Exempt: tests, because
# their tables are long; steps and their plans, whose differences are limited; device code.
MEASURED='common/simulator/simt/*.cpp common/simulator/simt/translate/*.c common/classroom/grade/*.c common/classroom/practice/*.c 07_load_balance/distributed/*.c 07_load_balance/distributed/*.cu 07_load_balance/apps/*.c
    07_load_balance/apps/*.cu 07_load_balance/libspmv/gpu/*.cu common/lib/measure/*.cu :(glob)0?_*/main.c :(glob)0?_*/chapter.c :!*/tests/*'

# for_host FILE: translates a .cu file to C++ for the simulator, with the same lines, in build/tidy; other files stay
for_host() {
    case $1 in
    *.cu) mkdir -p "build/tidy/$(dirname "$1")" && build/simt/bin/translate <"$1" >"build/tidy/$1.cpp" && echo "build/tidy/$1.cpp" ;;
    *) echo "$1" ;;
    esac
}

# measure FILES: prints host functions that are too long, and files that cannot be read
# shellcheck disable=SC2016,SC2086 # the inner shell's variables; words
measure() {
    mkdir -p build/tidy
    # A file is translated without its headers, so these words are defined as empty.
    { echo '#include <cuda_runtime.h>'; printf '#define %s\n' __global__ __device__ __host__ __shared__ '__launch_bounds__(...)'
      echo '#define __forceinline__ inline'
      echo '#define __constinit'
      printf '#define %s (simt_%s())\n' threadIdx thread_idx blockIdx block_idx blockDim block_dim gridDim grid_dim; } >build/tidy/words.h
    mpi=$(mpicc --showme:compile 2>/dev/null)
    # clang reads the simulator's headers once for all its files.
    export SIMULATOR='-Wall -Wextra -Wpedantic -Wno-unknown-attributes'
    clang++ -x c++-header -std=c++17 -fopenmp -D_GNU_SOURCE $INCLUDES common/simulator/simt/internal.hpp -o build/tidy/simulator.pch
    for f; do
        echo "$(for_host "$f") $(dirname "$f")"
    done | xargs -P "$jobs" -n 2 sh -c 'case $1 in *.c) std=c11 ;; *) std=c++17 ;; esac
        case $1 in *.cu.cpp) first="-include build/tidy/words.h" ;; */simt/*.cpp) first="-include-pch build/tidy/simulator.pch $SIMULATOR" ;; *) first= ;; esac
        clang-tidy --quiet --checks="-*,readability-function-size,clang-diagnostic-*" "$1" -- -std=$std -fopenmp -D_GNU_SOURCE $first -I"$2" '"$INCLUDES $GPU $mpi"' 2>/dev/null' \
        measure | sed "s|$PWD/||" | awk -F : '/: (warning|error):/ {
            kernel = 0
            file = $1
            sub(/^build\/tidy\//, "", file) # the name of the original
            sub(/\.cu\.cpp$/, ".cu", file)
            for (n = 1; n <= $2 && (getline line <file) > 0; n++) if (n >= $2 - 1 && line ~ /__global__|__device__/) kernel = 1
            close(file)
            if (!kernel) print
        }' | sed 's|^build/tidy/||; s|\.cu\.cpp:|.cu:|' | sort -u
}
GPU=$(printf -- ' -I%s' 07_load_balance/libspmv/gpu/*/)

# The check must report a function with 16 branches, a host function of 61 lines, and an unused function of the simulator, but not a
# kernel of 61 lines.
measure_planted() {
    mkdir -p build/tidy/simt
    echo 'static int uncalled() { return 1; }' >build/tidy/simt/planted.cpp
    long=$(yes '    ++i;' | head -n 61)
    printf 'int many(int i);\nint many(int i)\n{\n%s\n    return i;\n}\n' "$(yes '    if (i) ++i;' | head -n 16)" >build/tidy/planted.c
    printf '#include <cuda_runtime.h>\nint on_host(int i)\n{\n%s\n    return i;\n}\n__global__ void on_gpu(int i)\n{\n%s\n}\n' \
        "$long" "$long" >build/tidy/planted.cu
    measure build/tidy/planted.c build/tidy/planted.cu build/tidy/simt/planted.cpp >build/tidy/planted
    [ "$(sed "s/.*function '\([a-z_]*\)'.*/\1/" build/tidy/planted | sort | tr '\n' ' ')" = 'many on_host uncalled ' ] ||
        { echo 'planted functions are not found:'; cat build/tidy/planted; }
}

run_clang_tidy() {
    # shellcheck disable=SC2086 # words
    files=$(git ls-files -- $LIBRARY | not_for_tools)
    # shellcheck disable=SC2086 # words
    measured=$(git ls-files -- $MEASURED | grep -v "^\($(echo $files | tr ' ' '|' | sed 's/|/\\|/g')\)\$")
    [ -n "$(command -v mpicc)" ] || measured=$(echo "$measured" | grep -v '/distributed/\|/ranks\.c')
    # shellcheck disable=SC2086 # words
    echo "$files" | xargs -P "$jobs" -n 3 sh -c 'clang-tidy --quiet "$@" -- -std=c11 -fopenmp -D_GNU_SOURCE '"$INCLUDES"' \
        2>/dev/null' tidy | sed -n "s|$PWD/||; /: \(warning\|error\):/p" | sort -u >"$found"
    # shellcheck disable=SC2086 # one word per file
    { measure_planted; measure $measured; } >>"$found"
    verdict clang-tidy "$(echo "$files" | wc -l) C files, and the length of functions in $(echo "$measured" | wc -l) more"
}

# Tables and comment columns are laid out by hand, which no setting allows, so a percentage of each file may differ.
MAY_DIFFER=60
run_clang_format() {
    # shellcheck disable=SC2086 # words
    files=$(git ls-files '*.c' '*.h' '*.cu' '*.cuh' '*.cpp' '*.hpp' $HANDED_IN)
    # In a copy of the files, many with one start of clang-format.
    rm -rf build/format && mkdir -p build/format
    # shellcheck disable=SC2086 # one word per file
    cp --parents .clang-format $files build/format
    (cd build/format && echo "$files" | xargs -P "$jobs" -n 100 clang-format -i)
    for f in $files; do
        echo "$(diff "$f" "build/format/$f" | grep -c '^<') $(wc -l <"$f") $f"
    done >build/clang-format.txt
    awk -v limit="$MAY_DIFFER" '$2 >= 20 && 100 * $1 > limit * $2 {print $3 ": " $1 " of " $2 " lines are not as clang-format has them"}' \
        build/clang-format.txt >"$found"
    verdict clang-format "$(awk '{n += $1; of += $2} END {printf "%.1f %% of %d lines laid out by hand", 100 * n / of, of}' \
        build/clang-format.txt) (a file may have $MAY_DIFFER %)"
}

# Left out: test_bench and test_corpus, whose clocks run while valgrind works; and test_alloc_rows, which takes ten times as long as
# all others.  Its leaks are found under ASan (make sanitize), and the corpus is read there, too.
run_valgrind() {
    make --no-print-directory -j "$jobs" -C common BACKEND=simt BUILD="$PWD/build/simt" library-tests >build/valgrind.log 2>&1 ||
        tail -n 3 build/valgrind.log >"$found"
    tests=$(for test in common/lib/tests/test_*.c; do basename "$test" .c; done | grep -v 'bench\|corpus\|alloc_rows')
    # shellcheck disable=SC2086 # one word per program
    RUN_WITH='valgrind -q --error-exitcode=9 --leak-check=full --suppressions=common/workshop/tests/valgrind.txt --errors-for-leak-kinds=definite,indirect' \
        common/workshop/tests/run.sh build/simt/bin $tests >build/valgrind.log 2>&1 ||
        grep '^==\|FAILED\|[1-9][0-9]* failed' build/valgrind.log >>"$found"
    verdict valgrind "$(echo "$tests" | wc -l) test programs"
}

mkdir -p build
ALL='valgrind clang-tidy clang cppcheck clang-format shellcheck codespell prose' # the longest first
[ $# -gt 0 ] || eval "set -- $ALL" # words
for tool; do
    case " $ALL " in *" $tool "*) ;; *) echo "tools.sh: $tool is none of: $ALL" >&2; exit 2 ;; esac
done
# Runs several tools at a time, one per processor; prints each one's output when it ends.
if [ $# -gt 1 ]; then
    # shellcheck disable=SC2016 # the inner shell's variables
    printf '%s\n' "$@" | xargs -P "$jobs" -n 1 sh -c 'said=$("$0" "$1"); status=$?; echo "$said"; exit $status' \
        common/workshop/tests/tools.sh || status=1
elif command -v "$([ "$1" = prose ] && echo python3 || echo "$1")" >/dev/null 2>&1; then
    : >"$found"
    "run_$(echo "$1" | tr - _)"
else
    common/workshop/tests/skipped.sh "$1" 'it is not installed (./bootstrap check installs it)'
fi
exit $status
