"""python_test.py - the module spmv against SciPy, which must be installed: products of every form and type, several
right-hand sides, new values, no copies, and what is refused."""
import copy
import pickle
import types
import unittest

import numpy
import scipy.sparse
import scipy.sparse.linalg

import spmv

try:
    import cupy
    import cupyx.scipy.sparse

    cupy.cuda.runtime.getDeviceCount()
except Exception:  # not installed, or no GPU: CuPy has errors of its own for that
    cupy = None
try:
    import torch
except ImportError:
    torch = None
try:
    from hypothesis import given, settings, strategies
except ImportError:
    given = None

WANTED = "an array of NumPy, CuPy or PyTorch, or one with DLPack, is wanted, not"
RANDOM = numpy.random.default_rng(7)
equal = numpy.testing.assert_array_equal


def matrix(rows, cols, form="csr"):
    """Returns a matrix of small whole numbers, so that sums are the same in every order."""
    A = scipy.sparse.random(rows, cols, 0.1, format="csr", random_state=3)
    A.data = RANDOM.integers(-4, 5, A.nnz).astype("float64")
    A.indices, A.indptr = A.indices.astype("int32"), A.indptr.astype("int32")
    return A.asformat(form)


def vector(*shape, dtype="float64", order="C"):
    return numpy.asarray(RANDOM.integers(-4, 5, shape).astype(dtype), order=order)


class Products(unittest.TestCase):
    def test_every_form_and_type(self):
        for form in ("csr", "csc", "coo"):
            for dtype in ("float32", "float64", "float16"):
                for transpose in (False, True):
                    A = matrix(90, 70, form)
                    B = A.toarray().T if transpose else A.toarray()
                    A.data = A.data.astype(dtype)
                    x = vector(B.shape[1], dtype="float64" if dtype == "float64" else "float32")
                    with spmv.Plan(A, transpose=transpose) as plan:
                        self.assertEqual(plan.shape, B.shape)
                        y = plan @ x
                        self.assertEqual(y.dtype, x.dtype)
                        equal(y, B @ x)

    def test_float64_vectors_beside_float32(self):
        A, x = matrix(50, 60), vector(60) + 2.0**-40
        right = A @ x  # float32 has not the digits for that
        A.data = A.data.astype("float32")
        y = spmv.Plan(A, vectors="float64") @ x
        self.assertEqual(y.dtype, "float64")
        numpy.testing.assert_allclose(y, right, rtol=1e-15, atol=1e-15)

    def test_alpha_and_beta(self):
        A, x, y = matrix(50, 60), vector(60), vector(50)
        right = 2 * (A @ x) - 3 * y
        self.assertIs(spmv.Plan(A).multiply(x, y, alpha=2, beta=-3), y)
        equal(y, right)

    def test_long_offsets(self):
        A, x = matrix(50, 60), vector(60)
        right = A @ x
        A.indptr = A.indptr.astype("int64")
        equal(spmv.Plan(A) @ x, right)

    def test_several_vectors_in_either_order(self):
        A = matrix(80, 60)
        plan = spmv.Plan(A)
        for order in "CF":
            for k in (1, 2, 7, 33):
                X = vector(60, k, order=order)
                Y = plan @ X
                equal(Y, A @ X)
                self.assertTrue(Y.flags[f"{order}_CONTIGUOUS"])
        whole = numpy.full((80, 9), 77.0)
        wide = vector(60, 12)
        plan.multiply(wide[:, 2:7], whole[:, 1:6])  # parts of wider arrays
        equal(whole[:, 1:6], A @ wide[:, 2:7])
        self.assertTrue((whole[:, 0] == 77).all() and (whole[:, 6:] == 77).all())

    def test_triangles(self):
        A = matrix(60, 60)
        S = (A + A.T).tocsr()
        triangles = {"lower": scipy.sparse.tril(S, format="csr"), "upper": scipy.sparse.triu(S, format="coo")}
        for part, triangle in triangles.items():
            x = vector(60)
            equal(spmv.Plan(triangle, part=part) @ x, S @ x)

    def test_new_values(self):
        for form in ("csr", "coo"):
            A, x = matrix(50, 60, form), vector(60)
            plan = spmv.Plan(A)
            A.data = vector(A.data.size)
            plan.update(A.data)
            equal(plan @ x, A @ x)

    def test_order(self):
        A = matrix(300, 300)
        plan = spmv.Plan(A, exclusive=True, reorder=True)
        self.assertIn("not reordered: 32 rows need", plan.describe())  # too small to pay
        self.assertIn("is not square", spmv.Plan(matrix(30, 20), exclusive=True, reorder=True).describe())
        x = vector(300)
        equal(plan @ x, A @ x)

    def test_no_nonzeros(self):
        A = scipy.sparse.csr_matrix((5, 3))
        equal(spmv.Plan(A) @ numpy.ones(3), numpy.zeros(5))
        A = scipy.sparse.csr_matrix((0, 0))
        self.assertEqual((spmv.Plan(A) @ numpy.ones(0)).shape, (0,))


