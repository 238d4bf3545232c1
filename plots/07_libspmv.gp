# record: 07_load_balance_summary
# Points for each matrix of the suite: libspmv with a plan is nearly everywhere faster than the best form of cuSPARSE; beside it the efficiency of both.
# A line for each matrix: name; fp32: against CSR as is, against the best form, efficiency, that of the best form; fp64: the same.
rows(key) = sprintf("< awk -F'\\t' -v OFS='\\t' '$1 == \"chapter\" {for (i = 1; i <= NF; i++) at[$i] = i; next} $2 == \"libspmv_plan\" && $3 == \"gpu\" {if (!($4 in seen)) {seen[$4] = 1; order[++n] = $4} v[$4, $5] = $at[\"times_asis\"] OFS $at[\"times_best\"] OFS $at[\"efficiency\"] OFS $at[\"best_efficiency\"]} END {for (i = 1; i <= n; i++) {x = order[i]; if (x !~ /^dense:/) sub(/:[0-9].*/, \"\", x); print x, v[order[i], \"fp32\"], v[order[i], \"fp64\"]}}' '%s' | sort -t '\t' -k%d,%dg", record, key, key)
matrices = int(system(sprintf("awk -F'\t' '$2 == \"libspmv_plan\" && $3 == \"gpu\" && !s[$4]++ {n++} END {print n}' '%s'", record)))
height = 130 + 17 * matrices
@canvas
set multiplot layout 1, 2 title 'libspmv with a plan on every matrix, sorted by fp32: '.where noenhanced
set ytics noenhanced font ',11'
set yrange [matrices:-1]
set grid x
set tmargin 2
set key maxrows 4 samplen 1
set bmargin 8
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead lc rgb red dt 2
set logscale x 2
set xrange [0.7:8]
set xlabel 'times as fast as cuSPARSE'
plot rows(3) using 3:0:ytic(1) with points pt 7 lc rgb blue title 'fp32, best form', \
     '' using 7:0 with points pt 7 ps 0.7 lc rgb green title 'fp64, best form', \
     '' using 2:0 with points pt 6 lc rgb orange title 'fp32, CSR as is', \
     '' using 6:0 with points pt 6 ps 0.7 lc rgb red title 'fp64, CSR as is'
unset logscale x
set xrange [0:1.6]
set xlabel 'ideal CSR time / time'
plot rows(4) using 4:0:ytic(1) with points pt 7 lc rgb blue title 'libspmv, fp32', \
     '' using 8:0 with points pt 7 ps 0.7 lc rgb green title 'libspmv, fp64', \
     '' using 5:0 with points pt 6 lc rgb grey title 'cuSPARSE, best form, fp32', \
     '' using 9:0 with points pt 6 ps 0.7 lc rgb pale_purple title 'cuSPARSE, best form, fp64'
unset multiplot
