"""Plans of the compiled core: arguments into the frame, results out of it, errors, the function as an object."""

from __future__ import annotations

import copyreg
import gc
import inspect
import pickle
import struct
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from native_codecs import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT8,
    INT32,
    INT64,
    TEXT,
    UINT64,
    Refused,
    array,
    candidate,
    function,
    make_class,
    make_pair,
    number,
    plan,
    pointer,
)

from samebytes._native import Codec, Plan, Pointer, Record, Value

COPY, INDIRECT = 1, 2
Shim = Callable[[str], int]


@pytest.fixture(scope="module")
def pair() -> Any:
    return make_pair(Value)


@pytest.fixture(scope="module")
def record() -> Any:
    return make_pair(Record)


@pytest.fixture
def twice(shim: Shim) -> Any:
    return candidate(shim("twice"), FLOAT64, result=FLOAT64)


# --- arguments and results ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("nogil", [False, True])
def test_numbers(shim: Shim, nogil: bool) -> None:
    twice = function(candidate(shim("twice"), FLOAT64, result=FLOAT64, nogil=nogil))
    assert [twice(x) for x in (2.5, 3, np.float64(4), 2**53)] == [5.0, 6.0, 8.0, 2.0**54]
    scale = function(candidate(shim("scale"), INT32, FLOAT32, result=FLOAT32, nogil=nogil))
    assert scale(3, 0.5) == 1.5
    assert scale(np.int32(3), np.float32(0.5)) == 1.5
    assert function(candidate(shim("negate_int8"), INT8, result=INT8, nogil=nogil))(-127) == 127
    add = function(candidate(shim("add64"), INT64, INT64, result=INT64, nogil=nogil))
    assert add(2**62, -(2**40)) == 2**62 - 2**40
    assert add(-1, 3) == 2
    assert function(candidate(shim("nothing"), nogil=nogil))() is None
    assert function(candidate(shim("nothing"), FLOAT64, nogil=nogil))(1.0) is None


@pytest.mark.parametrize("wrong", [None, "1", 2**53 + 1, np.float32(1), 1j, True])
def test_what_the_core_does_not_know_goes_to_fallback_then_to_explain(twice: Any, wrong: Any) -> None:
    seen: list[Any] = []

    def fallback(*args: Any) -> tuple[bytes, Any]:
        seen.append(args)
        return struct.pack("<d", 21.0), None

    assert function(twice, fallback=fallback)(wrong) == 42.0
    assert seen == [(0, 0, wrong)]
    with pytest.raises(Refused) as caught:
        function(twice)(wrong)
    assert caught.value.args == ((wrong,), {}, 0)


