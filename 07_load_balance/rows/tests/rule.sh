#!/bin/sh
# rule.sh WAYS: tests the learner (rule.py) with generated times whose rule is known, with planted mistakes, and with the times from
# which the library's rule was learned; and tests what 07_ways (WAYS) writes.
ways=$1
rows=$(cd "$(dirname "$0")/.." && pwd)
lib=$(cd "$rows/../libspmv" && pwd)
root=$(cd "$rows/../.." && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$root/common/workshop/tests/tally.sh"
cd "$place" || exit 1

# record NAME HOW: writes NAME_features.tsv and NAME_ways.tsv for 40 matrices in two types.  HOW selects the fastest variant of
# each:
#   known   by a rule; the values on both sides of its thresholds are 10 : 100 or 0.2 : 0.8
#   close   by the same rule, but nnz and columns have nothing between 123400 and 123480
#   noise   randomly
#   twin    like known, but guided_4 and spans_4 are equal within 0.02 %, and one of them is randomly faster
record() {
    awk -v how="$2" -v ways="$1_ways.tsv" -v features="$1_features.tsv" '
        function lot() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 } # Park and Miller, CACM 31(10), 1988
        function between(low, high) { return low * exp(lot() * log(high / low)) }
        BEGIN {
            OFS = "\t"; seed = 2
            n = split("rows_1 rows_2 rows_4 spans_2 spans_4 guided_4 long_4 mixed_1 in_order even_4 even_8 sort_4 sort_8 sort_16 sort_32 sort_38 sort_64 bundle_4 bundle_8 bundle_16 bundle_32 hot_16 hot_32 tiles wide granules", way, " ")
            print "case", "dtype", "rows", "cols", "nnz", "value_bytes", "mean", "longest", "skew", "in_order_fill", \
                "near_fill", "diagonals", "sectors", "alike", "hot", "rule_none", "rule_look", "rule_plan" > features
            print "# gpu: a made one" > ways
            print "chapter", "step", "case", "dtype", "cold_us", "status" > ways
            for (m = 0; m < 40; m++) {
                few = m % 5 < 2; even = m % 2; straight = m % 7 < 3
                nnz = few ? (how == "close" ? 123400 : 10000) : (how == "close" ? 123480 : 100000)
                if (m >= 10) nnz = few ? nnz / between(1, 9) : nnz * between(1, 900)
                skew = even ? 10 : 100; if (m >= 10) skew = even ? skew / between(1, 9) : skew * between(1, 9)
                diagonals = straight ? 0.8 : 0.2; if (m >= 10) diagonals = straight ? 0.8 + lot() / 5 : lot() / 5
                mean = between(1, 200); longest = between(200, 10000); fill = between(1, 4); sectors = lot()
                for (w = 1; w <= n; w++) luck[w] = between(10, 40)
                for (t = 4; t <= 8; t += 4) {
                    type = t == 4 ? "fp32" : "fp64"
                    best_none = few ? "rows_2" : "spans_4"
                    best_plan = straight ? "in_order" : !even ? "sort_64" : t == 4 ? "sort_8" : "sort_4"
                    print "m" m, type, nnz / mean, 1000 * mean, nnz, t, mean, longest, skew, fill, fill, diagonals, \
                        sectors, sectors, 0, "spans_4", "spans_4", "sort_16" > features
                    for (w = 1; w <= n; w++)
                        print "07_ways", way[w], "m" m, type, how == "noise" ? luck[w] \
                            : how == "twin" && !few && (way[w] == "spans_4" || way[w] == "guided_4") ? 10 + lot() / 500 \
                            : way[w] == best_none || way[w] == best_plan ? (w <= 6 ? 10 : 1) : 10 * (1.5 + w / 20), "ok" > ways
                }
            }
        }'
}

