# Points of a leaderboard, best first, on standard output.  Variables from common/classroom/grade/leaderboard_pages.c: table (points, verdict,
# name; read as it stands, twice), rows, heading.
set encoding utf8
bar_blue = '#3b6ea8'; grid_grey = '#dddddd'
set terminal svg size 900, 120 + 22 * rows font 'sans-serif,13' background rgb 'white'
set datafile separator "\t"
set datafile commentschars ''
set title heading noenhanced
set xrange [0:110]
set yrange [rows - 0.4:-0.6]
set xlabel 'points'
set border 3
set tics nomirror out
set ytics noenhanced
set grid x lc rgb grid_grey
set xtics 0, 20, 100
set lmargin 32
unset key
# A bar from 0 to the points; where there are none, the verdict says why.
set style fill solid 0.9 noborder
plot table using (0.5 * $1):0:(0.5 * $1):(0.35):ytic(strcol(3)) with boxxyerror lc rgb bar_blue, \
     '' using ($1 + 1):0:(strcol(1) eq '100' ? '100' : strcol(1).'  '.strcol(2)) with labels left noenhanced font ',11'
