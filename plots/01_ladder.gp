# record: 01_reduce
# cuda: Bars of the rates of steps v1 to v13 of a reduce on a GPU: they rise towards the peak read bandwidth and past Thrust and CUB.
# simt: Bars of what each step of a reduce asks of memory: v7 reads too many sectors, and wavefronts of shared memory shrink from v1 to v13.
floats = system(awk('$at["dtype"] == "fp32" && $at["kind"] == "gpu" {print substr($at["case"], 3); exit}')) # n=1024
low(s) = broken(s)
set xtics scale 0 noenhanced
set yrange [0:*]
if (backend eq 'cuda') {
    ceiling = meta('ceiling_read_gbps') + 0
    set title sprintf('Reduce, the sum of %s floats: %s', floats, where)
    set ylabel 'GB/s'
    set yrange [0:ceiling * 1.08]
    # rows of the GPU only: those with a share of the ceiling
    data = values('$at["dtype"] == "fp32" && $at["pct_ceiling"] != "-"', '$at["cold_gbps"]', by_kind)
    plot @single, ceiling with lines lw 2 dt 2 lc rgb red title sprintf('peak read bandwidth of this run, %.0f GB/s', ceiling), \
         NaN with boxes lc rgb blue title 'our steps', NaN with boxes lc rgb orange title 'libraries'
} else {
    set multiplot layout 1, 2 title sprintf('Reduce, what the sum of %s floats costs each step: %s', floats, where)
    ours = '$at["dtype"] == "fp32" && $at["kind"] == "gpu"'
    set xtics font ',10'
    set ylabel '32-byte sectors read / fewest possible'
    set title 'global memory'
    data = values(ours, '32 * $at["ld_sectors"] / $at["bytes"]', quoted(blue))
    plot @single
    set ylabel 'shared-memory wavefronts, thousands'
    set title 'shared memory'
    data = values(ours, '($at["sh_ld_wavefronts"] + $at["sh_st_wavefronts"]) / 1000', quoted(orange))
    plot @single
    unset multiplot
}
