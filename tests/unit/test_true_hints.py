"""Hints that are true: what they advise does what is wanted, whatever was wrong."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # several builds


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(
        """
        #include <vector>
        struct P { int x, y; }; struct In { short f0; float f1; }; struct S { signed char a; In b[2]; double c; };
        inline int f(P p) { return p.x; }
        inline int g(const P* p) { return p->x; }  inline int s(const S* p) { return 1; }
        inline double last(const double* p, int n) { return p[n - 1]; }
        inline double d(double x) { return x; }
        inline int bump(P* p, int n) { for (int i = 0; i < n; ++i) ++p[i].x; return p[0].x; }
        struct float2 { float x, y; }; inline float imaginary(float2 z) { return z.y; }
        inline int letter(const char* x, int n) { return x[n - 1]; }
        struct T { std::vector<int> d; virtual ~T() {} int use(const std::vector<int>& v) { return 1; } };
        inline int both(T& t, const std::vector<int>& v) { return 1; }
        """
    )


ALIGNED = "numpy.dtype(..., align=True)"
INNER = [("f0", "i2"), ("f1", "f4")]
# A dtype, the struct that it is not, and what the error says; align=True is said where it helps, and there alone.
DTYPES: list[tuple[str, Any, str, bool]] = [
    ("g", [("x", "f4"), ("y", "i4")], "field x is float32, not int32. P.dtype is the struct's", False),
    ("g", [("y", "i4"), ("x", "i4")], "the fields y, x, and not x, y in this order", False),
    ("g", [("a", "i4"), ("b", "i4")], "the fields a, b, and not x, y. P.dtype", False),
    ("g", [("x", "i4")], "the dtype has 4 bytes, not 8", False),
    ("g", {"names": ["x", "y"], "formats": ["i4", "i4"], "offsets": [0, 8], "itemsize": 16}, "16 bytes, not 8", True),
    ("s", [("a", "i1"), ("b", INNER, (2,)), ("c", "f8")], "the dtype has", True),
    ("s", [("a", "u1"), ("b", INNER, (2,)), ("c", "f8")], "the dtype has", False),
]  # fmt: skip


@each("function, dtype, words, align", DTYPES)
def test_a_structured_dtype_says_what_is_wrong(
    lib: Any, function: str, dtype: Any, words: str, align: bool
) -> None:
    for call, given in ((function, np.zeros(2, dtype)), ("f", np.zeros(2, dtype)[0])):
        if call == "f" and function != "g":
            continue
        with pytest.raises(sb.Error) as caught:
            getattr(lib, call)(given)
        assert words in str(caught.value), caught.value
        assert (ALIGNED in str(caught.value)) == align, caught.value


@each("kind", [bytes, bytearray, memoryview])
def test_raw_bytes_are_told_what_makes_numbers_of_them(lib: Any, kind: Any) -> None:
    raw = kind(np.array([1.5, 2.5]).tobytes())
    with pytest.raises(sb.ArrayError) as caught:
        lib.last(raw, 2)
    assert 'numpy.frombuffer(x, "float64") shows bytes of float64' in str(caught.value)
    assert lib.last(np.frombuffer(raw, "float64"), 2) == 2.5
    assert lib.last(np.frombuffer(raw, "uint8").astype("float64"), 8) == raw[7]


@each("kind", [bytearray, memoryview, lambda b: np.frombuffer(b, np.uint8)])
def test_bytes_for_a_text_are_told_how_they_go_without_a_copy(lib: Any, kind: Any) -> None:
    shown = kind(b"ab")
    with pytest.raises(
        sb.ArgumentError,
        match=r"(x\.to)?bytes\((x)?\) makes text of it, sb.Pointer\(x, readonly=True\) is its memory",
    ):
        lib.letter(shown, 2)
    assert lib.letter(sb.Pointer(shown, readonly=True), 2) == lib.letter(bytes(shown), 2) == ord("b")


def test_a_masked_value_has_none(lib: Any) -> None:
    for masked in (np.ma.masked, np.ma.array(5.0, mask=True)):
        with pytest.raises(sb.Error, match=r"It is masked, and has no value: x.filled\(v\).item\(\) is v"):
            lib.d(masked)
        assert lib.d(masked.filled(3.0).item()) == 3


class Ending:
    """An array whose reading ends an object."""

    def __init__(self, ended: Any) -> None:
        self.ended = ended

    @property
    def __array_interface__(self) -> Any:
        if self.ended is not None:
            sb.delete(self.ended)
        self.ended = None
        return np.ones(3, np.int32).__array_interface__


@each("way", ["member", "method", "argument"])
def test_an_object_that_ends_while_arguments_are_read_is_gone(lib: Any, way: str) -> None:
    t = lib.T()
    call = {
        "member": lambda: setattr(t, "d", Ending(t)), "method": lambda: t.use(Ending(t)),
        "argument": lambda: lib.both(t, Ending(t)),
    }[way]  # fmt: skip
    with pytest.raises(sb.IntentError, match="It is gone"):
        call()


@each("encoding, suffix", [(e, s) for e in ("utf-16", "utf-32", "utf-16-le") for s in (".hpp", ".h")])
def test_a_header_that_is_no_utf8_is_an_error_of_ours(tmp_path: Path, encoding: str, suffix: str) -> None:
    header = tmp_path / f"text{suffix}"
    header.write_bytes("inline int f() { return 1; }".encode(encoding))
    with pytest.raises(sb.Error, match="text"):
        sb.bind(header)


def test_an_overload_that_hides_a_parameter_is_named() -> None:
    source = "inline void ov(double a, double &r) { r = a; }\ninline void ov(double a) {}"
    with pytest.raises(
        sb.IntentError, match=r"arg_intent=\{'ov\(double, double &\)': \{'r': 'inout_ptr'\}\}"
    ):
        sb.compile(source, arg_intent={"ov": {"r": "out_return"}})
    sb.compile(source, arg_intent={"ov": {"r": "out_return"}, "ov(double, double &)": {"r": "inout_ptr"}})


@each("value", [memoryview(bytearray(4)), bytearray(4)])
def test_a_buffer_is_an_array_of_its_elements(value: Any) -> None:
    address, extent, stride = np.frombuffer(sb.pack(value), np.uint64)
    assert (address, extent, stride) == (np.asarray(value).ctypes.data, 4, 1)


@each("value", [{1: 2}, [1]])
def test_what_has_no_representation_is_told_so(value: Any) -> None:
    with pytest.raises(TypeError, match="has no machine representation"):
        sb.pack(value)


def test_an_enumerator_by_reference_is_overridden() -> None:
    lib = sb.compile(
        """
        #include <cstddef>
        enum class Mode { off, on }; namespace n { enum Old { first, second }; }
        struct Base { virtual ~Base() {}
          virtual const Mode& mode() { static Mode m; return m; } int seen() { return int(mode()); }
          virtual const n::Old& old() const { static n::Old m; return m; } int old_seen() { return int(old()); }
          virtual const std::byte& byte() { static std::byte b; return b; } int byte_seen() { return int(byte()); } };
        """
    )
    space = {"mode": lambda self: lib.Mode.on, "old": lambda self: lib.n.Old.second, "byte": lambda self: 7}
    made = type("Mine", (lib.Base,), space)()
    assert (made.seen(), made.old_seen(), made.byte_seen()) == (1, 1, 7)


class Structured:
    """As an array of structs of Warp's."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_: Any) -> Any:
        raise RuntimeError("cannot be exported")

    def numpy(self) -> Any:
        return np.array([(4, 5)], [("x", "i4"), ("y", "i4")])


