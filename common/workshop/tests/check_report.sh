#!/bin/sh
# check_report.sh: make report of a few results files: it must contain the first rows of each, need no other file, and mark a failed
# row; a folder without results files must be refused.
command -v pandoc >/dev/null 2>&1 || { echo '[  SKIPPED ] pandoc is not installed'; exit 0; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
status=0
complain() { echo "check_report: $1"; status=1; }

if docs/book/report.sh "$work/nothing" "$work/out" >"$work/said" 2>&1; then complain 'a folder without results files was accepted'; fi
grep -q 'no records in' "$work/said" || complain 'the message does not say that there are no results files'

mkdir "$work/records"
cp plots/data/h200/05_spmv_vector_experiment3.tsv plots/data/simt/05_spmv_vector_trace.tsv "$work/records"
cp plots/data/h200/06_spmv_lightspmv.tsv "$work/records" # more rows than are shown
cp plots/data/h200/06_spmv_lightspmv_balance.tsv "$work/records" # has neither commit nor command
# Makes one row of a run on the simulator fail.
awk -F '\t' -v OFS='\t' '/^#/ {print; next} !n {n = 1; for (i = 1; i <= NF; i++) c[$i] = i; print; next} {if ($c["step"] == "v3" && !failed) {failed = 1; $c["status"] = "FAIL: sum[0]: got 1 <expected> 2"} print}' \
    plots/data/simt/01_reduce.tsv >"$work/records/01_reduce.tsv"
docs/book/report.sh "$work/records" "$work/out" >"$work/said" 2>&1 || { cat "$work/said"; complain 'no report'; exit 1; }
page=$work/out/report.html

for record in 05_spmv_vector_experiment3 01_reduce 06_spmv_lightspmv; do
    want=$(grep -v '^#' "$work/records/$record.tsv" | grep -vc '	skip: ') # rows and titles
    [ "$want" -le 26 ] || want=26
    got=$(awk -v id="r-$record" 'index($0, "id=\"" id "\"") {on = 1} on && /<tr/ {n++} on && /<\/table><\/div>/ {print n; exit}' "$page")
    [ "$got" = "$want" ] || complain "$record: $got rows, not $want"
done
[ "$(grep -c 'needs a CUDA device' "$page")" -eq 1 ] || complain 'the reason of skipped rows is not there exactly once'
grep -q '<tr class="failed">' "$page" || complain 'the failed row does not stand out'
grep -q 'got 1 &lt;expected&gt; 2' "$page" || complain 'the reason of the failed row is missing, or became a tag'
[ "$(grep -c 'rows</b>.*1 failed' "$page")" -eq 1 ] || complain 'failed rows are not counted'
for picture in 06_spmv_lightspmv_roofline 01_reduce_efficiency 01_ladder 05_vectors; do
    tr '\n' ' ' <"$page" | grep -o '<img[^>]*>' | grep "alt=\"$picture\"" | grep -q 'src="data:image/svg' || complain "the picture $picture is not in the file"
done
tr '\n' ' ' <"$page" | grep -o '<[a-z][^>]*>' | grep -E ' (src|href)="' | grep -vE ' (src|href)="(data:|#)' >"$work/outside" && { cat "$work/outside"; complain 'the report needs something outside of its file'; }
listed=$(awk '/In brackets/ {on = 1} on && /<\/table>/ {print n; exit} on && /<tr/ {n++}' "$page")
[ "$listed" -eq 5 ] || complain "the list of results files has $listed rows, not 5"
tr '\n' ' ' <"$page" | grep -q '25 are shown, all are in [^ ]*06_spmv_lightspmv.tsv' || complain 'it does not say that more rows exist'
# The summary must name the fastest step on the largest input, computed here.
best=$(awk -F '\t' '$3 == "gpu" && $5 == "fp32" && $15 == "ok" && $7 + 0 > 0 {if ($10 + 0 > most) {most = $10; input = $4} if (!(($4) in us) || $7 + 0 < us[$4]) {us[$4] = $7 + 0; who[$4] = $2}}
    END {print who[input]}' plots/data/h200/06_spmv_lightspmv.tsv)
awk '/<h2.*In short/ {on = 1} on && /<\/ul>/ {exit} on' "$page" | tr '\n' ' ' | grep -q "06_spmv_lightspmv<[^<]*fp32: <strong>$best<" ||
    complain "the summary does not name $best"
# The roofline point of one row, computed here: its efficiency is bytes / (floor + bytes / ceiling) / time.
awk -F '\t' '/^# ceiling_copy_gbps/ {split($0, f, ": "); ceiling = f[2]} /^# floor_us/ {split($0, f, ": "); floor = f[2]} /^#/ {next}
    !n {n = 1; for (i = 1; i <= NF; i++) c[$i] = i; next}
    $c["status"] == "ok" {roof = floor + $c["bytes"] / ceiling / 1e3; e = roof / $c["cold_us"]; d = e - $c["efficiency"]; if (d > 0.01 || d < -0.01) {print $c["step"], $c["dtype"], e, $c["efficiency"]; bad = 1}}
    END {exit bad}' "$work/records/05_spmv_vector_experiment3.tsv" || complain 'the roofline does not agree with the efficiencies'
exit $status
