# structures.awk RECORD...: compares libspmv_cpu, also tuned, with librsb and MKL by structure; writes a results file for the pages.
# The last part of a file's name is the instruction set (.._avx2.tsv).  Ratios are times of each library's faster row over those of
# libspmv_cpu; the worst case is of both libraries.
BEGIN {
    FS = "\t"; OFS = "\t"
    print "# from: 07_libspmv_cpu_avx512.tsv and _avx2.tsv, 07_libspmv_cpu_small_avx512.tsv and _small_avx2.tsv"
    print "chapter", "step", "kind", "case", "dtype", "status", "cases", "times_librsb", "times_mkl", "worst", "worst_case", "slower", \
          "tuned_times_mkl", "tuned_worst", "tuned_worst_case", "tuned_slower"
    wholes = split("all|grids and bands|linear programs|finite elements|graphs|roads and meshes|rows all alike|dense rows and columns|others", whole, "|")
}
FNR == 1 { header = 0; set = FILENAME; sub(/.*_/, "", set); sub(/\.tsv$/, "", set) }
/^#/ { next }
!header { for (i = 1; i <= NF; i++) at[$i] = i; header = 1; next }
function structure(name) {
    if (name ~ /^(poisson|stencil|band)|jnlbrng1|mc2depi/) return "grids and bands"
    if (name ~ /^(program|lp_)/) return "linear programs"
    if (name ~ /^elements|bcsstk|cant$|rma10|cop20k|^ex31|cavity/) return "finite elements"
    if (name ~ /^(rmat|powerlaw)|webbase|cnr-2000|Enron|Vote|AstroPh/) return "graphs"
    if (name ~ /osm|usroads|^rgg/) return "roads and meshes"
    if (name ~ /^(even|scattered)/) return "rows all alike"
    if (name ~ /^(one_dense|dense)/) return "dense rows and columns"
    return "others"
}
$at["status"] == "ok" {
    row = $at["case"] " " $at["dtype"]
    rows[row] = structure($at["case"])
    for (c = 1; c <= 2; c++) {
        kind = c == 1 ? "cold" : "warm"
        value = $at[kind "_us"]
        name = $at["step"]
        if (name !~ /^libspmv/) sub(/_tuned$/, "", name)
        key = set SUBSEP kind SUBSEP row SUBSEP name
        if (!(key in time) || value < time[key]) time[key] = value
    }
}
# Sums up `mine` in the globals times, worst, where, slower, compared with both libraries or with one.
function sum(set, kind, group, mine, library,    row, here, other, ratio, n, logs) {
    n = logs = slower = 0; worst = 1e30; where = "-"
    for (row in rows) {
        if (group != "all" && rows[row] != group) continue
        if (!((set, kind, row, mine) in time)) continue
        here = library == "both" ? "mkl" : library
        if (!((set, kind, row, here) in time)) continue
        other = time[set, kind, row, here]
        if (library == "both" && ((set, kind, row, "librsb") in time) && time[set, kind, row, "librsb"] < other) other = time[set, kind, row, "librsb"]
        ratio = other / time[set, kind, row, mine]
        n++; logs += log(ratio); slower += ratio < 0.95
        if (ratio < worst || (ratio == worst && row < where)) { worst = ratio; where = row }
    }
    times = n ? exp(logs / n) : 0
    return n
}
END {
    for (s = 1; s <= 2; s++)
        for (k = 1; k <= 2; k++)
            for (w = 1; w <= wholes; w++) {
                set = s == 1 ? "avx512" : "avx2"; kind = k == 1 ? "cold" : "warm"
                if (!sum(set, kind, whole[w], "libspmv_cpu", "librsb")) continue
                rsb = times
                sum(set, kind, whole[w], "libspmv_cpu", "mkl"); mkl = times
                n = sum(set, kind, whole[w], "libspmv_cpu", "both"); w1 = worst; c1 = where; s1 = slower
                sum(set, kind, whole[w], "libspmv_cpu_tuned", "mkl"); tuned = times
                sum(set, kind, whole[w], "libspmv_cpu_tuned", "both")
                print "07_libspmv_cpu", set, kind, whole[w], "both", "ok", n, sprintf("%.2f", rsb), sprintf("%.2f", mkl), sprintf("%.2f", w1), c1, s1, \
                      sprintf("%.2f", tuned), sprintf("%.2f", worst), where, slower
            }
}
