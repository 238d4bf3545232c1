# summary.awk - prints one line for each matrix, type and number of ranks from results files of spmv_mpi and spmv_nccl.
#
#   awk -f 07_load_balance/distributed/summary.awk plots/data/h200/07_nccl.tsv           prints a results file (for the pages)
#   awk -v FORMAT=table -f 07_load_balance/distributed/summary.awk FILE ...              prints a table for the terminal
#
#   product_us     halo: exchanges only needed entries, during the interior;   seq_us  before the interior;   replicated_us  all of x
#   exchange_us    the exchange alone; exchange_gbps: the most bytes that one rank receives, divided by this time
#   speed_up       product_us of the fewest ranks / product_us; efficiency: speed-up / (ranks / fewest ranks)
#                  rmat:22,16/metis/2x2 is compared with rmat:22,16
#   hidden_pct     the part of the exchange that the overlap hides: (seq - product) / exchange
BEGIN { FS = OFS = "\t" }
/^# / { if (FORMAT != "table" && FNR == NR) print; next }
$1 == "chapter" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["status"] != "ok" || $at["ranks"] !~ /^[0-9]/ { next }
{
    split($at["step"], s, "@")
    chapter = $1; kind = $at["kind"]
    k = $at["case"] SUBSEP $at["dtype"]; p = $at["ranks"] + 0
    if (!(k in seen)) { seen[k] = 1; order[++n] = k }
    if (!((k, p) in with)) { with[k, p] = 1; list[k] = list[k] " " p }
    us[k, p, s[1]] = $at["warm_us"]
    if (s[1] == "exchange") bytes[k, p] = $at["exchange_bytes"]
    if (s[1] == "halo") { balance[k, p] = $at["max_over_mean"]; size[k] = $at["bytes"] }
}
function value(k, p, s) { return (k, p, s) in us && us[k, p, s] ~ /[0-9]/ ? us[k, p, s] : "-" }
function ratio(a, b, format) { return a ~ /[0-9]/ && b > 0 ? sprintf(format, a / b) : "-" }
# Returns the matrix without its order and cut.
function plain(k) { sub(/(\/metis)?(\/[0-9]+x[0-9]+)?\034/, SUBSEP, k); return k }
END {
    if (FORMAT == "table")
        printf "%-26s %-5s %5s %11s %8s %6s %11s %11s %11s %11s %11s %8s\n", "matrix", "type", "ranks", "product us", "speed-up", "eff",
            "seq us", "interior us", "boundary us", "exchange us", "halo bytes", "GB/s"
    else
        print "chapter", "step", "kind", "case", "dtype", "status", "ranks", "product_us", "speed_up", "efficiency", "seq_us", "graph_us", \
            "replicated_us", "interior_us", "boundary_us", "exchange_us", "exchange_bytes", "exchange_gbps", "exchange_all_us", "hidden_pct", \
            "max_over_mean", "bytes"
    for (i = 1; i <= n; i++) {
        k = order[i]; split(k, name, SUBSEP)
        b = plain(k) in list ? plain(k) : k
        split(list[b], fewest, " ")
        m = split(list[k], ranks, " ")
        for (j = 1; j <= m; j++) {
            p = ranks[j]; t = value(k, p, "halo"); e = value(k, p, "exchange"); q = value(k, p, "halo_seq")
            up = ratio(value(b, fewest[1], "halo"), t, "%.3f")
            weak = name[1] ~ /^weak:/ # each rank has as much work as one rank had alone, so equal times are an efficiency of 1
            if (weak && up != "-") up = sprintf("%.3f", up * p / fewest[1])
            eff = up == "-" ? "-" : sprintf("%.3f", up * fewest[1] / p)
            gbps = e > 0 && bytes[k, p] > 0 ? sprintf("%.3g", bytes[k, p] / e / 1000) : "-"
            hidden = q ~ /[0-9]/ && t ~ /[0-9]/ && e > 0 && p > 1 ? sprintf("%.1f", 100 * (q - t) / e) : "-"
            if (FORMAT == "table")
                printf "%-26s %-5s %5d %11s %8s %6s %11s %11s %11s %11s %11s %8s\n", name[1], name[2], p, t, up, eff, q, \
                    value(k, p, "interior"), value(k, p, "boundary"), e, bytes[k, p], gbps
            else
                print chapter, "ranks" p, kind, name[1], name[2], "ok", p, t, up, eff, q, value(k, p, "halo_graph"), \
                    value(k, p, "replicated"), value(k, p, "interior"), value(k, p, "boundary"), e, (k, p) in bytes ? bytes[k, p] : "-", \
                    gbps, value(k, p, "exchange_all"), hidden, (k, p) in balance ? balance[k, p] : "-", k in size ? size[k] : "-"
        }
    }
}
