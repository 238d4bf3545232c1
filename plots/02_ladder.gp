# record: 02_memcpy_vectorized
# The ladder: what each step reaches with the smallest and the largest unit (cuda), or how many requests it needs (simt).
rows(name) = sprintf("< awk -F'\\t' '!/^#/ && ($2 == \"step\" || $4 == \"%s\" && $3 != \"cpu\" && $2 != \"memcpy\" && $15 == \"ok\")' '%s'", name, record)
set style data histogram
set style histogram clustered gap 1
set boxwidth 0.9
if (backend eq 'cuda') {
    ceiling = meta('ceiling_copy_gbps') + 0
    set title sprintf('Copy of 512^3 units: %s, cold L2', gpu)
    set ylabel 'GB/s, read + written'
    set yrange [0:ceiling * 1.35]
    set key top left maxrows 4 samplen 2
    plot rows('512^3x1') using (column('cold_gbps')):xtic(strcol('step')) lc rgb pale_grey title 'units of 1 byte', \
         rows('512^3x2') using (column('cold_gbps')) lc rgb grey title '2 bytes', \
         rows('512^3x4') using (column('cold_gbps')) lc rgb pale_blue title '4 bytes', \
         rows('512^3x8') using (column('cold_gbps')) lc rgb blue title '8 bytes', \
         ceiling with lines lw 2 dt 2 lc rgb ink title sprintf('copy ceiling of this run, %.0f GB/s', ceiling)
} else {
    set title 'Copy of 64^3 units: load requests a step needs for one KiB, counted by the stand-in'
    set ylabel 'requests for each KiB copied'
    set yrange [0:*]
    set key top right
    plot rows('64^3x1') using (column('ld_requests') / (column('bytes') / 2048)):xtic(strcol('step')) lc rgb pale_grey title 'units of 1 byte', \
         rows('64^3x2') using (column('ld_requests') / (column('bytes') / 2048)) lc rgb grey title '2 bytes', \
         rows('64^3x4') using (column('ld_requests') / (column('bytes') / 2048)) lc rgb pale_blue title '4 bytes', \
         rows('64^3x8') using (column('ld_requests') / (column('bytes') / 2048)) lc rgb blue title '8 bytes'
}
