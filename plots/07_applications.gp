# record: 07_cg
# cuda: Bars of the iterations per second of conjugate gradients with each SpMV of the course, on two systems: libspmv with a plan is ahead of cuSPARSE on both.
# simt: Bars of the sectors that an iteration of conjugate gradients loads with each SpMV of the course.
cusparse = '$at["step"] ~ /cusparse/'
what = backend eq 'cuda' ? '$at["iterations_per_s"]' : '$at["ld_sectors"]'
value = what.(backend eq 'cuda' ? '' : ' / $at["iterations"]')
systems = system(awk('$at["kind"] != "cpu" && '.what.' != "-" && !s[$at["case"]]++ {printf "%s ", $at["case"]}'))
rows(s) = values('$at["case"] == "'.s.'" && ($at["kind"] == "gpu" || '.cusparse.') && '.what.' != "-"', value, cusparse.' ? '.quoted(grey).' : '.quoted(blue))
height = words(systems) > 1 ? 800 : 560
@canvas
set multiplot layout words(systems), 1 title 'CG with each SpMV of the course, fp64: '.where noenhanced
low(s) = broken(strstrt(s, '/cusparse') ? s[1:3].s[13:*] : s)
set xtics scale 0 noenhanced font ',10'
set ylabel (backend eq 'cuda' ? 'iterations per second' : '32-byte sectors loaded per iteration')
set yrange [0:*]
set offsets 0, 0, graph 0.1, 0
set bmargin 5.5
do for [s in systems] {
    set title s noenhanced
    data = rows(s)
    plot @single, NaN with boxes lc rgb blue title 'our steps', NaN with boxes lc rgb grey title 'cuSPARSE'
}
unset multiplot
