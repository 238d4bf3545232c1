# record: 07_cg_history
# Curves of the residual over iterations, on a log scale: all fall to the goal, the curves without preconditioner (dashed) after many more iterations.
# The systems of the record with the preconditioner, in its order, and those without.
systems(without) = system(awk('($at["case"] ~ /:no-/) == '.without.' && !s[$at["case"]]++ {printf "%s ", $at["case"]}'))
# A row of the record stands for all that solve the same system.
line(system) = picked('$at["case"] == "'.system.'" && (solver == "" || solver == $at["step"]) {solver = $at["step"]; print}')
# A system has one colour.
base(s) = strstrt(s, ':no-') ? s[1:strstrt(s, ':no-') - 1] : s
preconditioned = systems('0'); without = systems('1')
colour(s) = word(grey.' '.orange.' '.blue.' '.green.' '.red, sum [k = 1:words(preconditioned)] (word(preconditioned, k) eq base(s) ? k : 0))
set title 'Conjugate gradients, fp64: '.(backend eq 'cuda' ? gpu : 'on the CPU and by the simulator') noenhanced
set logscale y 10
set format y '10^{%L}'
set xlabel 'iterations: one product each'
set ylabel '|r| / |b|'
set key noenhanced
plot for [s in preconditioned] line(s) using 'iteration':'residual' with lines lw 2 lc rgb colour(s) title s, \
     for [s in without] line(s) using 'iteration':'residual' with lines lw 2 lc rgb colour(s) dt 2 title s
