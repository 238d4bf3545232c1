# record: 01_reduce_sweep
# cuda: Curves of the time of a reduce over n: flat for small n, then rising; beside them v11, v12 and v13 against CUB, v13 mostly ahead.
# simt: Curves of the rates of two CPU reduces over n: both rise with n.
rows(step) = picked('$at["step"] == "'.step.'" && $at["dtype"] == "fp32" {sub(/n=/, "", $at["case"]); print}')
set logscale x 2
set format x '2^{%L}'
set xlabel 'n, fp32 elements'
if (backend eq 'cuda') {
    set multiplot layout 1, 2 title 'Reduce over n: '.where
    set logscale y 10
    set ylabel 'microseconds'
    colour(s) = s eq 'v1' ? grey : s eq 'v4' ? green : s eq 'v7' || s eq 'v12' ? orange : s eq 'v8' ? red : s eq 'v11' ? purple : blue
    plot for [s in 'v1 v4 v7 v8 v11 v13'] rows(s) using 'case':'cold_us' \
             with linespoints lw 2 pt 7 ps 0.5 lc rgb colour(s) title s, \
         rows('cub') using 'case':'cold_us' with lines lw 2 dt 2 lc rgb 'black' title 'cub'
    unset logscale y
    set ylabel 'times as fast as cub::DeviceReduce'
    set yrange [0:*]
    both(step) = '< '.awk('$at["dtype"] == "fp32" {n = substr($at["case"], 3); us[$at["step"], n] = $at["cold_us"]; if ($at["step"] == "cub") all[++sizes] = n} ' \
        .'END {for (i = 1; i <= sizes; i++) print all[i], us["cub", all[i]] / us["'.step.'", all[i]]}')
    plot for [s in 'v11 v12 v13'] both(s) using 1:2 with linespoints lw 2 pt 7 ps 0.5 lc rgb colour(s) title s, \
         1 with lines lc rgb grey dt 2 notitle
    unset multiplot
} else {
    set title sprintf('Reduce over n: %s, %s threads', meta('cpu'), meta('cpu_threads'))
    set ylabel 'GB/s, caches flushed before each run'
    set yrange [0:*]
    plot for [s in 'c4 thrust_omp'] rows(s) using 'case':'cold_gbps' with linespoints lw 2 pt 7 title s noenhanced
}
