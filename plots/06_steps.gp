# record: 06_spmv_lightspmv
# cuda: Bars of thirteen steps and cuSPARSE on two matrices: static scheduling is fast on the stencil, all steps are slow on the matrix like webbase-1M.
# simt: Bars of thirteen steps on two matrices: how uneven the warps are, and how often they draw rows.
@groups
matrices = system(awk('$at["kind"] == "gpu" && !s[$at["case"]]++ {printf "%s ", $at["case"]}'))
titles = matrices; n = words(matrices); colours = blue.' '.orange
height = 680
@canvas
if (backend eq 'cuda') {
    set multiplot layout 2, 1 title 'LightSpMV step by step: '.where noenhanced
    low(s) = s eq '~^cusparse_csr(_alg[12])?$' ? "cuSPARSE\nCSR as is" : s eq '~^cusparse' ? "cuSPARSE\nbest" : s
    set ylabel 'ideal time / time'
    set yrange [0:1.2]
    set ytics 0, 0.2, 1
    set xtics font ',10'
    do for [type in 'fp32 fp64'] {
        set title type
        data = cells(type, 'v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12 v13'.(learner ? ' student' : '').' ~^cusparse_csr(_alg[12])?$ ~^cusparse', 'efficiency', '-v by=step')
        plot @bars
    }
    unset multiplot
} else {
    set multiplot layout 2, 1 title 'LightSpMV step by step, fp32, one SM: '.where
    set ylabel 'busiest warp / mean warp'
    set yrange [0:8]
    data = cells('fp32', '', 'warp_max_mean', '-v by=step')
    plot @bars
    set ylabel 'additions to the counter, in requests'
    set yrange [0:1300]
    data = cells('fp32', '', 'atomic_requests', '-v by=step')
    plot @bars
    unset multiplot
}
