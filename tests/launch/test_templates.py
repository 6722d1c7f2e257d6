"""Templates of kernels, and of structs that kernels take: instantiated by NVRTC, launched through the tests' driver."""

import pickle

import numpy as np
import pytest

import samebytes as sb
from samebytes.api import recipes

pytestmark = pytest.mark.full

SOURCE = """
#include <cuda_fp16.h>
template <class T> struct Pair { T a, b; __device__ T sum() const { return a + b; } };
namespace ns {
/// y += a x + N
template <class T, int N = 0> __global__ void axpy(T a, const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = T(float(a) * float(x[i]) + float(y[i]) + N);
}
}
template <class T> __global__ void sums(Pair<T> p, T* out) { *out = p.sum(); }
template <> __global__ void sums<int>(Pair<int> p, int* out) { *out = -p.sum(); }
template <class A, class B> __global__ void cast(const A* a, B* b) { *b = *a; }
template <class T> __global__ void wide(T* p) { static_assert(sizeof(T) > 4, "too narrow"); *p = 1; }
template <class T> __global__ void referring(T& a) {}
template <class T> __device__ T helper(T v) { return v; }
__global__ void plain(float* p) { *p = helper(2.0f); }
"""


@pytest.fixture
def lib(fake):
    return fake.knows(sb.compile(SOURCE, dialect="cuda", name="templates", instantiate=["ns::axpy<float>"]))


@pytest.mark.hardware
@pytest.mark.parametrize(
    ("argument", "dtype", "extra"),
    [
        (sb.float32, np.float32, ()),
        (sb.float64, np.float64, ()),
        (sb.int16, np.int16, (3,)),
        (sb.float16, np.float16, (2,)),
    ],
)
def test_a_subscript_with_types_is_a_kernel(argument, dtype, extra, lib, fake):
    kernel = _knows(fake, lib.ns.axpy[(argument, *extra)])
    x, y = fake.array(np.arange(5, dtype=dtype)), fake.array(np.ones(5, dtype))
    kernel[2, 3](2, x, y, 5)
    assert y.array.tolist() == [1 + 2 * i + sum(extra) for i in range(5)]
    assert lib.ns.axpy[(argument, *extra)] is kernel
    with pytest.raises(sb.ArrayError, match=f"the elements must be {np.dtype(dtype)}"):
        kernel[2, 3](2, x, fake.array(np.ones(5, np.uint8)), 5)


def _knows(fake, kernel):
    """Let the machine run an instantiation that was built later: its PTX lies in a build of its own."""
    recipe, digest, _ = kernel.__reduce__()[1]
    fake.knows(recipes.LIBRARIES[recipe, digest])
    return kernel


@pytest.mark.hardware
def test_structs_are_templates_too_and_specializations_are_chosen(lib, fake):
    for argument, dtype, sign in ((sb.float64, np.float64, 1), (sb.int32, np.int32, -1)):
        kernel = _knows(fake, lib.sums[argument])
        out = fake.array(np.zeros(1, dtype))
        kernel[1, 1](lib.Pair[argument](2, 3), out)
        assert out.array[0] == sign * 5
        kernel[1, 1]((4, 5), out)
        assert out.array[0] == sign * 9


def test_the_parameters_of_instantiations_are_checked_and_shown(lib):
    assert lib.ns.axpy.__doc__.endswith("y += a x + N")
    kernel = lib.ns.axpy[sb.float16]
    assert kernel.__doc__.startswith(
        "axpy(a: float16, x: pointer[const[float16]], y: pointer[float16], n: int32)"
    )
    assert "void ns::axpy<__half>(__half a" in str(sb.explain(kernel))
    assert pickle.loads(pickle.dumps(kernel)) is kernel
    assert pickle.loads(pickle.dumps(lib.ns.axpy)) is lib.ns.axpy


REFUSED = (
    (lambda lib: lib.cast[sb.int32], "cast\\[int\\]: C\\+\\+ refuses it"),
    (lambda lib: lib.cast[1, 2], "C\\+\\+ refuses it: expected a type"),
    (lambda lib: lib.wide[sb.int32], "wide\\[int\\]: C\\+\\+ refuses it: static assertion failed"),
    (
        lambda lib: lib.referring[sb.int32],
        r"cannot be bound: parameter 1 'a' \(int &\): kernels do not take it yet",
    ),
    (
        lambda lib: lib.sums(1),
        r"sums\(\) is a template of kernels, and no kernel yet: sums\[sb.float32\]\[grid, block\]",
    ),
    (lambda lib: lib.sums.for_each(1), "is a template of kernels"),
    (lambda lib: lib.sums.configured(grid=1), "is a template of kernels"),
)


@pytest.mark.parametrize("row", range(len(REFUSED)))
def test_what_is_no_kernel_says_why(row, lib):
    made, words = REFUSED[row]
    with pytest.raises(sb.ArgumentError, match=words):
        made(lib)


def test_templates_that_are_no_kernels_are_left_out(lib):
    assert "kernels alone are launched" in {s.name: s.reason for s in lib.__skipped__}["helper"]
    with pytest.raises(sb.BindError, match="helper<int> cannot be instantiated: it is no kernel"):
        sb.compile(SOURCE, dialect="cuda", arch="sm_90", instantiate=["helper<int>"])


@pytest.mark.parametrize("variable", ["__device__ int n;", "__device__ int n = 3;", "__constant__ int n[2];"])
@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_what_is_built_later_does_not_get_variables_of_its_own(variable, fake):
    name = "n[1]" if "[" in variable else "n"
    source = f"{variable} template <class T> __global__ void k(T* p) {{ *p = {name}; }}"
    lib = sb.compile(source, dialect="cuda", arch="sm_90", instantiate=["k<int>"])
    assert lib.k[sb.int32].__doc__.startswith("k(p: pointer[int32])")
    with pytest.raises(sb.ArgumentError, match=r"has variables of the device of its own \(n\).*instantiate="):
        lib.k[sb.int64]


def test_texts_are_no_variables(fake):
    source = 'template <class T> __global__ void k(T* p) { printf("%d", 1); }'
    assert sb.compile(source, dialect="cuda", arch="sm_90").k[sb.int64].__name__ == "k"
