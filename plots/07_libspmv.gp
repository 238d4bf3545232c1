# record: 07_load_balance_summary
# Points for each matrix of the suite: libspmv with a plan is nearly everywhere faster than the best form of cuSPARSE; the right panel shows the efficiency of both.
# A line for each matrix, sorted by a column of its row in fp32: against CSR as is and the best form, efficiency of libspmv and of that form.
plan = '$at["step"] == "libspmv_plan" && $at["kind"] == "gpu"'
rows(by) = '< '.awk(plan.' {m = $at["case"]; if (!seen[m]++) order[++n] = m; if ($at["dtype"] == "fp32") key[m] = $at["'.by.'"]; ' \
    .'v[m, $at["dtype"]] = $at["times_asis"] OFS $at["times_best"] OFS $at["efficiency"] OFS $at["best_efficiency"]} ' \
    .'END {print "key", "case", "asis32", "best32", "ours32", "theirs32", "asis64", "best64", "ours64", "theirs64"; ' \
    .'for (i = 1; i <= n; i++) {x = m = order[i]; if (x !~ /^dense:/) sub(/:[0-9].*/, "", x); print key[m], x, v[m, "fp32"], v[m, "fp64"]}}')." | sort -t '\t' -k1,1g"
matrices = int(system(awk(plan.' && !s[$at["case"]]++ {n++} END {print n}')))
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
plot rows('times_best') using 'best32':0:ytic(strcol('case')) with points pt 7 lc rgb blue title 'fp32, best form', \
     '' using 'best64':0 with points pt 7 ps 0.7 lc rgb green title 'fp64, best form', \
     '' using 'asis32':0 with points pt 6 lc rgb orange title 'fp32, CSR as is', \
     '' using 'asis64':0 with points pt 6 ps 0.7 lc rgb red title 'fp64, CSR as is'
unset logscale x
set xrange [0:1.6]
set xlabel 'ideal CSR time / time'
plot rows('efficiency') using 'ours32':0:ytic(strcol('case')) with points pt 7 lc rgb blue title 'libspmv, fp32', \
     '' using 'ours64':0 with points pt 7 ps 0.7 lc rgb green title 'libspmv, fp64', \
     '' using 'theirs32':0 with points pt 6 lc rgb grey title 'cuSPARSE, best form, fp32', \
     '' using 'theirs64':0 with points pt 6 ps 0.7 lc rgb pale_purple title 'cuSPARSE, best form, fp64'
unset multiplot
