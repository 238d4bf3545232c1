#!/bin/bash
# leaderboard.sh N E FOLDER JOBS [OPTIONS OF grade]: marks every .cu file of FOLDER and its folders, and makes a table,
# a CSV and a plot.  What has been marked is kept under the file's hash: a second run goes on where the first one ended.
# Exits with 0 when every file has a line, whatever its points.
set -u
n=$1 e=$2 folder=$3 jobs=$4
shift 4
if [ ! -d "$folder" ]; then
    echo "make leaderboard N=$n E=$e SUBMISSIONS=FOLDER: ${folder:-nothing} is not a folder" >&2
    exit 64
fi
case $folder in /*) ;; *) folder=./$folder ;; esac # -delete is a folder, too, and no word for find
case $jobs in '' | 0 | *[!0-9]*) echo "JOBS=$jobs: how many at a time?  A number from 1" >&2; exit 64 ;; esac
name=$(basename "$(realpath "$folder")" | tr -c 'A-Za-z0-9_.\n-' _)
out=build/leaderboard/$name-$n-$e
mkdir -p "$out/done" || exit 1

# One seed for all, so that all are marked on the same cases: drawn for the first run, kept for those that go on.
[ -s "$out/seed" ] || od -An -N7 -tu8 /dev/urandom | tr -d ' ' >"$out/seed"
case " $* " in *" --seed "*) ;; *) set -- "$@" --seed "$(cat "$out/seed")" ;; esac
# What no file could be marked for (no sandbox, no such exercise, a bad option) is said once: 2 is "no such file".
why=$(build/simt/bin/grade "$@" -- "$n" "$e" "$out/no file" 2>&1)
status=$?
[ $status -eq 2 ] || { printf '%s\n' "$why" >&2; exit $status; }
# Marks of another version, or under other options, are not these marks.
context=$({ sha256sum common/grade/exercises.txt build/*/bin/grade build/*/grade/steps_0"${n#0}"_* build/simt/grade/kit/*; echo "$n $e $*"; } 2>/dev/null | sha256sum | cut -c1-12)

links=$(find "$folder" -type l -name '*.cu' | wc -l)
[ "$links" -eq 0 ] || echo "leaderboard: $links .cu in $folder lead elsewhere (links) and are left out" >&2
mapfile -d '' -t files < <(find "$folder" -type f -name '*.cu' -print0 | sort -z)
[ ${#files[@]} -gt 0 ] || { echo "leaderboard: $folder has no .cu file" >&2; exit 64; }

# Runs in a child of xargs: one file.  Whatever happens, it leaves a line.
mark_one() {
    file=$1
    shift
    key=$out/done/$context-$(sha256sum <"$file" | cut -c1-32)
    [ -s "$key.row" ] && return 0
    build/simt/bin/grade "$@" --name "$(basename "$file")" --record "$key.json" --row "$key.new" -- "$n" "$e" "$file" >"$key.txt" 2>&1
    status=$?
    [ -s "$key.new" ] || printf '0\tnot marked\t-\t%s\n' "exit code $status: $(tr '\n\t' '  ' <"$key.txt" | cut -c1-200)" >"$key.new"
    # What could not be marked (no sandbox, for instance) is tried again next time.
    if [ $status -le 1 ]; then mv "$key.new" "$key.row"; else mv "$key.new" "$key.failed"; fi
}
export -f mark_one
export out n e context

count_done() {
    local have=0
    for key in "${keys[@]}"; do [ -s "$key.row" ] || [ -s "$key.failed" ] || continue; have=$((have + 1)); done
    echo $have
}
keys=() todo=()
declare -A seen=() # the same file under two names is marked once
for file in "${files[@]}"; do
    key=$out/done/$context-$(sha256sum <"$file" | cut -c1-32)
    keys+=("$key")
    rm -f "$key.failed"
    [ -n "${seen[$key]-}" ] || todo+=("$file")
    seen[$key]=yes
done

set -m # the workers get a process group of their own, which Ctrl-C then ends as a whole
# shellcheck disable=SC2016 # for the inner shell
printf '%s\0' "${todo[@]}" | xargs -0 -P "$jobs" -I{} bash -c 'file=$1; shift; mark_one "$file" "$@"' mark {} "$@" &
workers=$!
set +m
interrupted() {
    trap '' INT TERM HUP
    { kill -- -$workers; wait $workers; } 2>/dev/null
    [ ! -t 2 ] || printf '\r\033[K' >&2
    echo "leaderboard: interrupted, $(count_done) of ${#files[@]} are marked; the same command goes on from there" >&2
    exit 130
}
trap interrupted INT TERM HUP
start=$SECONDS first=$(count_done)
while kill -0 $workers 2>/dev/null; do
    if [ -t 2 ]; then
        have=$(count_done) total=${#files[@]} bar=
        for ((i = 0; i < 10; i++)); do [ $((i * total)) -lt $((have * 10)) ] && bar+='#' || bar+=.; done
        left=
        [ "$have" -gt "$first" ] && left=", about $(((SECONDS - start) * (total - have) / (have - first))) s left"
        printf '\r\033[K[%s] %d/%d  %d s%s' "$bar" "$have" "$total" $((SECONDS - start)) "$left" >&2
    fi
    sleep 0.2
done
wait $workers
[ ! -t 2 ] || printf '\r\033[K' >&2

# A line for each file: points, verdict, microseconds, reason, name; best first, the faster first among equals.
for i in "${!files[@]}"; do
    line=${keys[$i]}.row
    [ -s "$line" ] || line=${keys[$i]}.failed
    [ -s "$line" ] || line=/dev/null
    printf '%s\t%s\n' "$({ head -n 1 "$line"; printf '0\tnot marked\t-\tno line\n'; } | head -n 1)" \
        "$(realpath -z --relative-to="$folder" "${files[$i]}" | tr '\001-\037\177\0' '[ *32]\n')"
done | sort -t$'\t' -k1,1nr -k3,3n -k5,5 >"$out/leaderboard.tsv"

# A spreadsheet takes a field that begins with = + - @ for a formula: such a one gets an apostrophe.
awk -F'\t' 'function field(s) {gsub(/"/, "\"\"", s); if (s ~ /^[=+@-]/ && s != "-" && s !~ /^-?[0-9.]+$/) s = "\047" s; return "\"" s "\""}
    BEGIN {print "rank,file,points,verdict,time_us,reason"}
    {if (NR == 1 || $1 != points) rank = NR; points = $1; print rank "," field($5) "," $1 "," field($2) "," field($3) "," field($4)}' \
    "$out/leaderboard.tsv" >"$out/leaderboard.csv"
awk -F'\t' 'BEGIN {printf "%4s  %-28s %6s  %-16s %10s  %s\n", "rank", "file", "points", "verdict", "us", "first thing to repair"}
    {if (NR == 1 || $1 != points) rank = NR; points = $1; printf "%4d  %-28.28s %6d  %-16s %10s  %.100s\n", rank, $5, $1, $2, $3, $4}' "$out/leaderboard.tsv"
if command -v gnuplot >/dev/null 2>&1; then
    tr '"' "'" <"$out/leaderboard.tsv" >"$out/plotted.tsv" # gnuplot would end a name at a quotation mark
    gnuplot -e "table='$out/plotted.tsv'; picture='$out/leaderboard.svg'; heading='chapter $n, exercise $e'" plots/leaderboard.gp ||
        echo "leaderboard: the plot failed" >&2
else
    echo "leaderboard: gnuplot is not installed: no plot" >&2
fi
echo
echo "$out/leaderboard.csv   $out/leaderboard.svg   records: $out/done/*.json"
