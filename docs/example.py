"""example.py - the little matrix that the pages carry their schemes out on by hand: 8 rows, 20 nonzeros, one long row, an
empty one.

A module of a chapter has a function an idea, idea(example, say), which works the scheme on the example as the step does
and gives fenced text; `say` translates a word for the Chinese page by the module's table CHINESE.  A scheme that does
not end with the example's y is a Mistake (tables.py).  make_pages.py renders {{ example("07", "idea") }}.
"""


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
