#!/bin/sh
# draw.sh RECORDS PICTURES [KINDS]: every plot whose record is there.  plots/NAME.gp says in its first line which record
# it draws: `# record: 01_reduce_sweep`.
records=$1 pictures=$2 kinds=${3:-png svg}
mkdir -p "$pictures" || exit 1
command -v gnuplot >/dev/null 2>&1 || { echo "gnuplot is not here: no plots (./bootstrap installs it)"; exit 0; }
drawn=0
for script in plots/*.gp; do
    record=$records/$(sed -n '1s/^# record: //p' "$script").tsv
    [ -e "$record" ] || continue
    for kind in $kinds; do
        picture=$pictures/$(basename "$script" .gp).$kind
        gnuplot -e "record='$record'; picture='$picture'; kind='$kind'" plots/style.gpi "$script" || exit 1
        # What gnuplot gives no colour of its own, as a title over several plots, takes that of the other text.
        [ "$kind" = png ] || sed -i 's/"black"/"#797979"/g' "$picture"
    done
    echo "$picture"
    drawn=$((drawn + 1))
done
[ $drawn -gt 0 ] || echo "no plots: $records has no record that one is made of; make run writes them"
