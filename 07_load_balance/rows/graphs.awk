# graphs.awk FEATURES... RECORD: compares libspmv in CUDA graphs (07_graphs) with the fastest form of cuSPARSE there.  Writes a
# results file for the pages: geometric means, worst cases and cases that are over 2 % slower, by nonzeros.  FEATURES: tables of
# 07_ways.
BEGIN {
    FS = "\t"; OFS = "\t"
    print "# from: 07_graphs.tsv"
    names = split("all|below 50,000|50,000 to 500,000|from 500,000", class, "|")
    rows = split("libspmv libspmv_look libspmv_plan libspmv_tuned", row, " ")
}
FNR == 1 { header = 0 }
/^# (gpu|cusparse|date|command): / { print }
/^#/ { next }
!header { delete at; for (i = 1; i <= NF; i++) at[$i] = i; header = 1; next }
at["nnz"] { nnz[$at["case"]] = $at["nnz"]; next }
$at["status"] == "ok" && $at["warm_us"] > 0 {
    key = $at["case"] " " $at["dtype"]; of[key] = nnz[$at["case"]]
    step = $at["step"]; us = $at["warm_us"]
    if (step !~ /^cusparse/) time[key, step] = us
    else if (!((key, "best") in time) || us < time[key, "best"]) time[key, "best"] = us
}
# The size class for n nonzeros.
function size(n) { return n < 50000 ? 2 : n < 500000 ? 3 : 4 }
END {
    print "chapter", "step", "kind", "case", "dtype", "status", "cases", "times_best", "worst", "worst_case", "slower"
    for (r = 1; r <= rows; r++)
        for (c = 1; c <= names; c++) {
            n = logs = slower = 0; worst = 1e30; where = "-"
            for (key in of) {
                if ((c > 1 && size(of[key]) != c) || !((key, row[r]) in time) || !((key, "best") in time)) continue
                ratio = time[key, "best"] / time[key, row[r]]
                n++; logs += log(ratio); slower += ratio < 0.98
                if (ratio < worst || (ratio == worst && key < where)) { worst = ratio; where = key }
            }
            if (n) print "07_graphs", row[r], "graph", class[c], "both", "ok", n, sprintf("%.2f", exp(logs / n)), sprintf("%.2f", worst), where, slower
        }
}
