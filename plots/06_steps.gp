# record: 06_spmv_lightspmv
# The ladder on an even and on a skewed matrix: efficiency on a card, balance and requests without one.
set style data histograms
set style histogram clustered gap 1
if (backend eq 'cuda') {
    # A line for each step and cuSPARSE's two bests: efficiency of the first and of the second matrix.
    both(type) = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ || $1 == \"chapter\" || $15 != \"ok\" || $13 == \"-\" || $5 != \"%s\" {next} {if (!($4 in which)) which[$4] = ++n; m = which[$4]; id = $2; if (id ~ /^(v[0-9]+|student)$/) {if (!(id in seen)) {seen[id] = 1; order[++k] = id} e[id, m] = $13} if (id ~ /^cusparse_csr(_alg[12])?$/ && $13 > e[\"CSR as is\", m]) e[\"CSR as is\", m] = $13; if (id ~ /^cusparse/ && $13 > e[\"best cuSPARSE\", m]) e[\"best cuSPARSE\", m] = $13} END {order[++k] = \"CSR as is\"; order[++k] = \"best cuSPARSE\"; for (i = 1; i <= k; i++) print order[i], e[order[i], 1] + 0, e[order[i], 2] + 0}' '%s'", type, record)
    set multiplot layout 1, 2 title sprintf('LightSpMV step by step: %s, cold L2', gpu) noenhanced
    set xtics rotate by 45 right noenhanced font ',10'
    set bmargin 6
    set ylabel 'efficiency: ideal time / time'
    set yrange [0:1.3]
    set key top left samplen 2
    set ytics 0, 0.2, 1
    do for [type in 'fp32 fp64'] {
        set title type
        plot both(type) using 2:xtic(1) lc rgb blue title 'stencil27:100,100,100', '' using 3 lc rgb orange title 'like:webbase-1M'
    }
    unset multiplot
} else {
    both(name) = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ {next} $1 == \"chapter\" {for (i = 1; i <= NF; i++) at[$i] = i; next} $3 != \"gpu\" || $15 != \"ok\" || $5 != \"fp32\" {next} {if (!($4 in which)) which[$4] = ++n; if (!($2 in seen)) {seen[$2] = 1; order[++k] = $2} e[$2, which[$4]] = $(at[\"%s\"])} END {for (i = 1; i <= k; i++) print order[i], e[order[i], 1], e[order[i], 2]}' '%s'", name, record)
    set multiplot layout 1, 2 title 'LightSpMV step by step, fp32, one SM, counted by the stand-in'."\n"
    set key tmargin center maxrows 2 samplen 2
    set ylabel 'busiest warp / mean warp'
    set yrange [0:*]
    plot both('warp_max_mean') using 2:xtic(1) lc rgb blue title 'poisson2d:48,48', '' using 3 lc rgb orange title 'rmat:12,16'
    set ylabel 'additions to the counter, in requests'
    plot both('atomic_requests') using 2:xtic(1) lc rgb blue title 'poisson2d:48,48', '' using 3 lc rgb orange title 'rmat:12,16'
    unset multiplot
}
