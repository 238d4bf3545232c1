# record: 02_memcpy_vectorized_trace
# Three plots of the bytes that the 32 lanes of a warp load: with 1 byte per lane one sector, with 4 bytes four, with 16 bytes sixteen.
# Rows of the trace: kernel file line column op request lane space address buffer index bank sector
bytes(step) = sprintf("awk -F'\\t' '$1 ~ /%s/ && $8 == \"global\" && $5 == \"load\" && $6 == 0 && !seen[$7]++ {if (!n++) base = $9; a[$7] = $9; s[$7] = $13} END {w = a[1] - a[0]; for (l = 0; l < n; l++) print l, a[l] - base, w, s[l]}' '%s'", step, record)
sectors(step) = system(bytes(step)." | awk '!seen[$4]++ {n++} END {print n}'") + 0
width(step) = system(bytes(step)." | awk 'NR == 1 {print $3}'") + 0
set datafile separator whitespace
set multiplot layout 1, 3 title sprintf('The first load of one warp, copy of %s bytes (a column is a sector of 32 bytes): %s', asked('02_memcpy_vectorized', 'size'), where)
set xrange [0:512]
set xtics 0, 128, 512
set mxtics 4
set yrange [31.6:-0.6]
set ytics 0, 4, 31
set grid x mx lt 1 lw 0.6 lc rgb '#a0808080', lt 1 lw 0.6 lc rgb '#a0808080'
set xlabel 'byte'
set ylabel 'lane'
do for [step in 'v1 v3 v5'] {
    kernel = step.'_kernel'
    set title sprintf('%s: %d byte%s per lane, %d sector%s', step, width(kernel), width(kernel) > 1 ? 's' : '', sectors(kernel), sectors(kernel) > 1 ? 's' : '')
    plot '< '.bytes(kernel) using ($2 + $3 / 2.):1:($3 / 2.):(0.4) with boxxyerror fs solid border lc rgb blue lc rgb blue notitle
}
unset multiplot
