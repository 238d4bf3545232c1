"""example_formats.py - chapter 07's formats, v18 to v44, carried out by hand on the little matrix of example.py.

A function an idea.  It takes the example and `say`, which translates a word, and gives what a page shows as fenced
text; numbers for the prose are its attributes.  Each works as its step does, from the format alone, and is refused if
that does not end with the example's y.  To keep tables small a warp has 4 lanes, a lane of CSR5 has 3 nonzeros of a
tile, a row is cut above 3 nonzeros, and a difference of columns has 2 bits.
"""
from bisect import bisect_right

from example import (Picture, Shown, grid, lengths_of, listed, must_be, products_of, row_at, rows_of)
from tables import Mistake

LANES = 4     # of a warp: 32
SIGMA = 3     # nonzeros of a lane in a tile of CSR5: 16
TILE = LANES * SIGMA
STEPS = 17    # of a tile of the merge path: 1792
LONGEST = 3   # nonzeros of a piece: 1024
FEW = 2       # steps of a slice at most, where V is chosen by the longest row: 8
NONE = 3      # the difference that says that a row has ended: 0xffff


def sizes(example, say):
    """What is smaller here than in the code, for the prose."""
    return Shown([], lanes=LANES, sigma=SIGMA, steps=STEPS, longest=LONGEST, few=FEW, none=NONE, most=NONE - 1)


def nonzeros(example, say):
    """The matrix, nonzero by nonzero: what the examples number, colour and add up."""
    at = [bisect_right(example.row_offsets, n) - 1 for n in range(len(example.values))]
    y = [sum(p for row, p in zip(at, products_of(example)) if row == own) for own in range(rows_of(example))]
    must_be(y, example, "the list of nonzeros")
    lengths = lengths_of(example)
    return Shown(grid([[say("nonzero"), *range(len(at))], [say("row"), *at], [say("column"), *example.col_indices],
                       [say("product"), *products_of(example)]]),
                 rows=len(lengths), count=len(at), empty=lengths.index(0), longest=lengths.index(max(lengths)))


# What is said in tables, for the Chinese page.
CHINESE = {
    "tile": "片", "lane": "lane", "step": "步", "stored": "内存中", "nonzeros": "非零元", "row": "行",
    "tile {}: nonzero": "片 {}：非零元", "tile {}: row": "片 {}：行", "rows": "行",
    "rows that start": "开始的行", "products, a bar before each start": "乘积（竖线后是起点）",
    "before the first start": "第一个起点之前", "from the last start on": "从最后一个起点起",
    "lanes that continue its first part": "延续第一部分的 lane 数", "after a shuffle by {}": "距离 {} 的 shuffle 之后",
    "row that starts last": "最后开始的行", "its sum": "这一行的和", "inside a lane": "lane 之内", "stores": "写出",
    "empty rows": "空行", "second kernel": "第二个核函数", "starts at": "起点", "y": "y",
    "flags up to there": "到起点为止的标志", "(empty)": "（空行）", "product": "乘积",
    "nonzero": "非零元", "column": "列", "row-start flag": "行首标志", "open": "未完", "sum": "和",
    "guess: y": "猜测的 y", "a row is empty: done again": "有空行，于是重做", "carried": "进位",
    "slice": "切片", "columns of step {}": "第 {} 步的列号", "matrix order": "矩阵的次序",
    "row at each position": "各位置的行", "slots": "位置", "if padded": "补齐后", "chosen by": "选用的步骤", "steps of the slices": "各切片的步数",
    "fillers": "填充", "position": "位置", "chunk": "分段", "slices": "切片", "steps": "步数",
    "products of step {}": "第 {} 步的乘积", "own sum": "自己的和", "+ that of lane ^ {}": "+ lane ^ {} 的",
    "sorted": "排序后", "yes": "是", "no": "否", "all fit: this slice is narrow": "全部放得下：这个切片是窄的",
    "word 0: first column": "字 0：第一个列号",
    "not all fit: this slice is wide": "不是都放得下：这个切片是宽的",
    "word {}: differences of steps {}, {}": "字 {}：第 {}、{} 步的差",
}


# ---- CSR5: v18 to v24 ---------------------------------------------------------------------------

def turned(example):
    """tiles[tile][step][lane]: the nonzero that stands there, None behind the last one."""
    nnz = len(example.values)
    return [[[n if n < nnz else None for n in range(base + step, base + TILE, SIGMA)] for step in range(SIGMA)]
            for base in range(0, nnz, TILE)]


