# callers_summary.awk - what the page of libspmv says about several right-hand sides, from the record of make callers.
#
#   awk -f docs/callers_summary.awk plots/data/h200/07_callers.tsv
#
# A row for each matrix, type, order (rows or columns) and number k of columns; then, case `all` and both types together, one for each
# order and k: geometric means, the least efficiency and ratio, and how many of `cases` are slower.
#   cold_us       libspmv_many, one call; spmm_us: the faster of cusparseSpMM's two, and which
#   efficiency    the bytes' bound over the time: A, X and Y once
#   times_spmm    times as fast as cuSPARSE; times_single: as k products by a plan (by columns only: X has gaps by rows)
BEGIN { FS = OFS = "\t" }
/^# / { print; next }
$1 == "chapter" { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["status"] != "ok" || !($at["cold_us"] > 0) { next }
match($at["case"], /, [0-9]+ by (rows|columns)$/) {
    split(substr($at["case"], RSTART + 2), word, " ")
    key = substr($at["case"], 1, RSTART - 1) SUBSEP $at["dtype"] SUBSEP word[3] SUBSEP word[1]
    if (!(key in seen)) { seen[key] = 1; keys[++count] = key }
    t = $at["cold_us"] + 0
    if ($at["step"] == "libspmv_many") { us[key] = t; efficiency[key] = $at["efficiency"] }
    if ($at["step"] == "libspmv_one_by_one") single[key] = t
    if ($at["step"] ~ /^cusparse/ && (!(key in spmm) || t < spmm[key])) { spmm[key] = t; form[key] = $at["step"] }
}
function four(v) { return sprintf("%.4f", v) }
END {
    print "chapter", "step", "kind", "case", "dtype", "status", "order", "k", "cases", "cold_us", "spmm_us", "form", "efficiency", \
        "efficiency_min", "times_spmm", "times_spmm_min", "times_single", "n_slower"
    for (i = 1; i <= count; i++) {
        key = keys[i]; split(key, p, SUBSEP)
        if (!(key in us) || !(key in spmm)) continue
        r = spmm[key] / us[key]; group = p[3] SUBSEP p[4]
        if (!(group in n)) groups[++group_count] = group
        n[group]++; log_r[group] += log(r); log_e[group] += log(efficiency[key]); slower[group] += r < 1
        if (!(group in least_r) || r < least_r[group]) least_r[group] = r
        if (!(group in least_e) || efficiency[key] < least_e[group]) least_e[group] = efficiency[key]
        if (key in single) { singles[group]++; log_s[group] += log(single[key] / us[key]) }
        print "07_callers", "libspmv_many", "gpu", p[1], p[2], "ok", p[3], p[4], 1, us[key], spmm[key], form[key], efficiency[key], "-", \
            four(r), "-", key in single ? four(single[key] / us[key]) : "-", "-"
    }
    for (i = 1; i <= group_count; i++) {
        g = groups[i]; split(g, p, SUBSEP)
        print "07_callers", "libspmv_many", "sum", "all", "both", "ok", p[1], p[2], n[g], "-", "-", "-", four(exp(log_e[g] / n[g])), \
            four(least_e[g]), four(exp(log_r[g] / n[g])), four(least_r[g]), singles[g] ? four(exp(log_s[g] / singles[g])) : "-", slower[g] + 0
    }
}
