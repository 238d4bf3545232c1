# record: 06_spmv_lightspmv_balance
# Bars for 14 matrices of when the last warp is done: nearly at the mean if rows are even, thousands of times later if one row is dense.
@groups
low(s) = staggered(s)
set title sprintf('When is the last warp done?  Static and dynamic scheduling: a model, %s', meta('model')) noenhanced
set xtics font ',10'
set bmargin 7
set ylabel 'end of the last warp / work of the mean warp'
set logscale y
ground = 0.9
set yrange [ground:40000]
data = cells('', 'v3 v4 v5 v6', 'span', '-v full=1'); n = 4
titles = "'v3 chunks, static' 'v4 chunks, dynamic' 'v5 row ranges, static' 'v6 row ranges, dynamic'"
colours = pale_orange.' '.orange.' '.pale_blue.' '.blue
plot @bars
