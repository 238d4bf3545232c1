# record: 07_load_balance_suite
# The whole suite: the best step of each matrix against cuSPARSE, worst first.
# A line for each case of a type: name, speed of the best step against CSR as is and against its best form.
ratios(type) = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ || $2 == \"step\" || $5 != \"%s\" || $15 != \"ok\" || $7 == \"-\" {next} {t = $7 + 0; if (!($4 in seen)) {seen[$4] = 1; name[++n] = $4} if ($3 == \"gpu\" && $2 !~ /\\// && $2 != \"student\" && (!o[$4] || t < o[$4])) o[$4] = t; if ($2 ~ /^cusparse_csr(_alg[12])?$/ && (!c[$4] || t < c[$4])) c[$4] = t; if ($2 ~ /^cusparse/ && (!a[$4] || t < a[$4])) a[$4] = t} END {for (i = 1; i <= n; i++) {m = name[i]; x = m; sub(/^like:/, \"\", x); if (x !~ /^dense:/) sub(/:[0-9].*/, \"\", x); if (o[m] && c[m]) print x, c[m] / o[m], a[m] / o[m]}}' '%s' | sort -t '\t' -k3,3g", type, record)
if (backend eq 'cuda') {
    height = 760
    @canvas
    set multiplot layout 2, 1 title sprintf('The best step of each matrix against cuSPARSE: %s, cold L2', gpu)."\n" noenhanced
    set logscale y 2
    set ylabel 'times as fast'
    set xtics rotate by 65 right noenhanced font ',7'
    set bmargin 7
    set xrange [-1:*]
    set key tmargin right horizontal samplen 1
    do for [type in 'fp32 fp64'] {
        set title type
        plot ratios(type) using 0:3:xtic(1) with points pt 7 lc rgb blue title 'against its best form', \
             ratios(type) using 0:2 with points pt 6 lc rgb orange title 'against CSR as is', 1 with lines lc rgb red dt 2 notitle
    }
    unset multiplot
}
