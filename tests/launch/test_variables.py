"""Variables of the device: __device__ and __constant__, by attribute access."""

from pathlib import Path

import numpy as np
import pytest

import samebytes as sb
from samebytes.launch import opening
from samebytes.toolchain.kernel_metadata import variable_sizes

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

SOURCE = """
#include <cuda_fp16.h>
struct Params { float scale; int n; };
struct View { float* data; int n; };
struct Hidden { __device__ Hidden() {} private: int n = 3; };
enum class Way : short { back = -1, on = 1 };
__device__ int counter = 5;
__constant__ float table[2][3];
namespace ns { __constant__ Params params; __device__ Way way = Way::on; }
__device__ float4 vector;
__device__ float* memory;
__constant__ View view;
__constant__ Params many[2];
__device__ __half small;
__device__ bool flag;
__device__ int unused;
namespace { __device__ int nameless; }
static __device__ int own;
__managed__ int shared;
__constant__ void (*calls)(int);
extern const __device__ double fixed[2];
const __device__ double fixed[2] = {1.5, 2.5};
__global__ void k(float* out, int i) {
  out[0] = counter; out[1] = table[1][i]; out[2] = ns::params.scale * ns::params.n; out[3] = vector.y;
  out[4] = static_cast<int>(ns::way); out[5] = many[1].n; out[6] = __half2float(small); out[7] = flag;
  out[8] = fixed[i]; out[9] = own + nameless + (calls ? 1 : 0);
  counter += 1; own = nameless = 0; ns::way = Way::back; flag = !flag;
}
__global__ void through() { for (int i = 0; i < view.n; ++i) memory[i] = 2 * view.data[i]; }
"""


@pytest.fixture
def lib(fake):
    return fake.knows(sb.compile(SOURCE, dialect="cuda", name="variables"))


def launched(lib, fake, i=0):
    out = fake.array(np.zeros(10, np.float32))
    lib.k[1, 1](out, i)
    return out.array.tolist()


@pytest.mark.hardware
def test_what_is_written_is_what_kernels_read(lib, fake):
    lib.counter = 7
    lib.table = [[1, 2, 3], [4, 5, 6]]
    lib.ns.params = lib.Params(2.5, 2)
    lib.vector = (1, 2, 3, 4)
    lib.many = [(0, 1), (0, 9)]
    lib.small = 0.5
    lib.flag = True
    assert launched(lib, fake, 1) == [7, 5, 5, 2, 1, 9, 0.5, 1, 2.5, 0]
    lib.ns.params = (4, 3)
    lib.table = np.full((2, 3), 8, np.float32)
    lib.ns.way = lib.Way.back
    assert launched(lib, fake)[:6] == [8, 8, 12, 2, -1, 9]


def test_what_is_read_is_what_kernels_wrote(lib, fake):
    assert (lib.counter, lib.ns.way, lib.flag) == (5, lib.Way.on, False)
    launched(lib, fake)
    assert (lib.counter, lib.ns.way, lib.flag) == (6, lib.Way.back, True)
    assert type(lib.counter) is int
    assert lib.fixed.tolist() == [1.5, 2.5]


@pytest.mark.hardware
def test_what_is_read_is_a_copy_that_cannot_be_written(lib, fake):
    lib.ns.params, lib.many, lib.vector = (1, 2), [(3, 4), (5, 6)], (1, 2, 3, 4)
    assert (lib.ns.params, lib.many) == ((1.0, 2), ((3.0, 4), (5.0, 6)))
    assert lib.vector == sb.float32x4(1, 2, 3, 4)
    with pytest.raises(ValueError, match="read-only"):
        lib.table[0, 0] = 1
    lib.table = [[1, 2, 3], [4, 5, 6]]
    before = lib.table
    lib.table = np.zeros((2, 3), np.float32)
    assert (before[1].tolist(), lib.table.sum()) == ([4, 5, 6], 0)


