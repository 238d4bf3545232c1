# summary.awk - what a chapter's record comes to: of its largest input, in each type, the fastest step, beside the fastest library
# where there is one, and what limits it.  Times are measured on a GPU, or else predicted for one, and then have a range.
# awk -v name=CHAPTER -f docs/book/summary.awk RECORD.tsv: an item of a list in Markdown for each type; none without times of a GPU.
BEGIN { FS = "\t" }
/^#/ { next }
!columns { columns = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["status"] != "ok" || $at["kind"] == "cpu" { next }
{
    measured = $at["cold_us"] + 0 > 0 && $at["pct_ceiling"] != "-"
    us = measured ? $at["cold_us"] + 0 : "predicted_us" in at ? $at["predicted_us"] + 0 : 0
    if (us <= 0) next
    type = $at["dtype"]
    if (!(type in most)) types[++n] = type
    if ($at["bytes"] + 0 > most[type] + 0) { most[type] = $at["bytes"] + 0; input[type] = $at["case"] }
    key = type SUBSEP $at["case"] SUBSEP ($at["kind"] == "peer" ? "peer" : "step")
    if ((key in best) && us >= best[key]) next
    best[key] = us
    who[key] = $at["step"]
    if (measured) {
        time[key] = sprintf("%.4g µs", us)
        limit[key] = sprintf("%.1f %% of the peak bandwidth", $at["pct_ceiling"])
    } else {
        range = sprintf("%.3g to %.3g", $at["predicted_low_us"], $at["predicted_high_us"])
        time[key] = sprintf("%.3g µs (%s), predicted for %s", us, range, $at["predicted_for"])
        limit[key] = $at["limiter"]
    }
}
END {
    for (i = 1; i <= n; i++) {
        type = types[i]
        step = type SUBSEP input[type] SUBSEP "step"
        peer = type SUBSEP input[type] SUBSEP "peer"
        if (!(step in best)) continue
        printf "- %s, %s, %s: **%s**, %s", name, input[type], type, who[step], time[step]
        if (peer in best) printf "; %.2f × as fast as %s", best[peer] / best[step], who[peer]
        print "; " limit[step]
    }
}
