# record: 07_cg
# cuda: Bars of the steps per second of conjugate gradients with each SpMV of the course, on two systems: libspmv with a plan is ahead of cuSPARSE on both.
# simt: Bars of the sectors that a step of conjugate gradients loads with each SpMV of the course.
what = backend eq 'cuda' ? 'iterations_per_s' : 'ld_sectors'
systems = system(sprintf("awk -F'\\t' '/^#/ {next} $1 == \"chapter\" {for (i = 1; i <= NF; i++) at[$i] = i; next} $(at[\"kind\"]) != \"cpu\" && $(at[\"%s\"]) != \"-\" && !($4 in s) {s[$4] = 1; printf \"%%s \", $4}' '%s'", what, record))
rows(system) = sprintf("< awk -F'\\t' -v s='%s' '/^#/ {next} $1 == \"chapter\" {for (i = 1; i <= NF; i++) at[$i] = i; next} $4 == s && ($3 == \"gpu\" || $2 ~ /cusparse/) && $(at[\"%s\"]) != \"-\" {v = $(at[\"%s\"]); grey = $2 ~ /cusparse/; sub(/cusparse_/, \"\", $2); print $2 \"\\t\" (\"%s\" == \"ld_sectors\" ? v / $(at[\"iterations\"]) : v) \"\t\" (grey ? 8750469 : 3897536)}' '%s'", system, what, what, what, record)
height = words(systems) > 1 ? 800 : 560
@canvas
set multiplot layout words(systems), 1 title 'CG with each SpMV of the course, fp64: '.where noenhanced
low(s) = broken(s)
set xtics scale 0 noenhanced font ',10'
set ylabel (backend eq 'cuda' ? 'steps per second' : '32-byte sectors loaded per step')
set yrange [0:*]
set offsets 0, 0, graph 0.1, 0
set bmargin 5.5
do for [s in systems] {
    set title s noenhanced
    data = rows(s)
    plot @single, NaN with boxes lc rgb blue title 'our steps', NaN with boxes lc rgb grey title 'cuSPARSE'
}
unset multiplot
