#!/bin/sh
# check_verdict.sh: the verdict on a matrix, under a chapter's rows and over all chapters (make advise): the step that it names is
# the best of the record by the one rule; five lines; JSON; what is refused; the times of set-ups are those of the records.
# The chapters' programs are there already (make all BACKEND=simt).
course=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$(dirname "$0")/tally.sh"
cd "$course" || exit 2
bin=build/simt/bin

# best RECORD CASE: the kernel with the least predicted time; of times within a twentieth the first
best() { awk -F '\t' -v want="$2" '/^#/ { next } $1 == "chapter" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["case"] == want && $at["dtype"] == "fp32" && $at["kind"] == "gpu" && $at["status"] == "ok" && $at["predicted_us"] > 0 &&
    (!least || 1.05 * $at["predicted_us"] < least) { least = $at["predicted_us"]; step = $at["step"] } END { print step }' "$1"; }
# named FILE: the steps that a verdict names as best, one a line
named() { sed -n 's/^\(as is\|prepared\) *\([a-z0-9_/]*\) of chapter.*/\2/p' "$1"; }

# A chapter's own rows, a small matrix and one that the simulator counts a sample of.
chapter() { # NAME MATRIX
    "$bin/$1" --matrix "$2" --dtype fp32 --reps 1 --record "$place/record.tsv" >"$place/said" 2>"$place/err" || { cat "$place/err"; return 1; }
    step=$(best "$place/record.tsv" "$2")
    named "$place/said" | grep -qx -e "$step" || { echo "$step is best, the verdict says:"; tail -n 9 "$place/said"; return 1; }
    [ "$(sed -n '/^verdict /,$p' "$place/said" | grep -c '^[a-z]')" -eq 5 ] || { tail -n 9 "$place/said"; return 1; }
}
table_agrees() { # the line under the table names the same step
    grep -q "^best: $step, predicted" "$place/said" || { grep '^best' "$place/said"; return 1; }
}
check '04, even rows' chapter 04_spmv_scalar even:2000,2000,6
check '04, its table names the same' table_agrees
check '04, a sample is not enough' chapter 04_spmv_scalar band:20000,5
check '05, long rows' chapter 05_spmv_vector band:300,50
check '05, its table names the same' table_agrees
check '06, uneven rows' chapter 06_spmv_lightspmv powerlaw:600,600,6000

# All chapters.
advice() { common/workshop/tools/advise.sh "$bin" powerlaw:2000,2000,12000 >"$place/advice" 2>"$place/err" || { cat "$place/err"; return 1; }
    cat "$place/advice"
    [ "$(grep -c '^[a-z]' "$place/advice")" -eq 5 ] && [ "$(named "$place/advice" | wc -l)" -eq 2 ] &&
        grep -q '^library  libspmv, with a plan: [a-z]*_*[0-9]*, ' "$place/advice"; }
json() { common/workshop/tools/advise.sh "$bin" powerlaw:2000,2000,12000 --json >"$place/advice.json" &&
    python3 - "$place/advice.json" "$(named "$place/advice" | head -n 1)" <<'END'
import json, sys
verdict = json.load(open(sys.argv[1], encoding="utf-8"))
assert verdict["nonzeros"] == 12000 and verdict["as_is"]["step"] == sys.argv[2], verdict
assert verdict["prepared"]["low_us"] <= verdict["prepared"]["us"] <= verdict["prepared"]["high_us"], verdict
END
}
check 'make advise' advice
check 'make advise, as JSON' json
check 'no such file' ends 2 'no such file\|No such file' common/workshop/tools/advise.sh "$bin" "$place/none.mtx"
check 'no time, no verdict' ends 2 'no verdict: no kernel' "$bin/05_spmv_vector" --matrix band:30,1 --verdict alone --predict none
check '--verdict without a matrix' ends 64 'add --matrix' "$bin/05_spmv_vector" --verdict alone
quiet() { "$bin/05_spmv_vector" --matrix band:30,1 --only v7 "$@" 2>/dev/null >"$place/said"; ! grep -q '^verdict' "$place/said"; }
check 'none where it is not wanted' quiet --verdict none
check 'none under other forms' quiet --format tsv
check 'none where lines are explained' quiet --explain v7

setups() { LC_ALL=C awk -f common/lib/spmv/setups.awk plots/data/h200/0[4-7]_*.tsv | diff common/lib/spmv/spmv_setups.inc -; }
check 'set-ups are those of the records' setups
tally
