"""The core's own C functions: every place of an argument, against the compiler's; how many there are; their end."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes import _native
from samebytes.call.callbacks.plans import call_places
from samebytes.layouts.processors import processor

pytestmark = [
    pytest.mark.full,  # programs of their own
    pytest.mark.skipif(not _native.CLOSURES, reason="C functions are ctypes' on this machine"),
]

MOST = _native.CLOSURES  # in use at once
REST = _native.CLOSURES_AT_REST  # that end before one is used again

# How C++ writes a value of each type, and what Python gets.
VALUES: dict[str, tuple[tuple[str, Any], ...]] = {
    "bool": (("true", True), ("false", False)),
    "signed char": (("-7", -7),),
    "unsigned short": (("65535", 65535),),
    "short": (("-32768", -32768),),
    "int": (("-5", -5),),
    "long": (("-(1L << 40)", -(1 << 40)),),
    "unsigned long": (("~0UL", 2**64 - 1),),
    "float": (("1.5f", 1.5),),
    "double": (("-2.25", -2.25),),
    "const char*": (('"text"', "text"), ("nullptr", None)),
    "II": (("(II{3, -4})", (3, -4)),),
    "DD": (("(DD{.5, -1.5})", (0.5, -1.5)),),
    "ID": (("(ID{-3, 2.5})", (-3, 2.5)),),
    "DI": (("(DI{.5, 7})", (0.5, 7)),),
    "FF": (("(FF{1.5f, -.5f})", (1.5, -0.5)),),
    "Big": (("(Big{1, 2, 3})", (1, 2, 3)),),
    "Bytes": (("(Bytes{{1, 2, 3}})", ((1, 2, 3),)),),
    "std::complex<double>": (("std::complex<double>(1, -2)", 1 - 2j),),
    "std::complex<float>": (("std::complex<float>(1, -2)", 1 - 2j),),
}
IN_TWO_REGISTERS = ("II", "DD", "ID", "DI", "std::complex<double>")
TYPES = """#include <complex>
struct II { long a, b; };
struct DD { double a, b; };
struct ID { long a; double b; };
struct DI { double a; int b; };
struct FF { float a, b; };
struct Big { double a, b, c; };
struct Bytes { unsigned char a[3]; };
"""


def random_case(number: int) -> tuple[str, list[Any], Any]:
    """A function that calls one with random arguments; what these are; what it returns."""
    dice = random.Random(number)
    types = [dice.choice([*VALUES]) for _ in range(dice.randrange(1, 18))]
    values = [dice.choice(VALUES[name]) for name in types]
    few = len(types) < 4 and "Big" not in types  # else none that takes two registers comes back
    result = dice.choice([*VALUES] if few else [name for name in VALUES if name not in IN_TWO_REGISTERS])
    expected = dice.choice(VALUES[result])[1]
    source = (
        f"{result} f{number}({result} (*f)({', '.join(types)})) "
        f"{{ return f({', '.join(written for written, _ in values)}); }}\n"
    )
    return source, [seen for _, seen in values], expected


# Results narrower than the register that they come back in.
NARROW = [
    ("signed char", -7), ("short", -300), ("int", -70_000), ("Small", -2), ("unsigned char", 200),
    ("unsigned short", 65_535), ("unsigned", 2**32 - 1),
]  # fmt: skip
CASES = [random_case(number) for number in range(60)]


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(
        TYPES + "".join(source for source, *_ in CASES) + "static int (*kept)(int);\n"
        "int apply(int (*f)(int), int x) { return f(x); }\nvoid keep(int (*f)(int)) { kept = f; }\n"
        "int late(int x) { return kept(x); }\n"
        "int sum(int (*f)(signed char), int n) { int s = 0; for (int i = 0; i < n; ++i) s += f(i); return s; }\n"
        "long narrow(signed char (*f)(short)) { return f(-1); }\n"
        "enum class Small : signed char { low = -2 };\n"
        + "".join(
            f"long long wide{number}({type_} (*f)()) {{ return reinterpret_cast<long long (*)()>(f)(); }}\n"
            for number, (type_, _) in enumerate(NARROW)
        ),
        nogil=False,
    )


def plain(value: Any) -> Any:
    """A record as the tuple of its fields."""
    if isinstance(value, _native.Record | _native.Value):
        return tuple(plain(getattr(value, name)) for name in ("a", "b", "c") if hasattr(value, name))
    return tuple(int(x) for x in value) if hasattr(value, "dtype") and getattr(value, "ndim", 0) else value


@pytest.mark.parametrize("number", range(len(CASES)))
def test_arguments_wherever_c_passes_them(lib: Any, number: int) -> None:
    _, values, expected = CASES[number]
    seen: list[Any] = []

    def call(*args: Any) -> Any:
        seen.extend(args)
        return expected

    found = getattr(lib, f"f{number}")(call)
    assert [plain(value) for value in seen] == values
    assert plain(found) == expected


def test_a_narrow_result_is_extended(lib: Any) -> None:
    assert lib.narrow(lambda x: x) == -1


@pytest.mark.parametrize("number", range(len(NARROW)), ids=[name for name, _ in NARROW])
def test_the_whole_register_is_the_results(lib: Any, number: int) -> None:
    """Clang's callers read 32 bits of a narrow result, and ``rax`` whole is what is promised here."""
    name, value = NARROW[number]
    assert getattr(lib, f"wide{number}")(lambda: lib.Small(value) if name == "Small" else value) == value


