# record: 04_spmv_scalar
# Bars of the rates of the CPU steps: steps with one thread are slow, steps with all threads fast, and dynamic scheduling of single rows is slower than one thread.
matrix = system(awk('$at["kind"] == "cpu" {print $at["case"]; exit}'))
on_cpu = '($at["kind"] == "cpu" || $at["step"] ~ /^(mkl|librsb)/) && $at["status"] == "ok"'
most = system(awk(on_cpu.' && $at["cold_gbps"] + 0 > most {most = $at["cold_gbps"] + 0} END {print most}')) + 0
height = 680
@canvas
set multiplot layout 2, 1 title sprintf('SpMV on the CPU, %s: %s, %s threads, cold caches (orange: libraries)', matrix, meta('cpu'), meta('cpu_threads')) noenhanced
set yrange [0:most * 1.12]
set ylabel 'GB/s (CSR bytes / time)'
set xtics scale 0 noenhanced font ',10'
set bmargin 4
low(s) = cut(broken(s), '-')
do for [type in 'fp32 fp64'] {
    set title type
    data = values(on_cpu.' && $at["dtype"] == "'.type.'" && $at["case"] == "'.matrix.'"', '$at["cold_gbps"]', by_kind)
    plot @single
}
unset multiplot
