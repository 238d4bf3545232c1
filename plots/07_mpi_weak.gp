# record: 07_mpi_summary
# Curves of time over MPI ranks, a grid of the same size for each, as far as each rank has a core: it rises most where x is replicated.
cores = meta("cores")
set title sprintf('A grid of 64 x 64 x 64 points for each MPI rank, fp64: %s, %s cores', meta("cpu"), cores) noenhanced
set logscale x 2
set logscale y
set xlabel 'ranks'
set ylabel 'microseconds'
column_of(name) = int(system(sprintf("awk -F'\\t' '$1 == \"chapter\" {for (i = 1; i <= NF; i++) if ($i == \"%s\") print i}' '%s'", name, record)))
ranks = column_of("ranks"); product = column_of("product_us"); alone = column_of("interior_us"); border = column_of("boundary_us")
exchange = column_of("exchange_us"); all = column_of("replicated_us")
weak = sprintf("< awk -F'\\t' '$4 ~ /^weak:/ && $5 == \"fp64\" && $%d <= %s' '%s'", ranks, cores, record)
most = system(sprintf("awk -F'\\t' '$4 ~ /^weak:/ && $%d > most {most = $%d} END {print most}' '%s'", ranks, ranks, record)) + 0
set xrange [0.9:(most < cores ? most : cores) * 1.1]
set xtics 2
without = left_out(ranks, cores, '^weak')
@over
plot weak using ranks:product with linespoints lw 2 pt 7 lc rgb blue title 'product, halo', \
     '' using ranks:all with linespoints lw 2 pt 7 lc rgb red title 'product, x replicated', \
     '' using ranks:alone with linespoints lw 1.5 dt 2 pt 6 ps 1.6 lc rgb green title 'interior alone', \
     '' using ranks:exchange with linespoints lw 1 pt 6 lc rgb orange title 'exchange alone', \
     '' using ranks:border with linespoints lw 1 pt 6 lc rgb grey title 'boundary alone'
