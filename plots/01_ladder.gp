# record: 01_reduce
# cuda: Bars of the rates of steps v1 to v13 of a reduce on a GPU: they rise towards the peak read bandwidth and past Thrust and CUB.
# simt: Bars of what each step of a reduce asks of memory: v7 reads too many sectors, and wavefronts of shared memory shrink from v1 to v13.
bytes = system(sprintf("awk -F'\\t' '!/^#/ && $5 == \"fp32\" && $3 == \"gpu\" {sub(/n=/, \"\", $4); print $4; exit}' '%s'", record))
low(s) = broken(s)
set xtics scale 0 noenhanced
set yrange [0:*]
if (backend eq 'cuda') {
    ceiling = meta('ceiling_read_gbps') + 0
    set title sprintf('Reduce, the sum of %s floats: %s', bytes, where)
    set ylabel 'GB/s'
    set yrange [0:ceiling * 1.08]
    # rows of the card only: those with a share of the ceiling
    data = sprintf("< awk -F'\\t' -v OFS='\\t' '!/^#/ && $5 == \"fp32\" && $12 != \"-\" {print $2, $11, $3 == \"peer\" ? 13400621 : 3897536}' '%s'", record)
    plot @single, ceiling with lines lw 2 dt 2 lc rgb red title sprintf('peak read bandwidth of this run, %.0f GB/s', ceiling), \
         NaN with boxes lc rgb blue title 'our steps', NaN with boxes lc rgb orange title 'libraries'
} else {
    set multiplot layout 1, 2 title sprintf('Reduce, what the sum of %s floats costs each step: %s', bytes, where)
    of(what, colour) = sprintf("< awk -F'\\t' -v OFS='\\t' '!/^#/ && $5 == \"fp32\" && $3 == \"gpu\" {print $2, %s, %d}' '%s'", what, colour, record)
    set xtics font ',10'
    set ylabel '32-byte sectors read / fewest possible'
    set title 'global memory'
    data = of('32 * $17 / $10', 3897536)
    plot @single
    set ylabel 'shared-memory wavefronts, thousands'
    set title 'shared memory'
    data = of('($20 + $21) / 1000', 13400621)
    plot @single
    unset multiplot
}
