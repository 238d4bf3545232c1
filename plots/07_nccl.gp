# record: 07_nccl_summary
# Curves of speed over one, two and four GPUs: stencils gain most, the matrix like circuit5M least; beside them the parts of a product on four GPUs.
set multiplot layout 1, 2 title 'One matrix over several GPUs, fp64: '.gpu noenhanced
column_of(name) = int(system(sprintf("awk -F'\\t' '$1 == \"chapter\" {for (i = 1; i <= NF; i++) if ($i == \"%s\") print i}' '%s'", name, record)))
cases = system(sprintf("awk -F'\\t' '!/^#/ && $1 != \"chapter\" && $4 !~ /32,32,32/ && $5 == \"fp64\" && !($4 in s) {s[$4] = 1; printf \"%%s \", $4}' '%s'", record))
of(c) = sprintf("< awk -F'\\t' '$4 == \"%s\" && $5 == \"fp64\"' '%s'", c, record)
ranks = column_of("ranks"); speed = column_of("speed_up"); product = column_of("product_us"); seq = column_of("seq_us")
interior = column_of("interior_us"); boundary = column_of("boundary_us"); exchange = column_of("exchange_us")
colour(i) = word(red.' '.orange.' '.green.' '.blue.' '.purple.' '.grey, i)
set xlabel 'GPUs'
set ylabel 'times as fast as one GPU'
set xrange [0.8:4.2]
set yrange [0:4.4]
set xtics (1, 2, 4)
set key samplen 2 font ',10'
plot for [i = 1:words(cases)] of(word(cases, i)) using ranks:speed with linespoints lw 2 pt 7 lc rgb colour(i) title word(cases, i) noenhanced, \
     x with lines lc rgb grey dt 2 title 'ideal'
# The most cards of the record: each matrix's product with and without overlap, and its parts.
last = int(system(sprintf("awk -F'\\t' -v c=%d '!/^#/ && $1 != \"chapter\" && $c > m {m = $c} END {print m}' '%s'", ranks, record)))
data = sprintf("< awk -F'\\t' -v OFS='\\t' '!/^#/ && $%d == %d && $5 == \"fp64\" && $4 !~ /^weak|32,32,32/ {if ($4 !~ /^like:/) sub(/:.*/, \"\", $4); print $4, $%d, $%d, $%d, $%d, $%d}' '%s'", ranks, last, product, seq, interior, exchange, boundary, record)
set title sprintf('%d GPUs, microseconds', last)
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