# learn LEARNER RECORD: writes out.inc and out.tsv.
learn() {
    set -- "$1" "$2_features.tsv" "$2_ways.tsv" "$2_ways_again.tsv" "$2_features_fields.tsv" "$2_ways_fields.tsv" \
        "$2_features_later.tsv" "$2_ways_later.tsv"
    for file in "$4" "$5" "$6" "$7" "$8"; do [ -e "$file" ] && set -- "$@" "$file"; done
    rule=$1 features=$2 ways_of=$3
    shift 8
    /usr/bin/python3 "$rule" out.tsv "$choice" "$features" "$ways_of" "$@" >out.inc
}
# The rule's regret|worst|left_out|left_out_worst for set-up none|plan; or that of a tree with this number of leaves.
regret() { awk -F'\t' -v what="$1" -v setup="$2" -v row="${3-rule}" '$1 == "chapter" {for (i = 1; i <= NF; i++) at[$i] = i}
    $2 == setup && $4 == row {print $at[what]}' out.tsv; }
# less A B: true if A < B.
less() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a + 0 > 0 && a + 0 < b + 0)}'; }
# broken OLD NEW: makes a learner with one string replaced, which must occur exactly once.
broken() {
    awk -v old="$1" -v new="$2" '{
        while ((at = index($0, old)) > 0 && !done[NR]) { n++; done[NR] = 1; $0 = substr($0, 1, at - 1) new substr($0, at + length(old)) }
        print
    } END {if (n != 1) {print "\"" old "\" is there " n + 0 " times" > "/dev/stderr"; exit 1}}' "${3-made.py}" >"${4-broken.py}"
}
# For generated times the constants of gpu_choice.h must exclude no variant and allow no second one.
mkdir free && cp "$lib/gpu/gpu_choice.c" free && cp "$rows/rule.py" made.py || exit 1
broken 'LONGEST_ROW = 16000' 'LONGEST_ROW = 1000000000000' "$lib/gpu/gpu_choice.h" one.h || exit 1
broken 'GPU_TRY = 1000000' 'GPU_TRY = 1000000000000' one.h free/gpu_choice.h || exit 1
choice=free/gpu_choice.c

