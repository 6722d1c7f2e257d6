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


BESIDE = """
struct Point { float x, y; };
namespace ns {
template <class T> __global__ void k(double* out, T v) { *out = 100 + sizeof(T); }
__global__ void k(double* out, int v) { *out = v; }
__global__ void k(double* out, Point p, int n = 2) { *out = n * p.x; }
template <int N, class T> __global__ void n(double* out, T v) { *out = N; }
__global__ void n(double* out, int v) { *out = -v; }
}
"""


@pytest.fixture
def beside(fake):
    return fake.knows(
        sb.compile(BESIDE, dialect="cuda", name="beside", instantiate=["ns::k<double>", "ns::k<signed char>"])
    )


# What C++ calls: an exact fit that is no template's, else the template.
CHOSEN = (
    ((3,), {}, 3),
    ((2.5,), {}, 108),
    ((np.int8(3),), {}, 101),
    ((np.int32(4),), {}, 4),
    (((5.0, 1.0),), {}, 10),
    (((5.0, 1.0), 3), {}, 15),
    ((), {"v": 7}, 7),
)


@pytest.mark.hardware
@pytest.mark.parametrize("row", range(len(CHOSEN)))
def test_a_kernel_beside_a_template_is_launched_as_cxx_chooses(row, beside, fake):
    arguments, named, expected = CHOSEN[row]
    out = fake.array(np.zeros(1))
    launches = (
        beside.ns.k[1, 1],
        beside.ns.k[(1, 1), (1,), None],
        beside.ns.k.configured(grid=1, block=1),
        beside.ns.k.for_each(1),
    )
    for launch in launches:
        out.array[0] = 0
        launch(out, *arguments, **named)
        assert out.array[0] == expected
    assert fake.calls("launch") >= len(launches)


@pytest.mark.hardware
def test_templates_and_kernels_of_one_name_have_their_own_ways(beside, fake):
    out = fake.array(np.zeros(1))
    beside.ns.k[sb.float64][1, 1](out, 3)
    assert out.array[0] == 108
    sb.overload(beside.ns.k, "double *, int")[1, 1](out, 3)
    assert out.array[0] == 3
    _knows(fake, beside.ns.n[5, sb.int32])[1, 1](
        out, 3
    )  # of a template that takes a number, these are its arguments
    assert out.array[0] == 5
    beside.ns.n.configured(grid=1, block=1)(out, 3)
    assert out.array[0] == -3
    assert repr(beside.ns.k[2, 3]) == "<k[(2, 1, 1), (3, 1, 1)]>"


REFUSED_BESIDE = (
    (lambda k, out: k(out, 3), r"k\(\) is a kernel: k\[grid, block\]\(\.\.\.\) launches it"),
    (lambda k, out: k[1, 1](out), r"k\(\) fits none|k\(\): none|got"),
    (lambda k, out: k[1, 1](np.zeros(1, np.int8), 3), r"out"),
    (lambda k, out: k[0, 1], "grid"),
    (lambda k, out: k.configured(grid="x"), "grid"),
)


@pytest.mark.parametrize("row", range(len(REFUSED_BESIDE)))
def test_what_cxx_does_not_call_is_refused(row, beside, fake):
    call, words = REFUSED_BESIDE[row]
    with pytest.raises(sb.ArgumentError, match=words):
        call(beside.ns.k, fake.array(np.zeros(1)))
    assert not fake.launches


def test_a_template_that_cannot_be_built_is_no_reason_for_another_kernel(fake):
    source = f"__device__ int state = 1;{BESIDE.replace('*out = v;', '*out = v + state;')}"
    lib = fake.knows(sb.compile(source, dialect="cuda", name="with_state"))
    out = fake.array(np.zeros(1))
    lib.ns.k[1, 1](out, 3)
    assert out.array[0] == 4
    with pytest.raises(
        sb.ArgumentError, match=r"has variables of the device of its own \(state\).*instantiate="
    ):
        lib.ns.k[1, 1](out, np.int8(3))


# Spellings of one instantiation, and what Python has for it.
MODES = "enum class Mode : short { add = -1, mul = 5 }; namespace ns { enum Kind { one = 1, two }; }"
SPELLED = (
    ("k<Mode::mul>", lambda lib: lib.k[lib.Mode.mul]),
    ("k<(Mode)5>", lambda lib: lib.k[lib.Mode.mul]),
    ("k<Mode(5)>", lambda lib: lib.k[lib.Mode.mul]),
    ("k< static_cast<Mode>( 5 ) >", lambda lib: lib.k[lib.Mode.mul]),
    ("k<favourite>", lambda lib: lib.k[lib.Mode.mul]),
    ("k<Mode::add>", lambda lib: lib.k[lib.Mode.add]),
    ("kinds<ns::two>", lambda lib: lib.kinds[lib.ns.Kind.two]),
    ("kinds<ns::Kind::two>", lambda lib: lib.kinds[lib.ns.Kind.two]),
    ("both<Mode::mul, float>", lambda lib: lib.both[lib.Mode.mul, sb.float32]),
    ("typed<Mode, Mode::add>", lambda lib: lib.typed[lib.Mode, lib.Mode.add]),
    ("any<Mode::add>", lambda lib: lib.any[lib.Mode.add]),
    ("sized<unsigned>", lambda lib: lib.sized[sb.uint32]),
    ("sized<const float *>", lambda lib: lib.sized[sb.pointer[sb.const[sb.float32]]]),
    ("counted<7u>", lambda lib: lib.counted[7]),
)
TEMPLATES = """
constexpr Mode favourite = Mode::mul;
template <Mode M> MARK void k(int* out) { *out = scale() * int(M); }
template <ns::Kind K> MARK void kinds(int* out) { *out = scale() * int(K); }
template <Mode M, class T> MARK void both(int* out) { *out = scale() * int(M); }
template <class T, T V> MARK void typed(int* out) { *out = scale() * int(V); }
template <auto V> MARK void any(int* out) { *out = scale() * int(V); }
template <class T> MARK void sized(int* out) { *out = scale() * sizeof(T); }
template <unsigned long N> MARK void counted(int* out) { *out = scale() * N; }
"""


def test_an_instantiation_is_found_by_what_its_arguments_mean(fake):
    """What is not found would be built anew, and is refused as it would have its own variable."""
    source = "__constant__ int factor = 1; __device__ inline int scale() { return factor; }" + MODES
    source += TEMPLATES.replace("MARK", "__global__")
    for asked, named in SPELLED:
        lib = sb.compile(source, dialect="cuda", arch="sm_80", name="spelled", instantiate=[asked])
        assert named(lib) is lib.__instances__[asked], asked
