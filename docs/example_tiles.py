"""example_tiles.py - chapter 07's v1 to v17, which cut the work without building a format, carried out by hand on the
little matrix of example.py.

A function an idea, as example.py says: it works as the step does, and is refused if it does not end with the
example's y.  To keep tables small a block has 4 threads, a thread 3 nonzeros, a tile so 12; where several tiles must
meet in a row, 2 threads of 2.
"""
from example import Picture, Shown, grid, lengths_of, listed, must_be, products_of, row_at, rows_of
from tables import Mistake

THREADS, ITEMS = 4, 3  # of a block: 256; of a thread: 7
TILE = THREADS * ITEMS
SMALL = 4              # nonzeros of a tile of carries: 2 threads of 2
SHORT_RUN = 1          # carries that a thread adds: 16
WARP, VECTOR = 8, 2    # lanes of a warp: 32; of a vector
SHORT, MIDDLING = 2, 4 # nonzeros of a short row: 8; of a medium one: 1024
STREAMED = 6           # nonzeros of a stretch: 3072
WINDOW = STREAMED // 2

# What is said in tables, for the Chinese page.
CHINESE = {
    "row": "行", "length": "行长", "nonzero": "非零元", "its row": "它的行", "product": "乘积", "row {}": "行 {}",
    "round {}": "第 {} 轮", "warp {}": "warp {}", "thread": "线程", "nonzeros": "非零元", "thread {}": "线程 {}",
    "comparison": "比较", "answer": "答", "rows that remain": "剩下的行", "yes": "是", "no": "否", "its atomics": "它的原子操作",
    "search finds row": "查到的行", "v2: loaded by thread": "v2：加载的线程", "v3: loaded by thread": "v3：加载的线程",
    "both: added by thread": "两者：相加的线程", "position in the tile": "片内位置", "row-start flag": "行首标志", "tile {}": "片 {}",
    "looks back": "往回看", "row of its first": "首个非零元的行", "its products": "它的乘积", "writes at once": "立即写出",
    "before its first flag": "第一个标志之前", "open sum": "没结束的和", "after round 1": "第 1 轮后",
    "after round 2": "第 2 轮后", "received from the left": "从左边收到的", "so it writes": "于是写出",
    "at the end of the tile": "片末", "rows compared": "比较的行", "stores": "写出", "carry": "进位", "tile": "片",
    "second kernel": "第二个核函数", "run": "串", "added by": "由什么相加", "a thread": "一个线程", "the block": "线程块",
    "rows": "行", "short": "短", "medium": "中", "long": "长", "threads": "线程", "block": "线程块",
    "all its threads": "全部线程", "bin": "箱", "has": "处理", "wanted": "属于名单", "index in its block": "块内序号",
    "block begins at": "块的起点", "position": "位置", "stretch": "段", "block alone": "独占线程块", "begins": "起点",
    "window": "窗口", "starts a stretch": "是否开始一段", "because": "原因", "another window": "换了窗口",
    "it or the row before is longer than a window": "它或前一行比窗口长", "first row": "第一行", "from step": "从第几步", "rows ended": "结束的行",
    "nonzeros taken": "取的非零元", "carries": "进位", "takes": "取", "ends": "结束", "one lane on each": "每行一个 lane",
    "{} lanes on each": "每行 {} 个 lane", "-": "-",
}


def starts_in(example, lo, hi):
    """Rows that begin at a nonzero from lo to hi - 1, empty ones too."""
    return [row for row in range(rows_of(example)) if lo <= example.row_offsets[row] < hi]


def length(example, row):
    return example.row_offsets[row + 1] - example.row_offsets[row]


def tiles_of(example, size):
    nnz = len(example.values)
    return [(lo, min(lo + size, nnz)) for lo in range(0, nnz, size)]


def written(parts):
    """y[3] = 7, y[4] = 6"""
    return ", ".join(f"y[{row}] {sign} {value}" for row, sign, value in parts) or "-"


def smaller(example, say):
    """What is smaller here than in the code, for the prose."""
    nnz, rows = len(example.values), rows_of(example)
    return Shown([], threads=THREADS, items=ITEMS, tile=TILE, small=SMALL, short_run=SHORT_RUN, warp=WARP,
                 vector=VECTOR, short=SHORT, middling=MIDDLING, streamed=STREAMED, window=WINDOW, rows=rows, nnz=nnz,
                 empty=lengths_of(example).index(0), longest=max(range(rows), key=lambda row: length(example, row)))


def matrix(example, say):
    """The matrix as a square, and as CSR has it."""
    columns = len(example.x)
    rows = [[say("row"), *range(columns), "", say("length"), "", "y"]]
    for row in range(rows_of(example)):
        cells = ["."] * columns
        for k in range(example.row_offsets[row], example.row_offsets[row + 1]):
            cells[example.col_indices[k]] = example.values[k]
        rows.append([row, *cells, "", length(example, row), "", example.y[row]])
    nnz = len(example.values)
    arrays = [[say("nonzero"), *range(nnz)],
              [say("its row"), *(row_at(example, k) for k in range(nnz))],
              ["col_indices", *example.col_indices], ["values", *example.values],
              [say("product"), *products_of(example)]]
    return Shown([*grid(rows), "", f"x             {listed(example.x)}",
                  f"row_offsets   {listed(example.row_offsets)}", "", *grid(arrays, gap=1)])


