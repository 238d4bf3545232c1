# record: 06_spmv_lightspmv_tune
# Curves of the time over the mean row for 1 to 32 lanes: the longer the rows, the more lanes are best.
rows(step, lanes) = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ || $1 == \"chapter\" || $15 != \"ok\" || $5 != \"fp32\" || $4 !~ /^band:/ {next} {split($4, part, \",\"); m = 2 * part[2] + 1; if ($2 ~ /^%s\\//) {if (!(m in best) || $7 < best[m]) best[m] = $7; l = $2; sub(/.*\\//, \"\", l); if (l == %d) us[m] = $7}} END {for (m in us) print m, us[m] / best[m] | \"sort -n\"}' '%s'", step, lanes, record)
colour(lanes) = lanes == 1 ? red : lanes == 2 ? orange : lanes == 4 ? green : lanes == 8 ? blue : lanes == 16 ? purple : grey
set multiplot layout 1, 2 title 'Lanes by the mean row, bands of 8 million nonzeros, fp32: '.where noenhanced
set logscale x 2
set xrange [0.9:300]
set yrange [0.95:4]
set xlabel 'nonzeros per row'
set ylabel 'time / time of the best number of lanes'
do for [step in 'v11 v13'] {
    set title step eq 'v11' ? 'v11: one nonzero in flight' : 'v13: four in flight'
    plot for [lanes in '1 2 4 8 16 32'] rows(step, lanes + 0) using 1:2 with linespoints lw 2 pt 7 lc rgb colour(lanes + 0) title lanes eq '1' ? '1 lane' : lanes.' lanes'
}
unset multiplot
