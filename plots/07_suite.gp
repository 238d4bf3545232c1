# record: 07_load_balance_suite
# Points for each matrix of the suite, in fp32 and fp64: the best step is as fast as the best form of cuSPARSE or faster, far faster than CSR as is on most.
# A line for each case of a type: name, speed of the best step against CSR as is and against its best form.
ratios(type) = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ || $2 == \"step\" || $5 != \"%s\" || $15 != \"ok\" || $7 == \"-\" {next} {t = $7 + 0; if (!($4 in seen)) {seen[$4] = 1; name[++n] = $4} if ($3 == \"gpu\" && $2 !~ /\\// && $2 != \"student\" && (!o[$4] || t < o[$4])) o[$4] = t; if ($2 ~ /^cusparse_csr(_alg[12])?$/ && (!c[$4] || t < c[$4])) c[$4] = t; if ($2 ~ /^cusparse/ && (!a[$4] || t < a[$4])) a[$4] = t} END {for (i = 1; i <= n; i++) {m = name[i]; x = m; if (x !~ /^dense:/) sub(/:[0-9].*/, \"\", x); if (o[m] && c[m]) print x, c[m] / o[m], a[m] / o[m]}}' '%s' | sort -t '\t' -k3,3g", type, record)
if (backend eq 'cuda') {
    matrices = int(system(sprintf("awk -F'\t' '!/^#/ && $2 != \"step\" && !s[$4]++ {n++} END {print n}' '%s'", record)))
    height = 110 + 17 * matrices
    @canvas
    set multiplot layout 1, 2 title 'The best step of each matrix against cuSPARSE: '.where noenhanced
    set logscale x 2
    set xlabel 'times as fast'
    set grid x
    set tmargin 2
    set xrange [0.9:8]
    set ytics noenhanced font ',11'
    set yrange [matrices:-1]
    set key samplen 1
    do for [type in 'fp32 fp64'] {
        set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead lc rgb red dt 2
        plot ratios(type) using 3:0:ytic(1) with points pt 7 lc rgb blue title type.': against its best form', \
             ratios(type) using 2:0 with points pt 6 lc rgb orange title 'CSR as is'
    }
    unset multiplot
}