class Arrays(unittest.TestCase):
    def test_nothing_is_copied(self):
        A, x = matrix(50, 60), numpy.ones(60)
        plan = spmv.Plan(A, setup="none")
        self.assertIn("arrays borrowed", plan.describe())
        self.assertLess(plan.nbytes, 8000)
        A.data *= 2  # seen without an update: it is the same memory
        equal(plan @ x, A @ x)

    def test_arrays_stay_alive(self):
        A, x = matrix(50, 60), vector(60)
        right = A @ x
        plan = spmv.Plan(A)
        del A
        equal(plan @ x, right)

    def refused(self, error, words, function, *arguments, **named):
        with self.assertRaisesRegex(error, words):
            function(*arguments, **named)

    def test_what_does_not_fit_is_refused(self):
        A = matrix(50, 60)
        plan = spmv.Plan(A)
        self.refused(TypeError, "CSR, CSC or COO", spmv.Plan, A.tolil())
        self.refused(TypeError, "CSR, CSC or COO", spmv.Plan, A.toarray())
        self.refused(TypeError, "float32, float64", spmv.Plan, A.astype("int64"))
        self.refused(ValueError, "vectors is None", spmv.Plan, A, vectors="float32")
        self.refused(ValueError, "part is", spmv.Plan, A, part="left")
        self.refused(TypeError, "x is <f4", plan.multiply, vector(60, dtype="float32"))
        self.refused(ValueError, "60 columns", plan.multiply, vector(59))
        self.refused(ValueError, "y has the shape", plan.multiply, vector(60), vector(51))
        self.refused(ValueError, "gaps", plan.multiply, vector(120)[::2])
        self.refused(ValueError, "gaps", plan.multiply, vector(60, 6)[:, ::2], vector(50, 3))
        self.refused(ValueError, "same order", plan.multiply, vector(60, 3), vector(50, 3, order="F"))
        self.refused(ValueError, "beta without y", plan.multiply, vector(60), beta=1)
        self.refused(ValueError, "values have the shape", plan.update, vector(3))
        y = vector(50)
        y.flags.writeable = False
        self.refused(ValueError, "read-only", plan.multiply, vector(60), y)
        long = matrix(50, 60)
        long.indices = long.indices.astype("int64")
        self.refused(TypeError, "A.indices is <i8, not <i4", spmv.Plan, long)

    def test_other_things_than_arrays_are_named(self):
        A = matrix(50, 60)
        plan = spmv.Plan(A)
        for x, name in (([1.0] * 60, "list"), (None, "NoneType"), (1.0, "float"), (numpy.ndarray, "type")):
            self.refused(TypeError, f"x: {WANTED} {name}", plan.__matmul__, x)
        self.refused(TypeError, r"x is sparse: x.toarray\(\)", plan.__matmul__, A)
        self.refused(TypeError, r"y is sparse: y.toarray\(\)", plan.multiply, vector(60), A)
        self.refused(TypeError, f"values: {WANTED} list", plan.update, [1.0] * A.nnz)
        self.refused(ValueError, r"x has the shape \(\), A has 60 columns", plan.__matmul__, numpy.float64(1))
        self.refused(ValueError, r"x has the shape \(60, 1, 1\), A has 60 columns", plan.__matmul__, vector(60, 1, 1))
        for sides in (1, 3):
            with self.subTest(sides):
                B = matrix(50, 60, "coo")

                class Other:
                    format, shape, data, row, col = "coo", (50,) * sides, B.data, B.row, B.col

                self.refused(ValueError, f"A has {sides} dimensions?, 2 are wanted", spmv.Plan, Other)

    def test_a_plan_has_no_copies(self):
        plan = spmv.Plan(matrix(50, 60))
        for make in (copy.copy, copy.deepcopy, pickle.dumps):
            self.refused(TypeError, "cannot be copied or pickled", make, plan)

    def test_room_behind_the_nonzeros(self):
        for form in ("csr", "csc"):
            A, x = matrix(50, 60, form), vector(60)
            right = A @ x
            A.data = numpy.append(A.data, [9.0, 9.0])
            A.indices = numpy.append(A.indices, [60000, -1]).astype("int32")
            plan = spmv.Plan(A)
            self.assertEqual(plan.nnz, A.nnz)
            equal(plan @ x, right)
            plan.update(2 * A.data)
            equal(plan @ x, 2 * right)
            plan.update(3 * A.data[:A.nnz])
            equal(plan @ x, 3 * right)

    def test_the_library_is_asked(self):
        A = matrix(50, 60)
        A.indices[3] = 60
        with self.assertRaises(spmv.SpmvError) as caught:
            spmv.Plan(A)
        self.assertEqual(caught.exception.status, 2)
        self.assertRegex(str(caught.exception), r"col_indices\[3\] is 60")
        self.refused(spmv.SpmvError, "need a square", spmv.Plan, matrix(50, 60), part="lower")
        x = vector(60)
        self.refused(spmv.SpmvError, "overlap", spmv.Plan(matrix(50, 60)).multiply, x, x[:50])
        again = pickle.loads(pickle.dumps(caught.exception))  # as from a pool of processes
        self.assertEqual((again.status, str(again)), (2, str(caught.exception)))

    def test_version(self):
        self.assertRegex(spmv.version(), r"^1\.\d+\.\d+$")
        self.assertEqual(spmv.__version__, spmv.version())

    def test_linear_operator(self):
        A = matrix(50, 60)
        plan, transposed = spmv.Plan(A), spmv.Plan(A, transpose=True)
        x, X, y = vector(60), vector(60, 3), vector(50)
        alone, both = plan.as_linear_operator(), plan.as_linear_operator(transposed)
        self.assertEqual((both.shape, both.dtype), (A.shape, A.dtype))
        equal(alone @ x, A @ x)
        equal(alone @ x.reshape(60, 1), A @ x.reshape(60, 1))
        equal(alone @ X, A @ X)
        equal(both.T @ y, A.T @ y)
        with self.assertRaises(NotImplementedError):
            alone.T @ y
        self.refused(ValueError, r"\(50, 60\), not \(60, 50\)", plan.as_linear_operator, plan)

    def test_solvers(self):
        A = scipy.sparse.diags([-1.0, 4.0, -1.0], [-1, 0, 1], shape=(300, 300), format="csr")
        wanted = vector(300)
        for solver in (scipy.sparse.linalg.cg, scipy.sparse.linalg.gmres):
            found, info = solver(spmv.Plan(A).as_linear_operator(), A @ wanted, atol=0)
            self.assertEqual(info, 0)
            numpy.testing.assert_allclose(found, wanted, atol=1e-3)