def csr5_tile(example, say):
    """v18: where a tile has its nonzeros.  A lane bisects for its rows and adds each part of one by an atomic."""
    products, y, atomics, searches = products_of(example), [0] * rows_of(example), 0, 0
    lines = []
    for number, tile in enumerate(turned(example)):
        rows = [[f"{say('tile')} {number}", *(f"{say('lane')} {lane}" for lane in range(LANES))]]
        for step, there in enumerate(tile):
            rows.append([f"{say('step')} {step}", *("-" if n is None else n for n in there)])
        lines += [*grid(rows, gap=3), ""]
        for lane in range(LANES):
            own = [there[lane] for there in tile if there[lane] is not None]
            at = [bisect_right(example.row_offsets, n) - 1 for n in own]
            searches += bool(own)
            atomics += len(set(at))
            for row, n in zip(at, own):
                y[row] += products[n]
    must_be(y, example, "CSR5's tile")
    stored = " | ".join(listed("-" if n is None else n for n in there) for tile in turned(example) for there in tile)
    lines.append(f"{say('stored')}   {stored}")
    return Shown(lines, atomics=atomics, searches=searches, tiles=len(turned(example)),
                 fillers=len(turned(example)) * TILE - len(example.values))


def flagged(example):
    """For each tile: the row that starts first in it, a word (bits, starts before) a lane, its list if it needs one."""
    tiles, row, rows = [], 0, rows_of(example)
    offsets, nnz = example.row_offsets, len(example.values)
    for base in range(0, nnz, TILE):
        end = min(base + TILE, nnz)
        while row < rows and offsets[row + 1] == base:
            row += 1
        first, starts, bits = row, [], [[0] * SIGMA for _ in range(LANES)]
        while row < rows and offsets[row] < end:
            if offsets[row + 1] > offsets[row]:
                bits[(offsets[row] - base) // SIGMA][(offsets[row] - base) % SIGMA] = 1
                starts.append(row - first)
            row += 1
        before = [sum(map(sum, bits[:lane])) for lane in range(LANES)]
        tiles.append((first, list(zip(bits, before)), starts if row - first != len(starts) else None))
    return tiles


def row_of_flag(tile, n):
    """The row of the n-th flag of a tile; -1 is the row that goes on from the tiles before."""
    first, _, empty_offset = tile
    return first - 1 if n < 0 else first + (n if empty_offset is None else empty_offset[n])


def flags(example, say):
    """v19: a bit where a row starts; sums by these bits alone, one atomic for each part of a row."""
    products, y, atomics = products_of(example), [0] * rows_of(example), 0
    lines = []
    for number, (tile, there) in enumerate(zip(flagged(example), turned(example))):
        first, words, empty_offset = tile
        rows = [[f"{say('tile')} {number}", say("nonzeros"), "bit_flag", "y_offset", say("rows that start")]]
        for lane, (bits, start) in enumerate(words):
            own = [step[lane] for step in there]
            begun = [row_of_flag(tile, start + k) for k in range(sum(bits))]
            rows.append([f"{say('lane')} {lane}", listed("-" if n is None else n for n in own), listed(bits), start,
                         listed(begun) or "-"])
            to, n = row_of_flag(tile, start - 1), start
            for nonzero, bit in zip(own, bits):
                if bit:
                    to, n = row_of_flag(tile, n), n + 1
                y[to] += 0 if nonzero is None else products[nonzero]
            atomics += 1 + sum(bits[1:])
        lines += [*grid(rows, left=(0, 1, 4), gap=3), f"tile_row {first}"
                  + (f", empty_offset {listed(empty_offset)}" if empty_offset else ""), ""]
    must_be(y, example, "bit_flag")
    with_list = [number for number, tile in enumerate(flagged(example)) if tile[2]]
    if not with_list:
        raise Mistake("example_formats.py: no tile of the example has an empty row inside, none needs a list")
    tile = flagged(example)[with_list[0]]
    lane, start = next((lane, start) for lane, (bits, start) in enumerate(tile[1]) if start and any(bits))
    return Shown(lines[:-1], atomics=atomics, with_empty=with_list[0], lane=lane, start=start, first=tile[0],
                 offset=tile[2][start], row=row_of_flag(tile, start), before=row_of_flag(tile, start - 1))


def lanes_sums(example, number):
    """A tile of v20: what its lanes hold, step by step, and the sums of rows that start in it as (row, sum)."""
    tile, there, products = flagged(example)[number], turned(example)[number], products_of(example)
    head, rest, open_, done = [], [], [], []
    for lane, (bits, start) in enumerate(tile[1]):
        total, own_head, opened = 0, None, False
        for step, bit in enumerate(bits):
            nonzero = there[step][lane]
            if bit and opened:
                done.append((lane, row_of_flag(tile, start), total))
                start += 1
            if bit and not opened:
                own_head = total
            total = (0 if bit else total) + (0 if nonzero is None else products[nonzero])
            opened |= bool(bit)
        head.append(own_head if opened else total)
        rest.append((row_of_flag(tile, start), total) if opened else None)
        open_.append(opened)
    reach = [next((d for d in range(LANES - lane) if open_[lane + d]), LANES - 1 - lane) for lane in range(LANES)]
    rounds, d = [head], 1
    while d < LANES:
        held = rounds[-1]
        rounds.append([h + (held[lane + d] if d <= reach[lane] else 0) for lane, h in enumerate(held)])
        d *= 2
    joined = rounds[-1]
    totals = [None if own is None else (own[0], own[1] + (joined[lane + 1] if lane + 1 < LANES else 0))
              for lane, own in enumerate(rest)]
    return {"head": head, "open": open_, "reach": reach, "rounds": rounds, "rest": rest, "totals": totals, "done": done,
            "joined": joined}


def segmented_sum(example, say, number=0):
    """v20: one tile's lanes add up what belongs together; y by two atomics a tile at most."""
    y, atomics = [0] * rows_of(example), 0
    for k, tile in enumerate(flagged(example)):
        s = lanes_sums(example, k)
        for row, total in [(row, total) for _, row, total in s["done"]] + [t for t in s["totals"] if t]:
            y[row] += total
        atomics += any(s["open"])
        if not tile[1][0][0][0]:
            y[row_of_flag(tile, -1)] += s["joined"][0]
            atomics += 1
    must_be(y, example, "the segmented sum")
    s, tile, there, products = lanes_sums(example, number), flagged(example)[number], turned(example)[number], \
        products_of(example)

    def marked(lane):
        cells = []
        for step, bit in enumerate(tile[1][lane][0]):
            nonzero = there[step][lane]
            cells.append(("|" if bit else " ") + ("-" if nonzero is None else str(products[nonzero])))
        return "".join(cells).strip() if cells[0][0] != "|" else "".join(cells)

    rows = [[f"{say('tile')} {number}", *(f"{say('lane')} {lane}" for lane in range(LANES))],
            [say("products, a bar before each start"), *map(marked, range(LANES))],
            [say("before the first start"), *s["head"]],
            [say("from the last start on"), *("-" if r is None else r[1] for r in s["rest"])],
            [say("lanes that continue its first part"), *s["reach"]]]
    for k, held in enumerate(s["rounds"][1:]):
        rows.append([say("after a shuffle by {}").format(2 ** k), *held])
    rows.append([say("row that starts last"), *("-" if t is None else t[0] for t in s["totals"])])
    rows.append([say("its sum"), *("-" if t is None else t[1] for t in s["totals"])])
    inside = [f"y[{row}] = {total}" for _, row, total in s["done"]]
    shown = grid(rows, gap=3) + ([f"{say('inside a lane')}   {', '.join(inside)}"] if inside else [])
    lane = next((k for k in range(LANES - 1) if s["open"][k] and not s["open"][k + 1]), None)
    if lane is None:
        raise Mistake(f"example_formats.py: no row of tile {number} takes more than two lanes")
    return Shown(shown, atomics=atomics, row=s["rest"][lane][0], lane=lane, own=s["rest"][lane][1],
                 next=s["head"][lane + 1], joined=s["joined"][lane + 1], total=s["totals"][lane][1])


def calibrator(example, say):
    """v21: what a tile has of a row that started before goes into the calibrator; a second kernel adds it."""
    y, rows, offsets = [None] * rows_of(example), [], example.row_offsets
    kept = []
    for number, tile in enumerate(flagged(example)):
        s = lanes_sums(example, number)
        stored = sorted([(row, total) for _, row, total in s["done"]] + [t for t in s["totals"] if t])
        for row, total in stored:
            y[row] = total
        kept.append(s["joined"][0])
        rows.append([number, ", ".join(f"y[{row}] = {total}" for row, total in stored) or "-", s["joined"][0]])
    runs, empty = [], [row for row, length in enumerate(lengths_of(example)) if length == 0]
    for row, length in enumerate(lengths_of(example)):
        first = offsets[row] // TILE
        tiles = -(-offsets[row + 1] // TILE) - first
        if length == 0:
            y[row] = 0
        elif tiles > 1:
            runs.append((row, first + 1, tiles - 1))
    lines = grid([[say("tile"), say("stores"), "calibrator"], *rows], left=(0, 1), gap=3)
    lines.append("")
    lines.append(f"{say('empty rows')}   " + (", ".join(f"y[{row}] = 0" for row in empty) or "-"))
    for row, first, count in runs:
        before = y[row]
        y[row] += sum(kept[first:first + count])
        lines.append(f"{say('second kernel')}   y[{row}] = {before} + "
                     + " + ".join(f"{kept[k]}" for k in range(first, first + count)) + f" = {y[row]}")
    must_be(y, example, "the calibrator")
    if not runs:
        raise Mistake("example_formats.py: no row of the example goes on in the next tile: nothing for the calibrator")
    return Shown(lines, row=runs[0][0], runs=len(runs))


# ---- bit marks and a guess: v25 to v27 ----------------------------------------------------------

def borders(example):
    """(rows that have ended, nonzeros taken) at the first step of each tile of the merge path, and behind the last."""
    offsets, rows, nnz = example.row_offsets, rows_of(example), len(example.values)
    found = []
    for step in [*range(0, rows + nnz, STEPS), rows + nnz]:
        row = next((r for r in range(rows) if offsets[r + 1] + r >= step), rows)
        found.append((row, step - row))
    return found


def marked_tiles(example):
    """For each tile: its rows and nonzeros, its marks, the sums they part, and what stays open at the end."""
    offsets, products = example.row_offsets, products_of(example)
    there = borders(example)
    for (top, lo), (bottom, hi) in zip(there, there[1:]):
        marks = [0] * (hi - lo)
        for row in range(top, bottom):
            if 0 < offsets[row + 1] - lo < hi - lo:
                marks[offsets[row + 1] - lo] = 1
        sums, total = [], 0
        for mark, nonzero in zip(marks, range(lo, hi)):
            if mark:
                sums.append(total)
                total = 0
            total += products[nonzero]
        open_ = bottom < rows_of(example) and offsets[bottom] < hi
        if not open_:
            sums.append(total)
        yield top, bottom, lo, hi, marks, sums, total if open_ else None


def bit_marks(example, say, number=0):
    """v25: sums in the order of the marks; a row counts the marks up to its start to find its own."""
    y, offsets, products = [None] * rows_of(example), example.row_offsets, products_of(example)
    carries, lines = [], []
    for k, (top, bottom, lo, hi, marks, sums, open_) in enumerate(marked_tiles(example)):
        rows = [[say("row"), say("starts at"), say("flags up to there"), "y"]]
        for row in range(top, bottom):
            start = 0 if row == top else offsets[row] - lo
            if start == offsets[row + 1] - lo:
                y[row] = 0
                rows.append([row, start, "-", f"0  {say('(empty)')}"])
            else:
                n = sum(marks[:start + 1])
                y[row] = sums[n]
                rows.append([row, start, n, f"sum[{n}] = {sums[n]}"])
        if open_ is not None:
            carries.append((bottom, open_))
        if k == number:
            lines = grid([[say("tile {}: nonzero").format(k), *range(lo, hi)],
                          [say("product"), *products[lo:hi]], [say("row-start flag"), *marks]])
            lines.append(", ".join(f"sum[{n}] = {own}" for n, own in enumerate(sums)) +
                         ("" if open_ is None else f"   {say('open')}: {open_}"))
            lines += ["", *grid(rows, left=(3,), gap=3)]
    for row, part in carries:
        y[row] += part
    must_be(y, example, "bit marks")
    return Shown(lines, tiles=len(borders(example)) - 1)


def guess(example, say):
    """v27: the n-th sum is taken for the n-th row's; where a row is empty the block does its rows again."""
    y, offsets, carries = [None] * (rows_of(example) + 1), example.row_offsets, []
    lines, wrong = [], 0
    for k, (top, bottom, lo, _, marks, sums, open_) in enumerate(marked_tiles(example)):
        for n, total in enumerate(sums):
            y[top + n] = total
        guessed = list(y[top:bottom])
        empty = [max(offsets[row], lo) == offsets[row + 1] for row in range(top, bottom)]
        if any(empty):
            wrong += 1
            for row in range(top, bottom):
                start = 0 if row == top else offsets[row] - lo
                y[row] = 0 if empty[row - top] else sums[sum(marks[:start + 1])]
        if open_ is not None:
            carries.append((bottom, open_))
        rows = [[say("tile {}: row").format(k), *range(top, bottom)],
                [say("guess: y"), *("?" if g is None else g for g in guessed)]]
        if any(empty):
            rows.append([say("a row is empty: done again"), *y[top:bottom]])
        lines += [*grid(rows), ""]
    for row, part in carries:
        y[row] += part
        lines.append(f"{say('carried')}   y[{row}] = {y[row] - part} + {part} = {y[row]}")
    must_be(y[:-1], example, "the guess")
    if not wrong:
        raise Mistake("example_formats.py: no tile of the example has an empty row, the guess is never wrong")
    return Shown(lines if lines[-1] else lines[:-1], wrong=wrong)


# ---- SELL: v28 to v39 ---------------------------------------------------------------------------

def places_of(example, longest=None):
    """(row, piece or None, first nonzero, end) of each place: a row, or a piece of a row above `longest`."""
    places, pieces = [], 0
    for row, (start, end) in enumerate(zip(example.row_offsets, example.row_offsets[1:])):
        if longest is None or end - start <= longest:
            places.append((row, None, start, end))
            continue
        for begin in range(start, end, longest):
            places.append((row, pieces, begin, min(begin + longest, end)))
            pieces += 1
    return places


def by_length(places, window=None):
    """The longest first, within windows of so many places; equal ones stay in their order."""
    window = window or len(places)
    return [place for begin in range(0, len(places), window)
            for place in sorted(places[begin:begin + window], key=lambda p: p[2] - p[3])]


def slice_of(places, lanes=1, steps=None):
    """slice[step][lane]: the nonzero there, None for a filler; entry k V + i of a row is step k of its lane i."""
    places = places + [(None, None, 0, 0)] * (LANES // lanes - len(places))
    most = max(-(-(end - start) // lanes) for _, _, start, end in places)
    return [[start + step * lanes + i if start + step * lanes + i < end else None
             for _, _, start, end in places for i in range(lanes)] for step in range(most if steps is None else steps)]


def slices_of(places, lanes=1):
    """[(places, slice)] of all, each as long as its longest row."""
    count = LANES // lanes
    return [(places[k:k + count], slice_of(places[k:k + count], lanes)) for k in range(0, len(places), count)]


def multiply(example, slices, lanes=1):
    """y and the sums of the pieces, as v35 has them: a lane adds its own, then the lanes of a row by shuffles."""
    products, y, pieces = products_of(example), [None] * rows_of(example), {}
    for places, made in slices:
        sums = [sum(products[there[lane]] for there in made if there[lane] is not None) for lane in range(LANES)]
        d = lanes // 2
        while d:
            sums = [sums[lane] + sums[lane ^ d] for lane in range(LANES)]
            d //= 2
        for k, (row, piece, _, _) in enumerate(places):
            if piece is None:
                y[row] = sums[k * lanes]
            else:
                pieces[piece] = sums[k * lanes]
    return y, pieces


def slots_of(slices):
    return sum(LANES * len(made) for _, made in slices)


def steps_of(slices):
    return listed(len(made) for _, made in slices)


def sell(example, say):
    """v28: slices of rows as they stand, a lane on each, stored step by step."""
    slices = slices_of(places_of(example))
    must_be(multiply(example, slices)[0], example, "SELL")
    lines, first = [], 0
    for number, (places, made) in enumerate(slices):
        rows = [[f"{say('slice')} {number}, first_step {first}", *(f"{say('lane')} {lane}" for lane in range(LANES))],
                [say("row"), *(row for row, *_ in places)]]
        for step, there in enumerate(made):
            rows.append([say("columns of step {}").format(first + step),
                         *(-1 if n is None else example.col_indices[n] for n in there)])
        first += len(made)
        lines += [*grid(rows, gap=3), ""]
    nnz, slots, longest = len(example.values), slots_of(slices), max(lengths_of(example))
    return Shown(lines[:-1], nonzeros=nnz, slots=slots, fillers=slots - nnz, steps=longest, waits=2 * longest,
                 waits_by_eight=2 * -(-longest // 8))


def sell_sorted(example, say):
    """v31, v32: the same rows as they stand, sorted within windows, and sorted all."""
    rows, numbers, nnz = rows_of(example), {}, len(example.values)
    shown = [["", say("row at each position"), say("steps of the slices"), say("slots"), say("fillers")]]
    for name, label, window in (("natural", say("matrix order"), 1), ("window", f"σ = {LANES}", LANES),
                                ("all", f"σ = {rows}", rows)):
        places = by_length(places_of(example), window)
        slices = slices_of(places)
        must_be(multiply(example, slices)[0], example, f"SELL, {name}")
        order = " | ".join(listed(row for row, *_ in places) for places, _ in slices)
        shown.append([label, order, steps_of(slices), slots_of(slices), slots_of(slices) - nnz])
        numbers[name] = slots_of(slices)
    return Shown(grid(shown, left=(0, 1, 2), gap=3), **numbers)


def added_pieces(example):
    """Sums of the places with rows above LONGEST cut; y, each cut row added up from its pieces in their order."""
    slices = slices_of(by_length(places_of(example, LONGEST)))
    y, parts = multiply(example, slices)
    cut = {}
    for row, piece, *_ in places_of(example, LONGEST):
        if piece is not None:
            cut.setdefault(row, []).append(parts[piece])
    for row, own in cut.items():
        y[row] = sum(own)
    must_be(y, example, "pieces")
    if not cut:
        raise Mistake("example_formats.py: no row of the example is cut")
    return slices, cut


def pieces(example, say):
    """v33: rows above LONGEST become pieces, which are sorted and laid into slices like rows."""
    slices, cut = added_pieces(example)
    places = [place for own, _ in slices for place in own]
    whole = slices_of(by_length(places_of(example)))
    return Shown([*grid([[say("position"), *range(len(places))],
                         [say("row"), *(row for row, *_ in places)],
                         [say("chunk"), *("-" if piece is None else piece for _, piece, *_ in places)],
                         [say("nonzeros"), *(end - start for *_, start, end in places)]]),
                  "", f"{say('steps of the slices')}   {steps_of(slices)}"],
                 slots=slots_of(slices), before=slots_of(whole), row=min(cut), length=max(lengths_of(example)),
                 count=sum(map(len, cut.values())))


def pieces_added(example, say):
    """v34: the sums of the pieces, added in their order."""
    _, cut = added_pieces(example)
    return Shown([f"y[{row}] = {' + '.join(map(str, own))} = {sum(own)}" for row, own in cut.items()])


def with_lanes(example, places, lanes):
    """The slices of LANES places with V lanes a row: V of them."""
    return slices_of(places + [(None, None, 0, 0)] * (-len(places) % LANES), lanes)


def lanes_per_row(example, say):
    """v35 to v37: V of 1, 2 and 4 for each LANES places; which V each step takes."""
    places = by_length(places_of(example))
    y = [None] * rows_of(example)
    shown = [[say("rows"), say("nonzeros"), "V", say("slices"), say("steps"), say("slots"), say("if padded"),
              say("chosen by")]]
    slots, mean = {"v35": 0, "v36": 0, "v37": 0}, 1
    while mean < LANES and len(example.values) >= 8 * len(places) * mean:  # as f_sell/v35_lanes_plan.cu has it
        mean *= 2
    for begin in range(0, len(places), LANES):
        group = places[begin:begin + LANES]
        longest = max(end - start for *_, start, end in group)
        tried = {v: [made for _, made in with_lanes(example, group, v)] for v in (1, 2, 4)}
        cost = {v: sum(map(len, made)) for v, made in tried.items()}
        by_longest = next((v for v in tried if -(-longest // v) <= FEW), LANES)
        best = min(tried, key=lambda v: (cost[v] + v, v))  # a slice costs its record too, as much as a step
        slots["v35"] += LANES * cost[mean]
        slots["v36"] += LANES * by_longest * -(-longest // by_longest)
        slots["v37"] += LANES * cost[best]
        for v, made in tried.items():
            first = v == 1
            shown.append([listed(row for row, *_ in group) if first else "",
                          listed(end - start for *_, start, end in group) if first else "",
                          v, v, listed(len(one) for one in made), LANES * cost[v],
                          LANES * v * max(map(len, made)),
                          " ".join(name for name, chosen in (("v35", mean), ("v36", by_longest), ("v37", best))
                                   if chosen == v)])
        part, _ = multiply(example, [(p, m) for p, m in slices_of(group, best)], best)
        for row, *_ in group:
            y[row] = part[row]
    must_be(y, example, "V lanes a row")
    return Shown(grid(shown, left=(0, 1, 4, 7), gap=3), mean=mean, **slots)


def long_row(example, say):
    """v35: the longest row on all lanes of the warp."""
    place = by_length(places_of(example))[0]
    made, products = slice_of([place], LANES), products_of(example)
    sums = [sum(products[there[lane]] for there in made if there[lane] is not None) for lane in range(LANES)]
    rows = [[f"{say('row')} {place[0]}, V = {LANES}", *(f"{say('lane')} {lane}" for lane in range(LANES))]]
    for step, there in enumerate(made):
        rows.append([say("products of step {}").format(step), *("-" if n is None else products[n] for n in there)])
    rows.append([say("own sum"), *sums])
    d = LANES // 2
    while d:
        sums = [sums[lane] + sums[lane ^ d] for lane in range(LANES)]
        rows.append([say("+ that of lane ^ {}").format(d), *sums])
        d //= 2
    if sums[0] != example.y[place[0]]:
        raise Mistake(f"example_formats.py: the longest row's lanes add up to {sums[0]}, not {example.y[place[0]]}")
    return Shown(grid(rows, gap=3), row=place[0], length=place[3] - place[2], steps=len(made))


def rule(example, say):
    """v39: are the rows sorted?  Only if filling up takes more than 15 %, and sorting saves a tenth of all."""
    nnz = len(example.values)
    natural, by_size = slots_of(slices_of(places_of(example))), slots_of(slices_of(by_length(places_of(example))))
    must_be(multiply(example, slices_of(by_length(places_of(example))))[0], example, "v39")
    filled, saves = 100 * natural > 115 * nnz, 10 * by_size < 9 * natural
    return Shown(grid([[say("matrix order"), f"{natural} > 1.15 × {nnz}", say("yes") if filled else say("no")],
                       [say("sorted"), f"{by_size} < 0.9 × {natural}", say("yes") if saves else say("no")]],
                      left=(0, 1, 2), gap=3), natural=natural, sorted=by_size)


# ---- differences: v40 to v44 --------------------------------------------------------------------

def differences_of(example, made):
    """[step][lane] differences to the column before, NONE where the row has ended; and whether all of them fit."""
    columns = [[-1 if n is None else example.col_indices[n] for n in there] for there in made]
    rows, fits = [], True
    for step, there in enumerate(columns):
        rows.append([])
        for lane, col in enumerate(there):
            before = columns[step - 1][lane] if step else col
            rows[-1].append(NONE if col < 0 else col - before)
            fits &= col < 0 or 0 <= col - before < NONE
    return columns, rows, fits


def differences16(example, say):
    """v40, v41: differences of columns, in two bits here; a slice escapes if one does not fit."""
    places, y, lines = places_of(example), [None] * rows_of(example), []
    escaped, narrow = [], []
    for number, (own, made) in enumerate(slices_of(places)):
        columns, steps, fits = differences_of(example, made)
        (narrow if fits else escaped).append(number)
        rows = [[f"{say('slice')} {number}", *(f"{say('row')} {row}" for row, *_ in own)]]
        for step, there in enumerate(columns):
            shown = []
            for col, difference in zip(there, steps[step]):
                shown.append("-1" if col < 0 else str(col) if step == 0 else f"{col} (+{difference})")
            rows.append([say("columns of step {}").format(step), *shown])
        lines += [*grid(rows, gap=3),
                  say("all fit: this slice is narrow") if fits else say("not all fit: this slice is wide"), ""]
        for lane, (row, *_) in enumerate(own):
            at, total = columns[0][lane] if columns else -1, 0
            for step, there in enumerate(made):
                if fits:
                    if steps[step][lane] == NONE:
                        continue
                    at += steps[step][lane]
                elif columns[step][lane] < 0:
                    continue
                else:
                    at = columns[step][lane]
                total += example.values[there[lane]] * example.x[at]
            y[row] = total
    must_be(y, example, "differences")
    if not escaped or not narrow:
        raise Mistake(f"example_formats.py: slices {escaped} escape and {narrow} do not: the page wants some of both")
    return Shown(lines[:-1], escaped=escaped[0], narrow=narrow[0], none=NONE)


def words(example, say):
    """v42 to v44: two differences in a word, behind the first column of each lane."""
    for number, (own, made) in enumerate(slices_of(places_of(example))):
        columns, steps, fits = differences_of(example, made)
        if not fits:
            continue
        count = 1 + len(made) // 2
        packed = [columns[0]]
        for w in range(1, count):
            packed.append([(steps[2 * w - 1][lane], steps[2 * w][lane] if 2 * w < len(made) else NONE)
                           for lane in range(LANES)])
        for lane, (row, *_) in enumerate(own):
            at, total = packed[0][lane], 0
            there = [d for w in range(1, count) for d in packed[w][lane]]
            if at >= 0:
                total = example.values[made[0][lane]] * example.x[at]
            for step, difference in enumerate(there, 1):
                if difference != NONE:
                    at += difference
                    total += example.values[made[step][lane]] * example.x[at]
            if total != example.y[row]:
                raise Mistake(f"example_formats.py: the words of row {row} end with {total}, not {example.y[row]}")
        rows = [[f"{say('slice')} {number}", *(f"{say('row')} {row}" for row, *_ in own)],
                [say("word 0: first column"), *packed[0]]]
        for w in range(1, count):
            rows.append([say("word {}: differences of steps {}, {}").format(w, 2 * w - 1, 2 * w),
                         *(" ".join("." if d == NONE else f"+{d}" for d in pair) for pair in packed[w])])
        return Shown(grid(rows, gap=3), slice=number, steps=len(made), words=count)
    raise Mistake("example_formats.py: all slices of the example escape")


# ---- pictures (plots/boxes.gpi) -----------------------------------------------------------------

def draw_csr5(example):
    """The nonzeros as they stand, a lane's three together; the tiles, turned; heads, ends and who adds what to whom."""
    p, products, tiles = Picture(), products_of(example), flagged(example)
    starts = {start for start, end in zip(example.row_offsets, example.row_offsets[1:]) if end > start}

    def place(nonzero):
        return 2.6 + nonzero + 0.35 * (nonzero // SIGMA) + 0.9 * (nonzero // TILE)

    for nonzero, product in enumerate(products):
        p.box(place(nonzero), 1.5, row_at(example, nonzero), product)
        if nonzero in starts:
            p.bar(place(nonzero) - 0.52, 0.98, place(nonzero) - 0.52, 2.02)
    for base in range(0, len(products), SIGMA):
        p.word((place(base) + place(min(base + SIGMA, len(products)) - 1)) / 2, 0.5, f"lane {base // SIGMA % LANES}")
    for number, there in enumerate(turned(example)):
        left = (place(number * TILE) + place(number * TILE + TILE - 1)) / 2 - 0.8 * (LANES - 1) * 1.25
        at = [left + 2 * lane for lane in range(LANES)]
        sums, before = lanes_sums(example, number), row_of_flag(tiles[number], -1)
        p.word(at[0] + LANES - 1, 2.6, f"tile {number}, transposed")
        for lane, x in enumerate(at):
            p.word(x, 3.4, f"lane {lane}")
        for step, lanes in enumerate(there):
            for lane, nonzero in enumerate(lanes):
                y = 4.2 + step
                p.box(at[lane], y, None if nonzero is None else row_at(example, nonzero),
                      "" if nonzero is None else products[nonzero], 0.6)
                if nonzero in starts:
                    p.bar(at[lane] - 0.66, y - 0.5, at[lane] + 0.66, y - 0.5)
        for lane, x in enumerate(at):
            if sums["open"][lane]:
                if sums["head"][lane]:
                    p.box(x, 7.9, before, sums["head"][lane], 0.6)
                before = sums["rest"][lane][0]
                p.box(x, 9.3, before, sums["rest"][lane][1], 0.6)
            elif sums["head"][lane]:
                p.box(x, 7.9, before, sums["head"][lane], 0.6)
            if not sums["head"][lane]:
                continue
            if lane == 0:
                p.arrow(x - 0.65, 7.9, last + 0.3, 9.75, "far")
            elif sums["open"][lane - 1]:
                p.arrow(x - 0.3, 8.35, at[lane - 1] + 0.65, 9.2)
            else:
                p.arrow(x - 0.65, 7.9, at[lane - 1] + 0.65, 7.9)
        last = next((at[lane] for lane in reversed(range(LANES)) if sums["open"][lane]), None)
    p.word(0.95, 1.5, "in order")
    for y, text in ((4.2, "load 0"), (5.2, "load 1"), (6.2, "load 2"),
                    (7.9, "before first start"), (9.3, "from last start")):
        p.word(2.4, y, text)
    return p


def draw_slices(p, example, slices, x, y, cell=lambda nonzero: nonzero):
    """Slices beside each other, a column a lane, its row above it; returns where each place ends and the right edge."""
    where = []
    for places, made in slices:
        for lane, (row, *_) in enumerate(places):
            p.word(x + lane, y, row)
            where.append((x + lane, y + len(made) + 0.5))
        for step, there in enumerate(made):
            for lane, nonzero in enumerate(there):
                p.box(x + lane, y + 1 + step, None if nonzero is None else row_at(example, nonzero),
                      "" if nonzero is None else cell(nonzero))
        x += LANES + 0.6
    return where, x


def draw_sell(example):
    """Slices of the rows as they stand, and of the rows sorted by length."""
    p, x = Picture(), 1
    for window in (1, None):
        slices = slices_of(by_length(places_of(example), window))
        left = x
        _, x = draw_slices(p, example, slices, x, 0.6, lambda nonzero: example.col_indices[nonzero])
        most = max(len(made) for _, made in slices)
        steps = " + ".join(str(len(made)) for _, made in slices)
        p.word((left + x - 1.6) / 2, most + 2.5, f"{LANES} × ({steps}) = {slots_of(slices)}")
        x += 1.4
    return p


def draw_pieces(example):
    """The rows, the long one in pieces; slices of the places, sorted; the sums of the pieces, added in order."""
    p, places = Picture(), places_of(example, LONGEST)
    for row in range(rows_of(example)):
        p.word(0.6, 0.9 + row, row)
        for nonzero in range(example.row_offsets[row], example.row_offsets[row + 1]):
            k = nonzero - example.row_offsets[row]
            cut = lengths_of(example)[row] > LONGEST
            p.box(1.6 + k + (0.4 * (k // LONGEST) if cut else 0), 0.9 + row, row, products_of(example)[nonzero])
    left = max(float(row[1]) for row in p.rows) + 2.6
    slices = slices_of(by_length(places))
    where, _ = draw_slices(p, example, slices, left, 0.5, lambda nonzero: products_of(example)[nonzero])
    _, parts = multiply(example, slices)
    long_one = next(row for row, piece, *_ in places if piece is not None)
    own = sorted((piece, at) for (row, piece, *_), at in zip(by_length(places), where) if row == long_one)
    y, middle = 7.6, left + (LANES - 1) / 2
    for k, (piece, (x, low)) in enumerate(own):
        to = middle + 2.6 * k
        p.arrow(x, low + 0.1, to, y - 0.5)
        p.box(to, y, long_one, parts[piece])
        p.word(to + 1.3, y, "=" if k == len(own) - 1 else "+")
    p.box(middle + 2.6 * len(own), y, long_one, sum(parts.values()), 0.7)
    p.word(middle + 2.6 * len(own), y + 0.9, f"y[{long_one}]")
    return p


def draw_differences(example):
    """Two slices: their columns, 32 bits each; and what v44 keeps of them, where all differences fit and where not."""
    p, y = Picture(), 1
    for number, (places, made) in enumerate(slices_of(places_of(example))):
        columns, steps, fits = differences_of(example, made)
        right = 2.9 + 2 * max(len(m) for _, m in slices_of(places_of(example)))
        for lane, (row, *_) in enumerate(places):
            p.word(0.5, y, row)
            for step, there in enumerate(columns):
                for x in (2 + 2 * step, *(() if fits else (right + 2 * step,))):
                    p.box(x, y, row if there[lane] >= 0 else None, there[lane] if there[lane] >= 0 else "", 0.95)
                late = steps[step][lane]
                if step and there[lane] >= 0 and not 0 <= late < NONE:
                    p.add("outline", right + 2 * step, y, 0.96, 0.44, None, "")
            if fits:
                first = columns[0][lane]
                p.box(right, y, *((None, "") if first < 0 else (row, first)), 0.95)
                for step in range(1, 1 + 2 * (len(made) // 2)):
                    late = steps[step][lane] if step < len(made) else NONE
                    p.box(right + 0.5 + step, y, *((None, "") if late == NONE else (row, f"+{late}")), 0.45)
            y += 1
        y += 0.8
    return p


IDEAS = ("sizes", "nonzeros", "csr5_tile", "flags", "segmented_sum", "calibrator", "bit_marks", "guess", "sell",
         "sell_sorted", "pieces", "pieces_added", "lanes_per_row", "long_row", "rule", "differences16", "words")
PICTURES = {"07_csr5_tile": draw_csr5, "07_slices": draw_sell, "07_pieces": draw_pieces,
            "07_differences": draw_differences}
