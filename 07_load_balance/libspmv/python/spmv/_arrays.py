"""What arrays and matrices of other libraries say of themselves: address, shape, strides, type, memory, stream.

Array interfaces of NumPy and CuPy (PyTorch has the latter, too), and DLPack, as dlpack.h defines it, for all others.
"""
import ctypes
import math
import sys
from types import SimpleNamespace


class _Tensor(ctypes.Structure):
    """DLTensor of dlpack.h, with which a DLManagedTensor begins."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


CODES = {0: "i", 1: "u", 2: "f", 5: "c"}  # DLDataTypeCode
HOST, CARD = (1, 3), (2, 13)  # DLDeviceType: memory of the host, also pinned; of a GPU, also managed
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _by_interface(array):
    """A dict such as __array_interface__, and whether it is of the card; None: there is none."""
    for name, on_card in (("__cuda_array_interface__", True), ("__array_interface__", False)):
        found = getattr(array, name, None)
        if isinstance(found, dict) and isinstance(found.get("data"), tuple):
            return found, on_card
    return None


def _by_dlpack(array, what):
    """The same from DLPack, with the capsule, which has to live as long as the address is used."""
    if not hasattr(type(array), "__dlpack__") or not hasattr(type(array), "__dlpack_device__"):
        return None
    device = int(array.__dlpack_device__()[0])
    if device not in HOST + CARD:
        raise TypeError(f"{what} is neither in host memory nor on a GPU of CUDA")
    # -1: do not wait.  The product is launched on the array's own stream (stream_of).
    capsule = array.__dlpack__(stream=-1) if device in CARD else array.__dlpack__()
    t = _Tensor.from_address(_pointer(capsule, b"dltensor"))
    size = t.bits * t.lanes // 8
    return {"typestr": f"<{CODES.get(t.code, 'V')}{size}", "shape": tuple(t.shape[:t.ndim]), "capsule": capsule,
            "strides": tuple(size * s for s in t.strides[:t.ndim]) if t.strides else None,
            "data": ((t.data or 0) + t.byte_offset, False)}, device in CARD


class Array:
    """An array's address, shape, strides in bytes, type, and whether it is on the GPU.  TypeError for anything else."""

    def __init__(self, array, what):
        if hasattr(array, "toarray") or "sparse" in str(getattr(array, "layout", "")):
            dense = "toarray" if hasattr(array, "toarray") else "to_dense"
            raise TypeError(f"{what} is sparse: {what}.{dense}() is an array")
        found = _by_interface(array) or _by_dlpack(array, what)
        if not found:
            raise TypeError(f"{what}: an array of NumPy, CuPy or PyTorch, or one with DLPack, is wanted, "
                            f"not {type(array).__name__}")
        found, self.on_card = found
        self.what, self.typestr, self.shape = what, found["typestr"], tuple(found["shape"])
        self.address, self.read_only = found["data"]
        self.itemsize = int(self.typestr[2:] or 0)
        self.strides = found.get("strides") or tuple(self.itemsize * math.prod(self.shape[i + 1:])
                                                     for i in range(len(self.shape)))
        self.kept = found.get("capsule")

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

    def is_by_columns(self):
        return self.strides[0] == self.itemsize and self.strides[1] != self.itemsize


def library_of(array):
    """The module of an array or a matrix, as it was imported: of "numpy", "cupy", "torch", ..."""
    name = type(array).__module__.partition(".")[0]
    return sys.modules.get({"cupyx": "cupy", "scipy": "numpy"}.get(name, name))


def empty_like(array, found, shape):
    """An array of that shape in the memory and in the order of `array`, whose Array is `found`: of PyTorch if that is its
    library, else of CuPy on a GPU and of NumPy on the host."""
    by_columns = len(shape) == 2 and found.is_by_columns()
    module = library_of(array)
    if getattr(module, "__name__", "") == "torch":
        options = {"dtype": array.dtype, "device": array.device}
        return module.empty(shape[::-1], **options).T if by_columns else module.empty(shape, **options)
    module = sys.modules["cupy"] if found.on_card else sys.modules["numpy"]
    return module.empty(shape, dtype=found.typestr, order="F" if by_columns else "C")


def stream_of(stream, array, on_card):
    """The stream of a call, for ctypes: the one that was given, or the current one of the array's library."""
    if stream is None and on_card:
        module = library_of(array) or sys.modules.get("cupy")
        if getattr(module, "__name__", "") == "torch":
            stream = module.cuda.current_stream(array.device)
        elif "cupy" in sys.modules:
            stream = sys.modules["cupy"].cuda.get_current_stream()
    return ctypes.c_void_p(getattr(stream, "ptr", getattr(stream, "cuda_stream", stream)))


def with_names_of_scipy(A):
    """A itself, or a sparse tensor of PyTorch by the names of SciPy.  Its indices of 64 bits are copied to 32."""
    layout = str(getattr(A, "layout", ""))
    if layout == "torch.sparse_coo":
        A = A.coalesce()
        row, col = A.indices().int()
        return SimpleNamespace(format="coo", shape=tuple(A.shape), data=A.values(), row=row, col=col)
    if layout == "torch.sparse_csr":
        return SimpleNamespace(format="csr", shape=tuple(A.shape), data=A.values(), indptr=A.crow_indices(),
                               indices=A.col_indices().int())
    if layout == "torch.sparse_csc":
        return SimpleNamespace(format="csc", shape=tuple(A.shape), data=A.values(), indptr=A.ccol_indices(),
                               indices=A.row_indices().int())
    return A
