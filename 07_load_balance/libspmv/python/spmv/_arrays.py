"""What arrays and matrices of other libraries say of themselves: address, shape, strides, type, memory, stream.

Array interfaces of NumPy and CuPy, methods of PyTorch's tensors, and DLPack, as dlpack.h defines it, for all others.
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
HOST, GPU = (1, 3), (2, 13)  # DLDeviceType: memory of the host, also pinned; of a GPU, also managed
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _by_interface(array):
    """A dict such as __array_interface__, and whether it is of the GPU; None: there is none."""
    for name, on_gpu in (("__cuda_array_interface__", True), ("__array_interface__", False)):
        found = getattr(array, name, None)
        if isinstance(found, dict) and isinstance(found.get("data"), tuple):
            return found, on_gpu
    return None


TORCH_TYPES = {"float16": "<f2", "float32": "<f4", "float64": "<f8", "int32": "<i4", "int64": "<i8"}


def _of_torch(array, what):
    """The same from a tensor's own methods: they take a microsecond, PyTorch's interfaces ten or more."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(array, torch.Tensor):
        return None
    if array.layout is not torch.strided:
        raise TypeError(f"{what} is sparse: {what}.to_dense() is an array")
    if array.requires_grad:
        raise TypeError(f"{what} requires grad, of which a product knows nothing: pass {what}.detach()")
    if array.is_neg():
        raise TypeError(f"{what} is to be negated when it is read: pass {what}.resolve_neg()")
    if array.device.type not in ("cpu", "cuda"):
        raise TypeError(f"{what} is neither in host memory nor on a GPU of CUDA")
    size = array.element_size()
    typestr = TORCH_TYPES.get(array.dtype)
    if typestr is None:
        name = str(array.dtype)[6:]  # behind "torch."
        typestr = TORCH_TYPES[array.dtype] = TORCH_TYPES.get(name, name)
    return {"typestr": typestr, "shape": array.shape, "itemsize": size, "data": (array.data_ptr(), False),
            "strides": tuple([size * s for s in array.stride()])}, array.is_cuda


def _by_dlpack(array, what):
    """The same from DLPack, with the capsule, which has to live as long as the address is used."""
    if not hasattr(type(array), "__dlpack__") or not hasattr(type(array), "__dlpack_device__"):
        return None
    device = int(array.__dlpack_device__()[0])
    if device not in HOST + GPU:
        raise TypeError(f"{what} is neither in host memory nor on a GPU of CUDA")
    # -1: do not wait.  The product is launched on the array's own stream (stream_of).
    capsule = array.__dlpack__(stream=-1) if device in GPU else array.__dlpack__()
    t = _Tensor.from_address(_pointer(capsule, b"dltensor"))
    size = t.bits * t.lanes // 8
    return {"typestr": f"<{CODES.get(t.code, 'V')}{size}", "shape": tuple(t.shape[:t.ndim]), "capsule": capsule,
            "strides": tuple(size * s for s in t.strides[:t.ndim]) if t.strides else None,
            "data": ((t.data or 0) + t.byte_offset, False)}, device in GPU


class Array:
    """An array's address, shape, strides in bytes, type, and whether it is on the GPU.  TypeError for anything else."""

    def __init__(self, array, what):
        if hasattr(array, "toarray"):
            raise TypeError(f"{what} is sparse: {what}.toarray() is an array")
        found = _of_torch(array, what) or _by_interface(array) or _by_dlpack(array, what)
        if not found:
            raise TypeError(f"{what}: an array of NumPy, CuPy or PyTorch, or one with DLPack, is wanted, "
                            f"not {type(array).__name__}")
        found, self.on_gpu = found
        self.what, self.typestr, self.shape = what, found["typestr"], tuple(found["shape"])
        self.address, self.read_only = found["data"]
        self.itemsize = found.get("itemsize") or int(self.typestr[2:] or 0)
        self.strides = found.get("strides") or tuple(self.itemsize * math.prod(self.shape[i + 1:])
                                                     for i in range(len(self.shape)))
        self.kept = found.get("capsule")

    def pointer(self, wanted, on_gpu):
        """The address, if it is of one of the types that are wanted, in the memory of the matrix and, a vector, without
        gaps; None without elements."""
        if self.on_gpu != on_gpu:
            raise TypeError(f"{self.what} is {'on the GPU' if self.on_gpu else 'in host memory'}, the matrix is not")
        if self.typestr not in wanted:
            raise TypeError(f"{self.what} is {self.typestr}, not {' or '.join(wanted)}")
        if len(self.shape) == 1 and self.strides[0] != self.itemsize and self.shape[0] > 1:
            raise ValueError(f"{self.what} has gaps between its elements")
        return (self.address or None) if math.prod(self.shape) else None

    def list(self, wanted, on_gpu, least, why, exactly=False):
        """The same of an array of A, which has so many elements at least, or exactly."""
        if len(self.shape) != 1 or self.shape[0] < least or (exactly and self.shape[0] != least):
            raise ValueError(f"{self.what} has the shape {self.shape}, not ({least},): {why}")
        return self.pointer(wanted, on_gpu)

    def is_by_columns(self):
        return self.strides[0] == self.itemsize and self.strides[1] != self.itemsize


def library_of(array):
    """The module of an array or a matrix, as it was imported: of "numpy", "cupy", "torch", ..."""
    name = type(array).__module__.partition(".")[0]
    return sys.modules.get({"cupyx": "cupy", "scipy": "numpy"}.get(name, name))


def empty_like(array, found, shape):
    """An array of that shape in the memory and in the order of `array`, whose Array is `found`: of PyTorch if that is
    its library, else of CuPy on a GPU and of NumPy on the host."""
    by_columns = len(shape) == 2 and found.is_by_columns()
    module = library_of(array)
    if getattr(module, "__name__", "") == "torch":
        options = {"dtype": array.dtype, "device": array.device}
        return module.empty(shape[::-1], **options).T if by_columns else module.empty(shape, **options)
    module = sys.modules["cupy"] if found.on_gpu else sys.modules["numpy"]
    return module.empty(shape, dtype=found.typestr, order="F" if by_columns else "C")


def address_of_new(array):
    """The address of an array that empty_like made; None without elements."""
    module = library_of(array).__name__
    if module == "torch":
        return array.data_ptr() or None
    return (array.data.ptr if module == "cupy" else array.ctypes.data) or None


def stream_of(stream, array, on_gpu):
    """The stream of a call, for ctypes: the one that was given, or the current one of the array's library."""
    if stream is None and on_gpu:
        module = library_of(array) or sys.modules.get("cupy")
        if getattr(module, "__name__", "") == "torch":
            stream = module.cuda.current_stream(array.get_device())
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
