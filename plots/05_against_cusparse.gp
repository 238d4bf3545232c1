# record: 05_spmv_vector_experiment2
# cuda: Bars of efficiency on six matrices: the best step is ahead of cuSPARSE CSR on all but two, and far behind on the matrix like webbase-1M.
# simt: Bars of bytes moved and of active lanes of four steps on six matrices: v1 moves most where rows are short.
@groups
low(s) = on_two(s)
height = 680
@canvas
if (backend eq 'cuda') {
    # Efficiency of cuSPARSE CSR as is, of its best of all, of v3, and of the best step.
    set multiplot layout 2, 1 title 'SpMV against cuSPARSE: '.where noenhanced
    set ylabel 'ideal time / time'
    set yrange [0:1]
    set ytics 0, 0.2, 1
    titles = "'cuSPARSE CSR as is' 'cuSPARSE, best of all' 'v3, lanes by mean' 'best step'".(learner ? ' student' : '')
    colours = pale_orange.' '.orange.' '.pale_blue.' '.blue.' '.pink
    n = words('1 2 3 4'.(learner ? ' 5' : ''))
    do for [type in 'fp32 fp64'] {
        set title type
        data = cells(type, '~^cusparse_csr(_alg[12])?$ ~^cusparse v3 ~^v[0-9]+$'.(learner ? ' student' : ''), 'efficiency', '')
        plot @bars
    }
    unset multiplot
} else {
    set multiplot layout 2, 1 title 'SpMV, fp32 (rows/31: one row in 31): '.where
    set bmargin 5
    titles = 'v1 v3 v7 v16'.(learner ? ' student' : ''); n = words(titles)
    colours = grey.' '.pale_blue.' '.blue.' '.orange.' '.pink
    set ylabel 'bytes moved for each byte used'
    set yrange [0:7.5]
    data = cells('fp32', titles, '/useful_pct', '-v times=100 -v full=1')
    plot @bars
    set ylabel 'active lanes of 32'
    set yrange [0:32]
    set ytics 8
    data = cells('fp32', titles, 'active_lanes', '-v full=1')
    plot @bars
    unset multiplot
}
