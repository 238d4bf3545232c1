# record: 04_spmv_scalar
# cuda: Bars of seven steps and the best of cuSPARSE on five matrices: DIA wins on stencil and band, and the formats that need too much memory have no bar.
# simt: Bars of the sectors that seven steps read on three matrices: CSR reads most, the chosen format least.
# A row of a refused format says what it would need.
@groups
titles = "'v1 CSR' 'v3 COO' 'v4 ELL' 'v5 DIA' 'v6 HYB' 'v8 BSR' 'v9 chosen'"
colours = grey.' '.pale_grey.' '.blue.' '.green.' '.pale_blue.' '.orange.' '.purple
steps = 'v1 v3 v4 v5 v6 v8 v9'
if (backend eq 'cuda') { steps = steps.' ~^cusparse'; titles = titles." 'cuSPARSE, best'"; colours = colours.' '.red }
if (learner) { steps = steps.' student'; titles = titles.' student'; colours = colours.' '.pink }
n = words(steps)
if (backend eq 'cuda') {
    height = 680
    @canvas
    set multiplot layout 2, 1 title 'SpMV by format: '.where noenhanced
    set ylabel 'ideal CSR time / time'
    set yrange [0:1.9]
    do for [type in 'fp32 fp64'] {
        set title type
        data = cells(type, steps, 'efficiency', '-v full=1')
        plot 1 with lines dt 3 lc rgb grey notitle, @bars
    }
    unset multiplot
} else {
    set title 'SpMV by format, fp32, thousands of 32-byte sectors read: '.where
    set ylabel 'thousand sectors read'
    set yrange [0:*]
    set offsets graph 0, 0, graph 0.1, 0
    data = cells('fp32', steps, 'ld_sectors', '-v times=0.001 -v full=1')
    plot @bars
}
