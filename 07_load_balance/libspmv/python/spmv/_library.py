"""libspmv.so.1 by ctypes: the structures of spmv.h, and a call that raises what it returns.

The library is the one beside this file (a wheel has it there), else what SPMV_LIBRARY names, else the system's.
"""
import ctypes
import os
from ctypes import c_byte, c_char_p, c_double, c_int, c_int64, c_short, c_size_t, c_void_p


class Matrix(ctypes.Structure):
    """spmv_matrix_t"""
    _fields_ = [("format", c_int), ("part", c_int), ("index_base", c_int), ("rows", c_int64), ("cols", c_int64),
                ("nnz", c_int64), ("value_type", c_int), ("offset_bits", c_int), ("memory", c_int),
                ("offsets", c_void_p), ("row_indices", c_void_p), ("col_indices", c_void_p), ("values", c_void_p),
                ("reserved", c_int * 4)]


class Options(ctypes.Structure):
    """spmv_options_t"""
    _fields_ = [("backend", c_int), ("setup", c_int), ("copy", c_int), ("deterministic", c_int), ("check", c_int),
                ("exclusive", c_int), ("tune", c_int), ("threads", c_int), ("run", c_void_p),
                ("run_context", c_void_p), ("many", c_int), ("transpose", c_int),
                ("values", c_int), ("reorder", c_short), ("beside", c_byte), ("reserved", c_byte)]


class SpmvError(RuntimeError):
    """A call that did not return SPMV_OK; status is the number."""

    def __init__(self, status, text):
        super().__init__(status, text)
        self.status = status

    def __str__(self):
        return self.args[1]


def _open():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libspmv.so.1")
    name = beside if os.path.exists(beside) else os.environ.get("SPMV_LIBRARY", "libspmv.so.1")
    try:
        found = ctypes.CDLL(name)
    except OSError as why:
        raise ImportError(f"{why}; SPMV_LIBRARY=.../libspmv.so.1 or LD_LIBRARY_PATH tell where it is") from why
    functions = {
        "spmv_version": (c_char_p,),
        "spmv_status_text": (c_char_p, c_int),
        "spmv_last_error": (c_char_p,),
        "spmv_create_from": (c_int, c_void_p, c_void_p, c_void_p, c_void_p),
        "spmv_execute": (c_int, c_void_p, c_double, c_void_p, c_double, c_void_p, c_void_p),
        "spmv_execute_many": (c_int, c_void_p, c_int, c_int, c_double, c_void_p, c_int64, c_double, c_void_p, c_int64,
                              c_void_p),
        "spmv_update_values": (c_int, c_void_p, c_void_p, c_void_p),
        "spmv_describe": (c_int, c_void_p, c_char_p, c_size_t),
        "spmv_bytes": (c_size_t, c_void_p),
        "spmv_destroy": (None, c_void_p),
        "spmv_trim": (None,),
    }
    for function, (result, *arguments) in functions.items():
        getattr(found, function).restype = result
        getattr(found, function).argtypes = arguments
    return found


library = _open()


def call(function, *arguments):
    """Calls it; raises SpmvError with the library's two texts."""
    status = function(*arguments)
    if status:
        raise SpmvError(status, f"{library.spmv_status_text(status).decode()}: {library.spmv_last_error().decode()}")
