"""Bound functions in code that Numba compiles for the CPU: one C++ source, called from Python and from @njit."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import seed
from on_cpu import library, refused, run

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit

pytestmark = pytest.mark.full

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def lib() -> Any:
    return library()


class TestNumbers:
    @pytest.mark.parametrize("name", ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"])
    def test_integers_keep_their_value_at_both_ends(self, lib: Any, name: str) -> None:
        dtype = np.dtype({"i": "int", "u": "uint"}[name[0]] + name[1:])
        info = np.iinfo(dtype)
        for value in (info.min, info.max, 0, 1):
            assert run(lib, f"lib.{name}(a)", dtype.type(value)) == value
            assert run(lib, f"lib.{name}({value})") == value

    @pytest.mark.parametrize(
        ("name", "value"), [("i8", 128), ("u8", -1), ("i32", 2**31), ("u32", -1), ("u64", -1)]
    )
    def test_an_integer_that_does_not_fit_is_an_error(self, lib: Any, name: str, value: int) -> None:
        with pytest.raises(OverflowError, match=rf"{name}\(\) argument 1 'v': expected u?int"):
            run(lib, f"lib.{name}(a)", value)
        assert f"{name}() argument 1 'v': expected" in refused(lib, f"lib.{name}({value})")

    def test_floats(self, lib: Any) -> None:
        assert run(lib, "lib.f32(a)", 0.1) == np.float32(0.1)
        assert run(lib, "lib.f64(a)", np.float32(0.1)) == np.float32(0.1)
        assert run(lib, "lib.f64(a)", 3) == 3.0
        assert np.isnan(run(lib, "lib.f32(a)", np.nan))
        assert run(lib, "lib.f32(a)", np.inf) == np.inf
        with pytest.raises(OverflowError, match="finite number"):
            run(lib, "lib.f32(a)", 1e300)
        with pytest.raises(OverflowError, match="exactly"):
            run(lib, "lib.f64(a)", 2**53 + 1)
        with pytest.raises(OverflowError, match="exactly"):
            run(lib, "lib.f64(a)", 2**63 - 1)
        assert run(lib, "lib.f64(a)", -(2**63)) == -(2.0**63)
        assert "no exact value" in refused(lib, "lib.f32(16777217)")

    def test_bools_and_complex_numbers(self, lib: Any) -> None:
        assert run(lib, "lib.flip(a), lib.flip(False)", True) == (False, True)
        assert run(lib, "lib.c64(a)", np.complex64(1 + 2j)) == 1 + 2j
        assert run(lib, "lib.c128(a)", 1.5 - 2j) == 3 - 4j
        assert run(lib, "lib.c128(a)", 1.5) == 3
        assert "int(x) makes a number" in refused(lib, "lib.i32(a)", True)
        assert "x != 0 makes a bool" in refused(lib, "lib.flip(a)", 1)
        assert "int(x) truncates" in refused(lib, "lib.i32(a)", 1.0)

    def test_references(self, lib: Any) -> None:
        assert run(lib, "lib.ref(a), lib.rvalue(a), lib.discarded(a)", 2.5) == (2.5, 2.5, 3.5)
        assert run(lib, "lib.chr(a)", np.int8(-7)) == -7

    def test_enumerations_have_their_real_type(self, lib: Any) -> None:
        assert run(lib, "lib.back()") is lib.Col.red
        assert run(lib, "lib.col(lib.Col.blue)") is lib.Col.blue
        assert run(lib, "lib.col(a) == lib.Col.green", lib.Col.green)
        assert run(lib, "lib.plain(lib.many)") == 7
        assert run(lib, "lib.col(a)", 2) is lib.col(2)
        assert "Pass a member of Col" in refused(lib, "lib.col(a)", 2.0)
        assert run(lib, "lib.LIMIT + 1") == 13

    def test_defaults_and_keywords(self, lib: Any) -> None:
        assert run(lib, "lib.with_default(a), lib.with_default(a, 1), lib.with_default(a, 1, 2.0)", 1.0) == (
            4.5,
            2.5,
            4,
        )
        assert run(lib, "lib.with_default(b=10, a=a)", 1.0) == 11.5
        words = refused(lib, "lib.with_default(a, q=3)", 1.0)
        assert "no parameter 'q'" in words
        assert "with_default(a: float64, b: int32 = 3" in refused(lib, "lib.with_default()")

    def test_overloads(self, lib: Any) -> None:
        assert run(lib, "lib.over(1), lib.over(a)", 1.5) == (1, 2)
        assert run(lib, "lib.over(a, 3)", np.zeros(3, np.float32)) == 3
        assert run(lib, "lib.over(a, a)", np.int64(3)) == 4
        assert "no overload that fits" in refused(lib, "lib.over(a)", "text")


class TestArrays:
    def test_an_array_is_an_address(self, lib: Any) -> None:
        array = np.zeros(5, np.float32)
        assert run(lib, "lib.fill(a, a.size)", array) is None
        assert array.tolist() == [0, 1, 2, 3, 4]
        assert run(lib, "lib.total(a, a.size)", array) == 10
        assert run(lib, "lib.is_null(None), lib.is_null(a)", array) == (True, False)
        assert run(lib, "lib.length('héllo')") == 6
        assert run(lib, "lib.deref(lib.same(b))", 0.0, np.array([2.5])) == 2.5

    def test_wrong_arrays_are_refused(self, lib: Any) -> None:
        assert "expected float32[n] (pointer[float32]), got float64" in refused(
            lib, "lib.fill(a, 1)", np.zeros(3)
        )
        strided = np.zeros(6, np.float32)[::2]
        with pytest.raises(
            sb.ArrayError, match="a copy would lose what C\\+\\+ writes: pass a contiguous array"
        ):
            run(lib, "lib.fill(a, 1)", strided)
        frozen = np.zeros(3, np.float32)
        frozen.flags.writeable = False
        assert "read-only" in refused(lib, "lib.fill(a, 1)", frozen)
        assert run(lib, "lib.total(a, 3)", frozen) == 0
        assert "known when compiling" in refused(lib, "lib.length(a)", "text")

    def test_shapes_and_strides_cross(self, lib: Any) -> None:
        array = np.arange(24, dtype=np.float32).reshape(4, 6)
        for shown in (array, array[::2, 1:4], array.T, array[::-1]):
            assert run(lib, "lib.strided(a)", shown) == float(shown.sum())
        assert "float32[n, m]" in refused(lib, "lib.strided(a)", array[0])

    @pytest.mark.parametrize(
        ("shape", "strides"),
        [((4,), (0,)), ((4,), (2,)), ((3, 4), (8, 4)), ((3, 4), (0, 4)), ((2, 2), (4, 4)), ((2, 3), (16, 0))],
    )
    def test_elements_that_overlap_are_not_written_to(self, lib: Any, shape: Any, strides: Any) -> None:
        x = np.lib.stride_tricks.as_strided(np.zeros(64, "f"), shape, strides)
        name = "fill_any" if len(shape) == 1 else "fill_grid"
        with pytest.raises(ValueError, match=r"overlap|no multiples of an element"):
            run(lib, f"lib.{name}(a)", x)

    def test_elements_that_lie_apart_are_written_to(self, lib: Any) -> None:
        x = np.zeros((6, 8), "f")
        for grid in (
            x,
            x.T,
            x[::2, ::3],
            x[::-1, 1:3],
            x[:0, ::2],
            x[:1],
            np.broadcast_to(x, (6, 8)),
            x[:, :1].T,
        ):
            if grid.flags.writeable:
                assert run(lib, "lib.fill_grid(a)", grid) == grid.size
        for row in (x[0], x[:, 1], x[0, ::-2], np.lib.stride_tricks.as_strided(x, (1,), (0,))):
            run(lib, "lib.fill_any(a)", row)
            assert (row == 7).all()
        assert (
            run(lib, "lib.strided(a)", np.lib.stride_tricks.as_strided(np.ones(2, "f"), (3, 2), (0, 4)))
            is not None
        )

    def test_no_python_code_runs_between_arrays_that_are_unboxed(self, lib: Any) -> None:
        class Named(np.ndarray):
            def __getattribute__(self, name: str) -> Any:
                x.resize(4, refcheck=False)
                return super().__getattribute__(name)

        class Asks:
            @property
            def __array_interface__(self) -> Any:
                x.resize(4, refcheck=False)
                return np.ones(1, "f").__array_interface__

        for later in (np.ones(1, "f").view(Named), Asks()):
            x = np.ones(1000, "f")
            found: Any = 4.0
            with contextlib.suppress(numba.core.errors.TypingError):
                found = run(lib, "lib.sum_and(a, b)", x, later)
            assert found in (4.0, 1000.0)


class TestVectors:
    def test_vectors_cross(self, lib: Any) -> None:
        assert run(lib, "lib.twice(a)", sb.float32x4(1, 2, 3, 4)) == sb.float32x4(2, 4, 6, 8)
        assert run(lib, "lib.three(sb.int16x3(1, -2, 3))") == sb.int16x3(1, -2, 3)
        assert run(lib, "lib.twice(sb.float32x4(a, 2, 3, 4)).w, len(b)", 1.0, sb.int32x2(1, 2)) == (8, 2)

    def test_arithmetic_is_the_host_s(self, lib: Any) -> None:
        one, two = sb.float32x3(1, 2, 3), sb.float32x3(4, 5, 0.5)
        for text in ("a + b", "a - b", "a * b", "a / b", "-a", "a * 2.0", "3 - a", "a // b", "a % b"):
            assert run(lib, text, one, two) == eval(text, {"a": one, "b": two}), text
        assert np.allclose(run(lib, "a ** b", one, two), one**two)
        ints = sb.int32x2(7, -9), sb.int32x2(2, 4)
        for text in ("a + b", "a // b", "a % b", "a & b", "a | b", "a ^ b", "~a", "a << 2", "a / b"):
            assert run(lib, text, *ints) == eval(text, {"a": ints[0], "b": ints[1]}), text
        with pytest.raises(IndexError):
            run(lib, "a[b]", one, 3)
        assert "float32x4(x, y, z, w)" in refused(lib, "sb.float32x4(1, 2)")


class TestExceptions:
    KINDS = (
        (0, ValueError, "invalid é €"), (1, IndexError, "range"), (2, MemoryError, "alloc"), (3, OverflowError, "over"),
        (4, RuntimeError, "run"), (5, RuntimeError, "not a std::exception"),
        (6, FileNotFoundError, r"\[Errno 2\] opening: "), (7, RuntimeError, "no system's"),
    )  # fmt: skip

    @pytest.mark.parametrize(("kind", "error", "text"), KINDS)
    def test_they_become_python_s(self, lib: Any, kind: int, error: type[Exception], text: str) -> None:
        with pytest.raises(error, match=text):
            run(lib, "lib.thrown(a)", kind)
        assert run(lib, "lib.thrown(a)", 9) == 9

    def test_they_are_caught_in_compiled_code(self, lib: Any) -> None:
        @njit
        def careful(k: int) -> float:
            try:
                return lib.thrown_point(k).x
            except Exception:
                return -1.0

        assert (careful(-1), careful(3)) == (-1, 3)


class TestIntents:
    def test_outputs_are_packed(self, lib: Any) -> None:
        assert run(lib, "lib.frexp_like(a)", 16.0) == (2.0, 3, 0.25)
        assert run(lib, "lib.only_out()") == 4.5
        count, point = run(lib, "lib.two_out()")
        assert (count, point.x, point.y) == (1, 2, 3)
        array = np.array([2.0, 3.0])
        run(lib, "lib.in_place(a)", array)
        assert array.tolist() == [4, 3]
        assert run(lib, "lib.none()") is None

    def test_a_place_is_needed(self, lib: Any) -> None:
        assert "geo::Point (inout_ptr)" in refused(lib, "lib.geo.shift(a, 1.0)", 2.0)

    def test_the_documented_example(self) -> None:
        lib = sb.bind(HERE / "stats.hpp", target="numba", arg_intent=seed.INTENTS)
        record, vector = sb.numba_type(lib.RunningStats), sb.numba_type(sb.float32x4)
        for name in seed.INTENTS:
            expected = seed.signature(seed.SIGNATURES[name], record, vector)
            assert sb.numba_signatures(getattr(lib, name)) == (expected,)
        with pytest.warns(sb.BindWarning, match="discarded"):
            plain = sb.bind(HERE / "stats.hpp", target="numba")
        without = seed.signature(seed.SIGNATURES["without"], sb.numba_type(plain.RunningStats), vector)
        assert sb.numba_signatures(plain.stats_update) == (without,)

        @njit
        def use(state: Any, xs: Any, mean: Any) -> Any:
            for i in range(xs.size):
                lib.stats_update(state, xs[i])
            lib.stats_get_mean(state, mean)
            grew, score = lib.stats_update_and_get_zscore(state, 5.0)
            return grew, score, lib.stats_get_matrix_3x4(), lib.stats_get_vectors()[2].z

        state, mean = lib.RunningStats(), np.zeros(1, np.float32)
        grew, score, matrix, z = use(state, np.arange(4, dtype=np.float32), mean)
        assert (grew, score, z) == (True, np.float32(5 - 11 / 5), 2.5)
        assert matrix == tuple(10.0 * row + col for row in range(3) for col in range(4))
        assert (state.count, state.sum, state.sum_sq, mean[0]) == (5, 11, 39, 1.5)
        # The same objects serve a plain call.
        lib.stats_update(state, 1.0)
        assert state.count == 6

    def test_signatures_need_a_target(self) -> None:
        host = sb.compile("inline int f(int x) { return x; }")
        with pytest.raises(sb.BindError, match="target='numba'"):
            sb.numba_signatures(host.f)


def test_an_unknown_target_is_named() -> None:
    with pytest.raises(sb.BindError, match="Did you mean 'numba'"):
        sb.compile("int f();", target="numbaa")


def test_macros_of_the_header_mean_nothing_in_the_shims():
    names = [*"Tacens", "value", "code", "message", "length", "failure", "bare", "type", "reserved"]
    text = "".join(f"#define {name} 1\n" for name in names)
    body = '{ if (x < 0) throw std::out_of_range("é"); return x + T; }'
    lib = sb.compile(f"#include <stdexcept>\n{text}int f(int x) {body}", target="numba")
    call = njit(lambda x: lib.f(x))
    assert call(2) == 3
    with pytest.raises(IndexError, match="é"):
        call(-1)