class Exported:
    """An array of a library that the module does not know: DLPack is all that it has."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **named):
        return self.array.__dlpack__(**named)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OtherLibraries(unittest.TestCase):
    def test_arrays_with_dlpack(self):
        A, x, y = matrix(50, 60), vector(60), vector(50)
        plan = spmv.Plan(A)
        equal(plan @ Exported(x), A @ x)
        right = A @ x + y
        plan.multiply(Exported(x), Exported(y), beta=1)
        equal(y, right)
        wide = vector(60, 12)
        equal(plan @ Exported(wide[:, 2:7]), A @ wide[:, 2:7])
        equal(plan @ Exported(vector(60, 3, order="F")[:, :0]), numpy.zeros((50, 0)))
        gaps = numpy.repeat(x, 2)[::2]
        for wrong, words in ((x.astype("float32"), "x is <f4"), (x[:-1], "60 columns"), (gaps, "gaps")):
            with self.assertRaisesRegex((TypeError, ValueError), words):
                plan.multiply(Exported(wrong))
        plan.update(Exported(2 * A.data))
        equal(plan @ x, 2 * (A @ x))

    def test_device_that_is_unknown(self):
        class Elsewhere(Exported):
            def __dlpack_device__(self):
                return 7, 0

        with self.assertRaisesRegex(TypeError, "x is neither in host memory nor on a GPU"):
            spmv.Plan(matrix(5, 6)).multiply(Elsewhere(vector(6)))

    def test_names_of_pytorch(self):
        class Tensor(numpy.ndarray):
            def int(self):
                return self.astype("int32")

        def tensor(array, dtype="int64"):
            return array.astype(dtype).view(Tensor)

        for layout, of_offsets, of_indices in (("csr", "crow", "col"), ("csc", "ccol", "row")):
            A, x = matrix(50, 60, layout), vector(60)

            class Sparse:
                shape = A.shape

                def values(self):
                    return tensor(A.data, "float64")

            Sparse.layout = f"torch.sparse_{layout}"
            setattr(Sparse, f"{of_offsets}_indices", lambda self: tensor(A.indptr))
            setattr(Sparse, f"{of_indices}_indices", lambda self: tensor(A.indices))
            equal(spmv.Plan(Sparse()) @ x, A @ x)

    @unittest.skipUnless(torch, "PyTorch is not installed")
    def test_tensors_of_pytorch(self):
        B = matrix(50, 60)
        dense = torch.from_numpy(B.toarray())
        forms = [dense.to_sparse(), dense.to_sparse_csr()]
        if hasattr(dense, "to_sparse_csc"):
            forms.append(dense.to_sparse_csc())
        x, X, y = torch.from_numpy(vector(60)), torch.from_numpy(vector(60, 5)), torch.from_numpy(vector(50))
        for A in forms:
            plan = spmv.Plan(A)
            found = plan @ x
            self.assertIsInstance(found, torch.Tensor)
            self.assertEqual((found.dtype, found.device), (x.dtype, x.device))
            self.assertTrue(torch.equal(found, dense @ x))
            self.assertTrue(torch.equal(plan @ X, dense @ X))
            self.assertTrue(torch.equal(plan @ X.T.contiguous().T, dense @ X))
            self.assertTrue(torch.equal(spmv.Plan(A, transpose=True) @ y, dense.T @ y))
            right = 2 * (dense @ x) - y
            self.assertIs(plan.multiply(x, y, alpha=2, beta=-1), y)
            self.assertTrue(torch.equal(y, right))
            plan.update(2 * A.coalesce().values() if A.layout == torch.sparse_coo else 2 * A.values())
            self.assertTrue(torch.equal(plan @ x, 2 * (dense @ x)))
        with self.assertRaisesRegex(TypeError, r"x is sparse: x.to_dense\(\)"):
            plan.multiply(forms[0])
        with self.assertRaisesRegex(TypeError, "CSR, CSC or COO"):
            spmv.Plan(dense)
        with self.assertRaisesRegex(TypeError, r"x requires grad.*x.detach\(\)"):
            plan.multiply(x.clone().requires_grad_())
        for wrong in (x.to(torch.bfloat16), x.to(torch.complex128), x.int(), x > 0):
            with self.assertRaisesRegex(TypeError, "x is .*, not <f8"):
                plan.multiply(wrong)
        lazily = torch.complex(x, x).conj().imag  # a view of x that PyTorch negates when it reads it
        with self.assertRaisesRegex(TypeError, r"x.resolve_neg\(\)"):
            plan.multiply(lazily)
        self.assertTrue(torch.equal(plan @ lazily.resolve_neg(), 2 * (dense @ -x)))
        with self.assertRaisesRegex(TypeError, "x is neither in host memory nor on a GPU"):
            plan.multiply(torch.empty(60, dtype=torch.float64, device="meta"))


class Spoilt:
    """Arrays of a matrix, or a vector, made wrong in one way."""
    ARRAYS = {"csr": ("data", "indices", "indptr"), "csc": ("data", "indices", "indptr"), "coo": ("data", "row", "col")}
    WAYS = {
        "shorter": lambda a: a[:-1],
        "empty": lambda a: a[:0],
        "longer": lambda a: numpy.append(a, a[:1]),
        "a matrix": lambda a: a.reshape(1, -1),
        "a column": lambda a: a.reshape(-1, 1),
        "a list": lambda a: a.tolist(),
        "none": lambda a: None,
        "a number": lambda a: a[0],
        "with gaps": lambda a: numpy.repeat(a, 2)[::2],
        "from behind": lambda a: a[::-1],
        "one number for all": lambda a: numpy.broadcast_to(a[:1], a.shape),
        "16 bits": lambda a: a.astype("int16"),
        "complex": lambda a: a.astype("complex128"),
        "swapped": lambda a: a.astype(a.dtype.newbyteorder()),
        "objects": lambda a: a.astype(object),
    }


@unittest.skipUnless(given, "python3-hypothesis is not installed")
class Lengths(unittest.TestCase):
    """The module reports any error in an array before the library reads it, so the library reads nothing past its end.
    """

    if given:
        forms = strategies.sampled_from(sorted(Spoilt.ARRAYS))
        ways = strategies.sampled_from(sorted(Spoilt.WAYS))
        sides = strategies.integers(2, 9)

        @settings(max_examples=120, deadline=None, derandomize=True, database=None)
        @given(forms, strategies.integers(0, 2), ways, sides, sides)
        def test_of_a_matrix(self, form, which, way, rows, cols):
            A = scipy.sparse.csr_matrix(numpy.arange(2.0, 2 + rows * cols).reshape(rows, cols)).asformat(form)
            name = Spoilt.ARRAYS[form][which]
            right = A @ numpy.ones(cols)
            # Not a matrix of SciPy: new ones convert what they are given.
            A = types.SimpleNamespace(format=form, shape=A.shape, **{n: getattr(A, n) for n in Spoilt.ARRAYS[form]})
            setattr(A, name, Spoilt.WAYS[way](getattr(A, name)))
            if form != "coo" and name != "indptr" and way == "longer":
                equal(spmv.Plan(A) @ numpy.ones(cols), right)
                return
            with self.assertRaisesRegex((TypeError, ValueError), f"A.{name}|values are|A.data, A.row and A.col"):
                spmv.Plan(A)

        @settings(max_examples=60, deadline=None, derandomize=True, database=None)
        @given(strategies.sampled_from(("x", "y", "values")), ways, sides, sides)
        def test_of_a_vector(self, which, way, rows, cols):
            A = scipy.sparse.csr_matrix(numpy.ones((rows, cols)))
            plan = spmv.Plan(A)
            given_to = {"x": numpy.ones(cols), "y": numpy.ones(rows), "values": numpy.ones(rows * cols)}
            given_to[which] = Spoilt.WAYS[way](given_to[which])
            with self.assertRaisesRegex((TypeError, ValueError), f"{which}|has the shape"):
                plan.update(given_to["values"])
                if which == "y" and given_to["y"] is None:
                    raise ValueError("y: none is one that multiply makes")
                plan.multiply(given_to["x"], given_to["y"])


class FakeArray:
    """What CuPy's arrays say of themselves, of memory that nobody has."""

    def __init__(self, like):
        self.dtype, self.size, self.shape, self.ndim = like.dtype, like.size, like.shape, like.ndim
        self.strides, self.itemsize = like.strides, like.itemsize
        self.__cuda_array_interface__ = dict(like.__array_interface__, data=(1 << 40, False), version=3)


