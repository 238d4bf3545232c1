"""libspmv for sparse matrices of SciPy, CuPy and PyTorch: y = alpha A x + beta y.

    import spmv
    plan = spmv.Plan(A)            # A: CSR, CSC or COO of scipy.sparse, cupyx.scipy.sparse or torch
    y = plan @ x                   # x: a vector, or several side by side as a matrix
    plan.multiply(x, y, alpha=2, beta=-1)
    plan.update(A.data)            # new values in the old places

Nothing is copied but PyTorch's 64-bit indices: CSR from A's own arrays, x and y as they lie in memory, arrays of NumPy,
CuPy or PyTorch or any with DLPack.  A plan keeps A's arrays alive.  Types must fit, for a silent copy would cost more
than the product: see Plan and multiply.  A matrix on the GPU is multiplied there, on the current stream of x's library.
"""
import ctypes
import importlib
import math
from typing import Any, Optional

from ._arrays import Array, address_of_new, empty_like, stream_of, with_names_of_scipy
from ._library import Matrix, Options, SpmvError, call, library

__all__ = ["Plan", "SpmvError", "trim", "version"]

# dtype as NumPy writes it -> spmv_type_t, and the type of x and y
TYPES = {"<f4": (0, "<f4"), "<f8": (1, "<f8"), "<f2": (2, "<f4")}
MIXED = (4, "<f8")  # float32 in A, float64 in x and y
FORMATS = {"csr": 0, "csc": 1, "coo": 2}
PARTS = {None: 0, "lower": 1, "upper": 2}
SETUPS = {"plan": 0, "none": 1, "look": 2}
ROW_MAJOR, COL_MAJOR = 0, 1


def version() -> str:
    """The version of the library that was found, such as "1.5.0"."""
    return library.spmv_version().decode()


__version__ = version()


def trim() -> None:
    """Gives back what the GPU keeps of the memory of ended plans, for the next one: up to 256 MB."""
    library.spmv_trim()


