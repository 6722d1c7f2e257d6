"""Kernels that share a name: a launch chooses as C++ does, and each has its own code."""

import inspect
import pickle

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = """
struct Point { float x, y; };
namespace ns {
/// fills
__global__ void k(float* out, float v) { *out = v; }
__global__ void k(double* out, double v) { *out = 2 * v; }
__global__ void k(float* out, int v, int more) { *out = 100 * v + more; }
__global__ void k(float* out, Point p) { *out = p.x - p.y; }
__global__ void k(int* out) { *out = threadIdx.x; }
}
"""


@pytest.fixture
def lib(fake):
    return fake.knows(sb.compile(SOURCE, dialect="cuda", name="overloads"))


ROWS = (
    (np.float32, (2.5,), {}, 2.5),
    (np.float64, (2.5,), {}, 5),
    (np.float64, (np.float32(2),), {}, 4),
    (np.float32, (3,), {"more": 7}, 307),
    (np.float32, (3, 4), {}, 304),
    (np.float32, (3,), {}, 3),
    (np.float32, (np.float32(3),), {}, 3),
    (np.float32, ((5.0, 2),), {}, 3),
    (np.float32, (), {"p": (5.0, 3)}, 2),
)


@pytest.mark.hardware
@pytest.mark.parametrize("row", range(len(ROWS)))
def test_the_arguments_choose(row, lib, fake):
    dtype, arguments, named, expected = ROWS[row]
    out = fake.array(np.zeros(1, dtype))
    launch = lib.ns.k[1, 1]
    for _ in range(3):  # what is remembered of the first call
        out.array[0] = 0
        launch(out, *arguments, **named)
        assert out.array[0] == expected
    assert fake.calls("launch") >= 3


@pytest.mark.hardware
def test_one_launch_has_the_code_of_each(lib, fake):
    f, d, i = (fake.array(np.zeros(1, t)) for t in (np.float32, np.float64, np.int32))
    launch = lib.ns.k[1, 2]
    launch(f, 1.5), launch(d, 1.5), launch(i), launch(f, lib.Point(1, 2))
    assert (f.array[0], d.array[0], i.array[0]) == (-1, 3, 1)
    assert len({said.name for said in fake.launches}) == 4


def test_the_driver_says_the_block_of_each(lib, fake):
    launch = lib.ns.k[1, None]
    assert [made.block for made in launch.configurations] == [(768, 1, 1)] * 5
    assert repr(launch) == "<k[(1, 1, 1), (768, 1, 1)]>"
    lib.ns.k.for_each(0)(fake.array(np.zeros(1, np.int32)))
    assert not fake.launches


@pytest.mark.hardware
def test_what_fits_none_is_one_error_with_all_forms(lib, fake):
    out = fake.array(np.zeros(1, np.uint8))
    with pytest.raises(sb.ArgumentError) as error:
        lib.ns.k[1, 1](out, 2.5)
    text = str(error.value)
    for form in (
        "k(out: pointer[float32], v: float32)",
        "k(out: pointer[float64], v: float64)",
        "argument 1 'out'",
    ):
        assert form in text
    assert "Pointer" not in text.partition("\n")[0]
    with pytest.raises(sb.ArgumentError, match=r"fit|ambiguous"):
        lib.ns.k[1, 1](None, 2)
    assert not fake.launches


@pytest.mark.hardware
def test_one_is_chosen_by_its_parameters(lib, fake):
    out = fake.array(np.zeros(1, np.float32))
    only = sb.overload(lib.ns.k, "float*, float")
    only[1, 1](out, 3)
    assert out.array[0] == 3
    assert "out: pointer[float32], v: float32) -> None" in only.__doc__
    assert pickle.loads(pickle.dumps(only)).__doc__ == only.__doc__
    with pytest.raises(sb.ArgumentError):
        only[1, 1](out, (1, 2))
    with pytest.raises(sb.ArgumentError, match=r"k\[grid, block\]"):
        only(None, out, 3)
    with pytest.raises(sb.BindError, match="int, int"):
        sb.overload(lib.ns.k, "int, int")


def test_they_are_shown_and_pickled(lib):
    kernel = lib.ns.k
    assert kernel.__doc__.count("-> None") == 5
    assert kernel.__doc__.endswith("fills")
    assert pickle.loads(pickle.dumps(kernel)) is kernel
    assert list(inspect.signature(kernel).parameters) == ["args", "kwargs"]
    assert len(sb.explain(kernel).functions) == 5


DEFAULTS = """
struct Point { float x, y; };
__global__ void k(float* p, float v) { p[0] = v; }
__global__ void k(float* p, int v, int more = 5, double last = 0.25) { p[0] = 100 * v + 10 * more + last; }
__global__ void k(double* p, char c = 'a', float* other = nullptr) { p[0] = c + (other ? 1000 : 0); }
__global__ void one(int* p, int a = 1) { *p = a; }
"""


@pytest.mark.hardware
def test_calls_by_fewer_arguments_choose_as_in_cxx(fake):
    lib = fake.knows(sb.compile(DEFAULTS, dialect="cuda", name="defaults"))
    f, d, i = (fake.array(np.zeros(1, t)) for t in (np.float32, np.float64, np.int32))
    launch = lib.k[1, 1]
    for arguments, named, expected in (
        ((f, 2.5), {}, 2.5), ((f, 2), {}, 250.25), ((f, 2, 7), {}, 270.25), ((f, 2, 7, 0.5), {}, 270.5),
        ((f, 2), {"more": 1}, 210.25), ((f, 2), {"more": 1, "last": 0.5}, 210.5), ((f, np.float32(3)), {}, 3),
        ((d,), {}, 97), ((d, b"b"), {}, 98), ((d, b"b", f), {}, 1098), ((d, b"b", None), {}, 98),
    ):  # fmt: skip
        for _ in range(2):
            launch(*arguments, **named)
            assert arguments[0].array[0] == expected, arguments
    lib.one[1, 1](i)
    assert i.array[0] == 1
    only = sb.overload(lib.k, "float*, int, int, double")
    only[1, 1](f, 3)
    assert f.array[0] == 350.25
    lib.k.for_each(1, wait=False)(f, 4).wait()
    assert f.array[0] == 450.25
    with pytest.raises(sb.ArrayError, match="the elements must be float64"):  # the one that takes so few
        launch(f)


def test_default_arguments_that_only_cxx_knows_would_choose_otherwise(fake):
    source = "__device__ int f(); __global__ void k(int* p) {}\n__global__ void k(int* p, int v = f()) {}"
    with pytest.warns(sb.BindWarning, match="a default argument whose value only C\\+\\+ knows"):
        lib = sb.compile(source, dialect="cuda", arch="sm_90")
    assert not hasattr(lib, "k")


def test_a_name_has_no_more_kernels_than_are_launched(fake):
    source = "template <int N> struct T {};\n" + "\n".join(
        f"__global__ void k(T<{i}> a) {{}}" for i in range(33)
    )
    with pytest.warns(sb.BindWarning, match="its name stands for 33 forms of calls, and 32 are launched"):
        lib = sb.compile(source, dialect="cuda", arch="sm_90")
    assert "k" not in dir(lib)
