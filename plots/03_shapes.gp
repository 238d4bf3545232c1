# record: 03_gemv
# cuda: Bars for eighteen shapes: the percentage of the peak read bandwidth that v26 and the best of cuBLAS reach, low for small matrices and close to the peak for large ones.
# simt: Bars for five shapes, by rows and by columns: the share of the transferred bytes that was needed, small in v1, far larger in v7 and v26.
@groups
low(s) = s
height = 680
@canvas
set yrange [0:125]
set ytics 25
if (backend eq 'cuda') {
    set multiplot layout 2, 1 title 'y = A x, dense, % of the peak read bandwidth: '.where noenhanced
    set ylabel '%'
    n = 4; titles = "'cuBLAS, best of 3, fp32' 'v26, fp32' 'cuBLAS, best of 3, fp64' 'v26, fp64'"
    colours = pale_orange.' '.pale_blue.' '.orange.' '.blue
    do for [layout in 'row col'] {
        set title (layout eq 'row' ? 'A by rows' : 'A by columns')
        data = cells('', '~^cublas@fp32 v26@fp32 ~^cublas@fp64 v26@fp64', 'pct_ceiling', '-v cases=:'.layout)
        plot @bars
    }
    unset multiplot
} else {
    set multiplot layout 2, 1 title 'y = A x, dense, fp32, compulsory bytes / bytes in the sectors moved: '.where
    set ylabel '%'
    do for [layout in 'row col'] {
        set title (layout eq 'row' ? 'A by rows' : 'A by columns')
        titles = layout eq 'row' ? 'v1 v2 v4 v5 v7 v14 v26' : 'v17 v19 v24 v26'; n = words(titles)
        colours = layout eq 'row' ? pale_grey.' '.grey.' '.pale_green.' '.pale_blue.' '.blue.' '.green.' '.orange : pale_grey.' '.pale_blue.' '.green.' '.orange
        data = cells('fp32', titles, 'bytes/ld_sectors+st_sectors', '-v times=3.125 -v cases=:'.layout)
        plot @bars
    }
    unset multiplot
}
