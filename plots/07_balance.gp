# record: 07_load_balance_experiment1
# Experiment 1: where rows differ most.  Without a card: the busiest warp and block against the mean one; with one: efficiency.
set style data histograms
set style histogram clustered gap 2
set xtics norotate noenhanced font ',10'
set xrange [-0.8:4.8]
# The steps at which a chain of ideas ends.
steps = 'v1 v6 v8 v11 v14 v17 v24 v27 v39 v44'
colour(i) = word(red.' '.pale_orange.' '.orange.' '.pale_grey.' '.grey.' '.blue.' '.pale_blue.' #407a9cc6 '.pale_green.' '.green, i)
# A line for each matrix: its name, then column `c` of those steps, then (cuda) that of cuSPARSE CSR as is and of its best form.
values(type, c) = sprintf("< awk -F'\\t' -v OFS='\\t' -v type=%s -v c=%d -v steps='%s' '/^#/ || $2 == \"step\" || $5 != type || $15 != \"ok\" || $c == \"-\" {next} {name = $4; sub(/\\(.*/, \"\", name); sub(/:[0-9].*/, \"\", name); if (!(name in seen)) {seen[name] = 1; order[++n] = name} v[name, $2] = $c; e = $13 + 0; if ($2 ~ /^cusparse_csr(_alg[12])?$/ && e > csr[name]) csr[name] = e; if ($2 ~ /^cusparse/ && e > all[name]) all[name] = e} END {for (i = 1; i <= n; i++) {m = order[i]; line = m; split(steps, step, \" \"); for (k = 1; k <= 10; k++) line = line OFS ((m, step[k]) in v ? v[m, step[k]] : \"-\"); print line, csr[m] + 0, all[m] + 0, (m, \"student\") in v ? v[m, \"student\"] : \"-\"}}' '%s'", type, c, steps, record)
student = own('14')
if (backend eq 'cuda') {
    set multiplot layout 2, 1 title sprintf('Rows that differ, all steps: %s, cold L2', gpu) noenhanced
    set ylabel 'efficiency: ideal / time'
    set yrange [0:*]
    set key outside right top samplen 1 maxrows 12 font ',10' spacing 0.9
    set bmargin 3
    do for [type in 'fp32 fp64'] {
        set title type
        plot for [i = 1:10] values(type, 13) using (column(i + 1)):xtic(1) lc rgb colour(i) title word(steps, i), \
             '' using 12 lc rgb pale_purple title 'CSR as is', '' using 13 lc rgb purple title 'cuSPARSE best' @student
    }
    unset multiplot
} else {
    set multiplot layout 2, 1 title 'Work of the busiest against the mean (memory instructions, fp32), counted by the stand-in'
    set logscale y
    set lmargin 11
    set yrange [1:*]
    set key outside right top samplen 1 maxrows 12 font ',10' spacing 0.9
    set bmargin 3
    set ylabel 'warp: max / mean'
    plot for [i = 1:10] values('fp32', 26) using (column(i + 1)):xtic(1) lc rgb colour(i) title word(steps, i) @student
    set ylabel 'block: max / mean'
    plot for [i = 1:10] values('fp32', 27) using (column(i + 1)):xtic(1) lc rgb colour(i) title word(steps, i) @student
    unset multiplot
}
