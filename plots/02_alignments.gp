# record: 02_memcpy_vectorized_alignments
# cuda: Bars of six copies over thirteen alignments: v16 stays near the peak copy bandwidth at all of them, cudaMemcpyAsync falls behind at many.
# simt: Bars over thirteen alignments: v5 needs many requests if an address is odd, v9 few everywhere, for up to about 1.5 times as many sectors.
bytes = system(awk('$at["step"] == "v5" {print $at["bytes"] / 2; exit}'))
low(s) = s[5:strstrt(s, '/') - 1].' '.s[strstrt(s, '/') + 3:*] # from+1/to+0
@groups
height = 640
@canvas
set xlabel 'bytes past an aligned address: source, target'
if (backend eq 'cuda') {
    ceiling = meta('ceiling_copy_gbps') + 0
    set title sprintf('Copy of %s bytes over alignments: %s', bytes, where)
    set ylabel 'GB/s, read + written'
    set yrange [0:ceiling * 1.12]
    data = cells('', 'v1 v5 v7 v9 v16 official', 'cold_gbps', ''); n = 6
    titles = 'v1 v5 v7 v9 v16 cudaMemcpyAsync'; colours = pale_grey.' '.grey.' '.orange.' '.pale_blue.' '.blue.' '.purple
    plot ceiling with lines lw 2 dt 2 lc rgb pale_red title sprintf('peak bandwidth, %.0f GB/s', ceiling), @bars
} else {
    set multiplot layout 2, 1 title sprintf('Copy of %s bytes over alignments: %s', bytes, where)
    n = 2; titles = "'v5, 16 bytes where both are aligned' 'v9, source realigned'"; colours = orange.' '.blue
    set ylabel 'requests per KiB'
    set yrange [0:90]
    data = cells('', 'v5 v9', 'ld_requests+st_requests/bytes', '-v times=2048')
    plot @bars
    set ylabel 'sectors / fewest possible'
    set yrange [0:2.8]
    data = cells('', 'v5 v9', 'ld_sectors+st_sectors/bytes', '-v times=32')
    plot @bars
    unset multiplot
}
