#!/bin/sh
# cuda_toolkit.sh: nvcc and the CUDA libraries the course uses, from NVIDIA's wheels on PyPI into build/toolkit, where make
# finds them.  For ./bootstrap cuda, on a machine without a toolkit: no root, nothing outside build/.  A card needs its
# driver besides (580 or newer for CUDA 13).  Needs python3 with pip, g++, and 3 GB of disk.
# CUDA=13.0.2 chooses the version; before 13 the wheels hold no nvcc.
set -eu
cd "$(dirname "$0")/.."
version=${CUDA:-13.0.2}
folder=build/toolkit
fail() { echo "cuda_toolkit.sh: $1" >&2; exit 1; }

case $version in
1[3-9].*) ;;
*) fail "CUDA=$version: the wheels hold nvcc from 13.0 on; for an older one install NVIDIA's or the system's packages" ;;
esac
[ "$(uname -sm)" = "Linux x86_64" ] || [ "$(uname -sm)" = "Linux aarch64" ] || fail "there are no wheels for $(uname -sm)"
if [ -x $folder/bin/nvcc ]; then
    echo "The CUDA toolkit is in $folder already; rm -r $folder removes it."
    exit 0
fi
python3 -m pip --version >/dev/null 2>&1 || fail "python3 with pip is needed (Debian and Ubuntu: apt-get install python3-pip)"

rm -rf $folder.new
mkdir -p $folder.new
python3 -m pip install --no-cache-dir --disable-pip-version-check --root-user-action ignore --target $folder.new \
    "cuda-toolkit[nvcc,crt,nvvm,cudart,cccl,cublas,cusparse,nvjitlink,curand]==$version" ||
    fail "pip could not fetch it; the lines above say why"
home=$(echo $folder.new/nvidia/cu*)
[ -x "$home/bin/nvcc" ] || fail "the wheels of CUDA $version hold no nvcc"

# Wheels name libraries with their version only, and have lib where a toolkit has lib64.
ln -s lib "$home/lib64"
for library in "$home"/lib/*.so.*; do
    plain=${library%%.so.*}.so
    [ -e "$plain" ] || ln -s "$(basename "$library")" "$plain"
done
rm -rf $folder
mv "$home" $folder
rm -rf $folder.new
$folder/bin/nvcc --version | tail -n 2 | head -n 1
echo "CUDA $version is in $folder ($(du -sh $folder | cut -f1)); make finds nvcc there.  rm -r $folder removes it."