# ---- v1: rows to vectors ------------------------------------------------------------------------

def vectors(example, say):
    """v1: which nonzeros the lanes of each vector load, round by round."""
    y, lines, rounds_of, products, idle = [], [], [], products_of(example), []
    for warp, first in enumerate(range(0, rows_of(example), WARP // VECTOR)):
        mine = range(first, min(first + WARP // VECTOR, rows_of(example)))
        rounds = max(-(-length(example, row) // VECTOR) for row in mine)
        table = [[say("warp {}").format(warp), *(say("round {}").format(r) for r in range(rounds))]]
        for row in mine:
            sums, cells = [0] * VECTOR, []
            for r in range(rounds):
                at = [example.row_offsets[row] + r * VECTOR + lane for lane in range(VECTOR)]
                there = [k if k < example.row_offsets[row + 1] else None for k in at]
                sums = [s + (0 if k is None else products[k]) for s, k in zip(sums, there)]
                cells.append(listed("." if k is None else k for k in there))
            y.append(sum(sums))
            table.append([say("row {}").format(row), *cells])
        lines += [*grid(table, gap=4), ""]
        rounds_of.append(rounds)
        idle.append(rounds * WARP - sum(length(example, row) for row in mine))
    must_be(y, example, "the vectors of v1")
    return Shown(lines[:-1], rounds=rounds_of[0], other=rounds_of[1], idle=idle[0], places=rounds_of[0] * WARP)


# ---- v2: a search for the row -------------------------------------------------------------------

def bisect_row(example, nz):
    """As row_of in v2: [(row, end, middle, yes)] of each question, and the row."""
    row, end, asked = 0, rows_of(example), []
    while end - row > 1:
        middle = row + (end - row) // 2
        yes = example.row_offsets[middle] <= nz
        asked.append((row, end, middle, yes))
        row, end = (middle, end) if yes else (row, middle)
    return row, asked


SOUGHT = 9


def search(example, say):
    """v2: the questions by which a thread finds the row of its first nonzero."""
    found, asked = bisect_row(example, SOUGHT)
    if found != row_at(example, SOUGHT):
        raise Mistake(f"example_tiles.py: the search finds row {found}, not {row_at(example, SOUGHT)}")
    table = [[say("rows that remain"), say("comparison"), say("answer")]]
    for row, end, middle, yes in asked:
        table.append([listed(range(row, end)), f"row_offsets[{middle}] = {example.row_offsets[middle]} <= {SOUGHT} ?",
                      say("yes") if yes else say("no")])
    table.append([f"→ {found}", "", ""])
    return Shown(grid(table, left=(0, 1, 2), gap=3), sought=SOUGHT, found=found, thread=SOUGHT // ITEMS,
                 probes=len(asked))


def walk(example, products, first, last):
    """What a thread of v2 and v3 adds to y: [(row, sum)], from nonzero first to last - 1."""
    row, total, atomics = bisect_row(example, first)[0], 0, []
    end = example.row_offsets[row + 1]
    for k in range(first, last):
        if k == end:
            atomics.append((row, total))
            total = 0
            while k == end:
                row += 1
                end = example.row_offsets[row + 1]
        total += products[k]
    return atomics + [(row, total)]


def thread_nonzeros(example, say):
    """v2: each thread's nonzeros, where its search ends, what it adds to y."""
    y, atomics, nnz = [0] * rows_of(example), 0, len(example.values)
    table = [[say("thread"), say("nonzeros"), say("search finds row"), say("its atomics")]]
    for thread, first in enumerate(range(0, nnz, ITEMS)):
        last = min(first + ITEMS, nnz)
        parts = walk(example, products_of(example), first, last)
        for row, part in parts:
            y[row] += part
        atomics += len(parts)
        table.append([thread, listed(range(first, last)), bisect_row(example, first)[0],
                      written((row, "+=", part) for row, part in parts)])
    must_be(y, example, "seven nonzeros to a thread")
    longest = max(range(rows_of(example)), key=lambda row: length(example, row))
    shared = sum(1 for first in range(0, nnz, ITEMS)
                 if longest in [row for row, _ in walk(example, products_of(example), first, min(first + ITEMS, nnz))])
    return Shown(grid(table, left=(1, 3), gap=3), atomics=atomics, threads=len(table) - 1, longest=longest,
                 shared=shared)


# ---- v3: a tile in shared memory ----------------------------------------------------------------

def tile(example, say):
    """v3: who loads and who adds which position of a tile; the banks of neighbours' first words."""
    loads = [k % THREADS for k in range(TILE)]
    adds = [k // ITEMS for k in range(TILE)]
    banks = [t * ITEMS % THREADS for t in range(THREADS)]
    if len(set(banks)) < THREADS:
        raise Mistake(f"example_tiles.py: {ITEMS} words between threads of {THREADS} banks meet in a bank: {banks}")
    y = [0] * rows_of(example)
    for lo, hi in tiles_of(example, TILE):
        there = [None] * (hi - lo)
        for thread in range(THREADS):
            for k in range(thread, hi - lo, THREADS):
                there[k] = products_of(example)[lo + k]
        for first in range(0, hi - lo, ITEMS):
            shifted = dict(zip(range(lo, hi), there))
            for row, part in walk(example, shifted, lo + first, lo + min(first + ITEMS, hi - lo)):
                y[row] += part
    must_be(y, example, "the tile of v3")
    table = [[say("position in the tile"), *range(TILE)], [say("v2: loaded by thread"), *adds],
             [say("v3: loaded by thread"), *loads], [say("both: added by thread"), *adds]]
    return Shown(grid(table), first_v2=listed(range(0, TILE, ITEMS)), first_v3=listed(range(THREADS)),
                 banks=listed(banks), stride=ITEMS)


# ---- v4: marks ----------------------------------------------------------------------------------

def heads_of(example, lo, hi):
    """The marks of a tile: at the first nonzero of each row that begins in it its number + 1, else 0."""
    heads = [0] * (hi - lo)
    for row in starts_in(example, lo, hi):
        if length(example, row):
            heads[example.row_offsets[row] - lo] = row + 1
    return heads


def marks(example, say):
    """v4: the marks of each tile, and how far each thread looks back for the first of its rows."""
    y, lines, atomics, far, products = [0] * rows_of(example), [], 0, 0, products_of(example)
    for number, (lo, hi) in enumerate(tiles_of(example, TILE)):
        heads, first_row = heads_of(example, lo, hi), next((r for r in range(rows_of(example))
                                                           if example.row_offsets[r] >= lo), rows_of(example))
        lines += grid([[say("tile {}").format(number), *range(lo, hi)], [say("product"), *products[lo:hi]],
                       [say("row-start flag"), *heads]])
        table = [[say("thread"), say("nonzeros"), say("looks back"), say("row of its first"), say("its atomics")]]
        for thread, begin in enumerate(range(0, hi - lo, ITEMS)):
            own = heads[begin:begin + ITEMS]
            back = begin
            while heads[back] == 0 and back > 0:
                back -= 1
            row = heads[back] or first_row  # none: it began in a tile before
            far, start, parts, total = max(far, begin - back), row - 1, [], 0
            for k, head in enumerate(own, begin):
                if head > row:
                    parts.append((row - 1, "+=", total))
                    row, total = head, 0
                total += products[lo + k]
            parts.append((row - 1, "+=", total))
            for at, _, part in parts:
                y[at] += part
            atomics += len(parts)
            if not heads[back]:
                unmarked = number, thread
            mine = range(lo + begin, min(lo + begin + ITEMS, hi))
            table.append([thread, listed(mine), begin - back, start, written(parts)])
        lines += ["", *grid(table, left=(1, 4), gap=3), ""]
    must_be(y, example, "marks")
    return Shown(lines[:-1], atomics=atomics, far=far, tile=unmarked[0], thread=unmarked[1],
                 empty=lengths_of(example).index(0))


# ---- v5: a segmented sum ------------------------------------------------------------------------

def follow(a, b):
    """What a, and then b, leave open: pairs (sum, mark or 0)."""
    return b if b[1] else (a[0] + b[0], a[1])


def scanned(pairs):
    """The rounds of an inclusive scan of pairs: distance 1, 2, ..."""
    rounds, d = [pairs], 1
    while d < len(pairs):
        held = rounds[-1]
        rounds.append([follow(held[t - d], held[t]) if t >= d else held[t] for t in range(len(held))])
        d *= 2
    return rounds


class Threads:
    """A tile as v5 to v8 add it up: of each thread what it writes at once, its part before its first mark, its pair."""

    def __init__(self, example, lo, hi, items):
        products, heads = products_of(example), heads_of(example, lo, hi)
        self.stored, self.first_part, self.pairs = [], [], []
        for begin in range(0, hi - lo, items):
            stored, first_part, own = [], None, (0, 0)
            for k in range(begin, min(begin + items, hi - lo)):
                if heads[k]:
                    if own[1]:
                        stored.append((own[1] - 1, own[0]))
                    elif k > 0:
                        first_part = own[0]
                    own = (0, heads[k])
                own = (own[0] + products[lo + k], own[1])
            self.stored.append(stored)
            self.first_part.append(first_part)
            self.pairs.append(own)
        self.rounds = scanned(self.pairs)
        self.before = [(0, 0), *self.rounds[-1][:-1]]
        self.total = self.rounds[-1][-1]


def pair(p, say):
    return f"{p[0]}, {say('row {}').format(p[1] - 1)}" if p[1] else f"{p[0]}, -"


def segmented_scan(example, say):
    """v5: pairs of threads, the rounds of the scan, and what each thread then knows to write."""
    y, lines, atomics, products = [0] * rows_of(example), [], 0, products_of(example)
    for number, (lo, hi) in enumerate(tiles_of(example, TILE)):
        t, heads = Threads(example, lo, hi, ITEMS), heads_of(example, lo, hi)
        before_tile = row_at(example, lo - 1) if lo else -1  # the row that is open when the tile begins
        known, own = [], []
        for thread, begin in enumerate(range(0, hi - lo, ITEMS)):
            own.append(" ".join(("| " if heads[k] else "") + str(products[lo + k])
                                for k in range(begin, min(begin + ITEMS, hi - lo))))
            for row, total in t.stored[thread]:
                y[row] += total
            part, before = t.first_part[thread], t.before[thread]
            if part is None:
                known.append("-")
            elif before[1]:
                y[before[1] - 1] += before[0] + part
                known.append(f"y[{before[1] - 1}] = {before[0] + part}")
            else:
                y[before_tile] += before[0] + part
                atomics += 1
                known.append(f"y[{before_tile}] += {before[0] + part}")
        last = t.total[1] - 1 if t.total[1] else before_tile
        y[last] += t.total[0]
        atomics += 1
        table = [[say("tile {}").format(number), *(say("thread {}").format(i) for i in range(len(own)))],
                 [say("its products"), *own],
                 [say("writes at once"), *(written((row, "=", total) for row, total in s) for s in t.stored)],
                 [say("before its first flag"), *("-" if p is None else p for p in t.first_part)],
                 [say("open sum"), *(pair(p, say) for p in t.pairs)],
                 *([say(f"after round {r}"), *(pair(p, say) for p in held)] for r, held in enumerate(t.rounds[1:], 1)),
                 [say("received from the left"), *(pair(p, say) for p in t.before)],
                 [say("so it writes"), *known]]
        lines += [*grid(table, gap=3), f"{say('at the end of the tile')}   y[{last}] += {t.total[0]}", ""]
    must_be(y, example, "the segmented scan")
    t = Threads(example, 0, TILE, ITEMS)
    told = next(thread for thread in range(THREADS) if t.first_part[thread] is not None and t.before[thread][1])
    last = t.pairs[-1][1] or t.rounds[-1][-1][1]
    return Shown(lines[:-1], atomics=atomics, rounds=len(t.rounds) - 1, thread=told, row=t.before[told][1] - 1,
                 told=t.before[told][0], part=t.first_part[told], wrote=t.before[told][0] + t.first_part[told],
                 last=THREADS - 1, last_row=last - 1)


# ---- v6: many ask at once -----------------------------------------------------------------------

def count_by_lanes(count, before):
    """As count_by_warp in search.h, by THREADS lanes: [(asked, answers, from, to)], and how many hold."""
    start, end, rounds = 0, count, []
    while start < end:
        step = (end - start + THREADS - 1) // THREADS
        asked = [start + (lane + 1) * step - 1 for lane in range(THREADS)]
        answers = [a < end and before(a) for a in asked]
        rounds.append(([a if a < end else None for a in asked], answers, start, end))
        start += sum(answers) * step
        end = min(end, start + step - 1)
    return start, rounds


def probes(example, say):
    """v6: the rounds by which a warp finds the first row that begins in tile 1 or later."""
    offsets = example.row_offsets
    found, rounds = count_by_lanes(rows_of(example), lambda r: offsets[r] < TILE)
    if found != sum(offset < TILE for offset in offsets[:-1]):
        raise Mistake(f"example_tiles.py: {THREADS} lanes find row {found}")
    table = [[say("rows that remain"), say("rows compared"), f"row_offsets[r] < {TILE} ?"]]
    for asked, answers, start, end in rounds:
        table.append([listed(range(start, end)), listed("-" if a is None else a for a in asked),
                      " ".join("-" if a is None else say("yes") if yes else say("no") for a, yes in zip(asked, answers))])
    table.append([f"→ {found}", "", ""])
    return Shown(grid(table, left=(0, 1, 2), gap=3), found=found, rounds=len(rounds), lanes=THREADS, border=TILE)


# ---- v7 and v8: carries -------------------------------------------------------------------------

def carried(example, size, items):
    """Of each tile: what it stores, and its carry (row, sum) or None, as in v7."""
    offsets, done = example.row_offsets, []
    for lo, hi in tiles_of(example, size):
        t = Threads(example, lo, hi, items)
        before_tile = row_at(example, lo - 1) if lo else -1
        stored = [(row, 0) for row in starts_in(example, lo, hi) if not length(example, row)]
        for own, part, before in zip(t.stored, t.first_part, t.before):
            stored += own
            if part is not None:
                stored.append((before[1] - 1 if before[1] else before_tile, before[0] + part))
        last = t.total[1] - 1 if t.total[1] else before_tile
        is_open = offsets[last + 1] > hi
        if not is_open:
            stored.append((last, t.total[0]))
        done.append((sorted(stored), (last, t.total[0]) if is_open else None))
    return done


def carries(example, say):
    """v7: what each tile stores and carries out; the second kernel."""
    y, table = [None] * rows_of(example), [[say("tile"), say("nonzeros"), say("stores"), say("carry")]]
    for number, ((lo, hi), (stored, carry)) in enumerate(zip(tiles_of(example, SMALL), carried(example, SMALL, 2))):
        for row, total in stored:
            if y[row] is not None:
                raise Mistake(f"example_tiles.py: two tiles store y[{row}]")
            y[row] = total
        table.append([number, f"{lo} - {hi - 1}", written((row, "=", total) for row, total in stored),
                      f"{say('row {}').format(carry[0])}: {carry[1]}" if carry else "-"])
    lines = grid(table, left=(1, 2, 3), gap=3) + [""]
    out = [carry for _, carry in carried(example, SMALL, 2)]
    for row in sorted({carry[0] for carry in out if carry}):
        parts = [carry[1] for carry in out if carry and carry[0] == row]
        lines.append(f"{say('second kernel')}   y[{row}] = {' + '.join(map(str, [y[row], *parts]))}"
                     f" = {y[row] + sum(parts)}")
        y[row] += sum(parts)
    must_be(y, example, "carries")
    return Shown(lines, idle=next(t for t, (stored, _) in enumerate(carried(example, SMALL, 2)) if not stored))


def runs(example, say):
    """v8: the list of carries in runs, and who adds each."""
    done = carried(example, SMALL, 2)
    y = [None] * rows_of(example)
    for stored, _ in done:
        for row, total in stored:
            y[row] = total
    out = [carry for _, carry in done]
    lines = grid([[say("tile"), *range(len(out))], [say("row"), *("-" if c is None else c[0] for c in out)],
                  [say("carry"), *("-" if c is None else c[1] for c in out)]]) + [""]
    table, long_ones = [[say("run"), say("added by"), ""]], 0
    for t, carry in enumerate(out):
        if carry is None or t > 0 and out[t - 1] is not None and out[t - 1][0] == carry[0]:
            continue
        is_long = t + SHORT_RUN < len(out) and out[t + SHORT_RUN] is not None and out[t + SHORT_RUN][0] == carry[0]
        run = [c[1] for c in out[t:] if c is not None and c[0] == carry[0]]
        y[carry[0]] += sum(run)
        long_ones += is_long
        table.append([say("row {}").format(carry[0]), say("the block") if is_long else say("a thread"),
                      f"y[{carry[0]}] += {' + '.join(map(str, run))}"])
    must_be(y, example, "runs of carries")
    if long_ones != 1:
        raise Mistake(f"example_tiles.py: {long_ones} runs are long, the page speaks of one")
    return Shown(lines + grid(table, left=(0, 1, 2), gap=3))


# ---- v9 to v11: bins ----------------------------------------------------------------------------

def binned(example, limits):
    """The rows of each bin: those of more than the limit before and at most its own."""
    least = [-1, *limits]
    return [[row for row in range(rows_of(example)) if low < length(example, row) <= high]
            for low, high in zip(least, [*limits, max(lengths_of(example))])]


def bins_end(example, bins, what):
    """y, each row by the bin that has it."""
    y = [None] * rows_of(example)
    for row in [row for own in bins for row in own]:
        y[row] = sum(products_of(example)[example.row_offsets[row]:example.row_offsets[row + 1]])
    must_be(y, example, what)


def bins(example, say):
    """v9: two lists of rows, and the rounds that their kernels take."""
    short, others = binned(example, [SHORT])
    bins_end(example, [short, others], "two bins")
    table = [[say("bin"), say("rows"), say("length")]]
    for name, own in ((f"<= {SHORT}", short), (f"> {SHORT}", others)):
        table.append([name, listed(own), listed(length(example, row) for row in own)])
    return Shown(grid(table, left=(0, 1, 2), gap=3), short=listed(short), others=listed(others))


def long_rows(example, say):
    """v10: three bins in one launch, blocks of two warps of THREADS: which block has which rows."""
    short, middling, long_ = binned(example, [SHORT, MIDDLING])
    bins_end(example, [short, middling, long_], "three bins")
    table, warps = [[say("block"), say("bin"), say("has")]], 2
    for row in long_:
        table.append([len(table) - 1, say("long"), f"{say('all its threads')}: {say('row {}').format(row)}"])
    for at in range(0, len(middling), warps):
        each = [f"{say('warp {}').format(w)}: {say('row {}').format(row)}"
                for w, row in enumerate(middling[at:at + warps])]
        table.append([len(table) - 1, say("medium"), ", ".join(each)])
    for at in range(0, len(short), warps * THREADS):
        own = short[at:at + warps * THREADS]
        what = f"{say('threads')} 0 - {len(own) - 1}: {say('rows')} {listed(own)}"
        table.append([len(table) - 1, say("short"), what])
    return Shown(grid(table, left=(1, 2), gap=3), long_rows=listed(long_), block=warps * THREADS)


def lists(example, say):
    """v11: the list of short rows, made by flags, counts of blocks, a scan."""
    rows, wanted = rows_of(example), [int(length_ <= SHORT) for length_ in lengths_of(example)]
    counts = [sum(wanted[b:b + THREADS]) for b in range(0, rows, THREADS)]
    before = [sum(counts[:b]) for b in range(len(counts))]
    rank = [sum(wanted[r // THREADS * THREADS:r]) for r in range(rows)]
    made = [None] * sum(counts)
    for row in range(rows):
        if wanted[row]:
            made[before[row // THREADS] + rank[row]] = row
    if made != binned(example, [SHORT])[0]:
        raise Mistake(f"example_tiles.py: the list is {made}, not {binned(example, [SHORT])[0]}")
    table = [[say("row"), *range(rows)], [say("length"), *lengths_of(example)], [say("wanted"), *wanted],
             [say("index in its block"), *(r if w else "-" for r, w in zip(rank, wanted))],
             [say("block begins at"), *("" if row % THREADS else before[row // THREADS] for row in range(rows))],
             [say("position"), *(before[r // THREADS] + rank[r] if w else "-" for r, w in enumerate(wanted))]]
    return Shown(grid(table), counts=listed(counts), places=listed(before), made=listed(made))


# ---- v12 to v14: stretches ----------------------------------------------------------------------

def stretches_end(example, first, what):
    """y of stretches that begin at these rows: through shared memory, or by the block if one row is too long."""
    y = []
    for begin, end in zip(first, [*first[1:], rows_of(example)]):
        offsets = example.row_offsets[begin:end + 1]
        if offsets[-1] - offsets[0] > STREAMED and end - begin > 1:
            raise Mistake(f"example_tiles.py: {what}: rows {begin} to {end - 1} do not fit into shared memory")
        products = products_of(example)[offsets[0]:offsets[-1]]
        y += [sum(products[a - offsets[0]:b - offsets[0]]) for a, b in zip(offsets, offsets[1:])]
    must_be(y, example, what)


def cut_in_order(example):
    """As cut_stretches of v12: a row begins a stretch where the last one has no room for it."""
    first = [0]
    for row in range(1, rows_of(example)):
        if example.row_offsets[row + 1] - example.row_offsets[first[-1]] > STREAMED:
            first.append(row)
    return first


def stretches(example, say):
    """v12: the stretches, and how many of a block's lanes each row gets."""
    first = cut_in_order(example)
    stretches_end(example, first, "stretches")
    table = [[say("stretch"), say("rows"), say("nonzeros"), ""]]
    for number, (begin, end) in enumerate(zip(first, [*first[1:], rows_of(example)])):
        count, lanes = example.row_offsets[end] - example.row_offsets[begin], THREADS
        while lanes > 1 and (end - begin) * lanes > THREADS:
            lanes //= 2
        how = say("block alone") if count > STREAMED else \
            say("one lane on each") if lanes == 1 else say("{} lanes on each").format(lanes)
        table.append([number, listed(range(begin, end)), count, how])
    alone = next(b for b, e in zip(first, [*first[1:], rows_of(example)])
                 if example.row_offsets[e] - example.row_offsets[b] > STREAMED)
    return Shown(grid(table, left=(1, 3), gap=3), count=len(first), alone=alone)


def windows(example, say):
    """v14: each row decides by itself whether a stretch begins with it."""
    offsets, first = example.row_offsets, [0]
    table = [[say("row"), say("begins"), say("window"), say("length"), say("starts a stretch"), say("because")],
             [0, 0, 0, length(example, 0), say("yes"), say("first row")]]
    for row in range(1, rows_of(example)):
        another = offsets[row - 1] // WINDOW != offsets[row] // WINDOW
        long_ = max(length(example, row - 1), length(example, row)) > WINDOW
        if another or long_:
            first.append(row)
        reasons = (("another window", another), ("it or the row before is longer than a window", long_))
        why = [say(w) for w, so in reasons if so]
        table.append([row, offsets[row], offsets[row] // WINDOW, length(example, row),
                      say("yes") if why else say("no"), (why or ["-"])[0]])
    stretches_end(example, first, "stretches cut at once")
    return Shown(grid(table, left=(4, 5), gap=3), count=len(first), before=len(cut_in_order(example)))


# ---- v15 to v17: the merge path -----------------------------------------------------------------

def path_row(example, step):
    """As merge_path_row of v15: how many rows have ended after so many steps; and what was asked."""
    nnz, rows, asked = len(example.values), rows_of(example), []
    least, most = max(0, step - nnz), min(step, rows)
    while least < most:
        middle = (least + most) // 2
        yes = example.row_offsets[middle + 1] + middle < step
        asked.append((least, most, middle, yes))
        least, most = (middle + 1, most) if yes else (least, middle)
    return least, asked


def path(example):
    """The steps: ("nonzero", k) or ("end", row), the smaller head first."""
    steps, k = [], 0
    for row in range(rows_of(example)):
        while k < example.row_offsets[row + 1]:
            steps.append(("nonzero", k))
            k += 1
        steps.append(("end", row))
    return steps


def on_path(example, begin, end):
    """What steps begin to end - 1 write, and leave open: [(row, sum)], (row, sum), and the nonzeros and rows they take."""
    row = path_row(example, begin)[0]
    k, total, stored, rows, taken = begin - row, 0, [], [], []
    for _ in range(begin, end):
        if row < rows_of(example) and k >= example.row_offsets[row + 1]:
            stored.append((row, total))
            rows.append(row)
            row, total = row + 1, 0
        else:
            total += products_of(example)[k]
            taken.append(k)
            k += 1
    return stored, (row, total), taken, rows


def span(numbers):
    return "-" if not numbers else str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} - {numbers[-1]}"


def merge(example, say):
    """v15: the steps in order, and the tiles that they are cut into."""
    steps = path(example)
    line = "  ".join(" ".join(str(n) if kind == "nonzero" else f"e{n}" for kind, n in steps[b:b + TILE])
                     + (" |" if b + TILE < len(steps) else "") for b in range(0, len(steps), TILE))
    y, out = [0] * rows_of(example), []
    table = [[say("tile"), say("from step"), say("nonzeros taken"), say("rows ended"), say("carry")]]
    for number, begin in enumerate(range(0, len(steps), TILE)):
        stored, rest, taken, rows = on_path(example, begin, min(begin + TILE, len(steps)))
        if [("nonzero", k) for k in taken] != [s for s in steps[begin:begin + TILE] if s[0] == "nonzero"]:
            raise Mistake(f"example_tiles.py: tile {number} of the merge path takes {taken}")
        for row, total in stored:
            y[row] += total
        if rest[0] < rows_of(example):
            y[rest[0]] += rest[1]
            out.append(rest)
        table.append([number, begin, span(taken), span(rows),
                      f"{say('row {}').format(rest[0])}: {rest[1]}" if rest[0] < rows_of(example) else "-"])
    must_be(y, example, "the merge path")
    return Shown([line, "", *grid(table, left=(4,), gap=3)], tiles=len(table) - 1, steps=len(steps), most=TILE)


def diagonal(example, say):
    """v15: the question on the diagonal of the border behind tile 0, for every row."""
    table = [[say("row"), *range(rows_of(example))],
             ["row_offsets[r + 1] + r", *(example.row_offsets[r + 1] + r for r in range(rows_of(example)))],
             [f"< {TILE} ?", *(say("yes") if example.row_offsets[r + 1] + r < TILE else say("no")
                               for r in range(rows_of(example)))]]
    found = sum(example.row_offsets[r + 1] + r < TILE for r in range(rows_of(example)))
    if path_row(example, TILE)[0] != found:
        raise Mistake(f"example_tiles.py: the search on the diagonal finds {path_row(example, TILE)[0]}, not {found}")
    return Shown(grid(table), step=TILE, found=found, nonzeros=TILE - found, probes=len(path_row(example, TILE)[1]))


def diagonal_lanes(example, say):
    """v16: the same by lanes that ask at once."""
    found, rounds = count_by_lanes(rows_of(example), lambda r: example.row_offsets[r + 1] + r < TILE)
    if found != path_row(example, TILE)[0]:
        raise Mistake(f"example_tiles.py: {THREADS} lanes find {found}")
    table = [[say("rows that remain"), say("rows compared"), f"row_offsets[r + 1] + r < {TILE} ?"]]
    for asked, answers, start, end in rounds:
        table.append([listed(range(start, end)), listed("-" if a is None else a for a in asked),
                      " ".join("-" if a is None else say("yes") if yes else say("no") for a, yes in zip(asked, answers))])
    table.append([f"→ {found}", "", ""])
    return Shown(grid(table, left=(0, 1, 2), gap=3), found=found, rounds=len(rounds))


def merge_threads(example, say):
    """v17: ITEMS steps to each thread of the tiles; the same segmented scan, of pairs (sum, has a row ended?)."""
    y, lines, steps, numbers = [0] * rows_of(example), [], path(example), {}
    for number, begin in enumerate(range(0, len(steps), TILE)):
        end = min(begin + TILE, len(steps))
        own = [on_path(example, min(b, end), min(b + ITEMS, end)) for b in range(begin, begin + TILE, ITEMS)]
        scan = scanned([(rest[1], int(bool(stored))) for stored, rest, _, _ in own])[-1]
        table = [[say("thread"), say("takes"), say("open sum"), say("received from the left"), say("stores")]]
        for thread, (stored, rest, _, _) in enumerate(own):
            before = (0, 0) if thread == 0 else scan[thread - 1]
            done = [(row, "=", total + (before[0] if k == 0 else 0)) for k, (row, total) in enumerate(stored)]
            for row, _, total in done:
                y[row] += total
            b = min(begin + thread * ITEMS, end)
            took = " ".join(str(n) if kind == "nonzero" else f"e{n}" for kind, n in steps[b:min(b + ITEMS, end)])
            table.append([thread, took or "-", rest[1], before[0], written(done)])
        last = path_row(example, end)[0]
        if last < rows_of(example):
            y[last] += scan[-1][0]
        table[0][0] = f"{say('tile {}').format(number)}, {say('thread')}"
        lines += grid(table, left=(1, 4), gap=3)
        if last < rows_of(example):
            lines.append(f"{say('carry')}   {say('row {}').format(last)}: {scan[-1][0]}")
        lines.append("")
        if number == 0:  # a thread that ends a row of which it has nothing
            late = next(t for t, (stored, *_) in enumerate(own) if stored and stored[0][1] == 0)
            numbers = {"late": late, "late_row": own[late][0][0][0], "late_y": scan[late - 1][0], "carry": scan[-1][0],
                       "empty": own[late][0][1][0]}
        elif number == 1:  # the thread that ends the row that tile 0 leaves open
            ends = next(t for t, (stored, *_) in enumerate(own) if stored)
            row, total = own[ends][0][0]
            before = scan[ends - 1][0]
            numbers |= {"ends": ends, "row": row, "open": before, "own": total, "y": before + total}
    must_be(y, example, "the merge path in threads")
    return Shown(lines[:-1], **numbers)


# ---- pictures (plots/boxes.gpi) -----------------------------------------------------------------

def draw_search(example):
    """The nonzeros; a line for each question, without those of rows that are out; an arrow at the row asked for."""
    p, (found, asked), y = Picture(), bisect_row(example, SOUGHT), 1.5
    at = [4 + k for k in range(len(example.values))]
    for start in sorted(set(example.row_offsets[:-1])):
        p.word(at[start], 0.5, listed(row for row in range(rows_of(example)) if example.row_offsets[row] == start))
    left = [(0, rows_of(example)), *((row, end) for row, end, *_ in asked[1:]), (found, found + 1)]
    for n, (row, end) in enumerate(left):
        for k, x in enumerate(at):
            inside = example.row_offsets[row] <= k < example.row_offsets[end]
            p.box(x, y, row_at(example, k) if inside else None, k if inside else "")
        p.add("outline", at[SOUGHT], y, 0.46, 0.44, None, "")
        if n < len(asked):
            _, _, middle, yes = asked[n]
            offset = example.row_offsets[middle]
            p.word(1.6, y, f"[{middle}] = {offset} {'≤' if yes else '>'} {SOUGHT}")
            p.arrow(at[offset] - 0.5, y + 1.2, at[offset] - 0.5, y + 0.5)
        y += 1.9
    p.word(1.6, y - 1.9, f"→ {found}")
    return p


def in_threads(first):
    """Places of nonzeros: a little apart between threads, more between tiles."""
    return lambda k: first + k + 0.4 * (k // ITEMS) + 0.8 * (k // TILE)


def draw_marks(example):
    """Rows, each with an arrow to the mark of its first nonzero; products; dashed, how far each thread looks back."""
    p, place, products = Picture(), in_threads(1), products_of(example)
    for lo, hi in tiles_of(example, TILE):
        heads = heads_of(example, lo, hi)
        for k in range(lo, hi):
            head, row = heads[k - lo], row_at(example, k)
            p.box(place(k), 2.6, row if head else None, head or "0")
            p.box(place(k), 3.7, row, products[k])
            if head:
                p.box(place(k), 0.7, row, row)
                p.arrow(place(k), 1.2, place(k), 2.1)
        for thread, begin in enumerate(range(0, hi - lo, ITEMS)):
            back = begin
            while heads[back] == 0 and back > 0:
                back -= 1
            if back < begin:
                y = 4.6 + 0.45 * (thread % 2)
                p.arrow(place(lo + begin), y, place(lo + back), y, "far")
    return p


def draw_scan(example):
    """Tile 0: products with a bar at marks, the threads' open sums, and the rounds; grey is a sum of no row yet."""
    p, t, products = Picture(), Threads(example, 0, TILE, ITEMS), products_of(example)
    heads, place = heads_of(example, 0, TILE), lambda k: 2 + k + 1.2 * (k // ITEMS)
    at = [place(ITEMS * thread + 1) for thread in range(THREADS)]
    p.word(0.85, 1.5, "products")
    for thread, x in enumerate(at):
        p.word(x, 0.5, f"thread {thread}")
    for k in range(TILE):
        p.box(place(k), 1.5, row_at(example, k), products[k])
        if heads[k]:
            p.bar(place(k) - 0.52, 0.9, place(k) - 0.52, 2.1)
    for n, held in enumerate(t.rounds):
        y = 3.4 + 2 * n
        p.word(1.2, y, f"after round {n}" if n else "open sums")
        for thread, (total, head) in enumerate(held):
            p.box(at[thread], y, head - 1 if head else None, total, 0.6)
            if not head:
                p.word(at[thread], y, total)
            if n == 0:
                p.arrow(at[thread], 2.05, at[thread], y - 0.55)
            elif thread >= 2 ** (n - 1):
                ignored = bool(t.rounds[n - 1][thread][1])
                kind = "far" if ignored else "arrow"
                p.arrow(at[thread - 2 ** (n - 1)] + 0.45, y - 1.5, at[thread] - 0.5, y - 0.5, kind)
    return p


def draw_carries(example):
    """Tiles, what each stores, what it carries out, and to which y the carry is added."""
    p, place, products = Picture(), lambda k: 1 + k + 0.9 * (k // SMALL), products_of(example)
    where, done, run = {}, carried(example, SMALL, 2), {}
    for number, ((lo, hi), (stored, _)) in enumerate(zip(tiles_of(example, SMALL), done)):
        p.word((place(lo) + place(hi - 1)) / 2, 0.5, number)
        for k in range(lo, hi):
            p.box(place(k), 1.3, row_at(example, k), products[k])
        for n, (row, total) in enumerate(stored):
            where[row] = place(lo) + 1.15 * n
            p.box(where[row], 2.9, row, total)
            p.word(where[row], 3.6, f"y[{row}]")
    for (lo, hi), (_, carry) in zip(tiles_of(example, SMALL), done):
        if carry:
            run[carry[0]] = run.get(carry[0], -1) + 1
            x, y, to = place(hi - 1), 6 - run[carry[0]], where[carry[0]] + 0.2 - 0.4 * run[carry[0]]
            p.box(x, y, *carry)
            p.arrow(x, 1.8, x, y - 0.5)
            p.bar(x + 0.46, y, to, y)
            p.arrow(to, y, to, 3.9)
    return p


def draw_path(example):
    """The staircase: a nonzero is a step right, a row's end a step down; diagonals where tiles begin."""
    p, nnz, rows, left = Picture(), len(example.values), rows_of(example), 2
    for row in range(rows):
        begin, end = example.row_offsets[row], example.row_offsets[row + 1]
        p.word(0.7, 1 + row, row)
        for k in range(begin, end):
            p.box(left + k, 1 + row, row, k)
        p.bar(left + end - 0.5, 0.52 + row, left + end - 0.5, 1.5 + row)
        if end > begin:
            p.bar(left + begin - 0.5, 0.5 + row, left + end - 0.5, 0.5 + row)
    for step in range(TILE, nnz + rows, TILE):
        ended = path_row(example, step)[0]
        high, low = max(0, step - nnz), min(rows, step)
        p.word(left + step - high - 0.2, 0.3 + high, step)
        p.add("far", left + step - high - 0.5, 0.5 + high, left + step - low - 0.5, 0.5 + low, None, "")
        p.add("dot", left + step - ended - 0.5, 0.5 + ended, 0, 0, None, "")
    return p


PICTURES = {"07_search": draw_search, "07_marks": draw_marks, "07_scan": draw_scan, "07_carries": draw_carries,
            "07_path": draw_path}
IDEAS = ("smaller", "matrix", "vectors", "search", "thread_nonzeros", "tile", "marks", "segmented_scan", "probes",
         "carries", "runs", "bins", "long_rows", "lists", "stretches", "windows", "merge", "diagonal", "diagonal_lanes", "merge_threads")
