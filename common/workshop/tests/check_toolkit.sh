#!/bin/sh
# check_toolkit.sh: ./bootstrap cuda must refuse wheels with other contents, packages that must be built, and versions whose wheels
# are unknown.  pip gets a local folder instead of PyPI.
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

# every ENDING: makes each package with its name and version but other contents; a source package that is built leaves a file
every() {
    mkdir -p "$place/source" && rm -f "$place"/wheels/*
    echo "open('$place/ran', 'w')" >"$place/source/setup.py"
    sed -n 's/^\([a-z-]*\)==\([0-9.]*\) .*/\1 \2/p' common/workshop/tools/cuda_toolkit_13.0.2.txt | while read -r package version; do
        tar -C "$place" -czf "$place/wheels/$(echo "$package" | tr - _)-$version$1" source
    done
}
others() { every -py3-none-any.whl && ends 1 'DO NOT MATCH THE HASHES' fetch && [ ! -e "$place/build/toolkit" ]; }
check 'wheels with other contents are refused' others
sources() { every .tar.gz && ends 1 'No matching distribution' fetch && [ ! -e "$place/ran" ]; }
check 'packages that must be built are refused' sources

for version in 12.9.0 13.99.0 '' ../../x '13.0.2 --index-url x'; do
    [ -z "$version" ] || check "CUDA=$version is refused" ends 1 'CUDA=' env CUDA="$version" "$place/common/workshop/tools/cuda_toolkit.sh"
done
tally
