# record: 04_spmv_scalar
# Bars of the rates of the CPU steps: steps with one thread are slow, steps with all threads fast, and dynamic scheduling of single rows is slower than one thread.
matrix = system(sprintf("awk -F'\\t' '!/^#/ && $3 == \"cpu\" {print $4; exit}' '%s'", record))
rows(type) = sprintf("< awk -F'\\t' -v OFS='\\t' '!/^#/ && ($3 == \"cpu\" || $2 ~ /^(mkl|librsb)/) && $15 == \"ok\" && $5 == \"%s\" && $4 == \"%s\" {gsub(/-/, \"/\", $2); print $2, $11, $3 == \"peer\" ? 13400621 : 3897536}' '%s'", type, matrix, record)
most = system(sprintf("awk -F'\\t' '!/^#/ && ($3 == \"cpu\" || $2 ~ /^(mkl|librsb)/) && $15 == \"ok\" && $11 + 0 > most {most = $11 + 0} END {print most}' '%s'", record)) + 0
height = 680
@canvas
set multiplot layout 2, 1 title sprintf('SpMV on the CPU, %s: %s, %s threads, cold caches (orange: libraries)', matrix, meta('cpu'), meta('cpu_threads')) noenhanced
set yrange [0:most * 1.12]
set ylabel 'GB/s (CSR bytes / time)'
set xtics scale 0 noenhanced font ',10'
set bmargin 4
low(s) = broken(s)
do for [type in 'fp32 fp64'] {
    set title type
    data = rows(type)
    plot @single
}
unset multiplot
