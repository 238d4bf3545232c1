#!/bin/sh
# install.sh BACKEND BUILD: installs libspmv into an empty folder and builds programs against that alone.
backend=$1 build=$2
tests=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=common/tests/tally.sh
. "$tests/../../../common/tests/tally.sh"

root=$place/root
lib=$root/opt/spmv/lib
export PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_PATH="$lib/pkgconfig"
strict='-std=c99 -Wall -Wextra -Wpedantic -Werror'
[ "$backend" = cuda ] || strict="$strict -DEXPECT_NO_GPU"

install_it() { make --no-print-directory -C "$tests/.." BACKEND="$backend" BUILD="$build" PREFIX=/opt/spmv DESTDIR="$root" install; }
# Flags are words on purpose, and so are the commands below.
# shellcheck disable=SC2046,SC2086
shared() { cc $strict "$1" $(pkg-config --cflags --libs spmv) -o "$2" && LD_LIBRARY_PATH=$lib "$2"; }
# shellcheck disable=SC2046,SC2086
static() { cc $strict "$1" $(pkg-config --cflags spmv) "$lib/libspmv.a" $(pkg-config --static --libs-only-other --libs-only-L spmv) \
    $(pkg-config --static --libs-only-l spmv | sed 's/-lspmv//') -o "$2" && "$2"; }
cxx() { printf '#include <spmv.h>\nint main() { return spmv_version()[0] == 0; }\n' >"$place/header.cpp" &&
    c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$root/opt/spmv/include" "$place/header.cpp" -L"$lib" -lspmv -o "$place/header" &&
    LD_LIBRARY_PATH=$lib "$place/header"; }
# What can be seen from outside are the functions of spmv.h, all of them and nothing else.
declared() {
    sed 's|/\*.*\*/||' "$root/opt/spmv/include/spmv.h" | grep -o '^[a-z].*\bspmv_[a-z_]*(' | grep -o 'spmv_[a-z_]*(' | tr -d '(' | sort
}
seen() { nm "$@" | awk 'NF == 3 {print $3}' | sort; }
same_symbols() { declared >"$place/declared" && seen "$@" >"$place/seen" && [ -s "$place/seen" ] && diff "$place/declared" "$place/seen"; }
version() { [ "$(pkg-config --modversion spmv)" = "$(sed -n 's/^#define SPMV_VERSION_[MP][A-Z]* //p' "$tests/../spmv.h" | paste -sd.)" ]; }
no_openmp() { readelf -d "$lib/libspmv.so" >"$place/needed" && ! grep gomp "$place/needed"; } # it could end the program
one_folder() { [ "$(find "$root" -type f | grep -vc "^$root/opt/spmv/")" -eq 0 ]; }

check 'make install DESTDIR=' install_it
check 'nothing outside PREFIX' one_folder
check 'pkg-config has the version of spmv.h' version
check 'the example, shared' shared "$root/opt/spmv/share/spmv/example.c" "$place/example"
check 'the example, static' static "$root/opt/spmv/share/spmv/example.c" "$place/example_static"
check 'a test, shared' shared "$tests/installed.c" "$place/installed"
check 'a test, static' static "$tests/installed.c" "$place/installed_static"
check 'the header in C++' cxx
check 'no OpenMP comes with it' no_openmp
check 'symbols of libspmv.so' same_symbols -D --defined-only "$lib/libspmv.so"
check 'symbols of libspmv.a' same_symbols -g --defined-only "$lib/libspmv.a"

tally