@pytest.mark.hardware
def test_addresses_in_variables_keep_their_arrays(lib, fake):
    x, y = fake.array(np.arange(3, dtype=np.float32)), fake.array(np.zeros(3, np.float32))
    lib.memory, lib.view = y, lib.View(x, 3)
    lib.through[1, 1]()
    assert y.array.tolist() == [0, 2, 4]
    assert lib.memory.address == y.array.ctypes.data
    lib.memory = None
    assert not lib.memory


REFUSED = (
    ("counter", 2.5, sb.ArgumentError, "counter: expected int32"),
    ("counter", 2**31, sb.RangeError, "counter: expected int32"),
    ("table", [1, 2, 3], sb.Error, "table"),
    ("memory", np.zeros(3, np.float32), sb.ArrayError, "memory: .*in CUDA device memory.*from_host"),
    ("view", (np.zeros(3, np.float32), 3), sb.ArrayError, r"view: data: .*in host memory"),
    ("fixed", [1, 2], AttributeError, "'fixed' is const in C\\+\\+"),
    ("count", 1, AttributeError, "has no variable 'count'.*'counter'"),
)


@pytest.mark.parametrize("row", range(len(REFUSED)))
def test_what_does_not_fit_is_refused(row, lib, fake):
    name, value, kind, words = REFUSED[row]
    with pytest.raises(kind, match=f"(?s){words}"):
        setattr(lib, name, value)
    assert lib.counter == 5


def test_what_is_left_out_says_why(lib):
    reasons = {s.name: s.reason for s in lib.__skipped__}
    assert "a kernel takes its address" in reasons["shared"]
    assert "the address of a function" in reasons["calls"]
    for name in ("own", "nameless"):
        assert "no such name in its compiled code" in reasons[name]
    with pytest.raises(AttributeError, match="no kernel uses it, it is only declared, static"):
        lib.own  # noqa: B018


def test_sizes_are_compared(lib, fake, monkeypatch):
    fake.sizes["counter"] = 8
    for access in (lambda: lib.counter, lambda: setattr(lib, "counter", 1)):
        with pytest.raises(sb.LayoutError, match="counter has 4 bytes, and in its compiled code 8"):
            access()
    found = variable_sizes(Path(lib.__file__).read_bytes())
    assert (found["counter"], found["table"], found["vector"], found["view"]) == (4, 24, 16, 16)
    monkeypatch.setattr(opening, "variable_sizes", lambda data: variable_sizes(data) | {"counter": 2})
    with pytest.raises(sb.LayoutError, match="counter has 4 bytes, and in its compiled code 2"):
        sb.compile(SOURCE, dialect="cuda", name="variables_again")


def test_an_architecture_needs_no_driver_until_they_are_asked(monkeypatch):
    from samebytes.toolchain.cuda import DRIVER_VARIABLE

    monkeypatch.setenv(DRIVER_VARIABLE, "/nowhere/libcuda.so.1")
    lib = sb.compile("__device__ int n; __global__ void k() { n = 1; }", dialect="cuda", arch="sm_90")
    assert "n" in dir(lib)
    with pytest.raises(sb.MissingDependency, match="is not there"):
        lib.n  # noqa: B018


def test_code_of_others_has_variables_too(fake, tmp_path):
    source = "__device__ int n = 4; __global__ void k() { n += 1; }"
    made = sb.compile(source, dialect="cuda", name="made")
    (tmp_path / "k.hpp").write_text("extern __device__ int n; __global__ void k();")
    for suffix in (".cubin", ".ptx"):
        fake.variables.clear()
        code = tmp_path / f"k{suffix}"
        code.write_bytes(Path(made.__file__).with_suffix(suffix).read_bytes())
        lib = fake.runs(
            Path(made.__file__).with_suffix(".ptx").read_text(), sb.load(code, tmp_path / "k.hpp")
        )
        lib.k[1, 1]()
        assert lib.n == 5
        lib.n = 9
        lib.k[1, 1]()
        assert lib.n == 10
