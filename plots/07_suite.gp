# record: 07_load_balance_suite
# Points for each matrix of the suite, in fp32 and fp64: the best step is as fast as the best form of cuSPARSE or faster, far faster than CSR as is on most.
# A line for each case of a type: name, speed of the best step against CSR as is and against its best form.
ratios(type) = '< '.awk('$at["dtype"] != "'.type.'" || $at["status"] != "ok" || $at["cold_us"] == "-" {next} ' \
    .'{t = $at["cold_us"] + 0; s = $at["step"]; m = $at["case"]; if (!seen[m]++) name[++n] = m; ' \
    .'if ($at["kind"] == "gpu" && s !~ /[/]/ && s != "student" && (!ours[m] || t < ours[m])) ours[m] = t; ' \
    .'if (s ~ /^cusparse_csr(_alg[12])?$/ && (!csr[m] || t < csr[m])) csr[m] = t; if (s ~ /^cusparse/ && (!best[m] || t < best[m])) best[m] = t} ' \
    .'END {for (i = 1; i <= n; i++) {m = x = name[i]; if (x !~ /^dense:/) sub(/:[0-9].*/, "", x); if (ours[m] && csr[m]) print x, csr[m] / ours[m], best[m] / ours[m]}}') \
    ." | sort -t '\t' -k3,3g"
if (backend eq 'cuda') {
    matrices = int(system(awk('!s[$at["case"]]++ {n++} END {print n}')))
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
