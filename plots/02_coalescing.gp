# record: 02_memcpy_vectorized_trace
# Three plots of the bytes that the 32 lanes of a warp load: with 1 byte per lane one sector, with 4 bytes four, with 16 bytes sixteen.
# Of the first load: lane, byte, bytes of a lane, sector.
bytes(step) = awk('$at["kernel"] ~ /'.step.'/ && $at["space"] == "global" && $at["op"] == "load" && $at["request"] == 0 && !seen[$at["lane"]]++ ' \
    .'{if (!n++) base = $at["address"]; a[$at["lane"]] = $at["address"]; s[$at["lane"]] = $at["sector"]} ' \
    .'END {for (l = 0; l < n; l++) print l, a[l] - base, a[1] - a[0], s[l]}')
sectors(step) = system(bytes(step)." | awk '!seen[$4]++ {n++} END {print n}'") + 0
width(step) = system(bytes(step)." | awk 'NR == 1 {print $3}'") + 0
set datafile separator whitespace
set multiplot layout 1, 3 title sprintf('The first load of one warp, copy of %s bytes (a column is a sector of 32 bytes): %s', asked('02_memcpy_vectorized', 'size'), where)
set xrange [0:512]
set xtics 0, 128, 512
set mxtics 4
set yrange [31.6:-0.6]
set ytics 0, 4, 31
set grid x mx lt 1 lw 0.6 lc rgb grid_grey, lt 1 lw 0.6 lc rgb grid_grey
set xlabel 'byte'
set ylabel 'lane'
do for [step in 'v1 v3 v5'] {
    kernel = step.'_kernel'
    set title sprintf('%s: %d byte%s per lane, %d sector%s', step, width(kernel), width(kernel) > 1 ? 's' : '', sectors(kernel), sectors(kernel) > 1 ? 's' : '')
    plot '< '.bytes(kernel) using ($2 + $3 / 2.):1:($3 / 2.):(0.4) with boxxyerror fs solid border lc rgb blue lc rgb blue notitle
}
unset multiplot
