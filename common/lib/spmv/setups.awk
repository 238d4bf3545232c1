# setups.awk - how often a step's own product its set-up takes on a GPU, from records: lines of spmv_setups.inc.
#   LC_ALL=C awk -f common/lib/spmv/setups.awk plots/data/h200/0[4-7]_*.tsv >common/lib/spmv/spmv_setups.inc
# Chapter, step, and of all its rows the first decile, the median and the ninth decile.  Steps with fewer than 4 rows are left out.
BEGIN { FS = "\t" }
/^#/ { next }
$1 == "chapter" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
!("setup_ms" in at) || !("cold_us" in at) { next }
$at["kind"] == "gpu" && $at["status"] == "ok" && $at["setup_ms"] > 0 && $at["cold_us"] > 0 && $at["step"] != "student" {
    key = "\"" $1 "\", \"" $at["step"] "\""
    if (!(key in n)) order[++keys] = key
    times = 1000 * $at["setup_ms"] / $at["cold_us"]
    for (i = ++n[key]; i > 1 && sorted[key, i - 1] > times; i--) sorted[key, i] = sorted[key, i - 1]
    sorted[key, i] = times
}
function decile(key, d) { return sorted[key, 1 + int((n[key] - 1) * d / 10 + 0.5)] }
END {
    print "/* Written by setups.awk from the records of an H200, do not edit. */"
    for (i = 1; i <= keys; i++) {
        key = order[i]
        if (key ~ /^"0(4_spmv_scalar|5_spmv_vector|6_spmv_lightspmv|7_load_balance)"/ && n[key] >= 4) printf "{%s, %.3g, %.3g, %.3g},\n", key, decile(key, 1), decile(key, 5), decile(key, 9)
    }
}
