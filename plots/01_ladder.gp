# record: 01_reduce
# The ladder: what each step reaches of the card's read ceiling (cuda), or what it moves (simt).
fp32(x) = strcol('dtype') eq 'fp32' ? x : NaN
if (backend eq 'cuda') {
    ceiling = meta('ceiling_read_gbps') + 0
    set title sprintf('Reduce: the sum of 67 million floats, %s, cold L2', gpu)
    set ylabel 'GB/s'
    set yrange [0:ceiling * 1.12]
    set xtics rotate by -35
    # rows of the card only: those with a share of the ceiling
    row(x) = (strcol('dtype') eq 'fp32' && strcol('pct_ceiling') ne '-') ? x : NaN
    stats record using (row(column('cold_gbps'))) every ::1 nooutput
    plot sprintf("< awk -F'\\t' '!/^#/ && (NR == 1 || $5 == \"fp32\" || $5 == \"dtype\") && ($12 != \"-\")' '%s'", record) \
             using 0:(column('cold_gbps')):(strcol('kind') eq 'peer' ? 0xcc7a2d : 0x3b78c0):xtic(strcol('step')) \
             with boxes lc rgb variable notitle, \
         ceiling with lines lw 2 dt 2 lc rgb red title sprintf('read ceiling of this run, %.0f GB/s', ceiling)
} else {
    set title 'Reduce: what 2^{18} floats cost each step, counted by the stand-in'
    set multiplot layout 1, 2
    kernels = sprintf("< awk -F'\\t' '!/^#/ && ($5 == \"dtype\" || $5 == \"fp32\" && $3 == \"gpu\")' '%s'", record)
    set ylabel '32-byte sectors read / fewest possible'
    set yrange [0:*]
    set xtics rotate by -45
    set title 'global memory'
    plot kernels using 0:(column('ld_sectors') * 32 / column('bytes')):xtic(strcol('step')) with boxes lc rgb blue notitle
    set ylabel 'shared-memory wavefronts, thousands'
    set title 'shared memory'
    plot kernels using 0:((column('sh_ld_wavefronts') + column('sh_st_wavefronts')) / 1e3):xtic(strcol('step')) \
             with boxes lc rgb orange notitle
    unset multiplot
}
