# record: 04_spmv_scalar_bytes
# Bytes a nonzero in each format, counted from the matrix.  Formats that were refused are left out; one bar ends at the top of the axis.
# A line for each matrix: name, then bytes a nonzero in fp32 of each format.
sizes = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ || $2 == \"step\" || $5 != \"fp32\" {next} {name = $4; if (!(name in seen)) {seen[name] = 1; order[++n] = name} b[name, $2] = $11 == \"ok\" ? $7 : \"-\"} END {for (i = 1; i <= n; i++) {m = order[i]; s = m; if (s !~ /^like:/) sub(/:.*/, \"\", s); best = 1e9; for (k = 2; k <= 4; k++) {v = b[m, \"BSR\" k]; if (v != \"-\" && v < best) best = v} print s, b[m, \"CSR\"], b[m, \"COO\"], b[m, \"ELL\"], b[m, \"DIA\"], b[m, \"HYB\"], best < 1e9 ? best : \"-\", b[m, \"CSRL\"], b[m, \"BCOO8\"], b[m, \"SELL32\"]}}' '%s'", record)
set style data histograms
set style histogram clustered gap 1
set title 'Bytes a nonzero, fp32 values, in each format (no bar: refused; cut at 28)'
set ylabel 'bytes a nonzero'
set yrange [0:28]
set xtics noenhanced
set key outside bottom center horizontal samplen 2
set arrow from graph 0, first 4 to graph 1, first 4 nohead dt 3 lc rgb red
set label 'values' at graph 0.005, first 4.7 left textcolor rgb red
plot sizes using 2:xtic(1) lc rgb grey title 'CSR', '' using 3 lc rgb pale_grey title 'COO', \
     '' using 4 lc rgb blue title 'ELL', '' using 5 lc rgb green title 'DIA', '' using 6 lc rgb pale_blue title 'HYB', \
     '' using 7 lc rgb orange title 'BSR, best block', '' using 8 lc rgb pale_purple title 'CSRL (CPU)', \
     '' using 9 lc rgb purple title 'blocked COO, 8 bit (CPU)', '' using 10 lc rgb pale_orange title 'SELL-32 (library)'
