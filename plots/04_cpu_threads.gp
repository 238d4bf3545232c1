# record: 04_spmv_scalar_sweep
# Two plots of speed over threads: nearly all CPU steps get faster with each thread, but dynamic scheduling of single rows stays slower than one thread.
# A line a thread count of one step: threads, us.
# cant:threads=4
times(step, matrix) = '< '.awk('$at["step"] == "'.step.'" && $at["status"] == "ok" && index($at["case"], "'.matrix.':threads=") == 1 {n = $at["case"]; sub(/.*threads=/, "", n); print n, $at["cold_us"]}')
base(matrix) = system(awk('$at["step"] == "c7" && $at["case"] == "'.matrix.':threads=1" {print $at["cold_us"]; exit}')) + 0
matrices = system(awk('$at["case"] ~ /:threads=/ {m = $at["case"]; sub(/:threads=.*/, "", m); if (!s[m]++) printf "%s ", m}'))
most = system(awk('$at["case"] ~ /:threads=/ {n = $at["case"]; sub(/.*threads=/, "", n); if (n + 0 > most) most = n + 0} END {print most}')) + 0
type = system(awk('$at["case"] ~ /:threads=/ {print $at["dtype"]; exit}'))
set datafile separator whitespace
set multiplot layout 1, 2 title sprintf('Threads: SpMV, %s, %s, cold caches', type, meta('cpu')) noenhanced
set logscale xy 2
set xrange [0.9:most * 1.1]
set yrange [0.02:most * 1.3]
set xlabel 'threads'
set ylabel 'times as fast as c7 with one thread'
set key font ',10'
set ytics (0.03125, 0.0625, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)
do for [m in matrices] {
    set title m noenhanced
    one = base(m)
    plot x with lines lc rgb grey dt 2 title 'ideal', \
         times('c5', m) using 1:(one / $2) with linespoints lw 2 pt 7 lc rgb grey title 'c5 static', \
         times('c6/1', m) using 1:(one / $2) with linespoints lw 2 pt 9 lc rgb red title 'c6/1 dynamic, 1 row', \
         times('c6/64', m) using 1:(one / $2) with linespoints lw 2 pt 9 lc rgb red dt 2 title 'c6/64', \
         times('c6/1024', m) using 1:(one / $2) with linespoints lw 2 pt 9 lc rgb red dt 3 title 'c6/1024', \
         times('c7', m) using 1:(one / $2) with linespoints lw 2 pt 7 lc rgb blue title 'c7 by nonzeros', \
         times('c8', m) using 1:(one / $2) with linespoints lw 2 pt 5 lc rgb orange title 'c8 CSRL', \
         times('c9/8', m) using 1:(one / $2) with linespoints lw 2 pt 5 lc rgb green title 'c9/8 blocked COO'
}
unset multiplot
