# regret.awk - the part of its report that make rule prints: the plan's regret by family, and each changed choice whose times differ
# by more than noise in the same run.
#
#   awk -f regret.awk 07_rule.tsv
BEGIN { FS = "\t" }
/^#/ { next }
$1 == "chapter" { for (i = 1; i <= NF; i++) at[$i] = i; next }
$3 == "family" && $2 == "plan" {
    if (!families++) printf "\n%-32s %7s %10s %7s %9s %7s\n", "plan, by family", "samples", "x fastest", "worst", "left out", "worst"
    printf "%-32s %7d %10.3f %7.2f %9.3f %7.2f\n", $4, $at["samples"], $at["regret"], $at["worst"], $at["left_out"], $at["left_out_worst"]
}
$3 == "sample" && ($at["times_before"] > 1.05 || $at["times_before"] < 0.95) {
    change[++changes] = sprintf("%-5s %-40s %-5s %-10s %-10s %.3f", $2, $4, $5, $at["picked_before"], $at["picked"], $at["times_before"])
    faster += $at["times_before"] > 1
}
END {
    printf "\n%d picks are over 5 %% faster than before, %d slower: set-up, matrix, type, before, now, times as fast\n", faster, changes - faster
    for (i = 1; i <= changes; i++) print change[i]
}
