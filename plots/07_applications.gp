# record: 07_cg
# Steps of CG a second with each SpMV of the course; without a card, the sectors that a step loads.
what = backend eq 'cuda' ? 'iterations_per_s' : 'ld_sectors'
systems = system(sprintf("awk -F'\\t' '/^#/ {next} $1 == \"chapter\" {for (i = 1; i <= NF; i++) at[$i] = i; next} $(at[\"kind\"]) != \"cpu\" && $(at[\"%s\"]) != \"-\" && !($4 in s) {s[$4] = 1; printf \"%%s \", $4}' '%s'", what, record))
bars(system) = sprintf("< awk -F'\\t' -v s='%s' '/^#/ {next} $1 == \"chapter\" {for (i = 1; i <= NF; i++) at[$i] = i; next} $4 == s && ($3 == \"gpu\" || $2 ~ /cusparse/) && $(at[\"%s\"]) != \"-\" {v = $(at[\"%s\"]); print $2 \"\\t\" (\"%s\" == \"ld_sectors\" ? v / $(at[\"iterations\"]) : v) \"\t\" ($2 ~ /cusparse/ ? 8947848 : 3893928)}' '%s'", system, what, what, what, record)
height = words(systems) > 1 ? 760 : 560
@canvas
set multiplot layout words(systems), 1 title (backend eq 'cuda' ? sprintf('CG with each SpMV of the course, fp64: %s', gpu) : 'CG with each SpMV of the course, fp64, on the stand-in')."\n" noenhanced
set xtics rotate by 50 right noenhanced font ',10'
set ylabel (backend eq 'cuda' ? 'steps a second' : '32-byte sectors loaded a step')
set yrange [0:*]
set bmargin 7.5
unset key
do for [s in systems] {
    set title s noenhanced
    plot bars(s) using 0:2:3:xtic(1) with boxes lc rgb variable # cuSPARSE in grey
}
unset multiplot
