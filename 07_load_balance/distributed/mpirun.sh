#!/bin/sh
# mpirun.sh RANKS PROGRAM [ARGS]: starts mpirun with the options for more ranks than cores and for root.  Open MPI's own messages
# about an exit status are suppressed, because the status says enough.
case $1 in '' | *[!0-9]* | 0*) echo "mpirun.sh: the number of ranks must be 1 or more, not \"$1\"" >&2; exit 64 ;; esac
# mpirun accepts any number and tries for minutes, until the system has no process left.
most=$((64 * $(nproc)))
if [ ${#1} -gt 9 ] || [ "$1" -gt $most ]; then
    echo "mpirun.sh: $1 ranks are too many: this machine allows at most $most, 64 per core" >&2
    exit 64
fi
ranks=$1
shift
launcher=${MPIRUN:-mpirun}
command -v "$launcher" >/dev/null 2>&1 || { echo "mpirun.sh: $launcher is not installed: run ./bootstrap, or install openmpi-bin" >&2; exit 69; }
command -v "$1" >/dev/null 2>&1 || { echo "mpirun.sh: $1 does not exist: build it by make dist or make apps" >&2; exit 127; }
options=
version=$("$launcher" --version 2>/dev/null)
case $version in
*"Open MPI"* | *OpenRTE*)
    options="--quiet --oversubscribe --bind-to none"
    [ "$(id -u)" -ne 0 ] || options="--allow-run-as-root $options"
    # With more ranks than cores, waiting ranks yield their core.
    [ "$ranks" -le "$(nproc)" ] || options="$options --mca mpi_yield_when_idle 1"
    # All ranks are on this host, so Open MPI need not search for a network.
    case $version in *") 4."*) options="$options --mca pml ob1 --mca btl self,vader" ;; esac
    ;;
esac
# mpirun gives rank 0 a terminal, so colours are turned off here if stdout is no terminal.
[ -t 1 ] || export NO_COLOR=1
# shellcheck disable=SC2086 # words
"$launcher" $options -n "$ranks" "$@"
status=$?
[ "$status" -le 128 ] || echo "$launcher: $1 died of signal $((status - 128))" >&2
exit "$status"
