"""libspmv for SciPy's and CuPy's sparse matrices: y = alpha A x + beta y.

    import spmv
    plan = spmv.Plan(A)            # A: CSR, CSC or COO of scipy.sparse or cupyx.scipy.sparse
    y = plan @ x                   # x: a vector, or several side by side as a matrix
    plan.multiply(x, y, alpha=2, beta=-1)
    plan.update(A.data)            # new values in the old places

Nothing is copied: CSR from A's own arrays, x and y as they lie in memory.  A plan keeps A's arrays alive.  Types must
fit, for a silent copy would cost more than the product: see Plan and multiply.  A matrix on the GPU is multiplied
there, on CuPy's current stream.
"""
import ctypes
import importlib
import math
import sys

from ._library import Matrix, Options, SpmvError, call, library

__all__ = ["Plan", "SpmvError", "trim", "version"]

# dtype as NumPy writes it -> spmv_type_t, and the type of x and y
TYPES = {"<f4": (0, "<f4"), "<f8": (1, "<f8"), "<f2": (2, "<f4")}
MIXED = (4, "<f8")  # float32 in A, float64 in x and y
FORMATS = {"csr": 0, "csc": 1, "coo": 2}
PARTS = {None: 0, "lower": 1, "upper": 2}
SETUPS = {"plan": 0, "none": 1, "look": 2}
ROW_MAJOR, COL_MAJOR = 0, 1


def version():
    """The version of the library that was found, such as "1.5.0"."""
    return library.spmv_version().decode()


__version__ = version()


def trim():
    """Gives back what the GPU keeps of the memory of ended plans, for the next one: up to 256 MB."""
    library.spmv_trim()


class _Array:
    """What an array of NumPy or CuPy says of itself: its address, shape, strides in bytes, type, and whether it is on the
    card.  TypeError for anything else."""

    def __init__(self, array, what):
        if hasattr(array, "toarray"):
            raise TypeError(f"{what} is sparse: {what}.toarray() is an array")
        for name, self.on_card in (("__cuda_array_interface__", True), ("__array_interface__", False)):
            found = getattr(array, name, None)
            if isinstance(found, dict) and isinstance(found.get("data"), tuple):
                break
        else:
            raise TypeError(f"{what}: an array of NumPy or CuPy is wanted, not {type(array).__name__}")
        self.what, self.typestr, self.shape = what, found["typestr"], tuple(found["shape"])
        self.address, self.read_only = found["data"]
        self.itemsize = int(self.typestr[2:] or 0)
        self.strides = found.get("strides") or tuple(self.itemsize * math.prod(self.shape[i + 1:])
                                                     for i in range(len(self.shape)))

    def pointer(self, wanted, on_card):
        """The address, if it is of one of the types that are wanted, in the memory of the matrix and, a vector, without
        gaps; None without elements."""
        if self.on_card != on_card:
            raise TypeError(f"{self.what} is {'on the GPU' if self.on_card else 'in host memory'}, the matrix is not")
        if self.typestr not in wanted:
            raise TypeError(f"{self.what} is {self.typestr}, not {' or '.join(wanted)}")
        if len(self.shape) == 1 and self.strides[0] != self.itemsize and self.shape[0] > 1:
            raise ValueError(f"{self.what} has gaps between its elements")
        return (self.address or None) if math.prod(self.shape) else None

    def list(self, wanted, on_card, least, why, exactly=False):
        """The same of an array of A, which has so many elements at least, or exactly."""
        if len(self.shape) != 1 or self.shape[0] < least or (exactly and self.shape[0] != least):
            raise ValueError(f"{self.what} has the shape {self.shape}, not ({least},): {why}")
        return self.pointer(wanted, on_card)


def _stream(stream, on_card):
    """The stream of a call, for ctypes: the one that was given, or CuPy's current one."""
    if stream is None and on_card and "cupy" in sys.modules:
        stream = sys.modules["cupy"].cuda.get_current_stream()
    return ctypes.c_void_p(getattr(stream, "ptr", stream))


