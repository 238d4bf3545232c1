# direct.awk - for 07_direct.gp: a line for each matrix of the summaries NCCL.tsv DIRECT.tsv, its name and how many times as fast
# as one GPU four are: by NCCL, in a graph, directly, in a graph (then as one GPU's graph); words where nobody measured.
BEGIN { FS = OFS = "\t" }
$1 == "chapter" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; file++; next }
/^#/ || $at["dtype"] != "fp64" || $at["case"] ~ /^weak:/ { next }
{
    how = file == 1 ? "nccl" $at["ranks"] : $at["ranks"]
    c = $at["case"]
    us[c, how] = $at["product_us"]
    graph[c, how] = $at["graph_us"]
    if (how == 1) name[++n] = c
}
function speed(of, c, how) { return of[c, how] > 0 ? of[c, 1] / of[c, how] : "not measured" }
END {
    for (i = 1; i <= n; i++) {
        c = name[i]
        print c, speed(us, c, "nccl4"), speed(graph, c, "nccl4"), speed(us, c, 4), speed(graph, c, 4)
    }
}
