# record: 07_mpi_summary
# Weak scaling: a grid of the same size for each rank.  The time of a product, and of its parts alone.
cores = meta("cores")
set title sprintf('A grid of 64 x 64 x 64 points for each MPI rank, fp64: %s, %s cores', meta("cpu"), cores) noenhanced
set logscale x 2
set logscale y
set xlabel 'ranks'
set ylabel 'microseconds'
set key outside right top samplen 2 font ',10'
set xrange [0.9:18]
column_of(name) = int(system(sprintf("awk -F'\\t' '$1 == \"chapter\" {for (i = 1; i <= NF; i++) if ($i == \"%s\") print i}' '%s'", name, record)))
weak = sprintf("< awk -F'\\t' '$4 ~ /^weak:/ && $5 == \"fp64\"' '%s'", record)
ranks = column_of("ranks"); product = column_of("product_us"); alone = column_of("interior_us"); border = column_of("boundary_us")
exchange = column_of("exchange_us"); all = column_of("replicated_us")
set arrow 1 from int(cores), graph 0 to int(cores), graph 1 nohead lc rgb grey dt 3
set label 1 sprintf(' %s cores', cores) at int(cores), graph 0.03 tc rgb grey
plot weak using ranks:product with linespoints lw 2 pt 7 lc rgb blue title 'product, halo', \
     '' using ranks:all with linespoints lw 2 pt 7 lc rgb red title 'product, x replicated', \
     '' using ranks:alone with linespoints lw 1 pt 6 lc rgb green title 'interior alone', \
     '' using ranks:exchange with linespoints lw 1 pt 6 lc rgb orange title 'exchange alone', \
     '' using ranks:border with linespoints lw 1 pt 6 lc rgb grey title 'boundary alone'
