# compare.awk RECORD: libspmv_cpu against the faster of librsb and librsb_tuned, geometric mean and worst case.
BEGIN { FS = "\t" }
/^#/ { next }
!header { for (i = 1; i <= NF; i++) at[$i] = i; header = 1; next }
$at["status"] == "ok" {
    row = $at["case"] " " $at["dtype"]; rows[row] = 1
    split("cold_us warm_us", columns, " ")
    for (c in columns) {
        value = $at[columns[c]]
        if (value == "-" || value == "") continue
        if ($at["step"] == "libspmv_cpu") own[row, columns[c]] = value
        else if (!((row, columns[c]) in peer) || value < peer[row, columns[c]]) peer[row, columns[c]] = value
    }
}
END {
    for (c in columns) {
        n = sum = 0; worst = 1e30; name = columns[c]
        for (row in rows) {
            if (!((row, name) in own) || !((row, name) in peer)) continue
            ratio = peer[row, name] / own[row, name]
            n++; sum += log(ratio)
            if (ratio < worst) { worst = ratio; where = row }
        }
        if (n) printf "%s: librsb / libspmv_cpu over %d cases: geometric mean %.2f, worst %.2f (%s)\n", name, n, exp(sum / n), worst, where
    }
}
