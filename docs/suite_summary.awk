# suite_summary.awk - what the page of chapter 07 says about the whole suite, from the record of --suite.
#
#   awk -f docs/suite_summary.awk common/lib/spmv/spmv_session.c plots/data/h200/07_load_balance_suite.tsv
#
# A row for each of libspmv, libspmv_look, libspmv_plan, libspmv_tuned and libspmv_values on each matrix and type; then a row for all matrices together:
# case `suite` (the matrices of SPMV_SUITE, read from the C source) and case `all`, dtype fp32, fp64 and `both`; and of
# kind `size`, by the bytes of CSR, both types.
#   times_asis, _best    times as fast as the fastest cuSPARSE CSR without preprocess, and as the fastest of every form;
#                        together: the geometric mean, as that of the efficiency
#   payback              runs until the set-up is paid for against CSR as is; together: the median of those that are
#   payback_none         the same against the row libspmv, which has no set-up; together: the median of all
#   times_own            as times_best, of the fastest of these rows
#   times_roof           times_best over the efficiency: of a plan that needs the empty launch and CSR's bytes at the ceiling
#   paid_50              how many cases are paid for within 50 runs
#   n_asis, n_best       how many of `cases` are slower
#   slower_asis, _best   which, of one type

function add(name, type, group,    k, s, i, t, g) {
    for (i = 1; i <= STEPS; i++) {
        s = STEP[i]; k = name SUBSEP type SUBSEP s
        if (!(k in us)) continue
        t = group SUBSEP s; g = asis[name, type] / us[k]
        cases[t]++
        log_asis[t] += log(g); if (!(t in least_asis) || g < least_asis[t]) least_asis[t] = g
        if (g < 1) { n_asis[t]++; slower_asis[t] = slower_asis[t] (slower_asis[t] ? ", " : "") short(name) below_one(g) }
        g = best[name, type] / us[k]
        log_best[t] += log(g); if (!(t in least_best) || g < least_best[t]) least_best[t] = g
        if (g < 1) { n_best[t]++; slower_best[t] = slower_best[t] (slower_best[t] ? ", " : "") short(name) below_one(g) }
        log_eff[t] += log(eff[k]); log_own[t] += log(best[name, type] / own[name, type])
        g = payback(k, name, type)
        if (g != "never") { paid[t, ++n_paid[t]] = g; if (g <= 50) within[t]++ }
        g = payback_none(k, name, type)
        later[t, ++n_later[t]] = g == "never" ? NEVER : g
    }
}
# Which of the sizes: up to 1, 4, 16, 64 MB, or more.
function size_of(b,    i) { for (i = 1; i < SIZES && b >= 1e6 * 4 ^ (i - 1); i++) ; return SIZE[i] }
function short(name) { sub(/^like:/, "", name); return name }
function below_one(v) { return sprintf(v < 0.995 ? " %.2f" : " %.3f", v) }
function ceil(v) { return v == int(v) ? v : int(v) + 1 }
function payback(k, name, type,    gain) {
    gain = asis[name, type] - us[k]
    return gain > 0 ? ceil(1000 * setup[k] / gain) : "never"
}
function payback_none(k, name, type,    none, gain) {
    none = name SUBSEP type SUBSEP "libspmv"
    if (k == none || !(none in us)) return "-"
    gain = us[none] - us[k]
    return gain > 0 ? ceil(1000 * (setup[k] - setup[none]) / gain) : "never"
}
function median_none(t,    m) {
    m = median(t, later, n_later)
    return m >= NEVER ? "never" : m
}
function median(t, of, n_of,    i, j, v, list, n) {
    n = n_of[t]
    for (i = 1; i <= n; i++) {
        v = of[t, i]
        for (j = i; j > 1 && list[j - 1] > v; j--) list[j] = list[j - 1]
        list[j] = v
    }
    return n ? list[int(n / 2) + 1] : "-"
}
BEGIN { FS = "\t"; OFS = "\t"; NEVER = 1e12; SIZES = split("up to 1 MB|1 to 4|4 to 16|16 to 64|more", SIZE, "|"); STEPS = split("libspmv libspmv_look libspmv_plan libspmv_tuned libspmv_values", STEP, " "); split("fp32 fp64", TYPE, " ") }

