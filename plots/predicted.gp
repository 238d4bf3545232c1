# record: predicted
# Points of measured against predicted times, both axes logarithmic: most of them lie along the diagonal between lines of a quarter above and below it.
set title 'Measured against predicted, one point per row: '.gpu noenhanced
set xlabel 'predicted, µs'
set ylabel 'measured, µs'
set logscale xy
set grid x y lt 1 lw 0.6 lc rgb grid_grey
of(chapter, set) = '< '.awk_of("'".record."' '".record[1:strlen(record) - 4]."_fresh.tsv'", \
    '$at["chapter"] ~ /^'.chapter.'/ && $at["set"] == "'.set.'" {print $at["predicted_us"], $at["measured_us"]}')
chapters = '01 02 03 04 05 06 07'
colour(i) = word(blue.' '.orange.' '.green.' '.purple.' '.red.' '.grey.' '.pale_blue, i)
plot [2:400][2:400] x with lines lc rgb grey notitle, 1.25 * x with lines lc rgb grey dt 2 notitle, x / 1.25 with lines lc rgb grey dt 2 notitle, \
     for [i = 1:words(chapters)] of(word(chapters, i), 'seen') using 1:2 with points pt 7 ps 0.5 lc rgb colour(i) title 'chapter '.word(chapters, i), \
     for [i = 1:words(chapters)] of(word(chapters, i), 'aside') using 1:2 with points pt 4 ps 0.9 lc rgb colour(i) notitle, \
     for [i = 1:words(chapters)] of(word(chapters, i), 'fresh') using 1:2 with points pt 8 ps 0.9 lc rgb colour(i) notitle, \
     NaN with points pt 4 ps 0.9 lc rgb 'black' title 'held out', NaN with points pt 8 ps 0.9 lc rgb 'black' title 'measured later'
