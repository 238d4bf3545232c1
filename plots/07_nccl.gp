# record: 07_nccl_summary
# Curves of speed over one, two and four GPUs: stencils gain most, the matrix like circuit5M least; the right panel shows the parts of a product on four GPUs.
set multiplot layout 1, 2 title 'One matrix over several GPUs, fp64: '.gpu noenhanced
cases = system(awk('$at["case"] !~ /32,32,32/ && $at["dtype"] == "fp64" && !s[$at["case"]]++ {printf "%s ", $at["case"]}'))
of(c) = picked('$at["case"] == "'.c.'" && $at["dtype"] == "fp64"')
colour(i) = word(red.' '.orange.' '.green.' '.blue.' '.purple.' '.grey, i)
set xlabel 'GPUs'
set ylabel 'times as fast as one GPU'
set xrange [0.8:4.2]
set yrange [0:4.4]
set xtics (1, 2, 4)
set key samplen 2 font ',10'
plot for [i = 1:words(cases)] of(word(cases, i)) using 'ranks':'speed_up' with linespoints lw 2 pt 7 lc rgb colour(i) title word(cases, i) noenhanced, \
     x with lines lc rgb grey dt 2 title 'ideal'
# The most GPUs of the record: each matrix's product with and without overlap, and its parts.
last = system(awk('$at["ranks"] > m {m = $at["ranks"]} END {print m}'))
data = '< '.awk('$at["ranks"] == '.last.' && $at["dtype"] == "fp64" && $at["case"] !~ /^weak|32,32,32/ {m = $at["case"]; if (m !~ /^like:/) sub(/:.*/, "", m); ' \
    .'print m, $at["product_us"], $at["seq_us"], $at["interior_us"], $at["exchange_us"], $at["boundary_us"]}')
set title last.' GPUs, microseconds'
@groups
set ylabel ''
set xlabel ''
set yrange [0:*]
set offsets 0, 0, graph 0.1, 0
set xtics autofreq font ',10'
n = 5; titles = "product 'without overlap' 'interior alone' 'exchange alone' 'boundary alone'"
colours = blue.' '.pale_blue.' '.green.' '.orange.' '.grey
plot @bars
unset multiplot
