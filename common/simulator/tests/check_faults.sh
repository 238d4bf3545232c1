#!/bin/bash
# check_faults.sh [full [RECORD]]: what a chapter's program does when the world around it breaks.
#
# Every fault is made to happen; the program must say so in a line, end with the status it promises, and leave whole records.
# RECORD (build/faults.tsv) lists what was tried and what happened.  With `full` also what takes minutes or root: a build without
# librsb, a disk of 64 KiB, a container with 100 MB.  Exit status 1 if anything was not as promised, or if the list that
# docs/hardening.md shows (plots/data/host/faults.tsv) has other messages than the programs print today; numbers may differ.
set -u
cd "$(dirname "$0")/../../.." || exit 1
case ${1-} in
'' | full) ;;
*)
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    exit 64
    ;;
esac
full=${1-} record=${2-build/faults.tsv}
bin=build/simt/bin
spmv=$bin/05_spmv_vector reduce=$bin/01_reduce scalar=$bin/04_spmv_scalar load=$bin/load_spmv
work=$(mktemp -d) || exit 1
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
chmod 755 "$work"
failed=0 tried=0
ulimit -c 0
mkdir -p "$(dirname "$record")"
printf '# commit: %s\n# date: %s\nstep\tfault\thappened\texit\tstatus\n' "$(git describe --always --dirty 2>/dev/null)" "$(date +%F)" >"$record"

