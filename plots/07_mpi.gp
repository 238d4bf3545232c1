# record: 07_mpi_summary
# Curves of speed over MPI ranks on one matrix each, as far as each rank has a core: nearly all points lie below the ideal line.
cores = meta("cores")
set title sprintf('One matrix over MPI ranks, fp64, halo exchange: %s, %s cores', meta("cpu"), cores) noenhanced
set logscale x 2
set logscale y 2
set xlabel 'ranks'
set ylabel 'times as fast as one rank'
column_of(name) = sprintf("awk -F'\\t' '$1 == \"chapter\" {for (i = 1; i <= NF; i++) if ($i == \"%s\") print i}' '%s'", name, record)
cases = system(sprintf("awk -F'\\t' '!/^#/ && $1 != \"chapter\" && $4 !~ /^weak:/ && $5 == \"fp64\" && !($4 in s) {s[$4] = 1; printf \"%%s \", $4}' '%s'", record))
ranks = int(system(column_of("ranks"))); speed = int(system(column_of("speed_up")))
of(c) = sprintf("< awk -F'\\t' '$4 == \"%s\" && $5 == \"fp64\" && $%d <= %s' '%s'", c, ranks, cores, record)
most = system(sprintf("awk -F'\\t' '!/^#/ && $1 != \"chapter\" && $%d > most {most = $%d} END {print most}' '%s'", ranks, ranks, record)) + 0
set xrange [0.9:(most < cores ? most : cores) * 1.1]
set xtics 2
without = left_out(ranks, cores, '.')
@over
colour(i) = word(red.' '.orange.' '.green.' '.blue.' '.purple.' '.grey, i)
plot for [i = 1:words(cases)] of(word(cases, i)) using ranks:speed with linespoints lw 2 pt 7 ps 0.8 lc rgb colour(i) title word(cases, i) noenhanced, \
     x with lines lc rgb grey dt 2 title 'ideal'
