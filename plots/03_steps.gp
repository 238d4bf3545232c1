# record: 03_gemv
# cuda: Bars of all steps on four shapes: the best steps differ from shape to shape, and v26 is near the best on all four.
# simt: Bars of the sectors per load request and of the active lanes of each step, on two shapes.
# A line for each step that there is for the shape: its name, the value, its colour.
steps(shape, what) = values('$at["case"] == "'.shape.'" && $at["dtype"] == "fp32" && $at["status"] == "ok" && $at["pct_ceiling"] $at["ld_requests"] != "--" && $at["kind"] != "cpu"', what, by_kind)
low(s) = s eq 'cublas' ? "cu\nBLAS" : s eq 'cublas_gemm' ? "\n\ngemm" : s eq 'cublas_gemm_row' ? "gemm\nrow" : s
set xtics scale 0 font ',10' noenhanced
height = 680
@canvas
set bmargin 4
if (backend eq 'cuda') {
    set multiplot layout 2, 2 title 'The steps on four shapes, fp32, % of the peak read bandwidth: '.where noenhanced
    set yrange [0:112]
    set ylabel '%'
    do for [shape in '1048576x16:row 4096x4096:row 64x1048576:row 16384x16384:col'] {
        set title shape
        data = steps(shape, '$at["pct_ceiling"]')
        plot 100 with lines lc rgb red dt 2 notitle, @single
    }
    unset multiplot
} else {
    set multiplot layout 2, 2 title 'What each step asks of memory, fp32: '.where
    set yrange [0:20]
    do for [shape in '4096x16:row 1024x128:row'] {
        set title shape
        set ylabel 'sectors per load request'
        data = steps(shape, '$at["ld_sectors"] / $at["ld_requests"]')
        plot @single
    }
    set yrange [0:32]
    set ytics 8
    do for [shape in '4096x16:row 1024x128:row'] {
        set title ''
        set ylabel 'active lanes of 32'
        data = steps(shape, '$at["active_lanes"]')
        plot @single
    }
    unset multiplot
}
