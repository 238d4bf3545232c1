# record: 07_pagerank_history
# Curves of the change of each iteration of PageRank, on a log scale: the smaller the damping, the steeper they fall, all under their bound.
graph = system(awk('$at["case"] !~ /^rmat/ {sub(/:damping.*/, "", $at["case"]); print $at["case"]; exit}'))
# "" stands for 0.85.
line(damping) = picked('$at["case"] == "'.graph.damping.'" && (solver == "" || solver == $at["step"]) {solver = $at["step"]; print}')
set title sprintf('PageRank of %s, fp64: %s', graph, backend eq 'cuda' ? gpu : 'on the CPU') noenhanced
set logscale y 10
set format y '10^{%L}'
set yrange [1e-11:4]
set xlabel 'iterations: one product each'
set ylabel 'change of a step, sum of absolute values'
set samples 400
plot line(':damping=0.95') using 'iteration':'residual' with lines lw 2 lc rgb orange title 'damping 0.95', 2 * 0.95**(x - 1) with lines lc rgb orange dt 3 title 'at most (dotted)', \
     line('') using 'iteration':'residual' with lines lw 2 lc rgb blue title 'damping 0.85', 2 * 0.85**(x - 1) with lines lc rgb blue dt 3 notitle, \
     line(':damping=0.5') using 'iteration':'residual' with lines lw 2 lc rgb green title 'damping 0.5', 2 * 0.5**(x - 1) with lines lc rgb green dt 3 notitle
