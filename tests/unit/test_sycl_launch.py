"""Kernels of SYCL without SYCL: what is refused, how a launch is checked, and what SPIR-V says of parameters."""

from __future__ import annotations

import struct

import pytest

import samebytes as sb
from samebytes.launch.checking import check_sycl_kernel
from samebytes.launch.sycl import SyclLimits
from samebytes.launch.sycl_configuration import configuration
from samebytes.model.signature import Parameter, Signature
from samebytes.toolchain import spirv, sycl
from samebytes.types import SCALARS, VOID, Pointer

OPTIONS = (
    ({"arch": "sm_90"}, "arch= is not for dialect='sycl': kernels of SYCL are SPIR-V"),
    ({"nogil": True}, "nogil= is not for dialect='sycl': each launch releases the GIL"),
    ({"language": "c"}, "language='c' is not for dialect='sycl': kernels are C\\+\\+"),
    ({"libraries": ["m"]}, "libraries= is not for dialect='sycl'"),
    ({"arg_intent": {"k": {"p": "out_ptr"}}}, "arg_intent= is not for dialect='sycl'"),
    ({"flags": ["-std=c++20"]}, "flags=.* is not for dialect='sycl': std='c\\+\\+20' says it"),
    ({"flags": ["-fsycl-targets=spir64"]}, "flags=.* kept as SPIR-V"),
    ({"flags": ["-lm"]}, "flags=.* linked with nothing"),
    ({"target": "numba"}, "target='numba' is not for dialect='sycl'"),
)


@pytest.mark.parametrize("row", range(len(OPTIONS)))
def test_options_that_kernels_do_not_heed_are_refused(row):
    given, words = OPTIONS[row]
    with pytest.raises(sb.Error, match=words):
        sb.compile("void k(int* p);", dialect="sycl", **given)


def test_without_the_compiler_it_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(sycl, "_prefixes", list)
    sycl.sycl_headers.cache_clear()
    try:
        with pytest.raises(sb.MissingDependency, match=r"pip install 'samebytes\[sycl\]'"):
            sb.compile("void k(int* p);", dialect="sycl")
    finally:
        sycl.sycl_headers.cache_clear()


def instruction(opcode, *operands):
    return [(len(operands) + 1) << 16 | opcode, *operands]


def text(name):
    data = name.encode() + b"\0" * (4 - len(name) % 4)
    return struct.unpack(f"<{len(data) // 4}I", data)


POINTEE, NUMBER, STRUCT, VECTOR, GLOBAL, LOCAL, BY_VALUE, ARRAY, CHAR = 20, 21, 22, 23, 24, 25, 26, 27, 28


def module(*extra, parameters=(NUMBER, GLOBAL, LOCAL, BY_VALUE, VECTOR)):
    """A kernel ``ns::k``: a float, an address, memory of a work-group, a struct and a vector of three by value."""
    words = [0x07230203, 0x10400, 0, 100, 0]
    words += instruction(15, 6, 50, *text("_ZN16__sycl_kernel_ns1kEv"))
    words += instruction(71, 63, 38, 2)  # the struct is the fourth parameter
    for extra_instruction in extra:
        words += extra_instruction
    words += instruction(21, 1, 32, 0) + instruction(43, 1, 2, 3) + instruction(21, CHAR, 8, 0)
    words += instruction(22, NUMBER, 32) + instruction(22, 3, 64)
    words += instruction(23, VECTOR, NUMBER, 3) + instruction(28, ARRAY, CHAR, 2)
    words += instruction(30, STRUCT, ARRAY, 3, NUMBER)
    words += instruction(32, GLOBAL, 5, NUMBER) + instruction(32, LOCAL, 4, NUMBER)
    words += instruction(32, BY_VALUE, 7, STRUCT)
    words += instruction(54, 99, 50, 0, 98)
    for number, type_ in enumerate(parameters):
        words += instruction(55, type_, 60 + number)
    return struct.pack(f"<{len(words)}I", *words)


def test_spirv_says_the_sizes_and_kinds_of_parameters():
    value, address, local = spirv.Parameter(4), spirv.Parameter(8, "pointer"), spirv.Parameter(8, "local")
    wanted = (value, address, local, spirv.Parameter(24), spirv.Parameter(16))
    assert spirv.kernels(module()) == {"_ZN16__sycl_kernel_ns1kEv": wanted}
    packed = spirv.kernels(module(instruction(71, STRUCT, 10)))
    assert packed["_ZN16__sycl_kernel_ns1kEv"][3] == spirv.Parameter(3 + 8 + 4)
    assert spirv.symbol("_ZN16__sycl_kernel_ns1kEv") == "_ZN2ns1kEv"
    assert spirv.symbol("__sycl_kernel_axpy") == "axpy"


