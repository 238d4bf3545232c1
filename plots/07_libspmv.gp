# record: 07_load_balance_summary
# libspmv with a plan on every matrix of the suite: against cuSPARSE, and its efficiency beside that of cuSPARSE's best form.
# A line for each matrix: name; fp32: against CSR as is, against the best form, efficiency, that of the best form; fp64: the same.
rows(key) = sprintf("< awk -F'\\t' -v OFS='\\t' '$1 == \"chapter\" {for (i = 1; i <= NF; i++) at[$i] = i; next} $2 == \"libspmv_plan\" && $3 == \"gpu\" {if (!($4 in seen)) {seen[$4] = 1; order[++n] = $4} v[$4, $5] = $at[\"times_asis\"] OFS $at[\"times_best\"] OFS $at[\"efficiency\"] OFS $at[\"best_efficiency\"]} END {for (i = 1; i <= n; i++) {x = order[i]; sub(/^like:/, \"\", x); if (x !~ /^dense:/) sub(/:[0-9].*/, \"\", x); print x, v[order[i], \"fp32\"], v[order[i], \"fp64\"]}}' '%s' | sort -t '\t' -k%d,%dg", record, key, key)
height = 760
@canvas
set multiplot layout 2, 1 title sprintf('libspmv with a plan on every matrix, sorted by fp32: %s, cold L2', gpu)."\n" noenhanced
set xtics rotate by 65 right noenhanced font ',7'
set bmargin 7
set xrange [-1:*]
set key tmargin center horizontal samplen 1 font ',9'
set logscale y 2
set yrange [0.7:8]
set ylabel 'times as fast'
plot rows(3) using 0:3:xtic(1) with points pt 7 lc rgb blue title 'fp32 against cuSPARSE, best form', \
     '' using 0:7 with points pt 7 ps 0.7 lc rgb green title 'fp64', \
     '' using 0:2 with points pt 6 lc rgb orange title 'fp32 against CSR as is', \
     '' using 0:6 with points pt 6 ps 0.7 lc rgb red title 'fp64', 1 with lines lc rgb red dt 2 notitle
unset logscale y
set yrange [0:1.6]
set ylabel 'ideal CSR time / time'
plot rows(4) using 0:4:xtic(1) with points pt 7 lc rgb blue title 'fp32', \
     '' using 0:8 with points pt 7 ps 0.7 lc rgb green title 'fp64', \
     '' using 0:5 with points pt 6 lc rgb grey title 'fp32, cuSPARSE, best form', \
     '' using 0:9 with points pt 6 ps 0.7 lc rgb pale_purple title 'fp64, cuSPARSE', 1 with lines lc rgb red dt 2 notitle
unset multiplot
