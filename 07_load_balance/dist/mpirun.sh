#!/bin/sh
# mpirun.sh RANKS PROGRAM [ARGS]: mpirun with what it needs to start more ranks than cores, also as root.
ranks=$1
shift
launcher=${MPIRUN:-mpirun}
command -v "$launcher" >/dev/null 2>&1 || { echo "mpirun is not here: ./bootstrap installs openmpi-bin" >&2; exit 69; }
options=
case $("$launcher" --version 2>/dev/null) in
*"Open MPI"* | *OpenRTE*)
    # Ranks that wait give their core to others; no network is looked for, all is on this host.
    options="--oversubscribe --bind-to none --mca mpi_yield_when_idle 1 --mca btl self,vader --mca pml ob1"
    [ "$(id -u)" -ne 0 ] || options="--allow-run-as-root $options"
    ;;
esac
# mpirun gives rank 0 a terminal of its own: colours only where there is one outside.
[ -t 1 ] || export NO_COLOR=1
# shellcheck disable=SC2086 # words
exec "$launcher" $options -n "$ranks" "$@"
