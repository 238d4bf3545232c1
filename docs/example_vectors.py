"""example_vectors.py - chapter 05's v5 to v17, carried out by hand on the little matrix of example.py.

A function an idea, as example.py says.  To keep tables small a sector has 4 numbers instead of 8, vectors have 4
lanes or 2, a warp 4, a block 2 warps, and the GPU has 2 or 4 places.
"""
import struct

from example import Picture, Shown, grid, lengths_of, listed, must_be, products_of, row_at, rows_of
from tables import Mistake

SECTOR = LANES = 4  # numbers of a sector: 8; lanes of a vector
PAIR = 2            # lanes of the vectors of v7 to v16
IN_FLIGHT = 4       # nonzeros that a lane of v7 asks for at once
WIDTH = 4           # floats of a pack
WARP, WARPS = 4, 2  # lanes of a warp: 32; warps of a block: 8
LONG = 4            # nonzeros of a row that is not listed: 16 batches
PLACES = 2          # blocks that the GPU holds at once
ROWS_OF_BLOCK = 4   # where a block has several rows: as many warps

# What is said in tables, for the Chinese page.
CHINESE = {
    "row": "行", "nonzeros": "非零元", "in memory": "内存里", "v4: not padded": "v4：未填充", "v5: padded": "v5：填充",
    "asked for": "触及的扇区", "begins at": "加载起点", "row {}": "行 {}", "round {}": "第 {} 轮", "lane {}": "lane {}",
    "pack": "包", "slot {}": "位置 {}", "ends at": "结束于", "values": "值", "columns": "列号", "together": "合计",
    "bytes": "字节", "value": "值", "is": "就是", "lanes on row {}": "行 {} 的 lane", "rounds": "轮数", "length": "行长",
    "its vector": "它的向量", "sums it": "求和", "writes it into the list": "列入名单", "address": "地址", "one load": "一次加载",
    "four loads": "四次加载",
}


def length(example, row):
    return example.row_offsets[row + 1] - example.row_offsets[row]


def smaller(example, say):
    """What is smaller here than in the code, for the prose."""
    lengths = lengths_of(example)
    return Shown([], sector=SECTOR, lanes=LANES, pair=PAIR, in_flight=IN_FLIGHT, width=WIDTH, warp=WARP, warps=WARPS,
                 long=LONG, places=PLACES, block=ROWS_OF_BLOCK, rows=rows_of(example), nnz=len(example.values),
                 longest=lengths.index(max(lengths)), empty=lengths.index(0))


