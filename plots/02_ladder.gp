# record: 02_memcpy_vectorized
# cuda: Bars of the rates of steps v1 to v16 and cudaMemcpyAsync for units of 1, 2, 4 and 8 bytes: from v3 on the unit hardly matters, v16 reaches the peak bandwidth.
# simt: Bars of the load requests that steps v1 to v16 need for each KiB: in v1 and v2 small units need many, from v5 on all units need equally few.
units = backend eq 'cuda' ? 512 : 64
@groups
set title sprintf('Copy of %d units, each of 1, 2, 4 or 8 bytes: %s', units**3, where)
steps = 'v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12 v13 v14 v15 v16'.(backend eq 'cuda' ? ' official' : '').(learner ? ' student' : '')
only = sprintf("-v by=step -v cases='^%d.3x'", units)
n = 4; titles = "'units of 1 byte' '2 bytes' '4 bytes' '8 bytes'"; colours = pale_grey.' '.grey.' '.pale_blue.' '.blue
if (backend eq 'cuda') {
    ceiling = meta('ceiling_copy_gbps') + 0
    set ylabel 'GB/s, read + written'
    set yrange [0:ceiling * 1.12]
    data = cells('', steps, 'cold_gbps', only)
    plot ceiling with lines lw 2 dt 2 lc rgb pale_red title sprintf('peak bandwidth, %.0f GB/s', ceiling), @bars
} else {
    set ylabel 'load requests for each KiB copied'
    set yrange [0:36]
    data = cells('', steps, 'ld_requests/bytes', only.' -v times=2048')
    plot @bars
}
