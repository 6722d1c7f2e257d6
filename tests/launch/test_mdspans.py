"""Kernels that take cuda::std::mdspan by value: each layout, index and number of free extents, run by their PTX."""

import itertools

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

FREE = "cuda::std::dynamic_extent"
INDICES = ("int", "unsigned", "long long", "unsigned long", "short", "unsigned char")
EXTENTS = ((), (None,), (None, None), (2, None), (None, 3), (2, 3), (None, None, None), (None, 3, None))
LAYOUTS = ("right", "left", "stride")
SHAPE = (2, 3, 2)


def spelled(index, extents, layout, element="float"):
    numbers = "".join(f", {FREE if n is None else n}" for n in extents)
    return f"cuda::std::mdspan<{element}, cuda::std::extents<{index}{numbers}>, cuda::std::layout_{layout}>"


ROWS = [
    (index, extents, layout)
    for i, (layout, extents) in enumerate(itertools.product(LAYOUTS, EXTENTS))
    for index in {INDICES[i % 6], INDICES[(i + 1) % 6]}
]
LETTERS = "ijk"


def kernel(number, row):
    index, extents, layout = row
    at = ", ".join(LETTERS[: len(extents)])
    loops = "".join(
        f"for (int {v} = 0; {v} < x.extent({d}); ++{v}) " for d, v in enumerate(LETTERS[: len(extents)])
    )
    return (
        f"__global__ void k{number}(char c, {spelled(index, extents, layout, 'const float')} x, float* out) "
        f"{{ {loops}*out++ = x({at}) + c; }}"
    )


@pytest.fixture
def lib(fake):
    source = "#include <cuda/std/mdspan>\n" + "\n".join(kernel(n, row) for n, row in enumerate(ROWS))
    return fake.knows(sb.compile(source, dialect="cuda", name="mdspans"))


@pytest.mark.hardware
@pytest.mark.parametrize("number", range(len(ROWS)))
def test_the_kernel_reads_the_array(number, lib, fake):
    _, extents, layout = ROWS[number]
    shape = SHAPE[: len(extents)]
    values = np.arange(1, 1 + int(np.prod(shape, dtype=int)), dtype=np.float32).reshape(shape)
    whole = fake.array(np.zeros([n + 1 for n in shape[:-1]] + [2 * n for n in shape[-1:]], np.float32)).array
    turned = fake.array(np.ascontiguousarray(values.T)).array
    x = fake.array(values)
    if layout == "left" and shape:
        x = type(x)(turned.T)
    elif layout == "stride" and shape:
        part = whole[(*(slice(0, n) for n in shape[:-1]), slice(0, None, 2))]
        part[...] = values
        x = type(x)(part)
    out = fake.array(np.zeros(values.size, np.float32))
    getattr(lib, f"k{number}")[1, 1](1, x, out)
    assert out.array.tolist() == (values.ravel() + 1).tolist()


SOURCE = f"""
#include <cuda/std/mdspan>
__global__ void narrow({spelled("unsigned char", (None, None), "right")} x) {{}}
__global__ void fixed({spelled("int", (2, None), "right")} x) {{}}
__global__ void left({spelled("int", (None, None), "left")} x) {{}}
__global__ void stride({spelled("short", (None,), "stride")} x) {{}}
__global__ void by_reference(const {spelled("int", (None,), "right")}& x) {{}}
struct Other {{
  using offset_policy = Other; using element_type = float; using reference = float&; using data_handle_type = float*;
  __device__ reference access(float* p, size_t i) const {{ return p[i]; }}
  __device__ float* offset(float* p, size_t i) const {{ return p + i; }}
}};
__global__ void other(cuda::std::mdspan<float, cuda::std::dims<1>, cuda::std::layout_right, Other> x) {{}}
"""


@pytest.fixture
def small(fake):
    return fake.knows(sb.compile(SOURCE, dialect="cuda", name="small"))


