# record: 07_acts
# A map of the 44 steps of chapter 07 in seven rows, one for each part; lines lead from a step to those that grew from it.
height = 420
@canvas
set title 'Steps of chapter 07, one part per row; lines lead to the steps derived from a step'
unset grid; set border 0; unset xtics
set xrange [0.4:19]; set yrange [7.6:0.4]
set ytics scale 0 ('a: split nonzeros' 1, 'b: bins, streams' 2, 'c: merge path' 3, 'd: CSR5' 4, 'e: speculation' 5, 'f: SELL' 6, 'g: short columns' 7)
step(short) = picked('$at["short"] == '.short)
plot picked('1') using 'from_x':'from_act':(column('x') - column('from_x')):(column('act') - column('from_act')) with vectors nohead lw 2 lc rgb pale_grey notitle, \
     step('0') using 'x':'act' with points pt 7 ps 2.6 lc rgb cell_blue title 'a step', \
     step('1') using 'x':'act' with points pt 7 ps 2.6 lc rgb cell_orange title 'a step of the short way', \
     step('0') using 'x':'act':'step' with labels font ',11' notitle, \
     step('1') using 'x':'act':'step' with labels font ',11' notitle
