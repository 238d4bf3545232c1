# record: 07_load_balance_experiment1
# cuda: Bars of eleven steps and cuSPARSE on five matrices whose rows differ: v1 is far behind on most, v39 and v44 are near the best form of cuSPARSE or ahead of it.
# simt: Bars of eleven steps on five matrices: in v1 the busiest warp works up to a thousand times as much as the mean warp, from v6 to v8 hardly more than the mean.
# The steps at which a chain of ideas ends.
steps = 'v1 v6 v7 v8 v11 v14 v17 v24 v27 v39 v44'
colours = red.' '.pale_orange.' '.orange.' '.brown.' '.pale_grey.' '.grey.' '.pale_blue.' '.blue.' '.dark_blue.' '.pale_green.' '.green
if (backend eq 'cuda') { steps = steps.' ~^cusparse_csr(_alg[12])?$ ~^cusparse'; colours = colours.' '.pale_purple.' '.purple }
if (learner) { steps = steps.' student'; colours = colours.' '.pink }
n = words(steps); apart = 2
# Each bar has its step's name before its value; only the learner's has a legend.
called(s) = s eq '~^cusparse_csr(_alg[12])?$' ? 'CSR as is' : s eq '~^cusparse' ? 'cuSPARSE' : s
named(i) = called(word(steps, i)).': '
@groups
set xrange [-0.55:4.6]
height = 760
@canvas
titles = ''
do for [i = 1:n] { titles = titles." '".called(word(steps, i))."'" }
if (backend eq 'cuda') {
    set multiplot layout 2, 1 title 'Rows that differ: '.where noenhanced
    set ylabel 'ideal CSR time / time'
    set yrange [0:0.95]
    set ytics 0, 0.2
    do for [type in 'fp32 fp64'] {
        set title type
        data = cells(type, steps, 'efficiency', '-v full=1')
        plot @bars
    }
    unset multiplot
} else {
    set multiplot layout 2, 1 title 'Work of the busiest against the mean, memory instructions, fp32 (rows/32: one row in 32): '.where noenhanced
    set logscale y
    ground = 1
    set ylabel 'warp: max / mean'
    set yrange [1:20000]
    data = cells('fp32', steps, 'warp_max_mean', '-v full=1')
    plot @bars
    set ylabel 'block: max / mean'
    set yrange [1:2000]
    data = cells('fp32', steps, 'block_max_mean', '-v full=1')
    plot @bars
    unset multiplot
}
