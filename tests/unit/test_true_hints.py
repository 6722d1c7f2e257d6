"""Hints that are true: what they advise does what is wanted, whatever was wrong."""

from __future__ import annotations

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
        sb.ArgumentError, match=r"bytes\(x\) makes text of it, sb.Pointer\(x, readonly=True\) is its memory"
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


@each("value", [memoryview(bytearray(4)), bytearray(4), {1: 2}, [1]])
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
