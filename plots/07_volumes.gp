# record: 07_volumes
# Curves of bytes over 2 to 1024 ranks: x replicated is far above the halo, and the halo of a graph shrinks only slowly.
set title 'Bytes of x that the rank which receives most receives for one product, fp64: counted from the cut, nothing runs' noenhanced
set logscale x 2
set logscale y
set xlabel 'ranks'
set ylabel 'bytes'
set xrange [1.8:1150]
set format y '10^{%T}'
of(c) = picked('$at["case"] == "'.c.'" && $at["step"] ~ /^best@/ && $at["ranks"] > 1')
plot of('poisson3d:256,256,256') using 'ranks':'replicated' with lines lw 2 dt 2 lc rgb blue title 'Poisson 256³, x replicated', \
     '' using 'ranks':'halo_max' with linespoints lw 2 pt 7 ps 0.8 lc rgb blue title 'Poisson 256³, halo', \
     of('rmat:22,16') using 'ranks':'replicated' with lines lw 2 dt 2 lc rgb red title 'R-MAT 2²², x replicated', \
     '' using 'ranks':'halo_max' with linespoints lw 2 pt 7 ps 0.8 lc rgb red title 'R-MAT 2²², halo'
