# record: 03_gemv
# Shape by shape: the chosen kernel against the best that cuBLAS offers (cuda), or what is read in vain (simt).
shapes(layout) = sprintf("< awk -F'\\t' -v want=%s '!/^#/ && $2 != \"step\" && $15 == \"ok\" && $12 != \"-\" {split($4, c, \":\"); if (c[2] != want) next; if (!(c[1] in seen)) {seen[c[1]] = 1; name[++n] = c[1]} k = c[1] SUBSEP $5 SUBSEP ($2 ~ /^cublas/ ? \"peer\" : $2); if (!(k in best) || $12 > best[k]) best[k] = $12 + 0} END {for (i = 1; i <= n; i++) {s = name[i]; label = s; gsub(/1048576/, \"1M\", label); gsub(/16384/, \"16K\", label); gsub(/4096/, \"4K\", label); printf \"%%s\", label; split(\"fp32 peer fp32 v26 fp64 peer fp64 v26\", w, \" \"); for (j = 1; j < 8; j += 2) {k = s SUBSEP w[j] SUBSEP w[j + 1]; printf \"\\t%%s\", (k in best) ? best[k] : \"-\"} printf \"\\n\"}}' '%s'", layout, record)
counts(layout, steps) = sprintf("< awk -F'\\t' -v want=%s -v steps='%s' '!/^#/ && $5 == \"fp32\" && $15 == \"ok\" && $16 != \"-\" {split($4, c, \":\"); if (c[2] != want) next; if (!(c[1] in seen)) {seen[c[1]] = 1; name[++n] = c[1]} v[c[1], $2] = 100 * $10 / (32 * ($17 + $19))} END {m = split(steps, s, \" \"); for (i = 1; i <= n; i++) {printf \"%%s\", name[i]; for (j = 1; j <= m; j++) printf \"\\t%%s\", ((name[i], s[j]) in v) ? v[name[i], s[j]] : \"-\"; printf \"\\n\"}}' '%s'", layout, steps, record)
set style data histograms
set style histogram clustered gap 1
set xtics scale 0
set key top center horizontal
if (backend eq 'cuda') {
    set multiplot layout 2, 1 title sprintf('y = A x, dense: %s, cold L2', gpu)
    set yrange [0:140]
    set ytics 25
    set ylabel '% of read ceiling'
    do for [layout in 'row col'] {
        set title (layout eq 'row' ? 'A by rows' : 'A by columns')
        plot shapes(layout) using 2:xtic(1) lc rgb pale_orange title 'cuBLAS, best of 3, fp32', \
             '' using 3 lc rgb pale_blue title 'v26, fp32', \
             '' using 4 lc rgb orange title 'cuBLAS, best of 3, fp64', \
             '' using 5 lc rgb blue title 'v26, fp64'
    }
    unset multiplot
} else {
    set multiplot layout 2, 1 title 'y = A x, dense, fp32: compulsory bytes / bytes in the sectors moved, counted by the stand-in'
    set yrange [0:140]
    set ytics 25
    set ylabel '%'
    row_steps = 'v1 v2 v4 v5 v7 v14 v26'
    row_colours = pale_grey.' '.grey.' '.pale_green.' '.pale_blue.' '.blue.' '.green.' '.orange
    set title 'A by rows'
    plot for [i = 1:words(row_steps)] counts('row', row_steps) using (column(i + 1)):xtic(1) lc rgb word(row_colours, i) title word(row_steps, i)
    col_steps = 'v17 v19 v24 v26'
    col_colours = pale_grey.' '.pale_blue.' '.green.' '.orange
    set title 'A by columns'
    plot for [i = 1:words(col_steps)] counts('col', col_steps) using (column(i + 1)):xtic(1) lc rgb word(col_colours, i) title word(col_steps, i)
    unset multiplot
}