known_rule() {
    learn made.py known && sed '/^ *\*\|^\/\*\|^$/d' out.inc >got && diff - got <<'END'
static gpu_variant_t rule_none(const gpu_features_t *f, gpu_variant_t *second)
{
    (void)second;
    if (f->nnz < 30000) return VARIANT_ROWS_2;
    return VARIANT_SPANS_4;
}
static gpu_variant_t rule_look(const gpu_features_t *f, gpu_variant_t *second)
{
    return rule_none(f, second);
}
static gpu_variant_t rule_plan(const gpu_features_t *f, gpu_variant_t *second)
{
    (void)second;
    if (f->diagonals < 0.4) {
        if (f->skew < 30) {
            if (f->value_bytes < 6) return VARIANT_SORT_8;
            return VARIANT_SORT_4;
        }
        return VARIANT_SORT_64;
    }
    return VARIANT_IN_ORDER;
}
END
}
no_regret() { for s in none look plan; do for w in regret worst left_out left_out_worst; do [ "$(regret $w $s)" = 1.0000 ] || return 1; done; done; }
compiles() { printf '#include "gpu_choice.h"\nstatic inline gpu_variant_t either(gpu_variant_t a, gpu_variant_t b, gpu_variant_t *second) { *second = b; return a; }\n#include "out.inc"\nint main(void) { const gpu_features_t f = {0}; gpu_variant_t also; return (int)rule_none(&f, &also) + (int)rule_look(&f, &also) + (int)rule_plan(&f, &also) < 0; }\n' >c.c &&
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$lib" -I"$lib/gpu" -I. c.c -o c && ./c; }
close_border() { learn made.py close && grep -q 'f->nnz < 123440)' out.inc; }
# Random times contain no rule, so the regret of left-out families is much larger than that of learned samples.
honest_noise() {
    learn made.py noise && honest=$(regret left_out plan 5) && less "$(regret regret plan 5)" "$(echo "$honest" | awk '{print $1 / 1.25}')"
}
# A learner that has seen the left-out matrix looks better than it is.
leaks() { learn broken.py noise && less "$(regret left_out plan 5)" "$(echo "$honest" | awk '{print 0.95 * $1}')"; }
leak_all() { broken 'numpy.flatnonzero(self.families != f)' 'numpy.arange(len(self.keys))' && leaks; }
leak_other_type() { broken '(self.families != f)' '((self.families != f) | (self.x[:, 3] == 4))' && leaks; }
no_type() { broken '"rows cols nnz value_bytes mean"' '"rows cols nnz mean"' && learn broken.py known && [ "$(regret regret plan)" != 1.0000 ]; }
no_worst() { broken 'loss[:last].argmin()' 'loss[:last].argmax()' && learn broken.py known && [ "$(regret regret plan)" != 1.0000 ]; }
own_look() { broken 'loss[last] <= loss[first]' 'loss[last] < 0' && learn broken.py known && ! grep -q 'return rule_none' out.inc; }
no_gap() { broken 'if low < rounded <= high' 'if True' && learn broken.py close && ! grep -q 'f->nnz < 123440)' out.inc; }
other_side() { broken 'left = values <= t' 'left = values > t' && learn broken.py known && ! known_text; }
twins() { learn made.py twin && [ "$(regret leaves none)" -eq 2 ]; }
no_gain() { broken 'GAIN = 0.0003' 'GAIN = 0' && learn broken.py twin && [ "$(regret leaves none)" -gt 2 ]; }
known_text() { grep -q 'if (f->nnz < 30000) return VARIANT_ROWS_2;' out.inc; }
# Two runs, each with every other variant three times too slow and the others three times too fast: the mean has the known rule.
one_of_two() { awk -F'\t' -v OFS='\t' -v odd="$1" '/^07_ways/ {n[$2] = n[$2] ? n[$2] : ++ways; $5 *= n[$2] % 2 == odd ? 3 : 1 / 3} 1' known_ways.tsv; }
twice() { cp known_features.tsv two_features.tsv && one_of_two 0 >two_ways.tsv && learn made.py two && cp out.inc one.inc &&
    one_of_two 1 >two_ways_again.tsv && learn made.py known && cp out.inc known.inc &&
    learn made.py two && diff known.inc out.inc && ! diff -q one.inc out.inc >/dev/null; }
# If features appear again, the times before them are of another version of the library.
anew() { cp known_features.tsv new_features.tsv && awk -F'\t' -v OFS='\t' '$3 == "m3" && $5 != "cold_us" {$5 = 99} 1' known_ways.tsv >new_ways.tsv &&
    learn made.py known && cp out.inc known.inc && learn made.py new && ! diff -q known.inc out.inc >/dev/null &&
    grep -e '^case' -e '^m3	' known_features.tsv >new_features_fields.tsv && grep -e '^chapter' -e '	m3	' known_ways.tsv >new_ways_fields.tsv &&
    learn made.py new && diff known.inc out.inc; }
# The report lists changed choices: here every matrix had one variant before.
changes() { learn made.py known && awk -f "$rows/regret.awk" out.tsv >changed && awk '$2 == "m3" && $4 == "sort_16" && $6 > 1.05 {n++} END {exit !n}' changed; }
no_times() { sed 's/\t[0-9.]*\tok$/\t-\tok/' known_ways.tsv >bare_ways.tsv && cp known_features.tsv bare_features.tsv && ! learn made.py bare 2>err && grep -q 'too few' err; }
one_missing() { grep -v 'sort_8	m12	fp32' known_ways.tsv >hole_ways.tsv && cp known_features.tsv hole_features.tsv &&
    learn made.py hole 2>err && grep -q 'for m12 fp32: left out' err && grep -q '79 samples' out.inc; }

version=$(/usr/bin/python3 -c 'import sklearn; print(sklearn.__version__)' 2>/dev/null)
skip() { "$root/common/workshop/tests/skipped.sh" test_spmv_rule "$1"; }
record known known
record close close
record noise noise
record twin twin
if [ -n "$version" ]; then
    check 'the learner finds the rule of generated times' known_rule
    check 'a rule without noise has no regret, even on families left out' no_regret
    check 'the rule compiles as C' compiles
    check 'a threshold between values that are close is exact' close_border
    check 'random times give a large regret on families left out' honest_noise
    check 'a leak of the left-out family is noticed' leak_all
    check 'a leak of a left-out matrix in its other type is noticed' leak_other_type
    check 'a learner that ignores the type is noticed' no_type
    check 'a learner that takes the worst variant is noticed' no_worst
    check 'a learner that does not compare an inspection with no set-up is noticed' own_look
    check 'a threshold that separates nothing is noticed' no_gap
    check 'exchanged sides of a split are noticed' other_side
    check 'differences within the noise of times give no leaf' twins
    check 'leaves that gain next to nothing are noticed' no_gain
    check 'the geometric mean of two runs counts' twice
    check 'times before new features do not count' anew
    check 'each changed choice is printed with both times' changes
    check 'results files without times are refused' no_times
    check 'a matrix without all its times is left out' one_missing
else
    skip 'python3-sklearn is not installed: the learner is not tested'
fi

# Without a GPU 07_ways writes the same columns without times, and the learner reports that.
writes() { "$ways" --matrix powerlaw:300,300,4000 --count=off --record run_ways.tsv --features run_features.tsv >/dev/null; }
columns() { [ "$(head -n 1 run_features.tsv)" = "$(head -n 1 known_features.tsv)" ] && [ "$(grep -c '^powerlaw' run_features.tsv)" -eq 2 ] &&
    awk -F'\t' 'NR > 1 {for (i = 1; i <= NF; i++) if ($i == "" || $i == "-" || $i ~ /nan|inf/) exit 1; if (NF != 18) exit 1}' run_features.tsv; }
rows() { awk -F'\t' '/^#/ {next} $1 == "chapter" {for (i = 1; i <= NF; i++) at[$i] = i; next}
    {n++; if ($at["status"] != "ok" || ($at["cold_us"] != "-") != gpu) bad = 1} END {exit n != 2 * ways || bad}' ways="$(grep -c '^ *\[VARIANT_' "$lib/gpu/gpu_choice.c")" gpu="$(grep -c '^# backend: cuda' run_ways.tsv)" run_ways.tsv; }
check '07_ways writes results and features' writes
check 'the features of 07_ways are those that the learner reads' columns
check '07_ways has every variant in both types, and times only on a GPU' rows
# The command of make record-ways; GPU is the name of a folder there and must have no other meaning.
folder() { make -n --no-print-directory -C "$rows" BACKEND=simt record-ways ${1:+"$1"} | grep -q "record [./]*plots/data/$2/07_ways.tsv"; }
check 'make record-ways GPU=NAME writes to the folder of that name' folder GPU=simt simt
check 'make record-ways writes to h200 by default' folder '' h200

# The library's rule must be exactly what the learner makes of the stored times, with the same version of scikit-learn.
records=$root/plots/data/h200
wrote=$(sed -n 's/.* with scikit-learn \([0-9.]*\), .*/\1/p' "$lib/gpu/gpu_rule.inc")
same() { choice=$lib/gpu/gpu_choice.c; learn "$rows/rule.py" "$records/07" && diff "$lib/gpu/gpu_rule.inc" out.inc && diff "$records/07_rule.tsv" out.tsv; }
if [ "$version" = "$wrote" ]; then
    check 'gpu_rule.inc is what make rule writes' same
elif [ -n "$version" ]; then
    skip "gpu_rule.inc was written with scikit-learn $wrote, not $version: not compared"
fi

tally
