# record: 04_spmv_scalar_experiment1
# Two plots of the time of CSRL over that of CSR: below 1 where runs are long, above 1 where they are short, but for c10, which falls back.
ratio(kind, step, time) = '< '.awk('$at["status"] == "ok" && index($at["case"], "'.kind.':nzseg") == 1 {share = $at["case"]; sub(/.*=/, "", share); ' \
    .'if ($at["step"] == "c7") csr = $at["'.time.'"]; else if ($at["step"] == "'.step.'") print share, $at["'.time.'"] / csr}')
type = system(awk('$at["case"] ~ /:nzseg/ {print $at["dtype"]; exit}'))
set datafile separator whitespace
set multiplot layout 1, 2 title sprintf('CSRL against CSR: %s, %s, threads: %s', type, meta('cpu'), meta('cpu_threads')) noenhanced
set logscale xy 2
set xrange [0.028:1.1]
set yrange [0.35:16]
set xtics (0.03, 0.06, 0.125, 0.25, 0.5, 1)
set xlabel 'nzseg / nnz'
set ylabel 'time / time of c7, CSR (log)'
set arrow 1 from 0.3, graph 0 to 0.3, graph 1 nohead lc rgb red dt 2
set arrow 2 from 0.5, graph 0 to 0.5, graph 1 nohead lc rgb red dt 3
set label 1 '0.3' at 0.29, 0.39 right textcolor rgb dark_red
set label 2 '0.5' at 0.52, 0.39 left textcolor rgb dark_red
do for [time in 'cold_us warm_us'] {
    set title time eq 'cold_us' ? 'cold caches' : 'warm caches'
    plot 1 with lines lc rgb pale_grey notitle, \
         ratio('equal', 'c8', time) using 1:2 with linespoints lw 2 pt 7 lc rgb blue title 'c8, runs of equal length, x near', \
         ratio('random', 'c8', time) using 1:2 with linespoints lw 2 pt 7 lc rgb orange title 'c8, runs of any length, x near', \
         ratio('far', 'c8', time) using 1:2 with linespoints lw 2 pt 5 lc rgb orange dt 2 title 'c8, runs of any length, x anywhere', \
         ratio('random', 'c10', time) using 1:2 with linespoints lw 2 pt 9 lc rgb green title 'c10, runs of any length, x near'
}
unset multiplot
