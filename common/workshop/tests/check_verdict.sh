#!/bin/sh
# check_verdict.sh: tests the verdict on a matrix, below a chapter's rows and for all chapters (make advise): it must name the best
# step of the results file by the same rule; five lines; JSON; wrong arguments; set-up times equal to those of the results files.
# The chapters' programs must be built (make all BACKEND=simt).
course=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$(dirname "$0")/tally.sh"
cd "$course" || exit 2
bin=build/simt/bin

# best RECORD CASE: prints the kernel with the least predicted time, or the first one within 5 % of it
best() { awk -F '\t' -v want="$2" '/^#/ { next } $1 == "chapter" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["case"] == want && $at["dtype"] == "fp32" && $at["kind"] == "gpu" && $at["status"] == "ok" && $at["predicted_us"] > 0 &&
    (!least || 1.05 * $at["predicted_us"] < least) { least = $at["predicted_us"]; step = $at["step"] } END { print step }' "$1"; }
# named FILE: prints the steps that a verdict names as best, one per line
named() { sed -n 's/^\(as is\|prepared\) *\([a-z0-9_/]*\) of chapter.*/\2/p' "$1"; }

# A chapter's own rows: a small matrix, and one of which the simulator counts only a sample.
chapter() { # NAME MATRIX
    "$bin/$1" --matrix "$2" --dtype fp32 --reps 1 --record "$place/record.tsv" >"$place/said" 2>"$place/err" || { cat "$place/err"; return 1; }
    step=$(best "$place/record.tsv" "$2")
    named "$place/said" | grep -qx -e "$step" || { echo "$step is best, the verdict says:"; tail -n 9 "$place/said"; return 1; }
    [ "$(sed -n '/^verdict /,$p' "$place/said" | grep -c '^[a-z]')" -eq 5 ] || { tail -n 9 "$place/said"; return 1; }
}
table_agrees() { # the line below the table names the same step
    grep -q "^best: $step, predicted\|^no clear best: $step and" "$place/said" || { grep 'best: ' "$place/said"; return 1; }
}
check 'the verdict of chapter 04 names the best step for even rows' chapter 04_spmv_scalar even:2000,2000,6
check 'the line below the table of chapter 04 names the same step' table_agrees
check 'the verdict of chapter 04 is right for a matrix of which only a sample is counted' chapter 04_spmv_scalar band:20000,5
check 'the verdict of chapter 05 names the best step for long rows' chapter 05_spmv_vector band:300,50
check 'the line below the table of chapter 05 names the same step' table_agrees
check 'the verdict of chapter 06 names the best step for uneven rows' chapter 06_spmv_lightspmv powerlaw:600,600,6000

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
check 'make advise prints five lines with the best steps and the library' advice
check 'make advise --json prints the same verdict' json
check 'make advise reports a missing matrix' ends 2 'no such file\|No such file' common/workshop/tools/advise.sh "$bin" "$place/none.mtx"
check 'a verdict needs predicted times' ends 2 'no verdict: no kernel' "$bin/05_spmv_vector" --matrix band:30,1 --verdict alone --predict none
check '--verdict needs --matrix' ends 64 'add --matrix' "$bin/05_spmv_vector" --verdict alone
quiet() { "$bin/05_spmv_vector" --matrix band:30,1 --only v7 "$@" 2>/dev/null >"$place/said"; ! grep -q '^verdict' "$place/said"; }
check '--verdict none prints no verdict' quiet --verdict none
check '--format tsv prints no verdict' quiet --format tsv
check '--explain prints no verdict' quiet --explain v7

setups() { LC_ALL=C awk -f common/lib/spmv/setups.awk plots/data/h200/0[4-7]_*.tsv | diff common/lib/spmv/spmv_setups.inc -; }
check 'set-up times agree with the results files' setups
tally
