# record: any (docs/book/report.sh draws it for each record)
# What each row reaches over the bytes it has to move, under the roof: floor + bytes / peak bandwidth, both measured in the same run.
rows(peer) = '< '.awk('$at["status"] == "ok" && $at["efficiency"] != "-" && ($at["kind"] == "peer") == '.peer.' {print $at["bytes"], $at["cold_gbps"]}')
floor_us = meta('floor_us') + 0; copy = meta('ceiling_copy_gbps') + 0; read = meta('ceiling_read_gbps') + 0
roof(bytes, ceiling) = bytes / (floor_us * 1e3 + bytes / ceiling)
set datafile separator whitespace
set title 'Roofline: '.where
set xlabel 'compulsory bytes'
set ylabel 'GB/s'
set logscale xy
set format x '10^{%L}'
set format y '%g'
kinds = (system(rows('1')[2:*].' | sed -n 1p') eq '' ? '' : '1 ').(system(rows('0')[2:*].' | sed -n 1p') eq '' ? '' : '0') # libraries, ours
stats rows(word(kinds, words(kinds))) using 1 nooutput
low = 10 ** floor(log10(STATS_min)); high = 10 ** ceil(log10(STATS_max) + 0.01)
set xrange [low:high]
set samples 300
set grid x y lt 1 lw 0.6 lc rgb grid_grey, lt 1 lw 0.6 lc rgb faint_grey
plot roof(x, read) with lines lw 2 lc rgb red title sprintf('roof: floor %.2f µs, read %.0f GB/s', floor_us, read), \
     roof(x, copy) with lines lw 2 dt 2 lc rgb red title sprintf('roof: floor %.2f µs, copy %.0f GB/s', floor_us, copy), \
     for [peer in kinds] rows(peer) using 1:2 with points pt 7 ps 0.55 lc rgb (peer eq '1' ? orange : blue) title (peer eq '1' ? 'libraries' : 'ours')
