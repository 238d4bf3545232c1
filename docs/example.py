"""example.py - the little matrix that the pages carry their schemes out on by hand: 8 rows, 20 nonzeros, one long row, an
empty one.

A module of a chapter has a function an idea, idea(example, say), which works the scheme on the example as the step does
and gives fenced text; `say` translates a word for the Chinese page by the module's table CHINESE.  A scheme that does
not end with the example's y is a Mistake (tables.py).  make_pages.py renders {{ example("07", "idea") }}.
"""
from bisect import bisect_right

from fill import width
from tables import Mistake


class Example:
    """A matrix in CSR, x, and y = A x by the definition."""

    def __init__(self, name, row_offsets, col_indices, values, x):
        self.name, self.row_offsets, self.col_indices = name, row_offsets, col_indices
        self.values, self.x = values, x
        self.rows, self.nnz = len(row_offsets) - 1, row_offsets[-1]
        self.y = [sum(values[k] * x[col_indices[k]] for k in range(begin, end))
                  for begin, end in zip(row_offsets, row_offsets[1:])]


LITTLE = Example("little", row_offsets=[0, 2, 5, 5, 13, 14, 16, 19, 20],
                 col_indices=[0, 1, 1, 2, 4, 0, 1, 2, 3, 4, 5, 6, 7, 3, 2, 5, 0, 4, 5, 7],
                 values=[2, 1, 3, 1, 4, 1, 2, 1, 1, 3, 1, 2, 5, 2, 1, 3, 1, 1, 2, 4],
                 x=[1, 2, 1, 3, 1, 2, 1, 2])


# ---- what the modules share ---------------------------------------------------------------------

class Shown(str):
    """Fenced text, and the numbers that the prose around it names."""

    def __new__(cls, lines, **numbers):
        shown = super().__new__(cls, "```text\n" + "\n".join(line.rstrip() for line in lines) + "\n```")
        shown.__dict__.update(numbers)
        return shown


def grid(rows, left=(0,), gap=2):
    """Lines of cells in columns, aligned to the right but for the columns `left`.

    Chinese is rarely as wide as two letters, so first cells of it go to the end, where nothing stands behind them.
    """
    count = max(map(len, rows))
    rows = [[str(cell) for cell in row] + [""] * (count - len(row)) for row in rows]
    if any(width(row[0]) > len(row[0]) for row in rows[1:]):
        rows, left = [[*row[1:], row[0]] for row in rows], [c - 1 for c in left if c] + [count - 1]
    wide = [max(width(row[c]) for row in rows) for c in range(count)]
    lines = []
    for row in rows:
        cells = [" " * (wide[c] - width(cell)) for c, cell in enumerate(row)]
        lines.append((" " * gap).join(cell + pad if c in left else pad + cell
                                      for c, (cell, pad) in enumerate(zip(row, cells))))
    return lines


def must_be(y, example, what):
    if y != example.y:
        raise Mistake(f"example.py: {what} ends with y = {y}, not {example.y}")


def listed(numbers):
    return " ".join(str(n) for n in numbers)


def products_of(example):
    return [value * example.x[col] for value, col in zip(example.values, example.col_indices)]


def rows_of(example):
    return len(example.row_offsets) - 1


def lengths_of(example):
    return [end - start for start, end in zip(example.row_offsets, example.row_offsets[1:])]


def row_at(example, nonzero):
    """The row of a nonzero."""
    return bisect_right(example.row_offsets, nonzero) - 1


# Rows of a record under plots/data/examples/: kind x y x2 y2 row text, as plots/boxes.gpi draws them.
class Picture:
    """Boxes (half as wide as x2, as high as y2), words, bars and arrows on a canvas of so many units."""

    def __init__(self):
        self.rows, self.wide, self.high = [], 0, 0

    def add(self, kind, x, y, x2, y2, row, text):
        self.rows.append([kind, *(f"{v:g}" for v in (x, y, x2, y2)), "-" if row is None else row, text])
        far, low = (x + x2, y + y2) if kind in ("box", "filler", "outline") else (max(x, x2), max(y, y2))
        self.wide, self.high = max(self.wide, far), max(self.high, low)

    def box(self, x, y, row, text, half=0.46):
        self.add("filler" if row is None else "box", x, y, half, 0.42, row, text)

    def word(self, x, y, text):
        self.add("word", x, y, x, y, None, text)

    def bar(self, x, y, x2, y2):
        self.add("bar", x, y, x2, y2, None, "")

    def arrow(self, x, y, x2, y2, kind="arrow"):
        self.add(kind, x, y, x2, y2, None, "")

    def lines(self):
        return [f"# wide: {self.wide + 0.5:g}", f"# high: {self.high + 0.5:g}", "kind\tx\ty\tx2\ty2\trow\ttext",
                *("\t".join(map(str, row)) for row in self.rows)]