# note NAME FAULT HAPPENED EXIT ok|FAIL: a line of the record
note() {
    tried=$((tried + 1))
    local happened=${3//"$work"/DIR}
    happened=${happened//"$(pwd)/"/}
    printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$(printf '%s' "$happened" | tr '\t\n|' '  /' | tr -s ' ' | cut -c 1-240)" "$4" "$5" >>"$record"
    [ "$5" = ok ] && return
    failed=$((failed + 1))
    echo "check_faults: $1 ($2): exit $4, said: $happened"
}

# try NAME FAULT STATUS WORDS COMMAND...: it must end with that status and say these words in one line
try() {
    local name=$1 fault=$2 expected=$3 words=$4 status line
    shift 4
    timeout -k 5 60 "$@" >"$work/out" 2>"$work/err"
    status=$?
    line=$(grep -h -e "$words" "$work/err" "$work/out" | head -n 1)
    if [ $status -eq "$expected" ] && [ -n "$line" ]; then note "$name" "$fault" "$line" $status ok
    else note "$name" "$fault" "${line:-$(cat "$work/err" "$work/out")}" $status FAIL; fi
}

# whole RECORD: every line of it ends, and has as many fields as the others; there is at least one row
whole() {
    [ -s "$1" ] && [ "$(tail -c 1 "$1" | wc -l)" -eq 1 ] &&
        awk -F '\t' '/^#/ { next } !n { n = NF } NF != n { exit 1 } { rows++ } END { if (rows < 2) exit 1 }' "$1"
}

small=(--matrix 'band:1000,3' --dtype fp32 --only v1)
many=(--matrix 'band:1000,3' --only 'v*') # some thirty rows

# ---- output ------------------------------------------------------------------------------------
try full_output 'standard output on a full disk' 74 'No space left' sh -c '"$@" >/dev/full' - $spmv "${small[@]}"
try full_json 'JSON on a full disk' 74 'No space left' sh -c '"$@" --format json >/dev/full' - $spmv "${small[@]}"
try full_list '--list to a full disk' 74 'No space left' sh -c '"$@" >/dev/full' - $spmv --list
try full_record 'the results file grows beyond the file size limit' 74 'File too large' \
    bash -c 'ulimit -f 2; exec "$@"' - $spmv "${many[@]}" --record "$work/limited.tsv"
left=$(find "$work" -name 'limited.tsv.*' | wc -l)
whole "$work/limited.tsv" && [ "$left" -eq 0 ] && state=ok || state=FAIL
note full_record_kept 'the results file after that' \
    "$(grep -vc '^#' "$work/limited.tsv") lines, all complete; $left temporary files" - "$state"
# shellcheck disable=SC2016 # for the inner shell
try limited_output 'standard output grows beyond the file size limit' 74 'File too large' \
    bash -c 'ulimit -f 1; exec "$@" --format json >"$0"' "$work/limited.json" $spmv "${many[@]}"
try full_trace '--trace to a full disk' 74 'No space left' $spmv "${small[@]}" --trace /dev/full
try full_history "the history of conjugate gradients to a full disk" 74 'No space left' \
    $bin/07_cg --matrix poisson2d:20,20 --spmv 07/libspmv_plan --history /dev/full
try full_top "PageRank's list of pages to a full disk" 74 'No space left' \
    $bin/07_pagerank --matrix powerlaw:300,300,3000 --spmv 07/libspmv_plan --top-record /dev/full
try record_folder 'the path of the results file is a folder' 74 'not a file' $spmv "${small[@]}" --record "$work"
mkdir "$work/closed" && chmod 555 "$work/closed"
as_user=()
if [ "$(id -u)" -eq 0 ]; then # root, whom the modes of files bind too
    no_right='-dac_override,-dac_read_search'
    as_user=(setpriv "--bounding-set=$no_right" "--inh-caps=$no_right")
fi
try read_only 'the results file in a read-only folder' 74 'Permission denied' "${as_user[@]}" $spmv "${small[@]}" --record "$work/closed/r.tsv"
bash -c 'set -o pipefail; "$@" | head -n 1' - $spmv "${many[@]}" >"$work/out" 2>"$work/err"
status=$?
if [ $status -eq 141 ] && ! grep -q 'cannot\|incomplete' "$work/err"; then state=ok; else state=FAIL; fi
note pipe_closed 'the reader of a pipe ends early (head -n 1)' 'ends by SIGPIPE without a message' $status $state

# ---- input -------------------------------------------------------------------------------------
try no_file 'a matrix file that does not exist' 2 'No such file' $spmv --matrix "$work/none.mtx"
: >"$work/secret.mtx" && chmod 000 "$work/secret.mtx"
try unreadable 'a matrix file without read permission' 2 'Permission denied' "${as_user[@]}" $spmv --matrix "$work/secret.mtx"
try no_matrix_folder 'MATRIX_DIR names no folder' 2 'MATRIX_DIR, .*: No such file' env MATRIX_DIR="$work/none" $bin/07_load_balance --suite
try bad_option 'an unknown option' 64 'unrecognized option' $spmv --frobnicate
try too_large 'a matrix beyond the memory of the host' 2 'needs .* GB, this machine has .* GB free' $spmv --matrix dense:2000000,2000000
try too_large_sum 'a sum beyond the memory of the host' 2 'needs .* GB, this machine has .* GB free' $bin/01_reduce --size 2^40
try too_large_copy 'a copy beyond the memory of the host' 2 'needs .* GB, this machine has .* GB free' $bin/02_memcpy_vectorized --size 2^40
try too_large_gemv 'a dense matrix beyond the memory of the host' 2 'needs .* GB, this machine has .* GB free' $bin/03_gemv --rows 2^22 --cols 2^22

# ---- memory, of the host and of the GPU ---------------------------------------------------------
for test in test_alloc test_alloc_rows test_spmv_alloc; do
    "$bin/$test" >"$work/out" 2>&1
    status=$?
    [ $status -eq 0 ] && state=ok || state=FAIL
    note $test 'the k-th allocation fails, for every k' \
        "$test: $(grep -c '       OK' "$work/out") groups of functions report the failure or work without the memory" $status $state
done
try address_space 'no address space (ulimit -v)' 1 'address space' bash -c 'ulimit -v 1000000; exec "$@"' - $spmv "${small[@]}"
try gpu_full 'a matrix beyond the memory of the GPU' 2 'needs .* MiB, the GPU has .* MiB free' \
    env SIMT_MEMORY_MB=1 $spmv --matrix band:100000,3 --dtype fp32 --only v1
try gpu_full_plan 'a plan beyond the memory of the GPU' 2 'needs .* GB, the GPU has .* GB free' env SIMT_MEMORY_MB=100 $load diagonal 20000000 gpu

# ---- threads and stacks ------------------------------------------------------------------------
for told in 100000 0 many 2,x 99999999999999999999; do
    try "threads_$told" "OMP_NUM_THREADS=$told" 64 'OMP_NUM_THREADS: .* from 1 to 1024' env OMP_NUM_THREADS=$told $spmv "${small[@]}"
done
# Not less than 64 KiB: with 16 the loader itself dies now and then, before any code of ours.
for program in 01_reduce 03_gemv 05_spmv_vector 07_cg; do # 03 and 05 with OpenBLAS, whose threads are there before main
    try "stack_$program" "$program with a stack of 64 KiB (ulimit -s)" 1 'a stack of 64 KiB is too small' \
        bash -c 'ulimit -s 64; exec "$@"' - $bin/$program --once
done
try stack_of_threads 'stacks of 100 TB (OMP_STACKSIZE)' 1 'threads could be started' env OMP_STACKSIZE=100000G OMP_NUM_THREADS=8 $spmv "${small[@]}"
nobody=() # root has no limit of processes
[ "$(id -u)" -ne 0 ] || nobody=(setpriv --reuid=$((100000 + $$)) --clear-groups)
if "${nobody[@]}" true 2>/dev/null; then
    for most in 1 2 3; do
        try "processes_$most" "no room for threads (ulimit -u $most)" 1 'threads could be started: Resource temporarily unavailable' \
            "${nobody[@]}" bash -c "ulimit -u $most; exec \"\$@\"" - $spmv "${small[@]}"
    done
    try threads_option '--threads 1000, and ulimit -u 100' 1 '--threads: only .* threads could be started' \
        "${nobody[@]}" bash -c 'ulimit -u 100; exec "$@"' - env OMP_NUM_THREADS=2 $spmv "${small[@]}" --threads 1000
else
    echo '[  SKIPPED ] ulimit -u: only root can start a program here'
fi

# ---- a kernel that breaks ------------------------------------------------------------------------
{ # an editor has put a byte order mark in front
    printf '\357\273\277'
    sed 's|// TODO: the sum of.*|sums[1 << 28] = in[0];|' 01_reduce/exercise.cu
} >"$work/my.cu"
exec 9>build/simt/student.lock
flock 9 # another check may build a learner's step, too
if make --no-print-directory -C 01_reduce BACKEND=simt STUDENT="$work/my.cu" >"$work/out" 2>&1; then
    "${reduce}_student" --size 1000 --dtype fp32 --only v1,student,v9 --record "$work/broken.tsv" >"$work/out" 2>&1
    status=$?
    rows=$(awk -F '\t' '/^#/ || $1 == "chapter" { next } { print $2, substr($15, 1, 4) }' "$work/broken.tsv" | sort | tr '\n' ' ')
    if [ $status -eq 1 ] && [ "$rows" = 'student FAIL v1 ok v9 ok ' ]; then state=ok; else state=FAIL; fi
    note kernel_breaks 'a kernel writes far out of bounds' "rows: $rows" $status $state
    rm -f "${reduce}_student"
else
    note kernel_breaks 'a kernel writes far out of bounds' "$(tail -n 3 "$work/out")" - FAIL
fi

# ---- signals -------------------------------------------------------------------------------------
# stopped SIGNAL RECORD MILLISECONDS: starts a run that writes that record, and stops it so long after the first row.
stopped() {
    local i child
    rm -f "$2"
    { env --default-signal=INT,TERM,HUP $spmv "${many[@]}" --record "$2" & } >/dev/null 2>&1
    child=$!
    for ((i = 0; i < 500; i++)); do
        [ ! -e "$2" ] || break
        sleep 0.02
    done
    sleep "$(printf '0.%03d' "$3")"
    kill -s "$1" $child
    wait $child
} 2>/dev/null

for signal in INT TERM HUP; do
    stopped $signal "$work/$signal.tsv" 50
    status=$?
    if [ $status -ge 129 ] && whole "$work/$signal.tsv"; then state=ok; else state=FAIL; fi
    note "signal_$signal" "SIG$signal during a run" "$(grep -vc '^#' "$work/$signal.tsv") lines of the results file, all complete" $status $state
done

# Killed at random points while it writes records, again and again the same one.
RANDOM=42
broken=0 killed=0 lines=
for _ in $(seq 20); do
    stopped KILL "$work/killed.tsv" $((RANDOM % 200))
    [ $? -ne 137 ] || killed=$((killed + 1))
    whole "$work/killed.tsv" || broken=$((broken + 1))
    lines="$lines $(grep -vc '^#' "$work/killed.tsv")"
done
before=$(find "$work" -name 'killed.tsv.*' | wc -l)
$spmv "${small[@]}" --record "$work/killed.tsv" >/dev/null 2>&1
left=$(find "$work" -name 'killed.tsv.*' | wc -l)
if [ $broken -eq 0 ] && [ "$left" -eq 0 ] && [ $killed -gt 0 ]; then state=ok; else state=FAIL; fi
note killed_at_random 'killed at random points, 20 times' \
    "killed $killed times, after$lines lines: $broken half-written; $before temporary files, after the next run $left" - $state

# run_chapter.sh stopped in its second run goes on there.
mkdir "$work/course" "$work/course/05_fake"
printf '%s\n' '--only v1 --matrix band:1000,3 --experiment 1' '--sweep slow' '--only v2 --experiment 2' >"$work/course/05_fake/runs.txt"
cat >"$work/course/05_fake/program" <<'END'
#!/bin/sh
echo "$*" >>log
case "$*" in *slow*) [ -e unstopped ] || { kill -KILL $PPID; exit 1; } ;; esac
END
cp "$work/course/05_fake/program" "$work/course/05_fake_program"
chmod +x "$work/course/05_fake_program"
mv "$work/course/05_fake" "$work/course/05_fake_program.d"
mkdir "$work/course/bin" && mv "$work/course/05_fake_program" "$work/course/bin/05_fake" && mv "$work/course/05_fake_program.d" "$work/course/05_fake"
here=$(pwd)
(cd "$work/course" && "$here/common/workshop/tools/run_chapter.sh" bin/05_fake records; touch unstopped; "$here/common/workshop/tools/run_chapter.sh" bin/05_fake records) >"$work/out" 2>&1
runs=$(awk '{ print /slow/ ? "second" : / v1/ ? "first" : "third" }' "$work/course/log" | tr '\n' ' ')
if [ "$runs" = 'first second second third ' ] && [ ! -e "$work/course/records/.05_fake.done" ]; then state=ok; else state=FAIL; fi
note resumed 'run_chapter.sh killed in its second run, then called again' "continued with the interrupted run: $runs" - $state

# ---- what is not there -----------------------------------------------------------------------------
if [ -x $scalar ]; then
    try no_mkl 'MKL is not installed' 0 'skip' env MKL_RT=/nonexistent $scalar --only 'mkl*' --matrix band:100,3 --dtype fp32
fi
try no_gpu_library 'libspmv without a GPU back end' 0 'installs\|PASSED' "$bin/test_spmv_install"

if [ "$full" = full ]; then
    mkdir "$work/small"
    if mount -t tmpfs -o size=64k tmpfs "$work/small" 2>/dev/null; then
        # shellcheck disable=SC2016 # for the inner shell
        try full_disk 'a disk of 64 KiB' 74 'No space left' bash -c \
            'for i in $(seq 50); do "$@" --record "$0/$i.tsv" >/dev/null || exit; done' "$work/small" $spmv --matrix band:1000,3 --only 'v*'
        sound=ok
        for f in "$work"/small/*.tsv; do whole "$f" || sound=FAIL; done
        note full_disk_kept 'the results files after that' "$(find "$work/small" -name '*.tsv' | wc -l) results files, all complete; $(find "$work/small" -name '*.tmp' | wc -l) temporary files" - $sound
        umount "$work/small"
    fi
    # shellcheck disable=SC2016 # for the inner shell
    if unshare -m true 2>/dev/null; then # a container that may use 100 MB, as it sees itself
        for file in memory.max memory/memory.limit_in_bytes; do
            try "container_${file##*/}" "a container with 100 MB ($file)" 2 'this machine has 0.1 GB free' unshare -m sh -c \
                'cd /sys/fs && mount -t tmpfs tmpfs cgroup && mkdir cgroup/memory && echo 100000000 >"cgroup/$1" && cd "$2" && shift 2 && exec "$@"' \
                - "$file" "$PWD" $spmv --matrix band:3000000,3
        done
    fi
    mkdir "$work/no_rsb"
    for folder in common 05_spmv_vector; do
        env PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH= MAKELEVEL=1 \
            make --no-print-directory -C $folder BACKEND=simt BUILD="$work/no_rsb" >"$work/out" 2>&1
    done
    try no_librsb 'built where librsb is not installed' 0 'skip.*librsb' "$work/no_rsb/bin/05_spmv_vector" --only 'librsb,c1' --matrix band:100,3 --dtype fp32
