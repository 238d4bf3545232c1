# record: 04_spmv_scalar_picture
# Six drawings of one 8 x 8 matrix: the positions of its nonzeros and its padding in CSR, ELL, HYB, DIA and BSR.
of(format, kind) = '$at["format"] == "'.format.'" && $at["kind"] == '.kind
cells(format, kind) = '< '.awk(of(format, kind).' {print $at["x"], $at["y"], $at["place"]}')
set datafile separator whitespace
set multiplot layout 2, 3 margins 0.02, 0.99, 0.02, 0.86 spacing 0.02, 0.1 title 'An 8 x 8 matrix with 22 nonzeros in six formats (numbers are indices into the array of values): counted from the matrix'
set xrange [-0.7:8.3]
set yrange [7.7:-0.7]
unset xtics
unset ytics
unset grid
unset border
unset key
do for [format in 'matrix CSR ELL HYB DIA BSR'] {
    set title (format eq 'matrix' ? 'the matrix, numbered as in CSR and COO' : \
               format eq 'CSR' ? 'CSR: row after row' : \
               format eq 'ELL' ? 'ELL: column by column, filled up' : \
               format eq 'HYB' ? 'HYB: ELL of width 2, the rest as COO' : \
               format eq 'DIA' ? 'DIA: a column is a diagonal' : 'BSR: blocks of 2 x 2')
    set xrange [-0.7:(format eq 'DIA' ? 13.3 : 8.3)]
    shown = ''
    do for [kind = 0:2] {
        if (system(awk(of(format, kind).' {n++} END {print n + 0}')) + 0) {
            colour = word(cell_grey.' '.cell_blue.' '.cell_orange, kind + 1)
            shown = shown . (shown eq '' ? '' : ', ') . sprintf("cells('%s', '%d') using 1:2:(0.45):(0.43) with boxxyerror lc rgb '%s', cells('%s', '%d') using 1:2:3 with labels font ',10' ", format, kind, colour, format, kind)
        }
    }
    eval 'plot '.shown
}
unset multiplot