def test_fallback_errors_propagate(twice: Any) -> None:
    def fallback(*args: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        function(twice, fallback=fallback)("x")


@pytest.mark.parametrize("answer", [b"12345678", (b"short", None), ("x", 1), (b"12345678",), 3])
def test_fallback_must_give_bytes_and_an_owner(twice: Any, answer: Any) -> None:
    with pytest.raises(SystemError, match="argument 1 did not give 8 bytes"):
        function(twice, fallback=lambda *a: answer)("x")


def test_what_fallback_returns_lives_until_the_call_ends(shim: Shim) -> None:
    events: list[str] = []
    buffer = np.array([5.0])

    class Owner:
        def __del__(self) -> None:
            events.append("released")

    first = function(
        candidate(shim("first"), pointer(), result=FLOAT64),
        fallback=lambda *a: (struct.pack("<Q", buffer.ctypes.data), Owner()),
    )
    assert first("x") == 5.0
    assert events == ["released"]


@pytest.mark.parametrize("explain", [lambda *a: None, lambda *a: 5])
def test_a_refused_argument_must_be_explained(twice: Any, explain: Any) -> None:
    with pytest.raises(SystemError, match=r"f\(\): a call failed and could not be explained"):
        function(twice, explain=explain)("x")


def test_outputs_follow_the_result(shim: Shim) -> None:
    outputs = {"outputs": ((1, FLOAT64, 8), (2, INT32, 16)), "argv": 3, "frame_size": 32}
    split = function(candidate(shim("split"), FLOAT64, **outputs) | {"result": (BOOL, 20)})
    assert split(2.5) == (True, 2.5, 3)
    assert split(2.5) == (True, 2.5, 3)  # storage is zeroed for each call
    one = function(
        candidate(shim("outputs_only"), FLOAT64, outputs=((1, FLOAT64, 8),), argv=2, frame_size=16)
    )
    assert one(2.5) == 2.5


def test_missing_arguments(shim: Shim) -> None:
    partial = function(candidate(shim("nothing"), FLOAT64, argv=3))  # C++ knows the other two
    assert partial(1.0) is None


@pytest.mark.parametrize("size", [0, 200, 400, 4000, 5000, 1 << 20])
def test_frames_of_any_size(shim: Shim, size: int) -> None:
    for align in (16, 64, 256, 4096):
        f = function(
            candidate(shim("twice"), FLOAT64, frame_align=align)
            | {"frame_size": size + 16, "result": (FLOAT64, size + 8)}
        )
        assert f(2.0) == 4.0


@pytest.mark.parametrize("align", [16, 32, 64, 128, 256])
def test_frames_are_aligned(shim: Shim, align: int) -> None:
    wide = number("float64", align)
    f = function(candidate(shim("aligned"), wide, result=UINT64))
    assert f(1.0) % align == 0


@pytest.mark.parametrize("count", range(1, 11))
def test_any_number_of_arguments(shim: Shim, count: int) -> None:
    codecs = [FLOAT64, INT32, INT64, FLOAT32, BOOL, INT8, FLOAT64, FLOAT64, INT32, UINT64][:count]
    seen: list[int] = []
    f = function(
        candidate(shim("nothing"), *codecs),
        fallback=lambda c, a, o: seen.append(a) or (bytes(codecs[a].size), None),
    )
    values: list[Any] = [1.0, 2, 3, 4.0, True, 6, 7.0, 8.0, 9, 10][:count]
    assert f(*values) is None
    for i in range(count):
        f(*values[:i], "x", *values[i + 1 :])
    assert seen == list(range(count))


def test_many_arguments(shim: Shim) -> None:
    f = function(candidate(shim("sum100"), *[FLOAT64] * 100, result=FLOAT64))
    assert f(*map(float, range(100))) == sum(range(100))
    names = [f"x{i}" for i in range(100)]
    assert f(**dict(zip(reversed(names), map(float, range(100)), strict=True))) == sum(range(100))
    assert function(candidate(shim("sum8"), *[FLOAT64] * 8, result=FLOAT64))(*[1.5] * 8) == 12.0


# --- structs --------------------------------------------------------------------------------------------------------


def test_structs_by_value(shim: Shim, pair: Any, record: Any) -> None:
    codec = pair.__samebytes_codec__
    total = function(candidate(shim("pair_sum"), codec, result=FLOAT64))
    r = record()
    r.a, r.b = 2, 4.5
    assert [total(x) for x in (pair(1, 2.5), (1, 2.5), (True + 1, 1))] == [3.5, 3.5, 3.0]
    with pytest.raises(Refused):
        total(r)
    codec.accept(record)
    assert total(r) == 6.5
    for wrong in (None, (1,), (1, "x"), [1, 2.0], 5):
        with pytest.raises(Refused):
            total(wrong)


def test_the_callee_never_writes_into_a_value(shim: Shim, pair: Any) -> None:
    value = pair(1, 2.5)
    copying = function(candidate(shim("pair_grow"), (pair.__samebytes_codec__, COPY), result=FLOAT64))
    assert copying(value) == 101.0
    assert bytes(value) == struct.pack("<i4xd", 1, 2.5)
    where = function(candidate(shim("where"), pair.__samebytes_codec__, result=UINT64))
    assert where(value) == value.__samebytes_address__
    where = function(candidate(shim("where"), (pair.__samebytes_codec__, COPY), result=UINT64))
    assert where(value) != value.__samebytes_address__


def test_struct_results_have_zero_padding(shim: Shim, pair: Any) -> None:
    make = function(candidate(shim("pair_make"), INT32, FLOAT64, result=pair.__samebytes_codec__))
    for _ in range(3):
        made = make(5, 6.0)
        assert type(made) is pair
        assert bytes(made) == struct.pack("<i4xd", 5, 6.0)
        assert made.__samebytes_owner__ is None


def test_under_aligned_objects_are_copied(shim: Shim) -> None:
    cls = make_class(Record, 64, {"a": (0, FLOAT64)}, 64)
    where = function(candidate(shim("aligned"), cls.__samebytes_codec__, result=UINT64))
    memory = bytearray(200)
    base = np.frombuffer(memory, "u1").ctypes.data
    for shift in range(0, 64, 8):
        assert where(cls.__samebytes_view__(base + shift, memory)) % 64 == 0


def test_references_to_the_callers_storage(shim: Shim, pair: Any, record: Any) -> None:
    codec = record.__samebytes_codec__
    change = function(candidate(shim("pair_set"), (codec, INDIRECT)))
    r = record()
    change(r)
    assert r.a == 7
    for wrong in (pair(1, 2.0), (1, 2.0), None):
        with pytest.raises(Refused):
            change(wrong)
    through = function(candidate(shim("pair_set"), (pointer(codec, python=record), INDIRECT)))
    r = record()
    through(r)
    assert r.a == 7
    r = record()
    through(Pointer(r.__samebytes_address__))
    assert r.a == 7
    for wrong in (None, Pointer()):
        with pytest.raises(Refused):
            through(wrong)
    r = record()
    function(
        candidate(shim("pair_set"), (codec, INDIRECT)),
        fallback=lambda c, a, o: (struct.pack("<Q", r.__samebytes_address__), None),
    )("x")
    assert r.a == 7


# --- arrays and pointers --------------------------------------------------------------------------------------------


def test_pointers(shim: Shim) -> None:
    first = function(candidate(shim("first"), pointer(const=True), result=FLOAT64))
    x = np.arange(6.0) + 5
    frozen = x.copy()
    frozen.flags.writeable = False
    assert first(x) == first(frozen) == first(Pointer(x.ctypes.data)) == 5.0
    assert first(x.reshape(2, 3)) == 5.0
    fill = function(candidate(shim("fill"), pointer(), FLOAT64))
    fill(x, 9.0)
    assert x[0] == 9.0
    for wrong in (frozen, x[::2], x.astype("f"), x.astype(">d"), [1.0], x.reshape(2, 3).T, 5):
        with pytest.raises(Refused):
            fill(wrong, 1.0)


def test_descriptors(shim: Shim) -> None:
    total = function(candidate(shim("array_sum"), array(1, const=True), result=FLOAT64))
    x = np.arange(10.0)
    assert [total(v) for v in (x, x[::2], x[::-1], x[:0], x[3:4])] == [45.0, 20.0, 45.0, 0.0, 3.0]
    corner = function(candidate(shim("array_corner"), array(2), result=FLOAT64))
    m = np.arange(12.0).reshape(3, 4)
    assert [corner(v) for v in (m, m.T, m[:2, :2], m[::2])] == [11.0, 11.0, 5.0, 11.0]
    for wrong in (m, x.astype("f"), 5, None, "x", Pointer(64)):
        with pytest.raises(Refused):
            total(wrong)
    with pytest.raises(Refused):
        corner(x)


def test_accepted_dtypes(shim: Shim) -> None:
    codec = array(1)
    total = function(candidate(shim("array_sum"), codec, result=FLOAT64))
    x = np.arange(4.0).view(np.dtype("d", metadata={"unit": "m"}))
    assert x.dtype is not np.dtype("d")
    with pytest.raises(Refused):
        total(x)
    codec.accept_dtype(x.dtype)
    assert total(x) == 6.0
    with pytest.raises(TypeError):
        FLOAT64.accept_dtype(x.dtype)


def test_buffers_are_locked_during_the_call_only(shim: Shim) -> None:
    seen: list[str] = []
    data = bytearray(np.arange(3.0).tobytes())

    def fallback(*args: Any) -> tuple[bytes, None]:
        with pytest.raises(BufferError):
            data.append(1)
        seen.append("locked")
        return struct.pack("<d", 4.0), None

    byte = Codec("pointer", size=8, align=8, element=number("uint8"), dl=(1, 8, 1))
    fill = function(candidate(shim("fill"), byte, FLOAT64), fallback=fallback)
    fill(data, "x")
    data.append(1)
    assert seen == ["locked"]
    assert struct.unpack_from("<d", data) == (4.0,)


def test_a_returned_pointer_keeps_the_arguments(shim: Shim) -> None:
    text = function(candidate(shim("text_back"), TEXT, result=TEXT))
    assert text("grüße") == "grüße"
    assert text(None) is None
    length = function(candidate(shim("text_length"), TEXT, result=INT64))
    assert [length(x) for x in ("grüße", b"abc", None)] == [7, 3, -1]
    back = function(candidate(shim("text_back"), pointer(), result=pointer()))
    x = np.zeros(3)
    alive = weakref.ref(x)
    p = back(x)
    assert p.address == x.ctypes.data
    assert p.owner == (x,) or p.owner[0] is x
    del x
    assert alive() is not None
    del p
    assert alive() is None


# --- errors of the shim ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "error"),
    [
        *enumerate([ValueError, IndexError, MemoryError, OverflowError, RuntimeError], 1),
        (7, OSError),
        (8, RuntimeError),
    ],
)
def test_shim_errors(shim: Shim, code: int, error: type[Exception]) -> None:
    for nogil in (False, True):
        fail = function(candidate(shim("fail"), INT32, result=INT32, nogil=nogil))
        with pytest.raises(error) as caught:
            fail(code)
        assert type(caught.value) is error
        assert str(caught.value) == f"code {code} \udcff"
        assert fail(0) is not None
        with pytest.raises(RuntimeError):
            fail(-1)


