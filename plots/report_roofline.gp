# record: any (docs/book/report.sh draws it for each record)
# What each row reaches over the bytes it has to move, under the roof: floor + bytes / peak bandwidth, both measured in the same run.
rows(peer) = sprintf("< awk -F'\\t' '/^#/ {next} !n {n = 1; for (i = 1; i <= NF; i++) c[$i] = i; next} $c[\"status\"] == \"ok\" && $c[\"efficiency\"] != \"-\" && ($c[\"kind\"] == \"peer\") == %d {print $c[\"bytes\"], $c[\"cold_gbps\"]}' '%s'", peer, record)
floor_us = meta('floor_us') + 0; copy = meta('ceiling_copy_gbps') + 0; read = meta('ceiling_read_gbps') + 0
roof(bytes, ceiling) = bytes / (floor_us * 1e3 + bytes / ceiling)
set datafile separator whitespace
set title 'Roofline: '.where
set xlabel 'compulsory bytes'
set ylabel 'GB/s'
set logscale xy
set format x '10^{%L}'
set format y '%g'
kinds = (system(substr(rows(1), 2, -1).' | sed -n 1p') eq '' ? '' : '1 ').(system(substr(rows(0), 2, -1).' | sed -n 1p') eq '' ? '' : '0') # libraries, ours
stats rows(word(kinds, words(kinds)) + 0) using 1 nooutput
low = 10 ** floor(log10(STATS_min)); high = 10 ** ceil(log10(STATS_max) + 0.01)
set xrange [low:high]
set samples 300
set grid x y lt 1 lw 0.6 lc rgb '#a0808080', lt 1 lw 0.6 lc rgb '#c8808080'
plot roof(x, read) with lines lw 2 lc rgb red title sprintf('roof: floor %.2f µs, read %.0f GB/s', floor_us, read), \
     roof(x, copy) with lines lw 2 dt 2 lc rgb red title sprintf('roof: floor %.2f µs, copy %.0f GB/s', floor_us, copy), \
     for [peer in kinds] rows(peer + 0) using 1:2 with points pt 7 ps 0.55 lc rgb (peer eq '1' ? orange : blue) title (peer eq '1' ? 'libraries' : 'ours')