class Card(unittest.TestCase):
    @unittest.skipIf(cupy, "there is a GPU")
    def test_arrays_of_a_gpu_go_to_the_gpu(self):
        A = matrix(50, 60)
        plain = A

        class OnCard:
            format, shape = "csr", plain.shape
            data, indices, indptr = FakeArray(plain.data), FakeArray(plain.indices), FakeArray(plain.indptr)

        with self.assertRaisesRegex(spmv.SpmvError, "without a GPU|no GPU"):
            spmv.Plan(OnCard)
        with self.assertRaisesRegex(TypeError, "x is on the GPU"):
            spmv.Plan(A).multiply(FakeArray(vector(60)))

    @unittest.skipUnless(cupy, "CuPy and a GPU are not both here")
    def test_products_on_the_gpu(self):
        for transpose in (False, True):
            A = matrix(90, 90)
            B = A.T if transpose else A
            x, X = vector(90), vector(90, 5, order="F")
            plan = spmv.Plan(cupyx.scipy.sparse.csr_matrix(A), transpose=transpose)
            equal((plan @ cupy.asarray(x)).get(), B @ x)
            equal((plan @ cupy.asarray(X)).get(), B @ X)
            equal((plan.as_linear_operator() @ cupy.asarray(x)).get(), B @ x)
            plan.update(cupy.asarray(2 * A.data))
            equal((plan @ cupy.asarray(x)).get(), 2 * (B @ x))
            with cupy.cuda.Stream() as stream:
                y = plan @ cupy.asarray(x)
                stream.synchronize()
            equal(y.get(), 2 * (B @ x))


if __name__ == "__main__":
    unittest.main()
