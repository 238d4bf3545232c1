# record: 05_spmv_vector_experiment2
# Experiment 2: the chapter's steps against cuSPARSE on the article's six matrices, as bars.
set style data histograms
set style histogram clustered gap 1
set xtics rotate by 20 right noenhanced
set yrange [0:*]
student = own(backend eq 'cuda' ? '6' : '10'); student_lanes = own('11')
if (backend eq 'cuda') {
    # A line for each matrix: name, then cuSPARSE CSR as is, its best of all, v3, and the best step, each as
    # time of an ideal run (floor and compulsory bytes at the copy ceiling) over its own time.
    ratio(type) = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ || $2 == \"step\" || $5 != \"%s\" || $15 != \"ok\" || $13 == \"-\" {next} {if (!($4 in seen)) {seen[$4] = 1; name[++n] = $4} e = $13 + 0; if ($2 ~ /^cusparse_csr(_alg[12])?$/ && e > csr[$4]) csr[$4] = e; if ($2 ~ /^cusparse/ && e > all[$4]) all[$4] = e; if ($2 == \"v3\") v3[$4] = e; if ($2 == \"student\") own[$4] = e; if ($2 ~ /^v[0-9]+$/ && e > best[$4]) best[$4] = e} END {for (i = 1; i <= n; i++) {m = name[i]; sub(/\\(.*/, \"\", m); print m, csr[name[i]] + 0, all[name[i]] + 0, v3[name[i]] + 0, best[name[i]] + 0, own[name[i]] + 0}}' '%s'", type, record)
    set multiplot layout 1, 2 title sprintf('SpMV against cuSPARSE: %s, cold L2', gpu) noenhanced
    set ylabel 'efficiency: ideal time / time'
    set yrange [0:1.3]
    set ytics 0, 0.2, 1
    set key top left maxrows 2 width -4 samplen 2
    set lmargin 9; set rmargin 4; set bmargin 6
    do for [type in 'fp32 fp64'] {
        set title type
        plot ratio(type) using 2:xtic(1) lc rgb pale_orange title 'cuSPARSE CSR as is', \
             '' using 3 lc rgb orange title 'cuSPARSE best of all', \
             '' using 4 lc rgb pale_blue title 'v3, lanes by mean', \
             '' using 5 lc rgb blue title 'best step' @student
    }
    unset multiplot
} else {
    # A line for each matrix: name, then bytes moved for a byte that a lane asked for, and active lanes, of v1, v3, v7, v16.
    counts = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ || $2 == \"step\" || $5 != \"fp32\" || $3 != \"gpu\" || $15 != \"ok\" {next} {name = $4; sub(/\\(.*/, \"\", name); if (!(name in seen)) {seen[name] = 1; order[++n] = name} t[name, $2] = 100 / $23; a[name, $2] = $22} END {for (i = 1; i <= n; i++) {m = order[i]; print m, t[m, \"v1\"], t[m, \"v3\"], t[m, \"v7\"], t[m, \"v16\"], a[m, \"v1\"], a[m, \"v3\"], a[m, \"v7\"], a[m, \"v16\"], t[m, \"student\"], a[m, \"student\"]}}' '%s'", record)
    set multiplot layout 1, 2 title 'SpMV, fp32, samples of rows, counted by the stand-in'
    set key top right
    set lmargin 9; set bmargin 6
    set ylabel 'bytes moved for each byte used'
    plot counts using 2:xtic(1) lc rgb grey title 'v1', '' using 3 lc rgb pale_blue title 'v3', \
         '' using 4 lc rgb blue title 'v7', '' using 5 lc rgb orange title 'v16' @student
    set ylabel 'active lanes of 32'
    set yrange [0:40]
    plot counts using 6:xtic(1) lc rgb grey title 'v1', '' using 7 lc rgb pale_blue title 'v3', \
         '' using 8 lc rgb blue title 'v7', '' using 9 lc rgb orange title 'v16' @student_lanes
    unset multiplot
}
