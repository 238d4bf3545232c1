# record: 07_volumes
# What the rank that receives most receives for one product: counted, no machine involved.
set title 'Bytes of x that one rank receives for one product (fp64, the rank that receives most)' noenhanced
set logscale x 2
set logscale y
set xlabel 'ranks'
set ylabel 'bytes'
set key outside right top samplen 2
set xrange [1.8:1150]
set format y '10^{%T}'
of(c) = sprintf("< awk -F'\\t' '$4 == \"%s\" && $2 ~ /^best@/ && $7 > 1' '%s'", c, record)
plot of('poisson3d:256,256,256') using 7:17 with lines lw 2 dt 2 lc rgb blue title 'Poisson 256^3, x replicated' enhanced, \
     '' using 7:16 with linespoints lw 2 pt 7 ps 0.8 lc rgb blue title 'Poisson 256^3, halo' enhanced, \
     of('rmat:22,16') using 7:17 with lines lw 2 dt 2 lc rgb red title 'R-MAT 2^{22}, x replicated' enhanced, \
     '' using 7:16 with linespoints lw 2 pt 7 ps 0.8 lc rgb red title 'R-MAT 2^{22}, halo' enhanced
