#!/bin/sh
# mpirun.sh RANKS PROGRAM [ARGS]: mpirun with what it needs to start more ranks than cores, also as root.
ranks=$1
shift
launcher=${MPIRUN:-mpirun}
command -v "$launcher" >/dev/null 2>&1 || { echo "mpirun is not here: ./bootstrap installs openmpi-bin" >&2; exit 69; }
options=
version=$("$launcher" --version 2>/dev/null)
case $version in
*"Open MPI"* | *OpenRTE*)
    options="--oversubscribe --bind-to none"
    [ "$(id -u)" -ne 0 ] || options="--allow-run-as-root $options"
    # More ranks than cores: those that wait give theirs to others.
    [ "$ranks" -le "$(nproc)" ] || options="$options --mca mpi_yield_when_idle 1"
    # All ranks are on this host: no network is looked for.
    case $version in *") 4."*) options="$options --mca pml ob1 --mca btl self,vader" ;; esac
    ;;
esac
# mpirun gives rank 0 a terminal of its own: colours only where there is one outside.
[ -t 1 ] || export NO_COLOR=1
# shellcheck disable=SC2086 # words
exec "$launcher" $options -n "$ranks" "$@"
