# record: 06_spmv_lightspmv_experiment1
# cuda: Points of 14 matrices: dynamic scheduling takes up to several times as long if rows are even, and is faster for few matrices.
# simt: Bars for 14 samples: the work of the busiest warp divided by the mean, and the number of atomics, by far the largest if each warp takes its own rows.
if (backend eq 'cuda') {
    # A line for each matrix: imbalance of the static twin (from the record of --balance, the first of two), then dynamic time / static time, name.
    balance = system("echo '".record."' | sed 's/_experiment1[.]tsv$/_balance.tsv/'")
    ratio(dynamic, static) = '< '.awk_of("'".balance."' '".record."'", \
            'part == 1 {if ($at["step"] == "'.(static eq 'v1' ? 'v5' : static).'") span[$at["case"]] = $at["span"]; next} ' \
            .'$at["status"] == "ok" && $at["dtype"] == "fp32" {m = $at["case"]; if (!seen[m]++) order[++n] = m; us[m, $at["step"]] = $at["cold_us"]} ' \
            .'END {for (i = 1; i <= n; i++) {m = short = order[i]; if (m !~ /^like:/) sub(/:.*/, "", short); ' \
            .'if ((m in span) && us[m, "'.static.'"] > 0) print span[m], us[m, "'.dynamic.'"] / us[m, "'.static.'"], short}}')
    set title 'Dynamic against static scheduling of rows, fp32: '.where noenhanced
    set logscale x
    set xlabel 'imbalance of the static twin: busiest warp / mean warp (model, 132 SMs)'
    set ylabel 'dynamic time / static time'
    set xrange [0.3:50000]
    set logscale y 2
    set yrange [0.45:7]
    set ytics (0.5, 0.7, 1, 1.5, 2, 3, 4, 6)
    set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb red dt 3
    set label 1 'below: dynamic is faster' at 800, 0.94 left font ',10' textcolor rgb dark_red
    # Names to the right of the warps' points, of some to the left; of the blocks' points only where asking gains.
    left(name) = name eq 'like:consph' || name eq 'like:Si41Ge41H72' || name eq 'empty_rows' || name eq 'rmat'
    plot ratio('v2', 'v1') using 1:2 with points pt 4 ps 2 lw 1.5 lc rgb grey title 'by vectors: v2 / v1', \
         ratio('v4', 'v3') using 1:2 with points pt 9 ps 1.4 lc rgb orange title 'by blocks: v4 / v3', \
         '' using 1:2:($2 < 0.9 ? strcol(3) : '') with labels font ',10' left offset 0.9, 0 textcolor rgb dark_orange noenhanced notitle, \
         ratio('v6', 'v5') using 1:2 with points pt 7 ps 1.2 lc rgb blue title 'by warps: v6 / v5', \
         '' using 1:2:(left(strcol(3)) ? '' : strcol(3)) with labels font ',10' left offset 1.2, 0.4 noenhanced notitle, \
         '' using 1:2:(left(strcol(3)) ? strcol(3) : '') with labels font ',10' right offset -1.2, 0 noenhanced notitle
} else {
    @groups
    height = 760
    @canvas
    set xtics font ',10'
    low(s) = staggered(s)
    set multiplot layout 2, 1 title 'Static and dynamic scheduling, fp32 (rows/40: one row in 40), one SM: '.where
    set bmargin 7
    set ylabel 'busiest warp / mean warp'
    set logscale y
    ground = 0.9
    set yrange [ground:300]
    data = cells('fp32', 'v3 v4 v5 v6', 'warp_max_mean', '-v full=1'); n = 4
    titles = "'v3 chunks, static' 'v4 chunks, dynamic' 'v5 row ranges, static' 'v6 row ranges, dynamic'"
    colours = pale_orange.' '.orange.' '.pale_blue.' '.blue
    plot @bars
    unset logscale y
    ground = 0
    set ylabel 'atomics per 100 load requests'
    set yrange [0:27]
    data = cells('fp32', 'v4 v6 v9', 'atomic_requests/ld_requests', '-v times=100 -v full=1'); n = 3
    titles = "'v4 chunks, dynamic' 'v6 row ranges, dynamic' 'v9 first range without counter'"
    colours = orange.' '.blue.' '.grey
    plot @bars
    unset multiplot
}
