# record: 01_reduce_trace
# Three trees that add sixteen numbers: in v1 the lanes that add lie apart, in v2 the elements do, in v3 lanes and elements lie side by side.
# A pair is what one lane loads from shared memory on one line in one round; what comes out: round lane low high.
pairs(step) = awk('$at["kernel"] ~ /'.step.'/ && $at["space"] == "shared" && $at["op"] == "load" && !seen[$at["column"], $at["request"], $at["lane"]]++ ' \
    .'{round = $at["request"]; lane = $at["lane"]; to = $at["index"]; k = $at["line"] SUBSEP round SUBSEP lane; ' \
    .'if (k in from) print round, lane, from[k] < to ? from[k] : to, from[k] < to ? to : from[k]; from[k] = to}') \
    ." | awk '$4 < 16' | sort -n | awk '!($1 in round) {round[$1] = ++rounds} {$1 = round[$1]; print}'"
edges(step) = '< '.pairs(step)." | awk '{print $3, $1 - 1; print $3, $1; print \"\"; print $4, $1 - 1; print $3, $1; print \"\"}'"
nodes(step) = '< '.pairs(step)
set datafile separator whitespace
set multiplot layout 1, 3 title sprintf('Sixteen of the %s floats of a reduce (in a circle: the lane that adds): %s', asked('01_reduce', 'size'), where)
set xrange [-0.9:15.9]
set xtics 0, 2, 14
set yrange [4.5:-0.4]
set ytics 1, 1, 4
set xlabel 'element of the shared array'
set ylabel 'round'
unset grid
do for [step in 'v1 v2 v3'] {
    set title (step eq 'v1' ? 'v1: every other lane, then every fourth' : step eq 'v2' ? 'v2: neighbouring lanes, elements apart' : 'v3: neighbouring lanes and elements')
    plot edges(step.'_kernel') using 1:2 with lines lc rgb grey lw 1.5 notitle, \
         '+' using ($0 < 16 ? $0 : NaN):(0) with points pt 7 ps 0.7 lc rgb grey notitle, \
         nodes(step.'_kernel') using 3:1 with points pt 7 ps 1.8 lc rgb cell_blue notitle, \
         nodes(step.'_kernel') using 3:1:2 with labels font ',10' notitle
}
unset multiplot