fi

# ---- the page's list ------------------------------------------------------------------------------
# stale LIST RECORD: the faults of RECORD whose message LIST does not have, but for numbers, the build's folder, and the names
# that a machine gives.
stale() {
    awk -F '\t' '
        function plain(text) { gsub(/build\/[a-z0-9_]*\//, "build/", text); gsub(/[0-9.]+/, "N", text); gsub(/N( N)+/, "N", text); gsub(/N [KMG]i?B/, "N B", text); return text }
        FNR == 1 { file++ }
        /^#/ || $1 == "step" { next }
        file == 1 { at[$1] = 1; listed[$1] = plain($2 "\t" $3); next }
        !($1 in at) { print $1 ": the list has no such fault"; next }
        plain($2 "\t" $3) != listed[$1] { print $1 ": the list has other words than these: " $2 ": " $3 }' "$1" "$2"
}
list=plots/data/host/faults.tsv
if [ "$record" != $list ]; then
    # Seen failing: a list with one other word.
    sed 's/unrecognized/unknown/' "$record" >"$work/other"
    [ "$(stale "$work/other" "$record" | cut -d : -f 1)" = bad_option ] || { echo 'check_faults: a changed message was not noticed'; failed=$((failed + 1)); }
    stale $list "$record" >"$work/stale"
    if [ -s "$work/stale" ]; then
        cat "$work/stale"
        echo "check_faults: docs/hardening.md shows an old list: common/simulator/tests/check_faults.sh full $list, then make docs"
        failed=$((failed + 1))
    fi
fi

echo "check_faults: $tried faults, $failed not as promised ($record)"
[ $failed -eq 0 ]
