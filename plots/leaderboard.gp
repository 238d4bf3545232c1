# Points of a leaderboard, best first.  Variables from common/grade/leaderboard.sh: table, picture, heading.
rows = int(system(sprintf("wc -l < '%s'", table)))
set terminal svg size 900, 120 + 22 * rows font 'sans-serif,13' background rgb 'white'
set output picture
set datafile separator "\t"
set title heading noenhanced
set xrange [0:110]
set yrange [rows - 0.4:-0.6]
set xlabel 'points'
set border 3
set tics nomirror out
set ytics noenhanced
set grid x lc rgb '#dddddd'
set xtics 0, 20, 100
set lmargin 32
unset key
name(s) = strlen(s) > 30 ? s[1:29]."~" : s
# A bar from 0 to the points; where there are none, the verdict says why.
set style fill solid 0.9 noborder
plot table using (0.5 * $1):0:(0.5 * $1):(0.35):ytic(name(strcol(5))) with boxxyerror lc rgb '#3b6ea8', \
     '' using ($1 + 1):0:(strcol(1) eq '100' ? '100' : strcol(1).'  '.strcol(2)) with labels left noenhanced font ',11'
