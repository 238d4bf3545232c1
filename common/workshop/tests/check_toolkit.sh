#!/bin/sh
# check_toolkit.sh: what ./bootstrap cuda must not take: wheels of another content, packages that would have to be built, versions
# whose wheels nobody knows.  pip gets a folder in place of PyPI.
# shellcheck source=common/workshop/tests/tally.sh
. "$(dirname "$0")/tally.sh"
if ! python3 -m pip --version >/dev/null 2>&1; then
    echo '[  SKIPPED ] python3 with pip is not installed'
    exit 0
fi
case $(uname -sm) in 'Linux x86_64' | 'Linux aarch64') ;; *) echo '[  SKIPPED ] there are no wheels for this machine'; exit 0 ;; esac
mkdir -p "$place/common/workshop/tools" "$place/wheels"
cp common/workshop/tools/cuda_toolkit* "$place/common/workshop/tools/"
export PIP_NO_INDEX=1 PIP_FIND_LINKS="$place/wheels"
fetch() { "$place/common/workshop/tools/cuda_toolkit.sh"; }

# every ENDING: each package with its name and version, but not NVIDIA's bytes; as a source it would leave a file.
every() {
    mkdir -p "$place/source" && rm -f "$place"/wheels/*
    echo "open('$place/ran', 'w')" >"$place/source/setup.py"
    sed -n 's/^\([a-z-]*\)==\([0-9.]*\) .*/\1 \2/p' common/workshop/tools/cuda_toolkit_13.0.2.txt | while read -r package version; do
        tar -C "$place" -czf "$place/wheels/$(echo "$package" | tr - _)-$version$1" source
    done
}
others() { every -py3-none-any.whl && ends 1 'DO NOT MATCH THE HASHES' fetch && [ ! -e "$place/build/toolkit" ]; }
check 'wheels of another content' others
sources() { every .tar.gz && ends 1 'No matching distribution' fetch && [ ! -e "$place/ran" ]; }
check 'packages that would have to be built' sources

for version in 12.9.0 13.99.0 '' ../../x '13.0.2 --index-url x'; do
    [ -z "$version" ] || check "CUDA=$version" ends 1 'CUDA=' env CUDA="$version" "$place/common/workshop/tools/cuda_toolkit.sh"
done
tally
