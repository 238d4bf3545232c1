#!/bin/sh
# mkl.sh: installs Intel's MKL from PyPI into build/mkl, where the rows `mkl` and `mkl_tuned` of 07_libspmv_cpu find it.
# For ./bootstrap mkl: no root, nothing outside build/.  Needs python3 with pip, and 0.7 GB of disk; x86-64 only.
# It takes one wheel, with the version and SHA-256 below, and runs no program of it.  MKL uses the threads of libgomp,
# which the course needs anyway, so Intel's OpenMP is not fetched.
set -eu
cd "$(dirname "$0")/../../.."
folder=build/mkl
fail() { echo "mkl.sh: $1" >&2; exit 1; }

[ "$(uname -sm)" = "Linux x86_64" ] || fail "Intel provides MKL only for Linux x86_64, not for $(uname -sm)"
if [ -e $folder/libmkl_rt.so ]; then
    echo "MKL is in $folder already; rm -r $folder removes it."
    exit 0
fi
python3 -m pip --version >/dev/null 2>&1 || fail "python3 with pip is needed (Debian and Ubuntu: apt-get install python3-pip)"

rm -rf $folder.new
mkdir -p $folder.new/wheel
echo 'mkl==2026.2.0 --hash=sha256:eaab1875ce9f47ab3c66d5632cef06baf768c05781f2f28847bdbc4343500ed7' >$folder.new/wheel.txt
python3 -m pip download --quiet --no-cache-dir --disable-pip-version-check --only-binary=:all: --require-hashes --no-deps \
    --dest $folder.new --requirement $folder.new/wheel.txt || fail "pip could not fetch it; the lines above say why"
python3 -m zipfile -e $folder.new/mkl-*.whl $folder.new/wheel
# The interface with 32-bit integers, GNU's threads, and the kernels for every processor.
rm -rf $folder
mkdir -p $folder
for part in rt core intel_lp64 gnu_thread sequential def mc3 avx2 avx512 avx10; do
    for library in "$folder".new/wheel/mkl-*.data/data/lib/libmkl_"$part".so.*; do
        [ ! -e "$library" ] || mv "$library" $folder/
    done
done
mv $folder.new/wheel/mkl-*.dist-info $folder/
rm -rf $folder.new
[ -e "$(echo $folder/libmkl_rt.so.*)" ] || fail "the wheel does not contain libmkl_rt"
ln -s "$(basename $folder/libmkl_rt.so.*)" $folder/libmkl_rt.so
echo "MKL is in $folder ($(du -sh $folder | cut -f1)).  rm -r $folder removes it."
