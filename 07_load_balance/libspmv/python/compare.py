#!/usr/bin/env python3
"""compare.py [MATRIX.mtx...]: y = A x by libspmv and by the libraries that Python programs use instead.

These are SciPy on the CPU, and CuPy and PyTorch on a GPU, if they are installed.  Without files it takes three small
matrices: a 2-D stencil, a random one, one with rows of very different lengths; and CG_STEPS steps of the conjugate
gradient method on the stencil.  Each product is first compared with SciPy's in float64.  Times are medians of single
calls from Python, synchronized on a GPU.  The rows of a matrix take turns of TURN calls, so that all of them see the
same machine.  --record keeps the times in a results file.

    SPMV_LIBRARY=build/cuda/lib/libspmv.so.1.5.0 PYTHONPATH=07_load_balance/libspmv/python python3 compare.py cant.mtx
"""
import argparse
import datetime
import statistics
import sys
import time
import warnings

import numpy
import scipy.io
import scipy.sparse
import scipy.sparse.linalg

import spmv

try:
    import cupy
    import cupyx.scipy.sparse
    import cupyx.scipy.sparse.linalg

    cupy.cuda.runtime.getDeviceCount()
except Exception:  # not installed, or no GPU: CuPy has errors of its own for that
    cupy = None
try:
    import torch

    torch = torch if torch.cuda.is_available() else None
except ImportError:
    torch = None

TURN = 20
CG_STEPS = 200  # far from the solution


def examples():
    random = numpy.random.default_rng(1)
    n = 700
    line = scipy.sparse.diags([-1.0, 4.0, -1.0], [-1, 0, 1], shape=(n, n))
    beside = scipy.sparse.diags([-1.0, -1.0], [-1, 1], shape=(n, n))
    yield "stencil", scipy.sparse.kron(scipy.sparse.eye(n), line) + scipy.sparse.kron(beside, scipy.sparse.eye(n))
    rows, cols = random.integers(0, 200000, (2, 2000000))
    yield "random", scipy.sparse.coo_matrix((random.standard_normal(rows.size), (rows, cols)), (200000, 200000))
    lengths = numpy.minimum(random.zipf(1.9, 200000), 50000)
    rows = numpy.repeat(numpy.arange(lengths.size), lengths)
    cols = random.integers(0, 200000, rows.size)
    yield "skewed", scipy.sparse.coo_matrix((random.standard_normal(rows.size), (rows, cols)), (lengths.size, 200000))


def contenders(A, x):
    """Name, what multiplies, what brings the result to the host, what waits for it; libspmv's name begins with it."""
    plan = spmv.Plan(A)
    yield "SciPy", lambda: A @ x, numpy.asarray, lambda: None
    yield "libspmv, CPU", lambda: plan @ x, numpy.asarray, lambda: None
    if cupy:
        B, z = cupyx.scipy.sparse.csr_matrix(A), cupy.asarray(x)
        on_gpu = spmv.Plan(B, exclusive=True)  # one stream
        wait = cupy.cuda.get_current_stream().synchronize
        yield "CuPy", lambda: B @ z, cupy.asnumpy, wait
        yield "libspmv, CuPy's arrays", lambda: on_gpu @ z, cupy.asnumpy, wait
    if torch:
        C = torch.sparse_csr_tensor(*map(torch.from_numpy, (A.indptr, A.indices, A.data)), A.shape).cuda()
        t = torch.from_numpy(x).cuda()
        of_torch = spmv.Plan(C, exclusive=True)
        yield "PyTorch", lambda: C @ t, lambda y: y.cpu().numpy(), torch.cuda.synchronize
        yield "libspmv, PyTorch's", lambda: of_torch @ t, lambda y: y.cpu().numpy(), torch.cuda.synchronize


