# record: 06_spmv_lightspmv_experiment1
# Experiment 1: rows asked for against rows dealt, over matrices of growing imbalance.
if (backend eq 'cuda') {
    # A line for each matrix: imbalance of the static twin (from the record of --balance), then time asked for / time dealt, name.
    balance = system("echo '".record."' | sed 's/_experiment1[.]tsv$/_balance.tsv/'")
    ratio(dynamic, static, type) = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ {next} FNR == 1 {file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next} $1 == \"chapter\" {file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next} FILENAME == \"%s\" {if ($2 == \"%s\") span[$4] = $(at[1, \"span\"]); next} $15 == \"ok\" && $5 == \"%s\" {if (!($4 in seen)) {seen[$4] = 1; order[++n] = $4} us[$4, $2] = $7} END {for (i = 1; i <= n; i++) {m = order[i]; short = m; if (short !~ /^like:/) sub(/:.*/, \"\", short); if ((m in span) && us[m, \"%s\"] > 0) print span[m], us[m, \"%s\"] / us[m, \"%s\"], short}}' '%s' '%s'", balance, static eq 'v1' ? 'v5' : static, type, static, dynamic, static, balance, record)
    set title sprintf('Rows asked for against rows dealt, fp32: %s, cold L2', gpu) noenhanced
    set logscale x
    set xlabel 'imbalance of the static twin: busiest warp / mean warp (model, 132 SMs)'
    set ylabel 'time asked for / time dealt'
    set xrange [0.3:50000]
    set logscale y 2
    set yrange [0.45:7]
    set ytics (0.5, 0.7, 1, 1.5, 2, 3, 4, 6)
    set key top right
    set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb red dt 3
    set label 1 'asking pays below this line' at graph 0.01, first 0.94 left font ',10' textcolor rgb red
    # Names to the right of the warps' points, of some to the left; of the blocks' points only where asking gains.
    left(name) = name eq 'like:consph' || name eq 'like:Si41Ge41H72' || name eq 'empty_rows' || name eq 'rmat'
    plot ratio('v2', 'v1', 'fp32') using 1:2 with points pt 4 ps 2 lw 1.5 lc rgb grey title 'by vectors: v2 / v1', \
         ratio('v4', 'v3', 'fp32') using 1:2 with points pt 9 ps 1.4 lc rgb orange title 'by blocks: v4 / v3', \
         '' using 1:2:($2 < 0.9 ? strcol(3) : '') with labels font ',10' left offset 0.9, 0 textcolor rgb orange noenhanced notitle, \
         ratio('v6', 'v5', 'fp32') using 1:2 with points pt 7 ps 1.2 lc rgb blue title 'by warps: v6 / v5', \
         '' using 1:2:(left(strcol(3)) ? '' : strcol(3)) with labels font ',10' left offset 1.2, 0.4 noenhanced notitle, \
         '' using 1:2:(left(strcol(3)) ? strcol(3) : '') with labels font ',10' right offset -1.2, 0 noenhanced notitle
} else {
    # A line for each matrix: name, busiest / mean warp of v3, v4, v5, v6, atomics for 100 load requests of v4, v6 and v9.
    counts = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ {next} $1 == \"chapter\" {for (i = 1; i <= NF; i++) at[$i] = i; next} $5 != \"fp32\" || $3 != \"gpu\" || $15 != \"ok\" {next} {name = $4; if (name !~ /^like:/) sub(/[:(].*/, \"\", name); if (!(name in seen)) {seen[name] = 1; order[++n] = name} w[name, $2] = $(at[\"warp_max_mean\"]); a[name, $2] = 100 * $(at[\"atomic_requests\"]) / $(at[\"ld_requests\"])} END {for (i = 1; i <= n; i++) {m = order[i]; print m, w[m, \"v3\"], w[m, \"v4\"], w[m, \"v5\"], w[m, \"v6\"], a[m, \"v4\"], a[m, \"v6\"], a[m, \"v9\"]}}' '%s'", record)
    set style data histograms
    set style histogram clustered gap 1
    set xtics rotate by 35 right noenhanced font ',10'
    set multiplot layout 1, 2 title 'Rows dealt and asked for, fp32, samples of rows on one SM, counted by the stand-in'."\n"
    set lmargin 9; set bmargin 7; set rmargin 3
    set key tmargin center maxrows 2 samplen 1.5 font ',10'
    set ylabel 'busiest warp / mean warp'
    set logscale y
    set yrange [0.9:100]
    plot counts using 2:xtic(1) lc rgb pale_orange title 'v3 chunks dealt', '' using 3 lc rgb orange title 'v4 blocks ask', \
         '' using 4 lc rgb pale_blue title 'v5 stretches dealt', '' using 5 lc rgb blue title 'v6 warps ask'
    unset logscale y
    set ylabel 'atomics for 100 load requests'
    set yrange [0:*]
    plot counts using 6:xtic(1) lc rgb orange title 'v4 blocks ask', '' using 7 lc rgb blue title 'v6 warps ask', \
         '' using 8 lc rgb grey title 'v9 first stretch free'
    unset multiplot
}