def test_the_second_call_is_the_cores(lib: Any) -> None:
    for _ in range(2):
        assert lib.apply(lambda x: x + 1, 1) == 2

        class Own:
            def method(self, x: int) -> int:
                return x * 3

        assert lib.apply(Own().method, 2) == 6
        with pytest.raises(sb.ArgumentError, match=r"It takes \(a, b\); C\+\+ passes 1 argument"):
            lib.apply(lambda a, b: 1, 1)
        with pytest.raises(sb.ArgumentError, match=r"It takes \(a, \*, b\)"):
            lib.apply(lambda a, *, b: 1, 1)
        with pytest.raises(sb.RangeError, match="returned what"):
            lib.apply(lambda x: 2**40, 1)
        with pytest.raises(ZeroDivisionError):
            lib.apply(lambda x: x // 0, 1)


def test_more_than_there_are(lib: Any) -> None:
    made = [sb.callback(lambda x, n=n: x + n, "int(*)(int)") for n in range(MOST + 500)]
    assert len({int(f) for f in made}) == len(made)
    assert [lib.apply(f, 1) for f in made] == [n + 1 for n in range(len(made))]
    assert lib.apply(lambda x: -x, 4) == -4
    del made
    assert lib.apply(lambda x: -x, 5) == -5


@pytest.mark.parametrize("others", [0, 1, REST - 1])
def test_what_ended_is_not_anothers_soon(lib: Any, others: int) -> None:
    lib.keep(lambda x: 5)
    for _ in range(others):
        assert lib.apply(lambda x: x, 1) == 1
    with pytest.raises(sb.ArgumentError, match=r"called callback <lambda>\(\) when its C function had ended"):
        lib.late(1)
    lib.keep(None)


def test_it_may_end_while_it_runs(lib: Any) -> None:
    kept = []

    def once(x: int) -> int:
        kept.clear()
        return x + 1

    kept.append(sb.callback(once, "int(*)(int)"))
    lib.keep(kept[0])
    del once
    assert lib.late(1) == 2
    with pytest.raises(sb.ArgumentError, match=r"called callback once\(\)"):
        lib.late(1)
    lib.keep(None)


def test_nested_and_in_threads(lib: Any) -> None:
    def down(x: int) -> int:
        return x + lib.apply(down, x - 1) if x else 0

    assert lib.apply(down, 100) == 5050
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(sum(lib.sum(lambda x: x, 100) for _ in range(200))))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [4950 * 200] * 4


def test_a_callable_whose_name_calls_it(lib: Any) -> None:
    seen: list[str] = []

    class Named:
        def __call__(self, x: int) -> int:
            return 5

        @property
        def __name__(self) -> str:
            if seen:
                with pytest.raises(sb.ArgumentError, match=r"callback \?\(\) when its C function had ended"):
                    lib.late(1)
            seen.append("asked")
            return "mine"

    made = sb.callback(Named(), "int(*)(int)")
    lib.keep(made)
    assert lib.late(1) == 5
    seen.append("ends")
    del made
    assert seen[-1] == "asked"
    with pytest.raises(sb.ArgumentError, match=r"callback mine\(\) when its C function had ended"):
        lib.late(1)


@pytest.mark.parametrize("thread", [False, True])
def test_endless_recursion_is_an_error(lib: Any, thread: bool) -> None:
    raised: list[BaseException] = []

    def deeper(x: int) -> int:
        return lib.apply(deeper, x + 1)  # type: ignore[no-any-return]

    def run() -> None:
        try:
            deeper(0)
        except RecursionError as error:
            raised.append(error)

    if thread:
        one = threading.Thread(target=run)
        one.start()
        one.join()
    else:
        run()
    assert len(raised) == 1


def test_a_call_when_python_has_ended(tmp_path: Path) -> None:
    script = tmp_path / "ends.py"
    script.write_text(
        "import samebytes as sb\n"
        "lib = sb.compile(r'''#include <cstdio>\n#include <cstdlib>\n#include <functional>\n#include <string>\n"
        "struct Big { double a, b, c; };\nusing Text = std::function<std::string(const std::string&)>;\n"
        "static int (*kept)(int); static Big (*large)(int); static Text text;\n"
        "void keep(int (*f)(int), Big (*g)(int), Text h) { kept = f; large = g; text = h; std::atexit([] {\n"
        '  std::printf("%d %g %zu\\n", kept(4), large(4).c, text("a").size()); std::fflush(stdout); }); }\n'
        "int late(int x) { return kept(x); }''')\n"
        "f, g = sb.callback(lambda x: x + 1, 'int(*)(int)'), lib.Big(1, 2, 3)\n"
        "lib.keep(f, lambda x: g, lambda s: s + 'b')\nprint(lib.late(1), flush=True)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "2\n0 0 0\n")
    assert done.stderr.count("C++ called a Python callback when Python had ended; it got zero") == 3


def test_a_word_of_padding_takes_no_register() -> None:
    """GCC and Clang agree: of alignas(16) double, one register is used, and none for the bytes behind."""
    lib = sb.compile(
        "struct Real { alignas(16) double a; };\nstruct Whole { alignas(16) int a; };\nstruct Nothing {};\n"
        "struct Behind { Nothing none; double a; };\n"
        "int f(double (*g)(Real, double, Whole, int, Behind, double)) { return g != nullptr; }\n"
        "int h(Whole (*g)(Behind, int)) { return g != nullptr; }\n"
        "int none(int (*g)(Nothing, int)) { return g != nullptr; }\n"
    )
    functions = {s.name: s.parameters[0].type.pointee for s in lib.__model__.functions if s.name in "fhnone"}
    machine = processor()
    assert machine is not None
    places, result = call_places(functions["f"], machine)  # type: ignore[misc]
    assert (places, result) == (((6,), (7,), (0,), (1,), (8, 8), (9,)), (True,))
    assert call_places(functions["h"], machine) == (((6, 6), (0,)), (False, False))
    assert call_places(functions["none"], machine) is None
