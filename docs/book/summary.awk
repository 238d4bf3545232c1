# summary.awk - what a chapter's record comes to: of its largest input, in each type, the fastest step beside the fastest library.
# awk -f docs/book/summary.awk RECORD.tsv: a line of a Markdown table for each type; none where nothing on the GPU was timed.
BEGIN { FS = "\t" }
/^#/ { next }
!columns { columns = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["status"] != "ok" || $at["cold_us"] + 0 <= 0 || $at["kind"] == "cpu" || $at["pct_ceiling"] == "-" { next }
{
    type = $at["dtype"]
    if (!(type in most)) types[++n] = type
    if ($at["bytes"] + 0 > most[type] + 0) { most[type] = $at["bytes"] + 0; input[type] = $at["case"] }
    kind = $at["kind"] == "peer" ? "peer" : "step"
    key = type SUBSEP $at["case"] SUBSEP kind
    if (!(key in best) || $at["cold_us"] + 0 < best[key]) {
        best[key] = $at["cold_us"] + 0
        who[key] = $at["step"]
        share[key] = $at["pct_ceiling"]
    }
}
END {
    for (i = 1; i <= n; i++) {
        type = types[i]
        step = type SUBSEP input[type] SUBSEP "step"
        peer = type SUBSEP input[type] SUBSEP "peer"
        if (!(step in best)) continue
        printf "| %s | %s %s | %s | %.4g | ", name, input[type], type, who[step], best[step]
        if (peer in best) printf "%s | %.2f | ", who[peer], best[peer] / best[step]
        else printf "- | - | "
        printf "%.1f |\n", share[step]
    }
}
