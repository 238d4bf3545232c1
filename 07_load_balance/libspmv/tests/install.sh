#!/bin/sh
# install.sh BACKEND BUILD: installs libspmv into an empty folder and builds programs against this folder only.
backend=$1 build=$2
tests=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$tests/../../../common/workshop/tests/tally.sh"

root=$place/root
lib=$root/opt/spmv/lib
export PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_PATH="$lib/pkgconfig"
strict='-std=c99 -Wall -Wextra -Wpedantic -Werror'
[ "$backend" = cuda ] || strict="$strict -DEXPECT_NO_GPU"

install_it() { make --no-print-directory -C "$tests/.." BACKEND="$backend" BUILD="$build" PREFIX=/opt/spmv DESTDIR="$root" install; }
# Flags must be split into words, and so must the output of commands below.
# shellcheck disable=SC2046,SC2086
shared() { cc $strict "$1" $(pkg-config --cflags --libs spmv) -o "$2" && LD_LIBRARY_PATH=$lib "$2"; }
first() { shared "$root/opt/spmv/share/spmv/first.c" "$place/first" >"$place/printed" && echo 'y = 2 4 10' | diff "$place/printed" -; } # the page shows this result
# shellcheck disable=SC2046,SC2086
static() { cc $strict "$1" $(pkg-config --cflags spmv) "$lib/libspmv.a" $(pkg-config --static --libs-only-other --libs-only-L spmv) \
    $(pkg-config --static --libs-only-l spmv | sed 's/-lspmv//') -o "$2" && "$2"; }
cxx() { printf '#include <spmv.h>\nint main() { return spmv_version()[0] == 0; }\n' >"$place/header.cpp" &&
    c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$root/opt/spmv/include" "$place/header.cpp" -L"$lib" -lspmv -o "$place/header" &&
    LD_LIBRARY_PATH=$lib "$place/header"; }
# The library must export all functions of spmv.h, and nothing else.
declared() {
    sed 's|/\*.*\*/||' "$root/opt/spmv/include/spmv.h" | grep -o '^[a-z].*\bspmv_[a-z_]*(' | grep -o 'spmv_[a-z_]*(' | tr -d '(' | sort
}
seen() { nm "$@" | awk 'NF == 3 && $2 != "A" {sub(/@.*/, "", $3); print $3}' | sort; } # A marks the names of versions
same_symbols() { declared >"$place/declared" && seen "$@" >"$place/seen" && [ -s "$place/seen" ] && diff "$place/declared" "$place/seen"; }
# Each symbol must keep the version in which it was added.
in_version() { nm -D --defined-only "$lib/libspmv.so" | awk -v v="@@SPMV_$1" 'NF == 3 && $3 ~ v "$" {sub(/@.*/, "", $3); print $3}' | sort | tr '\n' ' '; }
versions() {
    [ "$(in_version 1.1)" = 'spmv_backend_of spmv_bytes spmv_create spmv_describe spmv_destroy spmv_execute spmv_last_error spmv_status_text spmv_update_values spmv_version ' ] &&
        [ "$(in_version 1.2)" = 'spmv_create_from spmv_execute_many ' ] && [ "$(in_version 1.3)" = 'spmv_trim ' ] && [ "$(in_version '[0-9.]*' | wc -w)" -eq "$(wc -l <"$place/declared")" ]
}
soname() { readelf -d "$lib/libspmv.so" | grep -q "SONAME.*libspmv.so.$(pkg-config --modversion spmv | cut -d. -f1)]"; }
# A CMake project that finds only the installed folder: builds with both targets, and asks for a version.
# shellcheck disable=SC2016 # CMake's variables
with_cmake() {
    mkdir -p "$place/project" && cp "$tests/installed.c" "$place/project/" &&
        printf 'cmake_minimum_required(VERSION 3.10)\nproject(p C)\nfind_package(spmv %s REQUIRED)\nforeach(kind spmv static)\n%s\nendforeach()\n' "$1" \
            'add_executable(with_${kind} installed.c)
target_link_libraries(with_${kind} spmv::${kind})' >"$place/project/CMakeLists.txt" &&
        cmake -S "$place/project" -B "$place/project/build" -DCMAKE_PREFIX_PATH="$root/opt/spmv" && cmake --build "$place/project/build" &&
        "$place/project/build/with_spmv" && "$place/project/build/with_static"
}
too_new() { ! with_cmake 1.999 && ! with_cmake 2; }
# groff must print no warning, and the page must have every function.
man_page() {
    page=$root/opt/spmv/share/man/man3/spmv.3
    [ -z "$(groff -man -Tutf8 -ww "$page" 2>&1 >"$place/page")" ] || { groff -man -Tutf8 -ww "$page" >/dev/null; return 1; }
    for function in $(declared); do grep -q "$function" "$page" || { echo "no $function"; return 1; }; done
}
uninstall_it() { make --no-print-directory -C "$tests/.." BACKEND="$backend" BUILD="$build" PREFIX=/opt/spmv DESTDIR="$root" uninstall; }
nothing_left() { ! find "$root" ! -type d | grep . && [ ! -e "$lib/cmake/spmv" ]; }
version() { [ "$(pkg-config --modversion spmv)" = "$(sed -n 's/^#define SPMV_VERSION_[MP][A-Z]* //p' "$tests/../spmv.h" | paste -sd.)" ]; }
no_openmp() { readelf -d "$lib/libspmv.so" >"$place/needed" && ! grep gomp "$place/needed"; } # OpenMP could end the program
one_folder() { [ "$(find "$root" -type f | grep -vc "^$root/opt/spmv/")" -eq 0 ]; }

check 'make install DESTDIR= succeeds' install_it
check 'no file is installed outside PREFIX' one_folder
check 'pkg-config reports the version of spmv.h' version
check 'the first program of the page prints its result' first
check 'the example runs with the shared library' shared "$root/opt/spmv/share/spmv/example.c" "$place/example"
check 'the example runs with the static library' static "$root/opt/spmv/share/spmv/example.c" "$place/example_static"
check 'installed.c runs with the shared library' shared "$tests/installed.c" "$place/installed"
check 'installed.c runs with the static library' static "$tests/installed.c" "$place/installed_static"
check 'the header compiles as C++' cxx
check 'the library does not need OpenMP' no_openmp
check 'libspmv.so exports the functions of spmv.h only' same_symbols -D --defined-only "$lib/libspmv.so"
check 'libspmv.a exports the functions of spmv.h only' same_symbols -g --defined-only "$lib/libspmv.a"
check 'each symbol has the version in which it was added' versions
check 'the soname has the major version' soname
if command -v cmake >/dev/null 2>&1; then
    check 'find_package finds the shared and the static library' with_cmake 1.2
    rm -rf "$place/project"
    check 'find_package refuses an older library' too_new
else
    "$tests/../../../common/workshop/tests/skipped.sh" "$backend/test_spmv_install" 'cmake is not installed'
fi
if command -v groff >/dev/null 2>&1; then check 'the man page has every function' man_page
else "$tests/../../../common/workshop/tests/skipped.sh" "$backend/test_spmv_install" 'groff is not installed'; fi
check 'make uninstall succeeds' uninstall_it
check 'make uninstall leaves no file' nothing_left

tally
