# record: 05_spmv_vector_experiment1
# cuda: Curves of time over lanes per row: a shallow valley between 4 and 16 lanes, well above the time of an empty kernel.
# simt: Curves over lanes per row: with more lanes more sectors are read and fewer lanes are active.
shyy41 = system(awk('$at["step"] == "v3/2" {print $at["case"]; exit}'))
# Rows STEP/2 .. STEP/32 of one type, the number of lanes as their step.
rows(step, type) = picked('$at["dtype"] == "'.type.'" && $at["status"] == "ok" && sub(/^'.step.'[/]/, "", $at["step"])')
set logscale x 2
set xrange [1.6:40]
set xtics (2, 4, 8, 16, 32)
set xlabel 'lanes per row'
if (backend eq 'cuda') {
    set title sprintf('SpMV on %s by lanes per row: %s', shyy41, where) noenhanced
    set ylabel 'microseconds'
    set yrange [0:*]
    plot rows('v3', 'fp32') using 'step':'cold_us' with linespoints lw 2 pt 7 lc rgb blue title 'v3, fp32', \
         rows('v3', 'fp64') using 'step':'cold_us' with linespoints lw 2 pt 5 lc rgb blue dt 2 title 'v3, fp64', \
         rows('v16', 'fp32') using 'step':'cold_us' with linespoints lw 2 pt 7 lc rgb orange title 'v16, fp32', \
         rows('v16', 'fp64') using 'step':'cold_us' with linespoints lw 2 pt 5 lc rgb orange dt 2 title 'v16, fp64', \
         meta('floor_us') + 0 with lines lw 2 dt 3 lc rgb red title 'an empty kernel'
} else {
    set multiplot layout 1, 2 title sprintf('SpMV on %s by lanes per row, fp32: %s', shyy41, where) noenhanced
    set ylabel '32-byte sectors read, thousands'
    set yrange [0:*]
    plot rows('v3', 'fp32') using 'step':(column('ld_sectors') / 1e3) with linespoints lw 2 pt 7 lc rgb blue title 'v3', \
         rows('v16', 'fp32') using 'step':(column('ld_sectors') / 1e3) with linespoints lw 2 pt 7 lc rgb orange title 'v16'
    set ylabel 'active lanes of 32'
    set yrange [0:32]
    set ytics 0, 8
    plot rows('v3', 'fp32') using 'step':'active_lanes' with linespoints lw 2 pt 7 lc rgb blue title 'v3', \
         rows('v16', 'fp32') using 'step':'active_lanes' with linespoints lw 2 pt 7 lc rgb orange title 'v16'
    unset multiplot
}
