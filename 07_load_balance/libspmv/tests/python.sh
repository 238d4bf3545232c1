#!/bin/sh
# python.sh BACKEND BUILD: tests the Python module against SciPy, with the library of BUILD, and from a wheel.
backend=$1 build=$2
tests=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$tests/../../../common/workshop/tests/tally.sh"
python=${PYTHON-python3}
skip() { "$tests/../../../common/workshop/tests/skipped.sh" "$backend/test_spmv_python" "$1"; }
library=$build/lib/libspmv.so.$(sed -n 's/^#define SPMV_VERSION_[MP][A-Z]* //p' "$tests/../spmv.h" | paste -sd.)
export PYTHONDONTWRITEBYTECODE=1

same_sizes() {
    cc -I"$tests/.." "$tests/sizes.c" -o "$place/sizes" && "$place/sizes" >"$place/c" &&
        SPMV_LIBRARY=$library PYTHONPATH=$tests/../python "$python" - >"$place/python" <<'END' && diff "$place/c" "$place/python"
import ctypes
from spmv import _library
for name, kind in (("matrix", _library.Matrix), ("options", _library.Options)):
    print(name, ctypes.sizeof(kind), *(getattr(kind, field).offset for field, _ in kind._fields_))
END
}
no_library() { ends 1 'SPMV_LIBRARY=.* or LD_LIBRARY_PATH tell where it is' env SPMV_LIBRARY=/nowhere/libspmv.so.1 PYTHONPATH="$tests/../python" "$python" -c 'import spmv'; }
from_build() { SPMV_LIBRARY=$library PYTHONPATH=$tests/../python "$python" "$tests/python_test.py"; }
compares() {
    ends 0 'libspmv, CPU .* times as fast' env SPMV_LIBRARY="$library" PYTHONPATH="$tests/../python" "$python" "$tests/../python/compare.py" --seconds 0 \
        "$tests/../../../common/lib/tests/data/tiny.mtx"
}
make_wheel() { make --no-print-directory -C "$tests/.." BACKEND="$backend" BUILD="$build" PYTHON="$python" WHEELS="$place/wheels" wheel; }
no_modules() { ends 2 'this Python, .*, has no module pip and no setuptools and no wheel: ' make --no-print-directory -C "$tests/.." BACKEND="$backend" BUILD="$build" PYTHON="$python -S" wheel-needs; }
from_wheel() {
    "$python" -m pip install -q --no-deps --no-index --target "$place/installed" "$place"/wheels/spmv-*-py3-none-linux_*.whl &&
        PYTHONPATH=$place/installed "$python" "$tests/python_test.py"
}

command -v "$python" >/dev/null 2>&1 || { skip 'python3 is not installed'; exit 0; }
check 'the Python structures have the sizes and offsets of spmv.h' same_sizes
check 'the error without a library names SPMV_LIBRARY' no_library
if "$python" -c 'import numpy, scipy' 2>/dev/null; then
    check 'python_test.py passes with the library of this build' from_build
    check 'compare.py runs with SciPy alone' compares
else
    skip 'python3-scipy is not installed'
fi
check 'make wheel reports missing modules' no_modules
if "$python" -c 'import setuptools, wheel, pip, scipy' 2>/dev/null; then
    check 'make wheel succeeds' make_wheel
    check 'python_test.py passes with the wheel' from_wheel
else
    skip 'python3-pip, python3-setuptools, python3-wheel and python3-scipy are not all installed'
fi
tally
