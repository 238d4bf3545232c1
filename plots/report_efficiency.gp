# record: any (docs/book/report.sh draws it for each record)
# Every row of a record by step: its efficiency (cuda), or which part of what moved was asked for (simt).
value = backend eq 'cuda' ? 'efficiency' : 'useful_pct'
rows = awk('$at["status"] == "ok" && $at["kind"] != "cpu" && $at["'.value.'"] != "-" {s = $at["step"]; if (!(s in line)) line[s] = ++k; ' \
    .'print line[s], $at["'.value.'"] / '.(backend eq 'cuda' ? '1' : '100').', $at["kind"] == "peer", s}')
steps = system(rows.' | sort -n | tail -n 1 | cut -d" " -f1') + 0
set datafile separator whitespace
set title (backend eq 'cuda' ? 'Efficiency of each row, by step, time of the roofline / time: '.where : 'Part of what moved that the lanes asked for, each row by step: '.where)
set xlabel (backend eq 'cuda' ? 'efficiency' : 'asked for / moved')
set xrange [0:*]
set yrange [steps + 0.6:0.4]
unset grid
set grid x lt 1 lw 0.6 lc rgb grid_grey
set arrow from 1, graph 0 to 1, graph 1 nohead dt 2 lc rgb red
set ytics noenhanced
if (steps > 26) { height = 120 + 15 * steps; @canvas; set ytics font ',10' }
set lmargin 26
plot '< '.rows using ($3 == 0 ? $2 : NaN):1:ytic(4) with points pt 7 ps 0.6 lc rgb blue title 'ours', \
     '< '.rows using ($3 == 1 ? $2 : NaN):1:ytic(4) with points pt 7 ps 0.6 lc rgb orange title 'libraries'
