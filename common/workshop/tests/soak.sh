#!/bin/bash
# soak.sh SECONDS [RECORD]: runs the chapters' programs and libspmv's load repeatedly, and watches their resources.
#
# A round runs each program that is built (BACKEND=simt or cuda; default: the one that is built).  RECORD (build/soak.tsv) gets a
# line per round: the most memory and file handles of any process, the machine's free memory and open files, and the number of
# temporary files left.  At the end it compares the last fifth of the rounds with the second.  Exit status 0: no growth and no
# failure; otherwise 1.
set -u
cd "$(dirname "$0")/../../.." || exit 1
case ${1-} in
'' | -* | *[!0-9]*)
    sed -n '2,8s/^# \{0,1\}//p' "$0"
    exit 64
    ;;
esac
seconds=$1 record=${2-build/soak.tsv}
backend=${BACKEND-$([ -x build/cuda/bin/load_spmv ] && echo cuda || echo simt)}
bin=build/$backend/bin
log=$(mktemp -d) || exit 1
export TMPDIR=$log/tmp # for temporary files that programs leave, and those of results files
mkdir "$TMPDIR"
trap 'rm -rf "$log"; [ -z "${child-}" ] || kill "$child" 2>/dev/null' EXIT; trap 'exit 130' HUP INT TERM

# watch COMMAND...: runs it and raises memory and files to its maximum; counts a failure unless it ends with 0
watch() {
    "$@" >"$log/out" 2>&1 &
    child=$!
    local kb n
    while kill -0 $child 2>/dev/null; do
        kb=$(awk '/^VmHWM/ { print $2 }' /proc/$child/status 2>/dev/null)
        n=$(find /proc/$child/fd -mindepth 1 2>/dev/null | wc -l)
        [ "${kb:-0}" -le "$memory" ] || memory=$kb
        [ "$n" -le "$files" ] || files=$n
        sleep 0.1
    done
    if ! wait $child; then
        failed=$((failed + 1))
        [ $failed -gt 5 ] || { echo "soak: $* failed:"; tail -n 3 "$log/out"; }
    fi
    child=
}

mkdir -p "$(dirname "$record")"
printf '# backend: %s\n# commit: %s\n# date: %s\n' "$backend" "$(git describe --always --dirty 2>/dev/null)" "$(date +%F)" >"$record"
printf 'seconds\tround\tpeak_mb\tfiles\tavailable_mb\topen_files\tleft_in_tmp\n' >>"$record"
begin=$SECONDS round=0 failed=0 runs=0
while [ $((SECONDS - begin)) -lt "$seconds" ] || [ $round -lt 5 ]; do
    memory=0 files=0 round=$((round + 1))
    for program in "$bin"/0[1-9]_[a-z]*; do
        case $program in
        *_student) continue ;;
        *07_cg) watch "$program" --matrix poisson2d:40,40 --dtype fp32 --reps 3 --record "$log/r.tsv" ;;
        *0[4-7]_*) watch "$program" --matrix powerlaw:2000,2000,12000 --dtype fp32 --reps 3 --record "$log/r.tsv" ;;
        *03_*) watch "$program" --rows 500 --cols 500 --reps 3 --record "$log/r.tsv" ;;
        *0[12]_*) watch "$program" --size 64K --reps 3 --record "$log/r.tsv" ;;
        *) continue ;;
        esac
        runs=$((runs + 1))
    done
    watch "$bin/load_spmv" plans 20000 cpu
    watch "$bin/load_spmv" plans 200 gpu
    runs=$((runs + 2))
    printf '%d\t%d\t%.1f\t%d\t%.0f\t%d\t%d\n' $((SECONDS - begin)) $round "$(awk "BEGIN { print $memory / 1000 }")" "$files" \
        "$(awk '/^MemAvailable/ { print $2 / 1000 }' /proc/meminfo)" "$(cut -f 1 /proc/sys/fs/file-nr)" \
        "$(find "$TMPDIR" "$log" -mindepth 1 -maxdepth 1 \( -path "$TMPDIR/*" -o -name '*.tmp' \) | wc -l)" >>"$record"
    [ ! -t 2 ] || printf '\r\033[K%d of %d s, round %d, %d failed' $((SECONDS - begin)) "$seconds" $round $failed >&2
done
[ ! -t 2 ] || echo >&2

awk -F '\t' -v runs=$runs -v failed=$failed '
    /^#/ || /^seconds/ { next }
    { n++; time = $1; mb[n] = $3; files[n] = $4; left[n] = $7 }
    function most(v, from, to,    i, m) { for (i = from; i <= to; i++) if (v[i] > m) m = v[i]; return m + 0 }
    END {
        a = int(n / 5) + 1; b = int(2 * n / 5); c = n - int(n / 5) + 1
        early = most(mb, a, b); late = most(mb, c, n)
        flat = late <= 1.02 * early + 1 && most(files, c, n) <= most(files, a, b) && left[n] <= left[1]
        printf "# verdict: %d rounds, %d runs, %d failed, in %d s; memory at most %.1f then %.1f MB, files %d then %d, left in /tmp %d then %d: %s\n",
            n, runs, failed, time, early, late, most(files, a, b), most(files, c, n), left[1], left[n], flat && !failed ? "flat" : "NOT FLAT"
        exit !(flat && !failed)
    }' "$record" | tee -a "$record"
exit "${PIPESTATUS[0]}"