def test_spirv_says_what_it_calls_elsewhere():
    linked = instruction(71, 70, 41, *text("elsewhere"), 1), instruction(71, 71, 41, *text("here"), 0)
    builtin = instruction(71, 72, 41, *text("__spirv_BuiltInGlobalSize"), 1), instruction(71, 72, 11, 31)
    assert spirv.missing(module(*linked, *builtin)) == ["elsewhere"]


def test_damaged_spirv_is_an_error():
    for damaged in (b"", b"\x7fELF", module()[4:]):
        with pytest.raises(sb.BindError, match="no SPIR-V"):
            spirv.kernels(damaged)
    for damaged in (module()[:-4], module(instruction(15, 6, 51, *text("unknown")))):
        with pytest.raises(sb.BindError, match="damaged"):
            spirv.kernels(damaged)
    assert spirv.unpacked(spirv.packed([module(), b"xyz"])) == (module(), b"xyz")
    assert spirv.unpacked(module()) == (module(),)
    with pytest.raises(sb.BindError):
        spirv.unpacked(b"other")


FLOAT = SCALARS["float32"]
PARAMETERS = (
    Parameter("a", FLOAT, "float"),
    Parameter("p", Pointer(FLOAT), "float *"),
    Parameter("l", Pointer(FLOAT, memory="local"), "sycl::_V1::local_accessor<float, 1>"),
    Parameter("m", Pointer(FLOAT, memory="local"), "work_group_memory<float[]>"),
)
FOUND = (
    spirv.Parameter(4), spirv.Parameter(8, "pointer"), spirv.Parameter(8, "local"), *[spirv.Parameter(8)] * 3,
    spirv.Parameter(8, "local"),
)  # fmt: skip
KERNEL = Signature("k", "ns::k", PARAMETERS, VOID, "void", dimensions=2)


def test_a_kernel_is_compared_with_its_code():
    check_sycl_kernel(KERNEL, FOUND)
    with pytest.raises(
        sb.LayoutError, match=r"ns::k\(\) parameter 'a' \(float\) has 4 bytes .* compiled code 8"
    ):
        check_sycl_kernel(KERNEL, (spirv.Parameter(8), *FOUND[1:]))
    with pytest.raises(sb.LayoutError, match=r"'p' .* has 8 bytes of an address, .* 8 bytes by value"):
        check_sycl_kernel(KERNEL, (FOUND[0], spirv.Parameter(8), *FOUND[2:]))
    for count, other in ((6, FOUND[:6]), (8, (*FOUND, spirv.Parameter(4)))):
        with pytest.raises(sb.LayoutError, match=f"has 7 parameters, and its compiled code {count}"):
            check_sycl_kernel(KERNEL, other)


LIMITS = SyclLimits(64, (64, 32, 16), 1024)
WRONG = (
    ((8, 4), r"k\(\) is a kernel of 2 dimensions, and range has 1: 8; k\[\(n, m\), None\] has 2"),
    (((8, 8), 4), "local has 1 dimensions, and range 2"),
    (((8, 9), (4, 4)), r"range\[1\] is 9, which is no multiple of local\[1\], 4"),
    (((64, 64), (64, 1)), r"local\[0\] is 64, and the device takes 32 at most"),
    (((64, 64), (8, 16)), "a work-group has 128 items, and the device takes 64 at most"),
    (((8, 8), (4, 4), 8), "shared says 1 memories of a work-group, and the kernel takes 2: l, m"),
    (((8, 8), (4, 4), (8, 6)), r"shared is 6 bytes for 'm' \(work_group_memory\), whose elements have 4"),
    (((8, 8), (4, 4), (8, 0)), "shared says no bytes for 'm'"),
    (((8, 8), (4, 4), (1024, 4)), "shared is 1028 bytes, and the device takes 1024 at most"),
    (((8, 8), (4, 4), "8"), "shared is bytes, or a tuple of them, got str"),
    (((8, 8), None, (8, 8)), "local=, the items of one, is not said"),
    (((8, True), (4, 4)), "range is an int, or a tuple of up to three"),
    (((2**63, 1), (1, 1)), "range is an int"),
    (((8, 8), (0, 1)), "local is a positive int"),
)


@pytest.mark.parametrize("row", range(len(WRONG)))
def test_launches_are_checked(row):
    given, words = WRONG[row]
    with pytest.raises(sb.Error, match=words):
        configuration(KERNEL, LIMITS, *given)


def test_a_launch_is_what_was_said():
    made = configuration(KERNEL, LIMITS, (8, 8), (4, 4), (8, 12))
    assert (made.range, made.local, made.shared) == ((8, 8), (4, 4), (8, 12))
    assert configuration(KERNEL, LIMITS, (0, 8), (4, 4), (8, 12)).range == (0,)
