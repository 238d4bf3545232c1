#!/bin/sh
# check_examples.sh: the worked examples of chapters 05 and 07 (docs/example_*.py) end with the y of the plain CSR product, and
# would not if a scheme were carried out wrongly: with one mistake at a time in a copy each must be refused.  And the records of
# their pictures are what the examples give.
place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT; trap 'exit 130' HUP INT TERM
cp docs/*.py "$place" || exit 2
status=0

# carry_out: runs every idea of the modules; prints a line for each one that is refused
carry_out() {
    PYTHONDONTWRITEBYTECODE=1 python3 - "$place" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import example_formats
import example_tiles
import example_vectors
from example import LITTLE
from tables import Mistake
dense = [[0] * len(LITTLE.x) for _ in LITTLE.y]
for row, (begin, end) in enumerate(zip(LITTLE.row_offsets, LITTLE.row_offsets[1:])):
    for k in range(begin, end):
        dense[row][LITTLE.col_indices[k]] = LITTLE.values[k]
if LITTLE.y != [sum(a * x for a, x in zip(row, LITTLE.x)) for row in dense]:
    print("the matrix: example.py: y is", LITTLE.y)
for module in (example_tiles, example_vectors, example_formats):
    for name in module.IDEAS:
        try:
            getattr(module, name)(LITTLE, str)
        except Mistake as mistake:
            print(name, mistake, sep=": ")
END
}
said=$(carry_out 2>&1)
[ -z "$said" ] || { echo "$said"; status=1; }

# plant MODULE REFUSED SED: makes the mistake of the sed expression, which must give the line REFUSED
plant() {
    sed "$3" "docs/$1.py" >"$place/$1.py"
    ! cmp -s "docs/$1.py" "$place/$1.py" || { echo "check_examples: not planted: $3"; status=1; }
    said=$(carry_out 2>&1)
    case $said in
    *"$2: example"*) ;;
    *) echo "check_examples: $2 does not notice: $3"; [ -z "$said" ] || echo "$said" | tail -n 3; status=1 ;;
    esac
    cp "docs/$1.py" "$place"
}
plant example 'the matrix' 's/values\[k\] \* x\[col_indices\[k\]\]/values[k] * x[k % len(x)]/'
plant example_tiles vectors 's/else k for k in at\]/else k for k in at[:1] * 2]/;s/k if k < example.row_offsets\[row + 1\] else None for k in at/k if k < example.row_offsets[row + 1] - 1 else None for k in at/'
plant example_tiles search 's/yes = example.row_offsets\[middle\] <= nz/yes = example.row_offsets[middle] < nz - 4/'
plant example_tiles thread_nonzeros 's/            while k == end:/            if k == end:/'
plant example_tiles tile 's/there\[k\] = products_of(example)\[lo + k\]/there[k] = products_of(example)[hi - 1 - k]/'
plant example_tiles marks 's/        if length(example, row):/        if True:/;s/heads\[example.row_offsets\[row\] - lo\] = row + 1/heads[example.row_offsets[row] - lo] = row/'
plant example_tiles segmented_scan 's/return b if b\[1\] else (a\[0\] + b\[0\], a\[1\])/return (a[0] + b[0], b[1] or a[1])/'
plant example_tiles probes 's/end = min(end, start + step - 1)/end = min(end, start + step)/;s/start += sum(answers) \* step/start += sum(answers) * step + 1/'
plant example_tiles carries 's/is_open = offsets\[last + 1\] > hi/is_open = offsets[last + 1] > hi + 1/'
plant example_tiles runs 's/y\[carry\[0\]\] += sum(run)/y[carry[0]] += run[0]/'
plant example_tiles bins 's/if low < length(example, row) <= high/if low < length(example, row) < high/'
plant example_tiles lists 's/made\[before\[row \/\/ THREADS\] + rank\[row\]\] = row/made[rank[row]] = row/'
plant example_tiles stretches 's/example.row_offsets\[row + 1\] - example.row_offsets\[first\[-1\]\] > STREAMED/example.row_offsets[row] - example.row_offsets[first[-1]] > STREAMED/'
plant example_tiles windows 's/long_ = max(length(example, row - 1), length(example, row)) > WINDOW/long_ = False/'
plant example_tiles merge 's/            row, total = row + 1, 0/            row = row + 1/'
plant example_tiles diagonal 's/found = sum(example.row_offsets\[r + 1\] + r < TILE/found = sum(example.row_offsets[r + 1] < TILE + 2/'
plant example_tiles merge_threads 's/total + (before\[0\] if k == 0 else 0)/total + before[0]/;s/own\[late\]\[0\]\[1\]\[0\]/0/'
plant example_vectors padding 's/there += own + \[None\] \* (-len(own) % LANES)/there += own[:LANES] + [None] * (-len(own) % LANES)/'
plant example_vectors aligned 's/k if start <= k < end else None for k in range(at, at + LANES)/k if start < k < end else None for k in range(at, at + LANES)/'
plant example_vectors in_flight 's/for k in range(first, first + IN_FLIGHT \* PAIR, PAIR) if start <= k < end/for k in range(first, first + IN_FLIGHT * PAIR, PAIR) if k < end/'
plant example_vectors packs 's/\[k if start <= k < end else None for k in range(at, at + WIDTH)\]/[k if k < end else None for k in range(at, at + WIDTH)]/'
plant example_vectors grid_of_gpu 's/        place = row % PLACES/        place = row % PLACES; row -= row == 7/'
plant example_vectors narrow 's/struct.pack("b", example.values\[k\])/struct.pack("b", example.values[k] % 5)/'
plant example_vectors sixteen_bits 's/\* 2.0 \*\* 112/* 2.0 ** 113/'
plant example_vectors listed_rows 's/range(start + lane, end, WARP \* WARPS)/range(start + lane, end - 1, WARP * WARPS)/'
plant example_vectors small_blocks 's/plan.append((row, place, begin, begin + cost(example, row)))/plan.append((first, place, begin, begin + cost(example, row)))/'
plant example_formats csr5_tile 's/for n in range(base + step, base + TILE, SIGMA)\]/for n in range(base + step, base + TILE - SIGMA, SIGMA)] + [None]/'
plant example_formats flags 's/to, n = row_of_flag(tile, n), n + 1/to, n = tile[0] + n, n + 1/'
plant example_formats segmented_sum 's/if d <= reach\[lane\] else 0/if d < reach[lane] else 0/'
plant example_formats calibrator 's/y\[row\] += sum(kept\[first:first + count\])/y[row] += sum(kept[first - 1:first])/'
plant example_formats bit_marks 's/n = sum(marks\[:start + 1\])/n = sum(marks[:start])/'
plant example_formats guess 's/y\[row\] = 0 if empty\[row - top\] else .*/pass/'
plant example_formats sell 's/most = max(-(-(end - start)/most = min(-(-(end - start)/'
plant example_formats pieces 's/pieces, begin, min(begin + longest, end)/pieces, begin, begin + longest/'
plant example_formats lanes_per_row 's/sums\[lane ^ d\] for lane in range(LANES)\]$/sums[lane \& d] for lane in range(LANES)]/'
plant example_formats differences16 's/at += steps\[step\]\[lane\]/at = steps[step][lane]/'
plant example_formats words 's/at += difference$/at = difference/'

docs/make_examples.py --check || status=1
ln -s "$PWD/07_load_balance" "$PWD/common" "$place/" # the map of the acts is drawn from them
mkdir -p "$place/plots/data" && cp -r plots/data/examples "$place/plots/data" && sed -i '$s/$/0/' "$place/plots/data/examples/07_slices.tsv"
(cd "$place" && "$OLDPWD/docs/make_examples.py" --check) >"$place/said" 2>&1 && { echo 'check_examples: a changed record was not found'; status=1; }
grep -q '07_slices.tsv is not what the example gives' "$place/said" || { echo 'check_examples: not reported: a changed record'; status=1; }
exit $status
