# record: 04_spmv_scalar
# The CPU steps and the CPU's libraries on the first matrix they were timed on: compulsory CSR bytes a second.
rows(type) = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ {next} $2 == \"step\" {print; next} ($3 == \"cpu\" || $2 ~ /^(mkl|librsb)/) && $15 == \"ok\" && $5 == \"%s\" {if (matrix == \"\") matrix = $4; if ($4 == matrix) print}' '%s'", type, record)
matrix = system(sprintf("awk -F'\\t' '!/^#/ && $3 == \"cpu\" {print $4; exit}' '%s'", record))
set multiplot layout 1, 2 title sprintf('SpMV on the CPU, %s: %s, threads: %s, cold caches (orange: libraries)', matrix, meta('cpu'), meta('cpu_threads')) noenhanced
most = system(sprintf("awk -F'\\t' '!/^#/ && ($3 == \"cpu\" || $2 ~ /^(mkl|librsb)/) && $15 == \"ok\" && $11 + 0 > most {most = $11 + 0} END {print most}' '%s'", record)) + 0
set yrange [0:most * 1.05]
set ylabel 'GB/s (CSR bytes / time)'
set xtics rotate by 90 right scale 0 noenhanced
set bmargin 8
do for [type in 'fp32 fp64'] {
    set title type
    plot rows(type) using 0:(column('cold_gbps')):(strcol('kind') eq 'peer' ? 0xcc7a2d : 0x3b78c0):xtic(strcol('step')) \
             with boxes lc rgb variable notitle
}
unset multiplot
