# record: 07_pagerank_history
# Curves of the change of each step of PageRank, on a log scale: the smaller the damping, the steeper they fall, all under their bound.
graph = system(sprintf("awk -F'\\t' '/^#/ || $1 == \"chapter\" || $4 ~ /^rmat/ {next} {sub(/:damping.*/, \"\", $4); print $4; exit}' '%s'", record))
# "" stands for 0.85.
line(damping) = sprintf("< awk -F'\\t' -v s='%s%s' '!/^#/ && $4 == s && (row == \"\" || row == $2) {row = $2; print $6 \"\\t\" $7}' '%s'", graph, damping, record)
set title sprintf('PageRank of %s, fp64: %s', graph, backend eq 'cuda' ? gpu : 'on the CPU') noenhanced
set logscale y 10
set format y '10^{%L}'
set yrange [1e-11:4]
set xlabel 'steps: one product each'
set ylabel 'change of a step, sum of absolute values'
set samples 400
plot line(':damping=0.95') using 1:2 with lines lw 2 lc rgb orange title 'damping 0.95', 2 * 0.95**(x - 1) with lines lc rgb orange dt 3 title 'at most (dotted)', \
     line('') using 1:2 with lines lw 2 lc rgb blue title 'damping 0.85', 2 * 0.85**(x - 1) with lines lc rgb blue dt 3 notitle, \
     line(':damping=0.5') using 1:2 with lines lw 2 lc rgb green title 'damping 0.5', 2 * 0.5**(x - 1) with lines lc rgb green dt 3 notitle
