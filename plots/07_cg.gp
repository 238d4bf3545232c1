# record: 07_cg_history
# Conjugate gradients: the residual of every step, with Jacobi's preconditioner and without.
# The systems of the record, one a line; a row of the record stands for all that solve the same.
systems = system(sprintf("awk -F'\\t' '/^#/ || $1 == \"chapter\" {next} !($4 in first) {first[$4] = $2; printf \"%%s \", $4}' '%s'", record))
line(system) = sprintf("< awk -F'\\t' -v s='%s' '/^#/ || $1 == \"chapter\" {next} $4 == s && (row == \"\" || row == $2) {row = $2; print $6 \"\\t\" $7}' '%s'", system, record)
# A system with and without the preconditioner has one colour; without, the line is broken.
colour(i) = word('#888888 #3b6ea8 #d98032 #4a8f4a #b03030', i)
plain(s) = strstrt(s, ':no-preconditioner') > 0
place(i) = sum [k = 1:i] (plain(word(systems, k)) ? 0 : 1)
set title sprintf('Conjugate gradients, fp64: %s', backend eq 'cuda' ? gpu : 'on the CPU and on the stand-in') noenhanced
set logscale y 10
set format y '10^{%L}'
set xlabel 'steps: one product each'
set ylabel '|r| / |b|'
set key top right noenhanced
plot for [i = 1:words(systems)] line(word(systems, i)) using 1:2 with lines lw 2 lc rgb colour(place(i)) \
         dt (plain(word(systems, i)) ? 2 : 1) title word(systems, i)
