# record: 07_mpi_summary
# Curves of time over MPI ranks, a grid of the same size for each, up to one rank per core: it rises most where x is replicated.
cores = meta("cores")
set title sprintf('A grid of 64 x 64 x 64 points for each MPI rank, fp64: %s, %s cores', meta("cpu"), cores) noenhanced
set logscale x 2
set logscale y
set xlabel 'ranks'
set ylabel 'microseconds'
weak = picked('$at["case"] ~ /^weak:/ && $at["dtype"] == "fp64" && $at["ranks"] <= '.cores)
most = system(awk('$at["case"] ~ /^weak:/ && $at["ranks"] > most {most = $at["ranks"]} END {print most}')) + 0
set xrange [0.9:(most < cores ? most : cores) * 1.1]
set xtics 2
without = left_out(cores, '^weak')
@over
plot weak using 'ranks':'product_us' with linespoints lw 2 pt 7 lc rgb blue title 'product, halo', \
     '' using 'ranks':'replicated_us' with linespoints lw 2 pt 7 lc rgb red title 'product, x replicated', \
     '' using 'ranks':'interior_us' with linespoints lw 1.5 dt 2 pt 6 ps 1.6 lc rgb green title 'interior alone', \
     '' using 'ranks':'exchange_us' with linespoints lw 1 pt 6 lc rgb orange title 'exchange alone', \
     '' using 'ranks':'boundary_us' with linespoints lw 1 pt 6 lc rgb grey title 'boundary alone'