class Plan:
    """A plan for a matrix A of scipy.sparse or cupyx.scipy.sparse, in CSR, CSC or COO.

    Values are float32, float64 or float16 (x and y are float64 beside float64 and float32 beside the others), indices
    int32, offsets int32 or int64: A.indices.astype("int32") where SciPy has made them longer.

    transpose       a plan for the transpose of A
    vectors         "float64": x and y are float64 beside float32
    part            "lower" or "upper": A is that triangle of a symmetric matrix
    setup           "plan", "look" or "none"
    copy, check, exclusive, tune, many, values, reorder, threads     as spmv.h says
    stream          a CUDA stream (CuPy's, or a number) for a matrix on the GPU
    """

    def __init__(self, A, transpose=False, part=None, vectors=None, setup="plan", copy=False, check=False,
                 exclusive=False, tune=False, many=False, values=False, reorder=False, threads=0, stream=None):
        self._plan = ctypes.c_void_p()
        form = getattr(A, "format", None)
        if form not in FORMATS:
            raise TypeError(f"a sparse matrix in CSR, CSC or COO is wanted, not {form or type(A).__name__}")
        if part not in PARTS or setup not in SETUPS:
            raise ValueError("part is None, 'lower' or 'upper'; setup is 'plan', 'look' or 'none'")
        if len(A.shape) != 2:
            raise ValueError(f"A has {len(A.shape)} dimension{'s' * (len(A.shape) != 1)}, 2 are wanted")
        data = _Array(A.data, "A.data")
        if data.typestr not in TYPES:
            raise TypeError(f"values are {A.data.dtype}, not float32, float64 or float16")
        self._on_card = data.on_card
        self._value, (kind, self._vector) = data.typestr, TYPES[data.typestr]
        if vectors == "float64" and data.typestr == "<f4":
            kind, self._vector = MIXED
        elif vectors not in (None, "float64") or (vectors == "float64" and self._vector != "<f8"):
            raise ValueError(f"vectors is None, or 'float64' beside float32, not {vectors!r} beside {A.data.dtype}")
        M = Matrix(format=FORMATS[form], part=PARTS[part], rows=A.shape[0], cols=A.shape[1], value_type=kind,
                   memory=int(self._on_card), offset_bits=32)
        self._kept = self._indices(M, A, form, data) + [A.data]
        options = Options(setup=SETUPS[setup], copy=copy, check=check, exclusive=exclusive, tune=tune, many=many,
                          transpose=transpose, values=values, reorder=reorder, threads=threads)
        self.nnz, self._stored = M.nnz, data.shape[0]
        self.shape = (A.shape[1], A.shape[0]) if transpose else tuple(A.shape)
        call(library.spmv_create_from, ctypes.byref(self._plan), ctypes.byref(M), ctypes.byref(options),
             _stream(stream, self._on_card))

    def _indices(self, M, A, form, data):
        """Puts A's arrays into M, and how many nonzeros they hold; returns those that say where nonzeros are.

        The library sees addresses alone, so that every length is asked here.
        """
        if form == "coo":
            M.nnz = math.prod(data.shape)
            why = "A.data, A.row and A.col are as long as each other"
            M.values = data.list((self._value,), self._on_card, M.nnz, why, True)
            M.row_indices = _Array(A.row, "A.row").list(("<i4",), self._on_card, M.nnz, why, True)
            M.col_indices = _Array(A.col, "A.col").list(("<i4",), self._on_card, M.nnz, why, True)
            return [A.row, A.col]
        lines = A.shape[1] if form == "csc" else A.shape[0]
        indptr = _Array(A.indptr, "A.indptr")
        M.offsets = indptr.list(("<i4", "<i8"), self._on_card, lines + 1,
                                "one for each row or column, and the end", True)
        M.offset_bits = 8 * indptr.itemsize
        # Behind the last offset there may be room for more; CuPy has none.
        M.nnz = math.prod(data.shape) if self._on_card else int(A.indptr[-1])
        if M.nnz < 0:
            raise ValueError(f"A.indptr ends at {M.nnz}")
        why = f"A.indptr ends at {M.nnz}"
        M.values = data.list((self._value,), self._on_card, M.nnz, why)
        indices = _Array(A.indices, "A.indices").list(("<i4",), self._on_card, M.nnz, why)
        M.row_indices, M.col_indices = (indices, None) if form == "csc" else (None, indices)
        return [A.indptr, A.indices]

    def __reduce_ex__(self, protocol):
        raise TypeError("a plan cannot be copied or pickled: it is memory of libspmv; make another one, spmv.Plan(A)")

    def multiply(self, x, y=None, alpha=1.0, beta=0.0, stream=None):
        """y = alpha A x + beta y, into y or a new array; returns it.

        x   A.shape[1] elements, or a matrix of as many rows
        y   A.shape[0] elements, or a matrix of as many rows, and of x's columns; with beta = 0 it is not read

        They are vectors, or matrices with a row (C order, or a part of one) or a column (Fortran order) without gaps,
        both in the same order.
        """
        rows, cols = self.shape
        X = _Array(x, "x")
        if len(X.shape) not in (1, 2) or X.shape[0] != cols:
            raise ValueError(f"x has the shape {X.shape}, A has {cols} columns")
        at_x = X.pointer((self._vector,), self._on_card)
        shape = (rows,) + X.shape[1:]
        if y is None:
            if beta != 0:
                raise ValueError("beta without y")
            y = self._empty_like(X, shape)
        Y = _Array(y, "y")
        if Y.shape != shape:
            raise ValueError(f"y has the shape {Y.shape}, not {shape}")
        at_y = Y.pointer((self._vector,), self._on_card)
        if Y.read_only:
            raise ValueError("y is read-only")
        where = _stream(stream, self._on_card)
        if len(shape) == 1:
            call(library.spmv_execute, self._plan, alpha, at_x, beta, at_y, where)
            return y
        order, ldx, ldy = _layout(X, Y)
        call(library.spmv_execute_many, self._plan, shape[1], order, alpha, at_x, ldx, beta, at_y, ldy, where)
        return y

    def _empty_like(self, X, shape):
        """An array where x is, in the order of x."""
        order = "F" if len(shape) == 2 and _is_by_columns(X) else "C"
        module = sys.modules["cupy"] if self._on_card else sys.modules["numpy"]
        return module.empty(shape, dtype=self._vector, order=order)

    def __matmul__(self, x):
        return self.multiply(x)

    def as_linear_operator(self, transposed=None):
        """A LinearOperator of scipy.sparse.linalg, or of cupyx.scipy.sparse.linalg for a matrix on the GPU, whose
        products are this plan's: for solvers such as cg, gmres and eigsh.

        transposed      the plan for the transpose, spmv.Plan(A, transpose=True): for solvers that multiply by it as
                        well, such as bicg, lsqr and svds
        """
        if transposed is not None and transposed.shape != self.shape[::-1]:
            raise ValueError(f"transposed has the shape {transposed.shape}, not {self.shape[::-1]}")
        linalg = importlib.import_module(("cupyx." if self._on_card else "") + "scipy.sparse.linalg")
        by_transpose = {"rmatvec": transposed.multiply, "rmatmat": transposed.multiply} if transposed else {}
        return linalg.LinearOperator(self.shape, matvec=self.multiply, matmat=self.multiply, dtype=self._vector,
                                     **by_transpose)

    def update(self, values, stream=None):
        """New values, an array of as many as A.data and in its order; A's pattern stays."""
        new = _Array(values, "values")
        if new.shape not in ((self.nnz,), (self._stored,)):
            raise ValueError(f"values have the shape {new.shape}, not {(self.nnz,)}")
        call(library.spmv_update_values, self._plan, new.pointer((self._value,), self._on_card),
             _stream(stream, self._on_card))
        self._kept[-1] = values

    def describe(self):
        """What was chosen and why, a few lines."""
        text = ctypes.create_string_buffer(2000)
        call(library.spmv_describe, self._plan, text, len(text))
        return text.value.decode()

    @property
    def nbytes(self):
        """Bytes of memory that the plan holds, borrowed arrays not counted."""
        return library.spmv_bytes(self._plan)

    def close(self):
        """Ends the plan; no product may be running on the card."""
        if getattr(self, "_plan", None):
            library.spmv_destroy(self._plan)
            self._plan = ctypes.c_void_p()

    def __del__(self):
        self.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _is_by_columns(array):
    return array.strides[0] == array.itemsize and array.strides[1] != array.itemsize


def _layout(x, y):
    """Order and leading dimensions of two matrices of the same number of columns."""
    size, k = x.itemsize, x.shape[1]
    for order, inner, outer in ((ROW_MAJOR, 1, 0), (COL_MAJOR, 0, 1)):
        lengths = [(a.strides[outer], a.shape[inner] * size) for a in (x, y)]
        if all((a.strides[inner] == size or a.shape[inner] <= 1) for a in (x, y)) and all(
                (s >= least and s % size == 0) or a.shape[outer] <= 1 for (s, least), a in zip(lengths, (x, y))):
            return order, *(max(s // size, least // size) for s, least in lengths)
    raise ValueError(f"x and y with {k} columns need rows, or columns, without gaps, both in the same order")
