# record: 07_mpi_summary
# Strong scaling over MPI ranks: the same matrix, more ranks.
cores = meta("cores")
set title sprintf('One matrix over MPI ranks, fp64, halo exchange: %s, %s cores', meta("cpu"), cores) noenhanced
set logscale x 2
set logscale y 2
set xlabel 'ranks'
set ylabel 'times as fast as one rank'
set key outside right top samplen 2 font ',10'
set xrange [0.9:18]
column_of(name) = sprintf("awk -F'\\t' '$1 == \"chapter\" {for (i = 1; i <= NF; i++) if ($i == \"%s\") print i}' '%s'", name, record)
cases = system(sprintf("awk -F'\\t' '!/^#/ && $1 != \"chapter\" && $4 !~ /^weak:/ && $5 == \"fp64\" && !($4 in s) {s[$4] = 1; printf \"%%s \", $4}' '%s'", record))
of(c) = sprintf("< awk -F'\\t' '$4 == \"%s\" && $5 == \"fp64\"' '%s'", c, record)
ranks = int(system(column_of("ranks"))); speed = int(system(column_of("speed_up")))
colour(i) = word('#b03030 #d98032 #4a8f4a #3b6ea8 #7a3b9a #888888', i)
set arrow 1 from int(cores), graph 0 to int(cores), graph 1 nohead lc rgb grey dt 3
set label 1 sprintf(' %s cores', cores) at int(cores), graph 0.03 tc rgb grey
plot for [i = 1:words(cases)] of(word(cases, i)) using ranks:speed with linespoints lw 2 pt 7 ps 0.8 lc rgb colour(i) title word(cases, i) noenhanced, \
     x with lines lc rgb '#cccccc' dt 2 title 'ideal'
