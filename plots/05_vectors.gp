# record: 05_spmv_vector_trace
# Three plots of which lane loads which nonzero: with 32 lanes per row two lanes work, with 8 lanes four rows are read at once, with 2 lanes sixteen.
# Of the n-th step in the trace: nonzero, lane, round, row modulo 2.
step(n, lanes) = '< '.awk('part == '.n.' && $at["buffer"] == "values" && !seen[$at["request"], $at["lane"]]++ {print $at["index"], $at["lane"], $at["request"] + 1, int($at["lane"] / '.lanes.') % 2}')
set datafile separator whitespace
set multiplot title sprintf('Nonzeros of %s that one warp loads, fp32 (a number: the round): %s', asked('05_spmv_vector', 'matrix'), where) noenhanced
set palette defined (0 cell_blue, 1 cell_orange)
unset colorbox
set cbrange [0:1]
set tmargin at screen 0.88; set bmargin at screen 0.13
set xtics 0, 10, 70
set yrange [32.5:-1.5]
set ytics 0, 4, 31
set xlabel 'nonzero'
set ylabel 'lane'
panel = "using 1:2:4 with points pt 7 ps 1.5 lc palette notitle"
numbers = "using 1:2:(sprintf('%d', $3)) with labels font ',10' notitle"
# The same scale in all three.
set lmargin at screen 0.06; set rmargin at screen 0.20
set xrange [-2:20]
set title 'v1: 32 lanes per row, 1 row'
eval "plot step('1', '32') ".panel.", step('1', '32') ".numbers
set lmargin at screen 0.27; set rmargin at screen 0.41
set title 'v3/8: 8 lanes per row, 4 rows'
eval "plot step('3', '8') ".panel.", step('3', '8') ".numbers
set lmargin at screen 0.48; set rmargin at screen 0.97
set xrange [-2:75]
set title 'v3/2: 2 lanes per row, 16 rows'
eval "plot step('2', '2') ".panel.", step('2', '2') ".numbers
unset multiplot
