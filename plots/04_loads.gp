# record: 04_spmv_scalar_trace
# Three plots of the positions at which 32 lanes read the array of values: in CSR far apart, in COO and ELL side by side.
# Rows of the trace: kernel file line column op request lane space address buffer index bank sector; a header line before each step.
step(n) = sprintf("< awk -F'\\t' '$1 == \"kernel\" {n++} n == %d && $10 == \"values\" && !seen[$6, $7]++ {if (!($6 in round)) round[$6] = ++rounds; print $11, $7, round[$6]}' '%s'", n, record)
set datafile separator whitespace
set multiplot layout 1, 3 title sprintf('Where one warp reads values of %s, fp32 (a colour for each round): %s', asked('04_spmv_scalar', 'matrix'), where) noenhanced
set palette maxcolors 6 defined (1 '#3b78c0', 2 '#2f9090', 3 '#3f8f4f', 4 '#9a8320', 5 '#cc7a2d', 6 '#c24545')
unset colorbox
set cbrange [1:6]
set xrange [-4:196]
set xtics 0, 32, 192
set grid x
set yrange [32.5:-1.5]
set ytics 0, 4, 31
set xlabel 'index in values'
set ylabel 'lane'
do for [n = 1:3] {
    set title (n == 1 ? 'v1, CSR: a row apart' : n == 2 ? 'v2, COO: side by side' : 'v4, ELL: side by side')
    plot step(n) using 1:2:3 with points pt 7 ps 0.8 lc palette notitle
}
unset multiplot
