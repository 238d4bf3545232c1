# record: 07_load_balance_merge_path
# A staircase through a small matrix, right for a nonzero and down for a row; dots show the starts of tiles of equal length, each on its diagonal.
rows = meta('rows') + 0; nnz = meta('nnz') + 0; tile = meta('tile') + 0
set title sprintf('The merge path through %s: %d rows, %d nonzeros, a tile every %d steps: computed, no GPU', meta('matrix'), rows, nnz, tile) noenhanced
set xrange [-0.5:nnz + 0.5]
set yrange [rows + 0.5:-0.5]
set xlabel 'nonzeros taken'
set ylabel 'rows ended'
set xtics 0, 4
set ytics 0, 4
set grid x y
set key samplen 3
# The diagonals on which tiles begin: all points with so many steps behind them.
steps = rows + nnz
do for [d = tile:steps - 1:tile] {
    x1 = d < nnz ? d : nnz; x0 = d < rows ? 0 : d - rows
    set arrow from x0, d - x0 to x1, d - x1 nohead lc rgb pale_orange dt 2
}
plot record using 'nonzeros_taken':'rows_ended' with lines lw 4 lc rgb blue title 'a step right takes a nonzero, a step down ends a row', \
     record using 'nonzeros_taken':(column('border') > 0 ? column('rows_ended') : NaN) with points pt 7 ps 1.4 lc rgb orange title 'here a tile begins (found on its diagonal)'
