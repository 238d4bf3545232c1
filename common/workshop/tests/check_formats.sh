#!/bin/sh
# check_formats.sh: the worked examples of chapter 07's formats (docs/example_formats.py) must end with the right y.  Copies with
# one mistake each must be refused.  The data of their pictures must be what the examples give.
place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT; trap 'exit 130' HUP INT TERM
cp docs/*.py "$place" || exit 2
status=0

# carry_out: runs every idea; prints a line for each one that is refused
carry_out() {
    PYTHONDONTWRITEBYTECODE=1 python3 - "$place" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import example_formats
from example import LITTLE
from tables import Mistake
for name in example_formats.IDEAS:
    try:
        getattr(example_formats, name)(LITTLE, lambda word: word)
    except Mistake as mistake:
        print(name, mistake, sep=": ")
END
}
said=$(carry_out 2>&1)
[ -z "$said" ] || { echo "$said"; status=1; }

# plant REFUSED SED: makes the mistake of the sed expression, which must give the line REFUSED
plant() {
    sed "$2" docs/example_formats.py >"$place/example_formats.py"
    ! cmp -s docs/example_formats.py "$place/example_formats.py" || { echo "check_formats: not planted: $2"; status=1; }
    said=$(carry_out 2>&1)
    case $said in
    *"$1: example"*) ;;
    *) echo "check_formats: $1 does not notice: $2"; [ -z "$said" ] || echo "$said" | tail -n 3; status=1 ;;
    esac
}
plant csr5_tile 's/for n in range(base + step, base + TILE, SIGMA)\]/for n in range(base + step, base + TILE - SIGMA, SIGMA)] + [None]/'
plant flags 's/to, n = row_of_flag(tile, n), n + 1/to, n = tile[0] + n, n + 1/'
plant segmented_sum 's/if d <= reach\[lane\] else 0/if d < reach[lane] else 0/'
plant calibrator 's/y\[row\] += sum(kept\[first:first + count\])/y[row] += sum(kept[first - 1:first])/'
plant bit_marks 's/n = sum(marks\[:start + 1\])/n = sum(marks[:start])/'
plant guess 's/y\[row\] = 0 if empty\[row - top\] else .*/pass/'
plant sell 's/most = max(-(-(end - start)/most = min(-(-(end - start)/'
plant pieces 's/pieces, begin, min(begin + longest, end)/pieces, begin, begin + longest/'
plant lanes_per_row 's/sums\[lane ^ d\] for lane in range(LANES)\]$/sums[lane \& d] for lane in range(LANES)]/'
plant differences16 's/at += steps\[step\]\[lane\]/at = steps[step][lane]/'
plant words 's/at += difference$/at = difference/'

docs/make_examples.py --check || status=1
ln -s "$PWD/07_load_balance" "$PWD/common" "$place/" # the map of the acts is drawn from these folders
mkdir -p "$place/plots/data" && cp -r plots/data/examples "$place/plots/data" && sed -i '$s/$/0/' "$place/plots/data/examples/07_slices.tsv"
(cd "$place" && "$OLDPWD/docs/make_examples.py" --check) >"$place/said" 2>&1 && { echo 'check_formats: a changed record was not found'; status=1; }
grep -q '07_slices.tsv is not what the example gives' "$place/said" || { echo 'check_formats: not reported: a changed record'; status=1; }
exit $status