def compare(name, A, dtype, seconds, record):
    A = A.tocsr()
    A.sort_indices()
    A = scipy.sparse.csr_matrix((A.data.astype(dtype), A.indices.astype("int32"), A.indptr.astype("int32")), A.shape)
    x = numpy.random.default_rng(2).standard_normal(A.shape[1]).astype(dtype)
    right = A.astype("float64") @ x.astype("float64")
    scale = abs(A).astype("float64") @ abs(x).astype("float64") + 1e-300
    print(f"{name}: {A.shape[0]} x {A.shape[1]}, {A.nnz} nonzeros, {dtype}")
    rows = []
    for who, multiply, to_host, wait in contenders(A, x):
        error = (abs(to_host(multiply()) - right) / scale).max(initial=0)
        if error > 64 * numpy.finfo(dtype).eps:
            sys.exit(f"{name}: the product of {who} is wrong: {error:.1e} of the sum of absolute values")
        rows.append((who, multiply, wait, []))
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(rows[0][3]) < 5:
        for _, multiply, wait, times in rows:
            for _ in range(TURN):
                begin = time.perf_counter()
                multiply()
                wait()
                times.append(time.perf_counter() - begin)
    report(name, dtype, [(who, times) for who, _, _, times in rows], record)


def compare_cg(A, dtype, record):
    """Solvers of SciPy and CuPy, with their own matrix and with a plan as LinearOperator."""
    A = A.tocsr().astype(dtype)
    b = numpy.ones(A.shape[0], dtype)
    turns = [("SciPy", scipy.sparse.linalg, A, b, lambda: None),
             ("libspmv, CPU", scipy.sparse.linalg, spmv.Plan(A).as_linear_operator(), b, lambda: None)]
    if cupy:
        B, c = cupyx.scipy.sparse.csr_matrix(A), cupy.asarray(b)
        wait = cupy.cuda.get_current_stream().synchronize
        plan = spmv.Plan(B, exclusive=True)
        turns += [("CuPy", cupyx.scipy.sparse.linalg, B, c, wait),
                  ("libspmv, CuPy's arrays", cupyx.scipy.sparse.linalg, plan.as_linear_operator(), c, wait)]
    times = {who: [] for who, *_ in turns}
    for _ in range(4):
        for who, linalg, operator, right, wait in turns:
            begin = time.perf_counter()
            linalg.cg(operator, right, maxiter=CG_STEPS)
            wait()
            times[who].append(time.perf_counter() - begin)
    print(f"stencil, {CG_STEPS} steps of conjugate gradients, {dtype}")
    report("cg", dtype, [(who, t[1:]) for who, t in times.items()], record)  # the first turn loads kernels


def report(name, dtype, rows, record):
    theirs = None
    for who, times in rows:
        us = 1e6 * statistics.median(times)
        against = f"  {theirs / us:5.2f} times as fast" if who.startswith("libspmv") else ""
        theirs = us if not against else theirs
        print(f"    {who:24s}{us:10.1f} us{against}")
        if record:
            times_as_fast = f"{theirs / us:.2f}" if against else "-"
            print("07_python", who, name, "fp" + dtype[-2:], "ok", f"{us:.1f}", times_as_fast, sep="\t", file=record)


def main():
    parser = argparse.ArgumentParser(description="y = A x by libspmv, SciPy, CuPy and PyTorch, if they are installed.")
    parser.add_argument("matrix", nargs="*", help="a .mtx or .mtx.gz file; without one, three made here")
    parser.add_argument("--dtype", choices=("float32", "float64"), default="float32")
    parser.add_argument("--seconds", type=float, default=3, help="how long each matrix is measured (3)")
    parser.add_argument("--record", type=argparse.FileType("a"), metavar="FILE", help="adds the rows to a .tsv file")
    options = parser.parse_args()
    missing = "not installed, or no GPU"
    versions = (f"libspmv {spmv.version()}; SciPy {scipy.__version__}; CuPy: {cupy.__version__ if cupy else missing}; "
                f"PyTorch: {torch.__version__ if torch else missing}")
    print(versions)
    if torch:
        warnings.filterwarnings("ignore", message="Sparse")  # CSR tensors are in beta
    if options.record and options.record.tell() == 0:
        gpu = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode() if cupy else "none"
        gpu = torch.cuda.get_device_name() if torch else gpu
        print(f"# gpu: {gpu}\n# date: {datetime.date.today()}\n# versions: {versions}\n"
              "chapter\tstep\tcase\tdtype\tstatus\tus\ttimes", file=options.record)
    try:
        matrices = [(name, scipy.io.mmread(name)) for name in options.matrix] or examples()
    except (OSError, ValueError) as error:
        sys.exit(f"compare.py: {error}")
    for name, A in matrices:
        compare(name, scipy.sparse.coo_matrix(A), options.dtype, options.seconds, options.record)
        if name == "stencil":
            compare_cg(A, options.dtype, options.record)


if __name__ == "__main__":
    main()
