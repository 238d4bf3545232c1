# record: 03_gemv
# The ladder on four shapes: each step helps another one (cuda); sectors and lanes of each step (simt).
steps(shape, what) = sprintf("< awk -F'\\t' '!/^#/ && ($2 == \"step\" || $4 == \"%s\" && $5 == \"fp32\" && $15 == \"ok\" && $%s != \"-\" && $3 != \"cpu\")' '%s'", shape, what, record)
short(s) = s eq 'cublas_gemm' ? 'gemm' : s eq 'cublas_gemm_row' ? 'gemm row' : s
set yrange [0:*]
set xtics rotate by 90 right scale 0
if (backend eq 'cuda') {
    set multiplot layout 1, 4 title sprintf('The steps, fp32, %s, cold L2: %% of the read ceiling', gpu)
    set yrange [0:110]
    do for [shape in '1048576x16:row 4096x4096:row 64x1048576:row 16384x16384:col'] {
        set title shape
        plot steps(shape, '12') using 0:(column('pct_ceiling')):(strcol('kind') eq 'peer' ? 0xcc7a2d : 0x3b78c0):xtic(short(strcol('step'))) \
                 with boxes lc rgb variable notitle, 100 with lines lc rgb red dt 2 notitle
    }
    unset multiplot
} else {
    set multiplot layout 2, 2 title 'What each step asks of memory, fp32, counted by the stand-in'
    do for [shape in '4096x16:row 1024x128:row'] {
        set title shape
        set ylabel 'sectors a load request'
        plot steps(shape, '16') using 0:(column('ld_sectors') / column('ld_requests')):xtic(short(strcol('step'))) with boxes lc rgb blue notitle
    }
    set yrange [0:32]
    set ytics 8
    do for [shape in '4096x16:row 1024x128:row'] {
        set title ''
        set ylabel 'active lanes of 32'
        plot steps(shape, '16') using 0:(column('active_lanes')):xtic(short(strcol('step'))) with boxes lc rgb orange notitle
    }
    unset multiplot
}
