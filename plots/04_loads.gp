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
set xrange [-4:196]
set xtics 0, 32, 192
set grid x
set yrange [32.5:-1.5]
set ytics 0, 4, 31
set xlabel 'index in values'
set ylabel 'lane'
do for [n in '1 2 3'] {
    set title (n eq '1' ? 'v1, CSR: a row apart' : n eq '2' ? 'v2, COO: side by side' : 'v4, ELL: side by side')
    plot step(n) using 1:2:3 with points pt 7 ps 0.8 lc palette notitle
}
unset multiplot
