# record: 01_reduce_trace
# Three plots of one warp: in v2 up to eight lanes access one bank of shared memory, in v3 one lane per bank; v7 touches 32 sectors, v8 four.
first = '!seen[$at["kernel"], $at["column"], $at["request"], $at["lane"]]++' # the first launch only
loads(step, space) = '$at["kernel"] ~ /'.step.'/ && $at["space"] == "'.space.'" && $at["op"] == "load" && '.first
# Of the first load that has a second round: bank, round, number of lanes.
banks(step) = '< '.awk(loads(step, 'shared').' {l = $at["line"]; r = $at["request"]; if (!column[l]) column[l] = $at["column"]; ' \
    .'if (!line && r == 1) line = l; lanes[l, $at["column"], r, $at["bank"]]++} ' \
    .'END {for (k in lanes) {split(k, w, SUBSEP); if (w[1] == line && w[2] == column[line]) print w[4], w[3] + 1, lanes[k]}}')
sectors(step) = '< '.awk(loads(step, 'global').' && $at["request"] == 0 {print $at["lane"], int($at["index"] / 8)}')
set datafile separator whitespace
set multiplot layout 1, 3 title sprintf('What one warp touches, reduce of %s floats: %s', asked('01_reduce', 'size'), where)
set palette defined (1 cell_blue, 2 cell_orange, 8 cell_pink, 16 cell_red)
set cbrange [1:16]
unset colorbox
set xrange [-1:32]
set xtics 0, 8, 31
set yrange [8.6:0.4]
set ytics 1, 1, 8
set xlabel 'bank'
set ylabel 'round'
set title 'v2: the number of lanes in a bank'
plot banks('v2_kernel') using 1:2:3 with points pt 5 ps 1.1 lc palette notitle, \
     banks('v2_kernel') using 1:2:($3 > 1 ? sprintf('%d', $3) : '') with labels font ',10' notitle
set title 'v3: one lane in each bank'
plot banks('v3_kernel') using 1:2:3 with points pt 5 ps 1.1 lc palette notitle, \
     banks('v3_kernel') using 1:2:($3 > 1 ? sprintf('%d', $3) : '') with labels font ',10' notitle
set title 'v7 and v8: the first load'
set xlabel 'lane'
set ylabel 'which 32-byte sector'
set yrange [-1:33]
set ytics 0, 4, 32
plot sectors('v7_kernel') using 1:2 with points pt 7 ps 0.7 lc rgb orange title 'v7: 32 sectors', \
     sectors('v8_kernel') using 1:2 with points pt 7 ps 0.7 lc rgb blue title 'v8: 4 sectors'
unset multiplot
