# record: 07_nccl_summary
# Efficiency over cards, and where the time goes.
set multiplot layout 1, 2 title sprintf('One matrix over cards, fp64: %s', gpu) noenhanced
column_of(name) = int(system(sprintf("awk -F'\\t' '$1 == \"chapter\" {for (i = 1; i <= NF; i++) if ($i == \"%s\") print i}' '%s'", name, record)))
cases = system(sprintf("awk -F'\\t' '!/^#/ && $1 != \"chapter\" && $4 !~ /32,32,32/ && $5 == \"fp64\" && !($4 in s) {s[$4] = 1; printf \"%%s \", $4}' '%s'", record))
of(c) = sprintf("< awk -F'\\t' '$4 == \"%s\" && $5 == \"fp64\"' '%s'", c, record)
ranks = column_of("ranks"); speed = column_of("speed_up"); product = column_of("product_us"); seq = column_of("seq_us")
interior = column_of("interior_us"); boundary = column_of("boundary_us"); exchange = column_of("exchange_us")
colour(i) = word('#b03030 #d98032 #4a8f4a #3b6ea8 #7a3b9a #888888', i)
set xlabel 'cards'
set ylabel 'times as fast as one card'
set xrange [0.8:4.2]
set yrange [0:4.4]
set xtics (1, 2, 4)
set key top left samplen 2 font ',10'
plot for [i = 1:words(cases)] of(word(cases, i)) using ranks:speed with linespoints lw 2 pt 7 lc rgb colour(i) title word(cases, i) noenhanced, \
     x with lines lc rgb '#cccccc' dt 2 title 'ideal'
# The most cards of the record: each matrix's product with and without overlap, and its parts.
last = int(system(sprintf("awk -F'\\t' -v c=%d '!/^#/ && $1 != \"chapter\" && $c > m {m = $c} END {print m}' '%s'", ranks, record)))
parts = sprintf("< awk -F'\\t' -v OFS='\\t' -v r=%d -v p=%d '!/^#/ && $r == p && $5 == \"fp64\" && $4 !~ /^weak|32,32,32/ {if ($4 !~ /^like:/) sub(/:.*/, \"\", $4); print}' '%s'", ranks, last, record)
set title sprintf('%d cards, microseconds', last)
set style data histograms
set style histogram clustered gap 1.5
set ylabel ''
set xlabel ''
set xrange [-0.6:*]
set yrange [0:*]
set xtics autofreq norotate noenhanced font ',10'
set key bmargin center horizontal samplen 1 font ',10'
plot parts using product:xtic(4) lc rgb blue title 'product', '' using seq lc rgb '#a8c0dc' title 'without overlap', \
     '' using interior lc rgb green title 'interior alone', '' using exchange lc rgb orange title 'exchange alone', \
     '' using boundary lc rgb grey title 'boundary alone'
unset multiplot