def test_a_shim_says_that_an_iteration_ends(shim: Shim) -> None:
    fail = function(candidate(shim("fail"), INT32, result=INT32))
    with pytest.raises(StopIteration) as caught:
        fail(6)
    assert caught.value.value is None


def test_a_message_may_fill_the_record(shim: Shim) -> None:
    with pytest.raises(ValueError, match=r"^x{1024}$"):
        function(candidate(shim("fail_long")))()


# --- the function as an object --------------------------------------------------------------------------------------


def test_the_function_describes_itself(twice: Any) -> None:
    f = function(twice, name="double_it", doc="double_it(x)\n--\n\nTwo times x.")
    assert (f.__name__, f.__module__, f.__doc__) == ("double_it", "tests.module", "Two times x.")
    assert str(inspect.signature(f)) == "(x)"
    assert function(twice).__doc__ is None
    made = plan(twice, name="double_it")
    assert made.double_it is made.function  # type: ignore[attr-defined]
    assert repr(made) == "<Plan of tests.module.double_it>"
    with pytest.raises(AttributeError):
        made.other  # type: ignore[attr-defined]  # noqa: B018


SHELF: dict[str, Plan] = {}


def from_shelf(key: str) -> Plan:
    return SHELF[key]


def test_functions_pickle(twice: Any) -> None:
    copyreg.constructor(from_shelf)
    SHELF["f"] = plan(twice, reduce=(from_shelf, ("f",)))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(SHELF["f"].function, protocol))
        assert again(4.0) == 8.0
        assert again.__self__ is SHELF["f"]
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(function(twice))