# the C source: the names between SPMV_SUITE[] = { and NULL
FNR == NR {
    if (/SPMV_SUITE\[\] = \{/) inside = 1
    if (inside) {
        line = $0
        while (match(line, /"[^"]*"/)) { in_suite[substr(line, RSTART + 1, RLENGTH - 2)] = 1; line = substr(line, RSTART + RLENGTH) }
        if (/NULL/) inside = 0
    }
    next
}
/^# / { print; next }
$1 == "chapter" { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["status"] != "ok" || !($at["cold_us"] > 0) { next }
{
    name = $at["case"]; type = $at["dtype"]; step = $at["step"]; t = $at["cold_us"] + 0
    if (!((name, type) in seen)) { seen[name, type] = 1; if (!(name in known)) { known[name] = 1; order[++count] = name } }
    if (step ~ /^cusparse_csr(_alg[12])?$/ && (!((name, type) in asis) || t < asis[name, type])) asis[name, type] = t
    if (step ~ /^cusparse/ && (!((name, type) in best) || t < best[name, type])) { best[name, type] = t; form[name, type] = step }
    if (step ~ /^libspmv/ && (!((name, type) in own) || t < own[name, type])) own[name, type] = t
    bytes[name, type] = $at["bytes"]
    if (step ~ /^libspmv/) { k = name SUBSEP type SUBSEP step; us[k] = t; eff[k] = $at["efficiency"]; setup[k] = $at["setup_ms"] + 0 }
}
END {
    print "chapter", "step", "kind", "case", "dtype", "status", "cases", "cold_us", "asis_us", "best_us", "best_form", "times_asis", \
        "times_asis_min", "times_best", "times_best_min", "efficiency", "best_efficiency", "setup_ms", "payback", "paid_50", "n_asis", \
        "slower_asis", "n_best", "slower_best", "times_own", "times_roof", "payback_none"
    for (i = 1; i <= count; i++)
        for (y = 1; y <= 2; y++) {
            name = order[i]; type = TYPE[y]; plain = name; sub(/^like:/, "", plain)
            if (!((name, type) in asis)) continue
            for (s = 1; s <= STEPS; s++) {
                k = name SUBSEP type SUBSEP STEP[s]
                if (!(k in us)) continue
                a = asis[name, type] / us[k]; b = best[name, type] / us[k]
                print "07_load_balance", STEP[s], "gpu", name, type, "ok", 1, us[k], asis[name, type], best[name, type], form[name, type], \
                    sprintf("%.4f", a), "-", sprintf("%.4f", b), "-", eff[k], sprintf("%.4f", eff[k] / b), setup[k], \
                    payback(k, name, type), "-", "-", "-", "-", "-", "-", "-", payback_none(k, name, type)
            }
            add(name, type, "all" SUBSEP type); add(name, type, "all" SUBSEP "both")
            add(name, type, size_of(bytes[name, type]) SUBSEP "both")
            if (plain in in_suite) { add(name, type, "suite" SUBSEP type); add(name, type, "suite" SUBSEP "both") }
        }
    split("suite|all", GROUP, "|"); TYPE[3] = "both"
    for (i = 1; i <= SIZES; i++) GROUP[2 + i] = SIZE[i]
    for (g = 1; g <= 2 + SIZES; g++) for (s = 1; s <= STEPS; s++) for (y = 1; y <= 3; y++) {
        t = GROUP[g] SUBSEP TYPE[y] SUBSEP STEP[s]; n = cases[t]
        if (!n) continue
        print "07_load_balance", STEP[s], (g > 2 ? "size" : "sum"), GROUP[g], TYPE[y], "ok", n, "-", "-", "-", "-", sprintf("%.4f", exp(log_asis[t] / n)), \
            sprintf("%.4f", least_asis[t]), sprintf("%.4f", exp(log_best[t] / n)), sprintf("%.4f", least_best[t]), \
            sprintf("%.4f", exp(log_eff[t] / n)), "-", "-", median(t, paid, n_paid), within[t] + 0, n_asis[t] + 0, \
            y < 3 && n_asis[t] ? slower_asis[t] : "-", n_best[t] + 0, y < 3 && n_best[t] ? slower_best[t] : "-", \
            sprintf("%.4f", exp(log_own[t] / n)), sprintf("%.4f", exp((log_best[t] - log_eff[t]) / n)), median_none(t)
    }
}
