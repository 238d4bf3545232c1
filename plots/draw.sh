#!/bin/sh
# draw.sh RECORDS PICTURES [KINDS [LIST]]: every plot whose record is there, and in the file LIST, if there is one.  plots/NAME.gp
# says in its first line which record it draws, `# record: 01_reduce_sweep`, and below what is seen, `# cuda: ` with a GPU and
# `# simt: ` without where that differs: the title of the SVG, which a screen reader says, and the text for it on the pages.
records=$1 pictures=$2 kinds=${3:-png svg} list=${4-}
mkdir -p "$pictures" || exit 1
command -v gnuplot >/dev/null 2>&1 || { echo "gnuplot is not installed, so no plots are drawn (./bootstrap installs it)"; exit 0; }
seen() { # SCRIPT RECORD
    kind_of=simt
    ! sed -n '/^[^#]/q; p' "$2" | grep -q '^# backend: cuda' || kind_of=cuda
    sed -n "2{/^# cuda: /!s/^# //p}; s/^# $kind_of: //p" "$1" | head -n 1 | sed 's/&/and/g; s/</less than/g; s/~/about /g'
}
drawn=0 status=0
for script in plots/*.gp; do
    record=$records/$(sed -n '1s/^# record: //p' "$script").tsv
    [ -e "$record" ] || continue
    [ -z "$list" ] || grep -qxFe "$record" "$list" || continue
    for kind in $kinds; do
        picture=$pictures/$(basename "$script" .gp).$kind
        gnuplot -e "record='$record'; picture='$picture'; kind='$kind'" plots/style.gpi "$script" || { rm -f "$picture"; status=1; continue 2; }
        [ "$kind" = png ] || sed -i "s~<title>Gnuplot</title>~<title>$(seen "$script" "$record")</title>~; s~\(id=\"gnuplot_plot_[^>]*>\)<title>[^<]*</title>~\1~" "$picture"
    done
    echo "$picture"
    drawn=$((drawn + 1))
done
[ $drawn -gt 0 ] || [ -n "$list" ] || echo "no plots: $records has no record that one is made of; make run writes them"
exit $status