class Plan:
    """A plan for a matrix A of scipy.sparse, cupyx.scipy.sparse or PyTorch, in CSR, CSC or COO.

    Values are float32, float64 or float16 (x and y are float64 beside float64 and float32 beside the others), indices
    int32, offsets int32 or int64: A.indices.astype("int32") where SciPy has made them longer.

    transpose       a plan for the transpose of A
    vectors         "float64": x and y are float64 beside float32
    part            "lower" or "upper": A is that triangle of a symmetric matrix
    setup           "plan", "look" or "none"
    copy, check, exclusive, tune, many, values, reorder, threads     as spmv.h says
    stream          a CUDA stream (CuPy's, PyTorch's, or a number) for a matrix on the GPU
    """

    def __init__(self, A: Any, transpose: bool = False, part: Optional[str] = None, vectors: Optional[str] = None,
                 setup: str = "plan", copy: bool = False, check: bool = False, exclusive: bool = False,
                 tune: bool = False, many: bool = False, values: bool = False, reorder: bool = False, threads: int = 0,
                 stream: Any = None) -> None:
        self._plan = ctypes.c_void_p()
        A = with_names_of_scipy(A)
        form = getattr(A, "format", None)
        if form not in FORMATS:
            raise TypeError(f"a sparse matrix in CSR, CSC or COO is wanted, not {form or type(A).__name__}")
        if part not in PARTS or setup not in SETUPS:
            raise ValueError("part is None, 'lower' or 'upper'; setup is 'plan', 'look' or 'none'")
        if len(A.shape) != 2:
            raise ValueError(f"A has {len(A.shape)} dimension{'s' * (len(A.shape) != 1)}, 2 are wanted")
        data = Array(A.data, "A.data")
        if data.typestr not in TYPES:
            raise TypeError(f"values are {A.data.dtype}, not float32, float64 or float16")
        self._on_gpu = data.on_gpu
        self._value, (kind, self._vector) = data.typestr, TYPES[data.typestr]
        if vectors == "float64" and data.typestr == "<f4":
            kind, self._vector = MIXED
        elif vectors not in (None, "float64") or (vectors == "float64" and self._vector != "<f8"):
            raise ValueError(f"vectors is None, or 'float64' beside float32, not {vectors!r} beside {A.data.dtype}")
        M = Matrix(format=FORMATS[form], part=PARTS[part], rows=A.shape[0], cols=A.shape[1], value_type=kind,
                   memory=int(self._on_gpu), offset_bits=32)
        self._kept = self._indices(M, A, form, data) + [A.data]
        options = Options(setup=SETUPS[setup], copy=copy, check=check, exclusive=exclusive, tune=tune, many=many,
                          transpose=transpose, values=values, reorder=reorder, threads=threads)
        self.nnz, self._stored = M.nnz, data.shape[0]
        self.shape = (A.shape[1], A.shape[0]) if transpose else tuple(A.shape)
        call(library.spmv_create_from, ctypes.byref(self._plan), ctypes.byref(M), ctypes.byref(options),
             stream_of(stream, A.data, self._on_gpu))

    def _indices(self, M, A, form, data):
        """Puts A's arrays into M, and how many nonzeros they hold; returns those that say where nonzeros are.

        The library sees addresses alone, so that every length is asked here.
        """
        if form == "coo":
            M.nnz = math.prod(data.shape)
            why = "A.data, A.row and A.col are as long as each other"
            M.values = data.list((self._value,), self._on_gpu, M.nnz, why, True)
            M.row_indices = Array(A.row, "A.row").list(("<i4",), self._on_gpu, M.nnz, why, True)
            M.col_indices = Array(A.col, "A.col").list(("<i4",), self._on_gpu, M.nnz, why, True)
            return [A.row, A.col]
        lines = A.shape[1] if form == "csc" else A.shape[0]
        indptr = Array(A.indptr, "A.indptr")
        M.offsets = indptr.list(("<i4", "<i8"), self._on_gpu, lines + 1,
                                "one for each row or column, and the end", True)
        M.offset_bits = 8 * indptr.itemsize
        # Behind the last offset there may be room for more; CuPy has none.
        M.nnz = math.prod(data.shape) if self._on_gpu else int(A.indptr[-1])
        if M.nnz < 0:
            raise ValueError(f"A.indptr ends at {M.nnz}")
        why = f"A.indptr ends at {M.nnz}"
        M.values = data.list((self._value,), self._on_gpu, M.nnz, why)
        indices = Array(A.indices, "A.indices").list(("<i4",), self._on_gpu, M.nnz, why)
        M.row_indices, M.col_indices = (indices, None) if form == "csc" else (None, indices)
        return [A.indptr, A.indices]

    def __reduce_ex__(self, protocol):
        raise TypeError("a plan cannot be copied or pickled: it is memory of libspmv; make another one, spmv.Plan(A)")

    def multiply(self, x: Any, y: Any = None, alpha: float = 1.0, beta: float = 0.0, stream: Any = None) -> Any:
        """y = alpha A x + beta y, into y or a new array, of x's library if that is NumPy, CuPy or PyTorch; returns it.

        x   A.shape[1] elements, or a matrix of as many rows
        y   A.shape[0] elements, or a matrix of as many rows, and of x's columns; with beta = 0 it is not read

        They are vectors, or matrices with a row (C order, or a part of one) or a column (Fortran order) without gaps,
        both in the same order.
        """
        rows, cols = self.shape
        X = Array(x, "x")
        if len(X.shape) not in (1, 2) or X.shape[0] != cols:
            raise ValueError(f"x has the shape {X.shape}, A has {cols} columns")
        at_x = X.pointer((self._vector,), self._on_gpu)
        shape = (rows,) + X.shape[1:]
        where = stream_of(stream, x, self._on_gpu)
        if y is None:
            if beta != 0:
                raise ValueError("beta without y")
            y = empty_like(x, X, shape)
            if len(shape) == 1:  # the usual call: a new y needs no checks, which take microseconds
                call(library.spmv_execute, self._plan, alpha, at_x, beta, address_of_new(y), where)
                return y
        Y = Array(y, "y")
        if Y.shape != shape:
            raise ValueError(f"y has the shape {Y.shape}, not {shape}")
        at_y = Y.pointer((self._vector,), self._on_gpu)
        if Y.read_only:
            raise ValueError("y is read-only")
        if len(shape) == 1:
            call(library.spmv_execute, self._plan, alpha, at_x, beta, at_y, where)
            return y
        order, ldx, ldy = _layout(X, Y)
        call(library.spmv_execute_many, self._plan, shape[1], order, alpha, at_x, ldx, beta, at_y, ldy, where)
        return y

    def __matmul__(self, x: Any) -> Any:
        return self.multiply(x)

    def as_linear_operator(self, transposed: Optional["Plan"] = None) -> Any:
        """A LinearOperator of scipy.sparse.linalg, or of cupyx.scipy.sparse.linalg for a matrix on the GPU, whose
        products are this plan's: for solvers such as cg, gmres and eigsh.

        transposed      the plan for the transpose, spmv.Plan(A, transpose=True): for solvers that multiply by it as
                        well, such as bicg, lsqr and svds
        """
        if transposed is not None and transposed.shape != self.shape[::-1]:
            raise ValueError(f"transposed has the shape {transposed.shape}, not {self.shape[::-1]}")
        linalg = importlib.import_module(("cupyx." if self._on_gpu else "") + "scipy.sparse.linalg")
        by_transpose = {"rmatvec": transposed.multiply, "rmatmat": transposed.multiply} if transposed else {}
        return linalg.LinearOperator(self.shape, matvec=self.multiply, matmat=self.multiply, dtype=self._vector,
                                     **by_transpose)

    def update(self, values: Any, stream: Any = None) -> None:
        """New values, an array of as many as A.data and in its order; A's pattern stays."""
        new = Array(values, "values")
        if new.shape not in ((self.nnz,), (self._stored,)):
            raise ValueError(f"values have the shape {new.shape}, not {(self.nnz,)}")
        call(library.spmv_update_values, self._plan, new.pointer((self._value,), self._on_gpu),
             stream_of(stream, values, self._on_gpu))
        self._kept[-1] = values

    def describe(self) -> str:
        """What was chosen and why, a few lines."""
        text = ctypes.create_string_buffer(2000)
        call(library.spmv_describe, self._plan, text, len(text))
        return text.value.decode()

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the plan holds, borrowed arrays not counted."""
        return library.spmv_bytes(self._plan)

    def close(self) -> None:
        """Ends the plan; no product may be running on the GPU."""
        if getattr(self, "_plan", None):
            library.spmv_destroy(self._plan)
            self._plan = ctypes.c_void_p()

    def __del__(self):
        self.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _layout(x, y):
    """Order and leading dimensions of two matrices of the same number of columns."""
    size, k = x.itemsize, x.shape[1]
    for order, inner, outer in ((ROW_MAJOR, 1, 0), (COL_MAJOR, 0, 1)):
        lengths = [(a.strides[outer], a.shape[inner] * size) for a in (x, y)]
        if all((a.strides[inner] == size or a.shape[inner] <= 1) for a in (x, y)) and all(
                (s >= least and s % size == 0) or a.shape[outer] <= 1 for (s, least), a in zip(lengths, (x, y))):
            return order, *(max(s // size, least // size) for s, least in lengths)
    raise ValueError(f"x and y with {k} columns need rows, or columns, without gaps, both in the same order")
