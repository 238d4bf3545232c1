# record: 04_spmv_scalar_trace
# Three plots of the positions at which 32 lanes read the array of values: in CSR far apart, in COO and ELL side by side.
# Of the n-th step in the trace: index, lane, round.
step(n) = '< '.awk('part == '.n.' && $at["buffer"] == "values" && !seen[$at["request"], $at["lane"]]++ ' \
    .'{if (!($at["request"] in round)) round[$at["request"]] = ++rounds; print $at["index"], $at["lane"], round[$at["request"]]}')
set datafile separator whitespace
set multiplot layout 1, 3 title sprintf('Where one warp reads values of %s, fp32 (a colour for each round): %s', asked('04_spmv_scalar', 'matrix'), where) noenhanced
set palette maxcolors 6 defined (1 blue, 2 teal, 3 green, 4 olive, 5 orange, 6 red)
unset colorbox
set cbrange [1:6]
set grid x
set xlabel 'index in values'
set ylabel 'lane'
# A quarter of v1's lanes: six neighbours of each lane would else cover each other.
set title 'v1, CSR: a row apart (lanes 0 to 7)'
set xrange [-1:49]
set xtics 0, 8, 48
set yrange [7.6:-0.6]
set ytics 0, 1, 7
plot step(1) using 1:2:3 with points pt 7 ps 0.5 lc palette notitle
set xrange [-4:196]
set xtics 0, 32, 192
set yrange [32.5:-1.5]
set ytics 0, 4, 31
set title 'v2, COO: side by side'
plot step(2) using 1:2:3 with points pt 7 ps 0.8 lc palette notitle
set title 'v4, ELL: side by side'
plot step(3) using 1:2:3 with points pt 7 ps 0.8 lc palette notitle
unset multiplot
