#!/bin/sh
# cuda_toolkit.sh: installs nvcc and the CUDA libraries of the course from NVIDIA's wheels on PyPI into build/toolkit, where make
# finds them.  It is for ./bootstrap cuda on a machine without a toolkit: no root, nothing outside build/.  A GPU also needs its
# driver (580 or newer for CUDA 13).  Needs python3 with pip, g++, and 3 GB of disk.  CUDA_WHEELS=newest installs the newest version
# of each wheel instead, unpinned, for the latest cuSPARSE.  CUDA=13.0.2 selects a version that has a file cuda_toolkit_VERSION.txt,
# which names the wheels and their SHA-256.  It installs only these wheels, and no package that must be built, so no program of a
# package runs here.
set -eu
cd "$(dirname "$0")/../../.."
version=${CUDA:-13.0.2}
folder=build/toolkit
fail() { echo "cuda_toolkit.sh: $1" >&2; exit 1; }

case $version in
'' | *[!0-9.]*) fail "CUDA must be a version, such as CUDA=13.0.2" ;;
esac
wheels=common/workshop/tools/cuda_toolkit_$version.txt
[ -e "$wheels" ] || fail "CUDA=$version: there is no list of its wheels; choose a version of $(ls common/workshop/tools/cuda_toolkit_*.txt), or write a list as their first lines describe (wheels before CUDA 13 hold no nvcc)"
[ "$(uname -sm)" = "Linux x86_64" ] || [ "$(uname -sm)" = "Linux aarch64" ] || fail "NVIDIA provides no wheels for $(uname -sm): use Linux on x86_64 or aarch64"
if [ -x $folder/bin/nvcc ]; then
    echo "The CUDA toolkit is in $folder already; rm -r $folder removes it."
    exit 0
fi
[ "${CUDA_WHEELS-newest}" = newest ] || fail "CUDA_WHEELS must be newest or unset"
python3 -m pip --version >/dev/null 2>&1 || fail "python3 with pip is needed (Debian and Ubuntu: apt-get install python3-pip)"

rm -rf $folder.new
mkdir -p $folder.new
hashes=--require-hashes
if [ -n "${CUDA_WHEELS-}" ]; then
    sed -n 's/^\(nvidia-[a-z0-9-]*\)==.*/\1/p' "$wheels" >$folder.new/newest.txt
    wheels=$folder.new/newest.txt hashes='' version='of the newest wheels'
fi
# shellcheck disable=SC2086 # an option, or none
python3 -m pip install --no-cache-dir --disable-pip-version-check --root-user-action ignore --target $folder.new \
    --only-binary=:all: $hashes --no-deps --requirement "$wheels" ||
    fail "pip could not fetch it; the lines above say why"
home=$(echo $folder.new/nvidia/cu*)
[ -x "$home/bin/nvcc" ] || fail "the wheels of CUDA $version hold no nvcc"

# In wheels the libraries have versioned names only, and the folder is lib, not lib64 as in a toolkit.
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