REFUSED = (
    (
        "narrow",
        lambda fake: fake.array(np.zeros((16, 16), "f4")),
        "too many for uint8, by which the mdspan counts",
    ),
    ("narrow", lambda fake: fake.array(np.zeros((300, 0), "f4")), "too many for uint8"),
    ("narrow", lambda fake: np.zeros((2, 2), "f4"), "in host memory.*from_host"),
    (
        "narrow",
        lambda fake: fake.array(np.zeros((2, 2))),
        "the elements must be float32|makes a converted copy",
    ),
    ("narrow", lambda fake: fake.array(np.zeros(2, "f4")), "an array of 2 dimensions"),
    ("fixed", lambda fake: fake.array(np.zeros((3, 2), "f4")), r"the shape must be \[2, m\]"),
    ("left", lambda fake: fake.array(np.zeros((2, 3), "f4")), "not contiguous in Fortran order"),
    ("stride", lambda fake: type(fake.array([1]))(np.zeros(40000, "f4")[::8]), "too many for int16"),
    ("stride", lambda fake: type(fake.array([1]))(np.zeros(4, "f4")[::-1]), "strides are not all positive"),
)


@pytest.mark.hardware
@pytest.mark.parametrize("row", range(len(REFUSED)))
def test_what_the_class_cannot_show_is_refused(row, small, fake):
    name, array, words = REFUSED[row]
    with pytest.raises(
        sb.ArrayError, match=f"(?s)argument 1 'x': expected float32.*in CUDA device memory.*{words}"
    ):
        getattr(small, name)[1, 1](array(fake))
    assert not fake.launches


@pytest.mark.hardware
def test_what_fits_is_taken(small, fake):
    small.narrow[1, 1](fake.array(np.zeros((15, 17), "f4")))
    small.fixed[1, 1](fake.array(np.zeros((2, 2), "f4")))
    small.stride[1, 1](fake.array(np.zeros(32767, "f4")))
    assert [len(said.data[0]) for said in fake.launches] == [16, 16, 16]


SPANS = """
#include <cuda/std/span>
__global__ void total(char c, cuda::std::span<const float> x, char d, float* out) {
  out[0] = c + d;
  for (size_t i = 0; i < x.size(); ++i) out[0] += x[i];
}
__global__ void second(cuda::std::span<float, 3> x) { x[1] = x.size(); }
"""


@pytest.mark.hardware
def test_spans_are_arrays_of_one_dimension(fake):
    lib = fake.knows(sb.compile(SPANS, dialect="cuda", name="spans"))
    x, out = fake.array(np.arange(4, dtype="f4")), fake.array(np.zeros(1, "f4"))
    lib.total[1, 1](b"\1", x, b"\2", out)
    assert out.array[0] == 9
    three = fake.array(np.zeros(3, "f4"))
    lib.second[1, 1](three)
    assert three.array.tolist() == [0, 3, 0]
    count = len(fake.launches)
    for given, words in (
        (x, r"the shape must be \[3\]"),
        (fake.array(np.zeros((3, 1), "f4")), "1 dimension"),
        (fake.array(np.zeros(3)), "the elements must be float32"),
        (np.zeros(3, "f4"), "in host memory"),
        (fake.array(np.zeros(3, "f4"), readonly=True), "may write"),
        (type(x)(np.zeros(6, "f4")[::2]), "contiguous"),
    ):
        with pytest.raises(sb.ArrayError, match=f"second.*argument 1 'x'.*{words}"):
            lib.second[1, 1](given)
    assert len(fake.launches) == count


def test_where_its_numbers_lie_is_proven_by_the_compiler(monkeypatch):
    from samebytes.types import Span

    image = Span.image.fget

    def turned(self):
        found = image(self)
        return type(found)(found.name, (found.fields[0], *found.fields[:0:-1]))

    monkeypatch.setattr(Span, "image", property(turned))
    source = f"#include <cuda/std/mdspan>\n__global__ void k({spelled('int', (None, None), 'stride')} x) {{}}"
    with pytest.raises(sb.CompileError, match="static assertion failed"):
        sb.compile(source, dialect="cuda", arch="sm_80", name="turned")


def test_other_forms_are_left_out(small):
    reasons = {s.name: s.reason for s in small.__skipped__}
    assert {"by_reference", "other"} <= reasons.keys()
    assert "kernels do not take it yet" in reasons["other"]
