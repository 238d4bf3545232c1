# record: 06_spmv_lightspmv_balance
# When the last warp is done, in units of the mean warp's work: rows dealt and asked for, by the model of balance.c on 132 SMs.
spans = sprintf("< awk -F'\\t' -v OFS='\\t' '/^#/ || $1 == \"chapter\" {next} {name = $4; if (name !~ /^like:/) sub(/:.*/, \"\", name); if (!(name in seen)) {seen[name] = 1; order[++n] = name} s[name, $2] = $13} END {for (i = 1; i <= n; i++) {m = order[i]; print m, s[m, \"v3\"], s[m, \"v4\"], s[m, \"v5\"], s[m, \"v6\"]}}' '%s'", record)
set title 'When is the last warp done?  Rows dealt and asked for, model of a card of 132 SMs'
set style data histograms
set style histogram clustered gap 1
set xtics rotate by 25 right noenhanced
set bmargin 6
set ylabel 'end of the last warp / work of the mean warp'
set logscale y
set yrange [0.9:20000]
set key top left
plot spans using 2:xtic(1) lc rgb pale_orange title 'v3 chunks dealt', '' using 3 lc rgb orange title 'v4 blocks ask for chunks', \
     '' using 4 lc rgb pale_blue title 'v5 stretches dealt', '' using 5 lc rgb blue title 'v6 warps ask for stretches'