def sectors_of(positions):
    return len({p // SECTOR for p in positions})


# ---- v5 and v6: aligned starts ------------------------------------------------------------------

def loads_of(start, end):
    """The positions that each load of a vector asks for."""
    return [list(range(at, min(at + LANES, end))) for at in range(start, end, LANES)]


def padded(example):
    """v5's matrix: where each row starts, and the nonzero at each position, None for a filler."""
    starts, there = [], []
    for row in range(rows_of(example)):
        starts.append(len(there))
        own = list(range(example.row_offsets[row], example.row_offsets[row + 1]))
        there += own + [None] * (-len(own) % LANES)
    return [*starts, len(there)], there


def padding(example, say):
    """v5: sectors that the loads ask for, and that lie in memory, as the rows stand and padded."""
    starts, there = padded(example)
    y = [sum(products_of(example)[k] for k in there[a:b] if k is not None) for a, b in zip(starts, starts[1:])]
    must_be(y, example, "padded rows")
    table, asked = [[say("row"), *range(rows_of(example)), say("asked for"), say("in memory")]], []
    for name, offsets in (("v4: not padded", example.row_offsets), ("v5: padded", starts)):
        own = [sum(map(sectors_of, loads_of(a, b))) for a, b in zip(offsets, offsets[1:])]
        asked.append(sum(own))
        table.append([say(name), *own, sum(own), -(-offsets[-1] // SECTOR)])
    return Shown(grid(table), asked=asked[0], asked_padded=asked[1], fillers=there.count(None), slots=len(there),
                 memory=table[1][-1], memory_padded=table[2][-1])


def aligned(example, say):
    """v6: the rounds of each row from the aligned position before its start."""
    table, y, asked, rounds = [], [], 0, 0
    most = 0
    for row in range(rows_of(example)):
        start, end = example.row_offsets[row], example.row_offsets[row + 1]
        begin, cells, total = start - start % LANES, [], 0
        for at in range(begin, end, LANES) if end > start else ():
            own = [k if start <= k < end else None for k in range(at, at + LANES)]
            total += sum(products_of(example)[k] for k in own if k is not None)
            cells.append(listed("." if k is None else k for k in own))
            asked += sectors_of([k for k in own if k is not None])
        y.append(total)
        rounds += len(cells)
        most = max(most, len(cells))
        table.append([say("row {}").format(row), start, begin if cells else "-", *cells])
    must_be(y, example, "aligned starts")
    head = [say("row"), "row_offsets", say("begins at"), *(say("round {}").format(r) for r in range(most))]
    before = sum(len(loads_of(a, b)) for a, b in zip(example.row_offsets, example.row_offsets[1:]))
    return Shown(grid([head, *table], left=(0, 3, 4, 5), gap=3), asked=asked, rounds=rounds, before=before)


# ---- v7 and v8: in flight, packs ----------------------------------------------------------------

def in_flight(example, say):
    """v7: what a lane of the long row waits for, one nonzero at a time and IN_FLIGHT at a time."""
    y = [0] * rows_of(example)
    lines, mine = [], []
    for row in range(rows_of(example)):
        start, end = example.row_offsets[row], example.row_offsets[row + 1]
        for lane in range(PAIR):
            for first in range(start - start % PAIR + lane, end, IN_FLIGHT * PAIR):
                batch = [k for k in range(first, first + IN_FLIGHT * PAIR, PAIR) if start <= k < end]
                y[row] += sum(products_of(example)[k] for k in batch)
                if row == lengths_of(example).index(max(lengths_of(example))) and len(batch) == IN_FLIGHT:
                    mine = [lane, batch]
    must_be(y, example, "nonzeros in flight")
    lane, batch = mine
    lines = [f"v6   {' '.join(f'c{k} . x{k} .' for k in batch)}",
             f"v7   {' '.join(f'c{k}' for k in batch)} . {' '.join(f'x{k}' for k in batch)} ."]
    return Shown(lines, lane=lane, batch=listed(batch), before=2 * len(batch), after=2)


def packs(example, say):
    """v8: the packs of each lane of the long row, and which x the lanes gather together."""
    y, long_ = [0] * rows_of(example), lengths_of(example).index(max(lengths_of(example)))
    table, gathers = [[say("pack"), *(say("lane {}").format(lane) for lane in range(PAIR))]], []
    for row in range(rows_of(example)):
        start, end = example.row_offsets[row], example.row_offsets[row + 1]
        for first in range(start - start % WIDTH, end, WIDTH * PAIR) if end > start else ():
            own = [[k if start <= k < end else None for k in range(at, at + WIDTH)]
                   for at in range(first, first + WIDTH * PAIR, WIDTH)]
            y[row] += sum(products_of(example)[k] for lane in own for k in lane if k is not None)
            if row == long_:
                table.append([len(table) - 1, *(listed("." if k is None else k for k in lane) for lane in own)])
                gathers.append([[lane[j] for lane in own] for j in range(WIDTH)])
    must_be(y, example, "packs")
    both = next(g for g in gathers[0] if None not in g)
    wide = [example.col_indices[k] for k in both]
    first = both[0] + -both[0] % PAIR  # v7's lanes begin at a multiple of PAIR
    beside = list(range(first, first + PAIR))
    side = [example.col_indices[k] for k in beside]
    return Shown(grid(table, left=(1, 2), gap=4), nonzeros=listed(both), columns=listed(wide),
                 neighbours=listed(beside), before=listed(side), row=long_)


# ---- v9 and v17: who gets a row when -------------------------------------------------------------

def cost(example, row):
    """What a row takes: its nonzeros, and 1 for its offsets and its y."""
    return length(example, row) + 1


def as_they_come(example):
    """v8: [(row, place, from, to)]: the next row to the place that is free first."""
    free, plan = [0] * PLACES, []
    for row in range(rows_of(example)):
        place = free.index(min(free))
        plan.append((row, place, free[place], free[place] + cost(example, row)))
        free[place] += cost(example, row)
    return plan


def beforehand(example):
    """v9: each place walks through the rows with the stride of the grid."""
    free, plan = [0] * PLACES, []
    for row in range(rows_of(example)):
        place = row % PLACES
        plan.append((row, place, free[place], free[place] + cost(example, row)))
        free[place] += cost(example, row)
    return plan


def in_blocks(example, size):
    """v17: a block of `size` rows begins when as many places are free together, and keeps them until its last row ends."""
    free, plan = [0] * ROWS_OF_BLOCK, []
    for first in range(0, rows_of(example), size):
        groups = [range(g, g + size) for g in range(0, ROWS_OF_BLOCK, size)]
        group = min(groups, key=lambda g: (max(free[p] for p in g), g[0]))
        begin = max(free[p] for p in group)
        rows = range(first, min(first + size, rows_of(example)))
        for place, row in zip(group, rows):
            plan.append((row, place, begin, begin + cost(example, row)))
        for place in group:
            free[place] = begin + max(cost(example, row) for row in rows)
    return plan


def plan_table(example, plans, places, say):
    table = [["", *(say("slot {}").format(p) for p in range(places)), say("ends at")]]
    for name, plan in plans:
        if sorted(row for row, *_ in plan) != list(range(rows_of(example))):
            raise Mistake(f"example_vectors.py: {name} does not have every row once: {plan}")
        ends = [max(to for _, p, _, to in plan if p == place) for place in range(places)]
        own = [listed(r for r, p, *_ in plan if p == place) for place in range(places)]
        table.append([name, *(f"{rows} ({end})" for rows, end in zip(own, ends)), max(ends)])
    return table


def grid_of_gpu(example, say):
    """v9: which place gets which rows, and when it is done."""
    plans = [("v8", as_they_come(example)), ("v9", beforehand(example))]
    table = plan_table(example, plans, PLACES, say)
    y = [0] * rows_of(example)
    for row, *_ in beforehand(example):
        y[row] = sum(products_of(example)[example.row_offsets[row]:example.row_offsets[row + 1]])
    must_be(y, example, "the grid")
    work = sum(cost(example, row) for row in range(rows_of(example)))
    return Shown(grid(table, left=(0, 1, 2), gap=3), before=table[1][-1], after=table[2][-1], best=-(-work // PLACES))


def small_blocks(example, say):
    """v17: the same with blocks of ROWS_OF_BLOCK rows and of one."""
    plans = [("v8", in_blocks(example, ROWS_OF_BLOCK)), ("v17", in_blocks(example, 1))]
    table = plan_table(example, plans, ROWS_OF_BLOCK, say)
    work = sum(cost(example, row) for row in range(rows_of(example)))
    share = [round(100 * work / (ROWS_OF_BLOCK * ends)) for ends in (table[1][-1], table[2][-1])]
    return Shown(grid(table, left=tuple(range(ROWS_OF_BLOCK + 1)), gap=3), before=table[1][-1], after=table[2][-1],
                 share=share[0], share_small=share[1])


# ---- v11 to v14: types --------------------------------------------------------------------------

def addresses(example, say):
    """v11: where packs lie if the array begins at a multiple of 16, and one element behind it."""
    table = [[say("address"), *(f"{say('pack')} {p}" for p in range(3)), ""]]
    for begin in (0, 4):
        at = [begin + 16 * p for p in range(3)]
        table.append([begin, *(f"{a} - {a + 15}" for a in at), say("four loads" if begin % 16 else "one load")])
    return Shown(grid(table, left=(4,), gap=3))


def narrow(example, say):
    """v12: bytes of the nonzeros, by type of the values."""
    if not all(-128 <= v <= 127 and v == int(v) for v in example.values):
        raise Mistake("example_vectors.py: not all values are int8")
    y = [sum(struct.unpack("b", struct.pack("b", example.values[k]))[0] * example.x[example.col_indices[k]]
             for k in range(a, b)) for a, b in zip(example.row_offsets, example.row_offsets[1:])]
    must_be(y, example, "values of one byte")
    nnz = len(example.values)
    table = [[say("bytes"), say("columns"), say("values"), say("together")]]
    for name, size in (("fp32", 4), ("int8", 1)):
        table.append([name, 4 * nnz, size * nnz, (4 + size) * nnz])
    return Shown(grid(table, gap=3), before=table[1][-1], after=table[2][-1])


def as_float(bits):
    return struct.unpack(">f", struct.pack(">I", bits))[0]


def bf16(value):
    """Its 16 bits, rounded to the nearest."""
    bits = struct.unpack(">I", struct.pack(">f", value))[0]
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16


def fp16(value):
    return struct.unpack(">H", struct.pack(">e", value))[0]


def sixteen_bits(example, say):
    """v13: values in bf16 and fp16, and how they become floats."""
    table = [[say("value"), "bf16", "<< 16", say("is"), "", "fp16", "<< 13", "× 2^112", say("is")]]
    for value in (3.0, 0.1):
        b, h = bf16(value), fp16(value)
        widened = as_float((h & 0x7fff) << 13) * 2.0 ** 112
        if widened != struct.unpack(">e", struct.pack(">e", value))[0]:
            raise Mistake(f"example_vectors.py: {value} comes out of fp16 as {widened}")
        moved = (h & 0x7fff) << 13
        table.append([f"{value:g}", f"{b:04x}", f"{b << 16:08x}", f"{as_float(b << 16):g}", "", f"{h:04x}",
                      f"{moved:08x}", f"{struct.unpack('>I', struct.pack('>f', widened))[0]:08x}", f"{widened:g}"])
    for name, there_and_back in (("bf16", lambda v: as_float(bf16(v) << 16)),
                                 ("fp16", lambda v: as_float((fp16(v) & 0x7fff) << 13) * 2.0 ** 112)):
        y = [sum(there_and_back(example.values[k]) * example.x[example.col_indices[k]] for k in range(a, b))
             for a, b in zip(example.row_offsets, example.row_offsets[1:])]
        must_be(y, example, name)
    return Shown(grid(table))


# ---- v15 and v16: long rows ---------------------------------------------------------------------

def listed_rows(example, say):
    """v15 and v16: what the vectors of the first block do, and how its long row is added up."""
    rows = range(WARP * WARPS // PAIR)
    found = [row for row in rows if length(example, row) > LONG]
    table = [[say("row"), *rows], [say("length"), *(length(example, row) for row in rows)],
             [say("its vector"), *(say("writes it into the list") if row in found else say("sums it") for row in rows)]]
    if len(found) != 1:
        raise Mistake(f"example_vectors.py: rows {found} are long, the page speaks of one")
    row, start, end = found[0], example.row_offsets[found[0]], example.row_offsets[found[0] + 1]
    again = [[say("lanes on row {}").format(row), say("nonzeros"), say("rounds")]]
    for name, lanes in (("v14", PAIR), ("v15", WARP), ("v16", WARP * WARPS)):
        rounds = [range(at, min(at + lanes, end)) for at in range(start, end, lanes)]
        again.append([f"{name}: {lanes}", " | ".join(map(listed, rounds)), len(rounds)])
    # v16: a warp's lanes take every eighth nonzero, the warps' sums meet in shared memory.
    sums = [sum(products_of(example)[k] for lane in range(w * WARP, w * WARP + WARP)
                for k in range(start + lane, end, WARP * WARPS)) for w in range(WARPS)]
    if sum(sums) != example.y[row]:
        raise Mistake(f"example_vectors.py: the block adds row {row} up to {sum(sums)}, not {example.y[row]}")
    return Shown([*grid(table, gap=3), "", *grid(again, left=(0, 1), gap=3)], row=row, y=example.y[row],
                 sums=" + ".join(map(str, sums)), before=again[1][-1], by_warp=again[2][-1], by_block=again[3][-1])


# ---- pictures (plots/boxes.gpi) -----------------------------------------------------------------

def draw_padding(example):
    """The nonzeros as they stand and padded, bars between sectors, below each load of a vector a line."""
    p, y = Picture(), 1.2
    starts, there = padded(example)
    for offsets, own in ((example.row_offsets, list(range(len(example.values)))), (starts, there)):
        for at, k in enumerate(own):
            p.box(1 + at, y, None if k is None else row_at(example, k), "" if k is None else k)
        for at in range(0, len(own) + 1, SECTOR):
            p.bar(0.5 + at, y - 0.7, 0.5 + at, y + 0.7)
        n = 0
        for a, b in zip(offsets, offsets[1:]):
            for load in loads_of(a, b):
                below = y + 1.1 + 0.35 * (n % 2)
                p.bar(0.65 + load[0], below, 1.35 + load[-1], below)
                n += 1
        y += 3.6
    return p


def draw_plan(p, plan, places, y):
    """Places as lines, time to the right, a box a row; grey, a place that has nothing to do."""
    ends = max(to for *_, to in plan)
    for place in range(places):
        p.word(0.7, y + place, place)
        done = 0
        for row, at, begin, to in [*plan, (None, place, ends, ends)]:
            if at != place:
                continue
            if begin > done:
                p.box(2 + begin + done, y + place, None, "", begin - done - 0.06)
            if to > begin:
                p.box(2 + begin + to, y + place, row, row, to - begin - 0.06)
            done = to
    p.word(2 + 2 * ends, y + places - 0.3, ends)


def draw_grid(example):
    p = Picture()
    p.word(0.7, 0.5, "v8")
    draw_plan(p, as_they_come(example), PLACES, 1.4)
    p.word(0.7, 0.5 + PLACES + 2, "v9")
    draw_plan(p, beforehand(example), PLACES, 1.4 + PLACES + 2)
    return p


def draw_small_blocks(example):
    p, y = Picture(), 1.4
    for name, size in (("v8", ROWS_OF_BLOCK), ("v17", 1)):
        p.word(0.7, y - 0.9, name)
        draw_plan(p, in_blocks(example, size), ROWS_OF_BLOCK, y)
        y += ROWS_OF_BLOCK + 2
    return p


PICTURES = {"05_padding": draw_padding, "05_grid": draw_grid, "05_small_blocks": draw_small_blocks}
IDEAS = ("smaller", "padding", "aligned", "in_flight", "packs", "grid_of_gpu", "addresses", "narrow", "sixteen_bits",
         "listed_rows", "small_blocks")
