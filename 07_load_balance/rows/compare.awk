# compare.awk RECORD: compares libspmv_cpu, also tuned, with the faster row of librsb, of MKL, and of both: geometric mean, worst
# case.
BEGIN {
    FS = "\t"
    columns = split("cold_us warm_us", column, " ")
    libraries = split("librsb mkl", library, " ")
    owns = split("libspmv_cpu libspmv_cpu_tuned libspmv_cpu_own", own, " ")
}
/^#/ { next }
!header { for (i = 1; i <= NF; i++) at[$i] = i; header = 1; next }
$at["status"] == "ok" {
    row = $at["case"] " " $at["dtype"]; rows[row] = 1
    step = $at["step"]
    for (c = 1; c <= columns; c++) {
        value = $at[column[c]]
        if (value == "-" || value == "") continue
        name = step
        sub(/_tuned$/, "", name)
        if (step ~ /^libspmv/) { time[row, column[c], step] = value; continue }
        if (!((row, column[c], name) in time) || value < time[row, column[c], name]) time[row, column[c], name] = value
        if (!((row, column[c], "best") in time) || value < time[row, column[c], "best"]) time[row, column[c], "best"] = value
    }
}
# Prints the time of `peer` divided by that of `mine`.
function tell(column, peer, mine, text,    row, ratio, n, sum, worst, where, slower) {
    n = sum = slower = 0; worst = 1e30
    for (row in rows) {
        if (!((row, column, mine) in time) || !((row, column, peer) in time)) continue
        ratio = time[row, column, peer] / time[row, column, mine]
        n++; sum += log(ratio)
        slower += ratio < 0.95
        if (ratio < worst || (ratio == worst && row < where)) { worst = ratio; where = row }
    }
    if (n) printf "%s: %s / %s over %d cases: geometric mean %.2f, worst %.2f (%s), %d slower by more than 5 %%\n", column, text, mine, n, exp(sum / n), worst, where, slower
}
END {
    for (c = 1; c <= columns; c++)
        for (o = 1; o <= owns; o++) {
            for (l = 1; l <= libraries; l++) tell(column[c], library[l], own[o], library[l])
            tell(column[c], "best", own[o], "the faster of both")
        }
}
