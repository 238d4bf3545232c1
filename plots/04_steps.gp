# record: 04_spmv_scalar
# The steps by format on each matrix.  A line for each matrix: name, then v1, v3, v4, v5, v6, v8, v9 and cuSPARSE's best of all.
set style data histograms
set style histogram clustered gap 1
set xtics noenhanced
set key top right maxrows 2 samplen 2
set xrange [-0.6:*]
student = own(backend eq 'cuda' ? '10' : '($9 / 1e3)')
if (backend eq 'cuda') {
    rows(type) = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ || $2 == \"step\" || $5 != \"%s\" || $15 != \"ok\" || $13 == \"-\" {next} {if (!($4 in seen)) {seen[$4] = 1; order[++n] = $4} e[$4, $2] = $13; if ($2 ~ /^cusparse/ && $13 + 0 > all[$4]) all[$4] = $13 + 0} function v(m, s) {return (m, s) in e ? e[m, s] : 0} END {for (i = 1; i <= n; i++) {m = order[i]; s = m; if (s !~ /^like:/) sub(/:.*/, \"\", s); print s, v(m, \"v1\"), v(m, \"v3\"), v(m, \"v4\"), v(m, \"v5\"), v(m, \"v6\"), v(m, \"v8\"), v(m, \"v9\"), all[m] + 0, v(m, \"student\")}}' '%s'", type, record)
    set multiplot layout 2, 1 title sprintf('SpMV by format: %s, cold L2', gpu) noenhanced
    set ylabel 'ideal CSR time / time'
    set yrange [0:2.4]
    set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 3 lc rgb grey
    do for [type in 'fp32 fp64'] {
        set title type
        plot rows(type) using 2:xtic(1) lc rgb grey title 'v1 CSR', '' using 3 lc rgb pale_grey title 'v3 COO', \
             '' using 4 lc rgb blue title 'v4 ELL', '' using 5 lc rgb green title 'v5 DIA', '' using 6 lc rgb pale_blue title 'v6 HYB', \
             '' using 7 lc rgb orange title 'v8 BSR', '' using 8 lc rgb purple title 'v9 chosen', \
             '' using 9 lc rgb red title 'cuSPARSE best' @student
    }
    unset multiplot
} else {
    rows(column) = sprintf("< awk -F'\\t' -v OFS='\\t' -v c=%d '/^#/ || $2 == \"step\" || $5 != \"fp32\" || $3 != \"gpu\" || $15 != \"ok\" {next} {if (!($4 in seen)) {seen[$4] = 1; order[++n] = $4} e[$4, $2] = $c} function v(m, s) {return (m, s) in e ? e[m, s] : 0} END {for (i = 1; i <= n; i++) {m = order[i]; s = m; sub(/:.*/, \"\", s); print s, v(m, \"v1\"), v(m, \"v3\"), v(m, \"v4\"), v(m, \"v5\"), v(m, \"v6\"), v(m, \"v8\"), v(m, \"v9\"), v(m, \"student\")}}' '%s'", column, record)
    set title 'SpMV by format, fp32, counted by the stand-in (no bar: refused)'
    set ylabel '32-byte sectors read, thousands'
    set key outside bottom center horizontal maxrows 1 width 1
    set xlabel ' '
    set yrange [0:*]
    plot rows(17) using ($2 / 1e3):xtic(1) lc rgb grey title 'v1 CSR', '' using ($3 / 1e3) lc rgb pale_grey title 'v3 COO', \
         '' using ($4 / 1e3) lc rgb blue title 'v4 ELL', '' using ($5 / 1e3) lc rgb green title 'v5 DIA', '' using ($6 / 1e3) lc rgb pale_blue title 'v6 HYB', \
         '' using ($7 / 1e3) lc rgb orange title 'v8 BSR', '' using ($8 / 1e3) lc rgb purple title 'v9 chosen' @student
}
