# record: 07_direct_summary
# Bars of the speed of four GPUs over one, by NCCL and directly, from the host and in a graph: the direct bar is taller each time; the small grid is slower on four GPUs than on one.
set title 'Four GPUs, directly and by NCCL, fp64: '.gpu noenhanced
beside = system(sprintf("echo '%s' | sed 's/direct_summary/direct_nccl_summary/'", record))
data = sprintf("< awk -f plots/direct.awk '%s' '%s'", beside, record)
set ylabel 'times as fast as one GPU'
@groups
set yrange [0:4.6]
set key samplen 1 font ',10'
n = 4; titles = "NCCL 'NCCL, in a graph' directly 'directly, in a graph'"
colours = pale_red.' '.red.' '.pale_blue.' '.blue
plot 4 with lines lc rgb grey dt 2 title 'ideal', 1 with lines lc rgb pale_grey notitle, @bars