def test_plans_die_with_their_functions(twice: Any) -> None:
    class Explainer:
        function: Any = None

        def __call__(self, *args: Any) -> Any:
            raise Refused

    explainer = Explainer()
    explainer.function = function(twice, explain=explainer)
    alive = weakref.ref(explainer)
    del explainer
    gc.collect()
    assert alive() is None


# --- no leaks -------------------------------------------------------------------------------------------------------


def test_calls_leak_nothing(shim: Shim, pair: Any) -> None:
    def fallback(c: int, a: int, obj: Any) -> tuple[bytes, Any] | None:
        return None if obj is None else (struct.pack("<d", 1.0), [obj])

    one = function(candidate(shim("twice"), FLOAT64, result=FLOAT64), fallback=fallback)
    make = function(candidate(shim("pair_make"), INT32, FLOAT64, result=pair.__samebytes_codec__))
    back = function(candidate(shim("text_back"), pointer(), result=pointer()))
    total = function(candidate(shim("pair_sum"), pair.__samebytes_codec__, result=FLOAT64))
    array_total = function(candidate(shim("array_sum"), array(1), result=FLOAT64))
    fail = function(candidate(shim("fail"), INT32, result=INT32))
    x, value = np.zeros(3), pair(1, 2.0)
    things = [None, x, value, pair, INT32, FLOAT64]

    def step() -> None:
        for right in (lambda: one(2.0), lambda: one("text"), lambda: one(x0=3.0), lambda: make(1, 2.0)):
            right()
        for given, f in ((x, back), (value, total), ((1, 2.0), total), (x, array_total)):
            f(given)
        for wrong in (
            lambda: one(None),
            lambda: one(),
            lambda: one(y=1),
            lambda: fail(1),
            lambda: total((1, "x")),
        ):
            with pytest.raises((Refused, ValueError)):
                wrong()

    for _ in range(3):
        step()
    gc.collect()
    before, blocks = [sys.getrefcount(t) for t in things], sys.getallocatedblocks()
    for _ in range(200):
        step()
    gc.collect()
    after = [sys.getrefcount(t) for t in things]
    assert all(abs(b - a) < 20 for a, b in zip(before, after, strict=True)), (before, after)
    assert sys.getallocatedblocks() - blocks < 100


