# record: 04_spmv_scalar_bytes
# Bars of the bytes per nonzero in nine formats on five matrices: DIA is smallest for a stencil and a band, and not possible for even rows and a web graph.
# Nothing runs: the bytes follow from the matrix.
@groups
set title 'Bytes per nonzero in each format, fp32 (dotted: a value alone; one bar is cut): counted from the matrix'
set ylabel 'bytes per nonzero'
top = 28
set yrange [0:top + 4]
n = 9; data = cells('fp32', 'CSR COO ELL DIA HYB <^BSR CSRL BCOO8 SELL32', 'bytes_per_nnz', '-v full=1')
titles = "CSR COO ELL DIA HYB 'BSR, best block' 'CSRL (CPU)' 'blocked COO, 8 bit (CPU)' 'SELL-32 (library)'"
colours = grey.' '.pale_grey.' '.blue.' '.green.' '.pale_blue.' '.orange.' '.pale_purple.' '.purple.' '.pale_orange
plot 4 with lines lw 1.5 dt 3 lc rgb red notitle, @bars
