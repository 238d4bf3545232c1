# record: 07_scale
# Curves of speed over 1 to 1024 GPUs by a model: a grid that grows stays near the ideal, small grids of fixed size level off, a graph falls; points are measured.
set title sprintf('Model of y = A x, fp64, %s; between hosts %s GB/s, %s us (assumed)', gpu, meta("far_gbps"), meta("far_us")) noenhanced
set logscale xy 2
set xlabel 'GPUs'
set ylabel 'times as fast as one GPU'
set xrange [0.9:1150]
set yrange [0.9:1150]
set arrow 1 from 8, graph 0 to 8, graph 1 nohead lc rgb grey dt 3
set label 1 'one host ' at 8, graph 0.97 right
of(c) = picked('$at["case"] == "'.c.'"')
one(c) = real(system(awk('$at["case"] == "'.c.'" && $at["ranks"] == 1 {print $at["product_us"]}')))
plot x with lines lc rgb grey dt 2 title 'ideal', \
     of('poisson3d:256,256,256/weak') using 'ranks':'speed_up' with lines lw 2 lc rgb green title 'Poisson 256³ for each GPU', \
     of('poisson3d:1024,1024,1024/cubes') using 'ranks':'speed_up' with lines lw 2 lc rgb orange title 'Poisson 1024³, cubes', \
     of('poisson3d:256,256,256/cubes') using 'ranks':'speed_up' with lines lw 2 dt 2 lc rgb blue title 'Poisson 256³, cubes', \
     of('poisson3d:256,256,256') using 'ranks':'speed_up' with lines lw 2 lc rgb blue title 'Poisson 256³, slabs', \
     of('rmat:22,16') using 'ranks':'speed_up' with lines lw 2 lc rgb red title 'R-MAT 2²²', \
     of('poisson3d:256,256,256') using 'ranks':(one('poisson3d:256,256,256') / column('measured_us')) with points pt 7 lc rgb blue title 'Poisson, slabs, measured', \
     of('rmat:22,16') using 'ranks':(one('rmat:22,16') / column('measured_us')) with points pt 7 lc rgb red title 'R-MAT, measured'
