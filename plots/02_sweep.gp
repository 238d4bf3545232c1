# record: 02_memcpy_vectorized_sweep
# cuda: Curves of the rates of copies over size: v16 rises to the peak copy bandwidth, v1 to half of it, the other steps end a little below it; beside them five steps against cudaMemcpyAsync.
# simt: Curves of the load requests of three steps and of the rates of two CPU copies over size.
rows(step) = picked('$at["step"] == "'.step.'" && $at["status"] == "ok" {sub(/bytes=/, "", $at["case"]); print}')
set logscale x 2
set xlabel 'bytes copied'
set xtics ('1 KiB' 2**10, '32 KiB' 2**15, '1 MiB' 2**20, '32 MiB' 2**25, '1 GiB' 2**30)
if (backend eq 'cuda') {
    ceiling = meta('ceiling_copy_gbps') + 0
    set multiplot layout 1, 2 title 'Copy over size: '.where
    set ylabel 'GB/s, read + written'
    set yrange [0:*]
    colour(s) = s eq 'v1' ? grey : s eq 'v5' ? orange : s eq 'v6' ? green : s eq 'v7' ? red : s eq 'v9' ? pale_orange : s eq 'v12' ? purple : blue
    plot for [s in 'v1 v5 v6 v7 v12 v16'] rows(s) using 'case':'cold_gbps' \
             with linespoints lw 2 pt 7 ps 0.5 lc rgb colour(s) title s, \
         rows('official') using 'case':'cold_gbps' with lines lw 2 dt 2 lc rgb 'black' title 'cudaMemcpyAsync', \
         ceiling with lines lw 1 dt 3 lc rgb red title 'peak copy bandwidth'
    set ylabel 'times as fast as cudaMemcpyAsync'
    set yrange [0:*]
    both(step) = '< '.awk('$at["status"] == "ok" {n = substr($at["case"], 7); us[$at["step"], n] = $at["cold_us"]; if ($at["step"] == "official") all[++sizes] = n} ' \
            .'END {for (i = 1; i <= sizes; i++) if (us["'.step.'", all[i]] > 0) print all[i], us["official", all[i]] / us["'.step.'", all[i]]}')
    plot for [s in 'v6 v7 v9 v12 v16'] both(s) using 1:2 with linespoints lw 2 pt 7 ps 0.5 lc rgb colour(s) title s, \
         1 with lines lc rgb grey dt 2 notitle
    unset multiplot
} else {
    set multiplot layout 1, 2
    set title 'Kernels, units of 4 bytes: '.where
    set ylabel 'load requests for each KiB copied'
    set yrange [0:*]
    plot for [s in 'v1 v5'] rows(s) using 'case':(column('ld_requests') / (column('bytes') / 2048)) \
             with linespoints lw 2 pt 7 ps 0.5 title s, \
         rows('v9') using 'case':(column('ld_requests') / (column('bytes') / 2048)) \
             with linespoints lw 2 dt 2 pt 6 ps 1 title 'v9'
    set title sprintf('Copy over size: %s, %s threads', meta('cpu'), meta('cpu_threads'))
    set ylabel 'GB/s, read + written, caches flushed before each run'
    plot for [s in 'c4 memcpy'] rows(s) using 'case':'cold_gbps' with linespoints lw 2 pt 7 title s
    unset multiplot
}