def test_other_numbers_for_a_struct(lib: Any) -> None:
    for z in (1 + 2j, np.complex64(1 + 2j)):
        with pytest.raises(sb.ArgumentError, match=r"\(x\.real, x\.imag\) is one of its fields"):
            lib.imaginary(z)
        assert lib.imaginary((float(z.real), float(z.imag))) == 2
    with pytest.raises(sb.ArgumentError, match="a tuple of its fields serves, too"):
        lib.imaginary(np.zeros(2, "f4"))
    with pytest.raises(sb.ProtocolError, match=r"cannot be exported; x\.numpy\(\) may show it"):
        lib.g(Structured())
    assert lib.g(Structured().numpy()) == 4


def test_memory_for_several_structs(lib: Any) -> None:
    with pytest.raises(
        sb.ArgumentError, match=r"sb\.Pointer\(bytearray\(1 \* P\.c_sizeof\(\)\)\) is memory for that"
    ):
        lib.bump([lib.P(1, 2)], 1)
    assert lib.bump(sb.Pointer(bytearray(1 * lib.P.c_sizeof())), 1) == 1


@each(
    "memory, advice, text",
    [
        (ctypes.create_string_buffer(b"ab"), r"x\.value makes text", lambda x: x.value),
        ((ctypes.c_byte * 3)(97, 98, 0), r"bytes\(x\)\.partition", lambda x: bytes(x).partition(b"\0")[0]),
        (
            np.array([97, 98, 0], "u1"),
            r"x\.tobytes\(\)\.partition",
            lambda x: x.tobytes().partition(b"\0")[0],
        ),
        (memoryview(b"ab"), r"x\.tobytes\(\) makes text", lambda x: x.tobytes()),
        (bytearray(b"ab"), r"bytes\(x\) makes text", bytes),
    ],
)
def test_text_in_memory(lib: Any, memory: Any, advice: str, text: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=advice):
        lib.letter(memory, 2)
    assert lib.letter(text(memory), 2) == ord("b")


def test_a_number_in_an_array_is_no_number_of_bytes(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="tobytes"):
        lib.letter(np.array(1 << 40), 2)
