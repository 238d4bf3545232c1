# record: 07_mpi_summary
# Curves of speed over MPI ranks on one matrix each, up to one rank per core: nearly all points lie below the ideal line.
cores = meta("cores")
set title sprintf('One matrix over MPI ranks, fp64, halo exchange: %s, %s cores', meta("cpu"), cores) noenhanced
set logscale x 2
set logscale y 2
set xlabel 'ranks'
set ylabel 'times as fast as one rank'
cases = system(awk('$at["case"] !~ /^weak:/ && $at["dtype"] == "fp64" && !s[$at["case"]]++ {printf "%s ", $at["case"]}'))
of(c) = picked('$at["case"] == "'.c.'" && $at["dtype"] == "fp64" && $at["ranks"] <= '.cores)
most = system(awk('$at["ranks"] > most {most = $at["ranks"]} END {print most}')) + 0
set xrange [0.9:(most < cores ? most : cores) * 1.1]
set xtics 2
without = left_out(cores, '.')
@over
colour(i) = word(red.' '.orange.' '.green.' '.blue.' '.purple.' '.grey, i)
plot for [i = 1:words(cases)] of(word(cases, i)) using 'ranks':'speed_up' with linespoints lw 2 pt 7 ps 0.8 lc rgb colour(i) title word(cases, i) noenhanced, \
     x with lines lc rgb grey dt 2 title 'ideal'
