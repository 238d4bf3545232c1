# record: 06_spmv_lightspmv_balance
# Bars for 14 matrices of when the last warp is done: nearly at the mean where rows are even, thousands of times later where one row is dense.
@groups
low(s) = staggered(s)
set title sprintf('When is the last warp done?  Rows dealt and asked for: a model, %s', meta('model')) noenhanced
set xtics font ',10'
set bmargin 7
set ylabel 'end of the last warp / work of the mean warp'
set logscale y
ground = 0.9
set yrange [ground:40000]
data = cells('', 'v3 v4 v5 v6', 'span', '-v full=1'); n = 4
titles = "'v3 chunks dealt' 'v4 blocks ask for chunks' 'v5 stretches dealt' 'v6 warps ask for stretches'"
colours = pale_orange.' '.orange.' '.pale_blue.' '.blue
plot @bars
