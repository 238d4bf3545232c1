# record: 02_memcpy_vectorized_alignments
# What a misaligned source or target costs.
rows(step) = sprintf("< awk -F'\\t' '!/^#/ && ($2 == \"step\" || $2 == \"%s\" && $15 == \"ok\")' '%s'", step, record)
label(name) = system(sprintf("echo '%s' | sed 's|from||; s|/to| |'", name))
set style data histogram
set style histogram clustered gap 1
set boxwidth 0.9
set xlabel 'bytes past an aligned address: source, target'
set key top left horizontal
if (backend eq 'cuda') {
    ceiling = meta('ceiling_copy_gbps') + 0
    set title sprintf('Copy of 256 MiB over alignments: %s, cold L2', gpu)
    set ylabel 'GB/s, read + written'
    set yrange [0:ceiling * 1.25]
    plot rows('v1') using (column('cold_gbps')):xtic(label(strcol('case'))) lc rgb pale_grey title 'v1', \
         rows('v5') using (column('cold_gbps')) lc rgb grey title 'v5', \
         rows('v7') using (column('cold_gbps')) lc rgb orange title 'v7', \
         rows('v9') using (column('cold_gbps')) lc rgb pale_blue title 'v9', \
         rows('v16') using (column('cold_gbps')) lc rgb blue title 'v16', \
         rows('official') using (column('cold_gbps')) lc rgb purple title 'cudaMemcpyAsync', \
         ceiling with lines lw 2 dt 2 lc rgb ink title sprintf('copy ceiling, %.0f GB/s', ceiling)
} else {
    set multiplot layout 2, 1 title 'Copy over alignments, counted by the stand-in'
    set ylabel 'requests a KiB'
    set yrange [0:90]
    plot rows('v5') using ((column('ld_requests') + column('st_requests')) / (column('bytes') / 2048)):xtic(label(strcol('case'))) lc rgb orange title 'v5, 16 bytes where both are aligned', \
         rows('v9') using ((column('ld_requests') + column('st_requests')) / (column('bytes') / 2048)) lc rgb blue title 'v9, source realigned'
    set ylabel 'sectors / fewest possible'
    set yrange [0:2.4]
    unset key
    plot rows('v5') using ((column('ld_sectors') + column('st_sectors')) / (column('bytes') / 32)):xtic(label(strcol('case'))) lc rgb orange, \
         rows('v9') using ((column('ld_sectors') + column('st_sectors')) / (column('bytes') / 32)) lc rgb blue
    unset multiplot
}
