#!/bin/sh
# aarch64_sysroot.sh FOLDER: downloads the course's libraries for AArch64 from this machine's Debian or Ubuntu release, and unpacks
# them into FOLDER for a cross compiler and qemu.  Needs no root and changes nothing outside FOLDER: apt-get uses lists and a cache
# of its own.  Exits with 1 and one line if the packages are not available.
set -eu
folder=${1:?aarch64_sysroot.sh FOLDER}
packages="libc6-dev libstdc++-$(aarch64-linux-gnu-g++ -dumpversion | cut -d. -f1)-dev libboost-context-dev libsuitesparse-dev
    zlib1g-dev libjansson-dev libdw-dev libxxhash-dev libcmocka-dev librsb-dev libopenblas-dev"
fail() { echo "aarch64: left out; $1"; exit 1; }
command -v apt-get >/dev/null 2>&1 || fail "the libraries for AArch64 come from apt-get, which is not installed"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/state"
: >"$work/state/status"
cat >"$work/apt.conf" <<EOF
APT::Architecture "arm64";
APT::Architectures {"arm64";};
APT::Sandbox::User "root";
Dir::State "$work/state";
Dir::State::lists "$work/lists";
Dir::State::status "$work/state/status";
Dir::Cache "$work/cache";
EOF
# Ubuntu keeps other architectures on another server.
# shellcheck source=/dev/null
. /etc/os-release
if [ "${ID-}" = ubuntu ]; then
    for pocket in "" -updates -security; do
        echo "deb http://ports.ubuntu.com/ubuntu-ports $VERSION_CODENAME$pocket main universe"
    done >"$work/sources.list"
    printf 'Dir::Etc::sourcelist "%s";\nDir::Etc::sourceparts "-";\n' "$work/sources.list" >>"$work/apt.conf"
fi
export APT_CONFIG="$work/apt.conf" DEBIAN_FRONTEND=noninteractive
echo "aarch64: fetching its libraries (50 MB)"
timeout 120 apt-get update -qq -o Acquire::Retries=1 >"$work/log" 2>&1 || true
# shellcheck disable=SC2086 # one word per package
timeout 600 apt-get install -y -qq -d --no-install-recommends $packages >>"$work/log" 2>&1 ||
    fail "its libraries could not be fetched: $(grep '^E:' "$work/log" | head -n 1)"

rm -rf "$folder.new"
mkdir -p "$folder.new"
for deb in "$work"/cache/archives/*.deb; do dpkg-deb -x "$deb" "$folder.new"; done
# Absolute links must point into the folder.  The packages' scripts, which would link the BLAS, have not run.
find "$folder.new" -type l | while IFS= read -r link; do
    case $(readlink "$link") in /*) ln -sfr "$folder.new$(readlink "$link")" "$link" ;; esac
done
for library in "$folder.new"/usr/lib/aarch64-linux-gnu/openblas-pthread/*.so*; do
    ln -sfr "$library" "$folder.new/usr/lib/aarch64-linux-gnu/"
done
rm -rf "$folder"
mv "$folder.new" "$folder"
touch "$folder" # a package set its time, which would be older than this list
