# record: 06_spmv_lightspmv_tune
# Curves of the time over the mean row for 1 to 32 lanes: the longer the rows, the more lanes are best.
# A line for each band, band:ROWS,WIDTH: its mean row, time / time of the best number of lanes.
rows(step, lanes) = '< '.awk('$at["status"] == "ok" && $at["dtype"] == "fp32" && $at["case"] ~ /^band:/ && $at["step"] ~ /^'.step.'[/]/ ' \
    .'{split($at["case"], p, ","); m = 2 * p[2] + 1; t = $at["cold_us"]; if (!(m in best) || t < best[m]) best[m] = t; if ($at["step"] == "'.step.'/'.lanes.'") us[m] = t} ' \
    .'END {for (m in us) print m, us[m] / best[m] | "sort -n"}')
colour(lanes) = lanes eq '1' ? red : lanes eq '2' ? orange : lanes eq '4' ? green : lanes eq '8' ? blue : lanes eq '16' ? purple : grey
set multiplot layout 1, 2 title 'Lanes by the mean row, bands of 8 million nonzeros, fp32: '.where noenhanced
set logscale x 2
set xrange [0.9:300]
set yrange [0.95:4]
set xlabel 'nonzeros per row'
set ylabel 'time / time of the best number of lanes'
do for [step in 'v11 v13'] {
    set title step eq 'v11' ? 'v11: one nonzero in flight' : 'v13: four in flight'
    plot for [lanes in '1 2 4 8 16 32'] rows(step, lanes) using 1:2 with linespoints lw 2 pt 7 lc rgb colour(lanes) title lanes eq '1' ? '1 lane' : lanes.' lanes'
}
unset multiplot