# --- building plans -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"address": 0}, ValueError),
        ({"address": -1}, OverflowError),
        ({"address": "x"}, TypeError),
        ({"argv": 0}, ValueError),
        ({"argv": 10**6}, ValueError),
        ({"names": ()}, ValueError),
        ({"names": ("a", "b")}, ValueError),
        ({"names": (1,)}, ValueError),
        ({"names": ["x0"]}, TypeError),
        ({"inputs": ((0, FLOAT64, 0),)}, TypeError),
        ({"inputs": ((0, 5, 0, 0),)}, TypeError),
        ({"inputs": (5,)}, TypeError),
        ({"inputs": ((1, FLOAT64, 0, 0),)}, ValueError),
        ({"inputs": ((-1, FLOAT64, 0, 0),)}, ValueError),
        ({"inputs": ((0, FLOAT64, 4, 0),)}, ValueError),
        ({"inputs": ((0, FLOAT64, -8, 0),)}, ValueError),
        ({"inputs": ((0, FLOAT64, 16, 0),)}, ValueError),
        ({"inputs": ((0, FLOAT64, 0, INDIRECT),)}, ValueError),
        ({"outputs": ((0, FLOAT64, 0),)}, ValueError),
        ({"outputs": ((1, FLOAT64, 16),), "argv": 2}, ValueError),
        ({"result": (FLOAT64, 12)}, ValueError),
        ({"result": FLOAT64}, TypeError),
        ({"frame_align": 3}, ValueError),
        ({"frame_align": 4}, ValueError),
        ({"frame_size": -1}, OverflowError),
        ({"frame_size": 8}, ValueError),
    ],
)
def test_impossible_candidates_are_refused(
    twice: Any, change: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        plan(twice | change)


def test_a_candidate_needs_everything(twice: Any) -> None:
    for key in twice:
        with pytest.raises(KeyError, match=key):
            plan({k: v for k, v in twice.items() if k != key})
    for wrong in ((), (5,), (None,)):
        with pytest.raises(ValueError):
            plan(*wrong)
    with pytest.raises(TypeError):
        Plan("f", 5, "m", (twice,), None, None, None, None)  # type: ignore[arg-type]
