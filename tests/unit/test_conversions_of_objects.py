"""What an object is as text, as a number and as a key: C++'s answers, and an error where C++ has none."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = Path(__file__).with_name("conversions_of_objects.hpp")


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE.read_text(), name="conversions", std="c++17")


TEXTS = {
    "Text": "string", "Two": "string", "Views": "view", "CharsAndView": "chars", "ns.Free": "free 0",
    "ns.Derived": "free 0", "ns.Handle": "h", "ns.Mutable": "1", "FromBase": "string", "NumberShown": "shown",
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_text(lib: Any, name: str) -> None:
    cls = lib
    for part in name.split("."):
        cls = getattr(cls, part)
    assert (str(cls()), f"{cls()}") == (TEXTS[name], TEXTS[name])


def test_text_of_templates_and_values(lib: Any) -> None:
    assert str(lib.ns.wrapped()) == "w3"
    assert str(lib.ns.Free(4).value) == "free 4"
    assert str(lib.Number(7)) == "Number(v=7)"  # a stream shows the int that it converts to
    assert str(lib.NoStream(7)) == "NoStream(v=7)"


def test_errors_of_streams(lib: Any) -> None:
    with pytest.raises(RuntimeError, match=r"^no$"):
        str(lib.Raises())
    with pytest.raises(RuntimeError, match="its stream failed"):
        str(lib.Fails())


def test_hash(lib: Any) -> None:
    assert (hash(lib.Key(1)), hash(lib.Key(1, 5).value)) == (hash(2**64 - 2), hash(2**64 - 2))
    assert {lib.Key(1, 2): "a"}[lib.Key(1, 3)] == "a"
    assert {lib.KeyHandle("xy"): "a"}[lib.KeyHandle("xy")] == "a"
    assert hash(lib.KeyHandle("xyz")) == 3
    assert hash(lib.DerivedKey()) == hash(lib.Key())
    for unhashable in (lib.Unhashed(), lib.NoStream(), lib.DerivedUnhashed()):
        with pytest.raises(TypeError, match="unhashable"):
            hash(unhashable)


def test_what_is_equal_to_itself_alone_is_a_key_through_all_its_views(lib: Any) -> None:
    holder, other = lib.Holder(), lib.Holder()
    assert holder.value == holder.value
    assert {holder.value: 1}[holder.value] == 1  # std::hash without == counts for nothing
    assert holder.value != other.value
    assert other.value not in {holder.value: 1}


def test_bytes_are_no_number(lib: Any) -> None:
    for use in (int, float):
        for thing in (lib.Bytes((49, 50)), lib.Bytes((49, 50)).value):
            with pytest.raises(TypeError, match="no single number"):
                use(thing)


# Conversions, what int(), float() and bool() are (None: ambiguous, a class: its error), each by C++'s static_cast.
INT = "operator int() const { return 1; }"
LONG = "operator long() const { return 2; }"
LONGER = "operator long long() const { return 3; }"
DOUBLE = "operator double() const { return 4.5; }"
FLOAT = "operator float() const { return 5.5f; }"
BOOL = "operator bool() const { return false; }"
E_INT = f"explicit {INT}"
E_SHORT = "explicit operator short() const { return 6; }"
E_UNSIGNED = "explicit operator unsigned long() const { return ~0ul; }"
NUMBERS: list[tuple[tuple[str, ...], Any, Any, Any]] = [
    ((INT,), 1, 1.0, True),
    ((E_INT,), 1, TypeError, True),
    ((INT, LONG), None, TypeError, None),
    ((INT, LONGER), 3, TypeError, None),
    ((E_INT, LONG), 2, 2.0, True),
    ((E_INT, E_SHORT), None, TypeError, True),
    ((E_INT, f"explicit {LONGER}"), 3, TypeError, True),
    ((E_UNSIGNED,), 2**64 - 1, TypeError, True),
    ((DOUBLE,), 4, 4.5, True),
    ((DOUBLE, FLOAT), TypeError, 4.5, None),
    ((FLOAT, f"explicit {DOUBLE}"), 5, 4.5, True),
    ((INT, DOUBLE), 1, 4.5, None),
    ((INT, LONG, BOOL), None, None, False),
]


@pytest.fixture(scope="module")
def numbers() -> Any:
    classes = "".join(f"struct C{i} {{ int v; {' '.join(c)} }};\n" for i, (c, *_) in enumerate(NUMBERS))
    derived = "".join(
        f"struct {name} : Base {{ int v; {own} }};" for name, own in (("Derived", E_SHORT), ("Over", INT))
    )
    derived = f"struct Base {{ {E_INT} }};\n{derived}"
    return sb.compile(classes + derived, name="numbers")


def told(use: type, thing: Any) -> Any:
    try:
        return use(thing)
    except TypeError as error:
        return None if "is ambiguous" in str(error) else TypeError


@pytest.mark.parametrize("number", range(len(NUMBERS)))
def test_numbers(numbers: Any, number: int) -> None:
    _, *expected = NUMBERS[number]
    thing = getattr(numbers, f"C{number}")()
    assert [told(use, thing) for use in (int, float, bool)] == expected


def test_inherited_conversions_count(numbers: Any) -> None:
    assert (told(int, numbers.Base()), told(int, numbers.Derived()), told(int, numbers.Over())) == (
        1,
        None,
        1,
    )


def test_cxx_finds_ambiguous_what_python_does(tmp_path: Path) -> None:
    """Whether there is an int() or a float() is whether g++ casts to long long or double, with one kind of conversions.

    With both kinds, and where an operator to another integer is explicit, Python takes the kind that it asks for.
    """
    for i, (conversions, whole, real, _) in enumerate(NUMBERS):
        kinds = [("double" in c or "float" in c) for c in conversions]
        if len({*kinds}) > 1 or conversions in ((E_INT,), (E_UNSIGNED,)):
            continue
        for to, told_value in (("long long", whole), ("double", real)):
            file = tmp_path / f"c{i}.cpp"
            cast = f"{to} f(C c) {{ return static_cast<{to}>(c); }}"
            file.write_text(f"struct C {{ int v; {' '.join(conversions)} }}; {cast}")
            ran = subprocess.run(["g++", "-fsyntax-only", str(file)], capture_output=True, check=False)
            has = told_value is not None and told_value is not TypeError
            assert (ran.returncode == 0) == has, (conversions, to, ran.stderr)


OVERLOADED = r"""
    #include <string>
    struct Real { operator double() const { return 2.5; } };
    struct Whole { operator int() const { return 2; } };
    struct Both { operator int() const { return 2; } operator double() const { return 2.5; } };
    struct Text { operator std::string() const { return "s"; } };
    struct Base { int n = 1; virtual ~Base() {} }; struct Derived : Base {};
    struct Made { operator Derived() const { return {}; } };
    struct Two { operator Derived() const { return {}; } operator Base() const { return {}; } };
    inline int numbers(int) { return 1; } inline int numbers(double) { return 2; }
    inline int reals(float) { return 1; } inline int reals(double) { return 2; }
    inline int wholes(long) { return 1; } inline int wholes(short) { return 2; }
    inline int either(int) { return 1; } inline int either(const std::string&) { return 2; }
    inline int classes(const Base&) { return 1; } inline int classes(const Derived&) { return 2; }
    inline int mixed(int, double) { return 1; } inline int mixed(double, int) { return 2; }
"""
CALLED = ("numbers", "reals", "wholes", "either", "classes")
GIVEN = ("Real", "Whole", "Both", "Text", "Made", "Two")


def test_of_one_conversion_s_overloads_the_nearest_is_meant(tmp_path: Path) -> None:
    lib = sb.compile(OVERLOADED)
    source = tmp_path / "program.cpp"
    calls = [(f, given) for f in CALLED for given in GIVEN]
    asked = "".join(
        f"template <class T> auto {f}_(T t, int) -> decltype({f}(t)) {{ return {f}(t); }}\n"
        f"template <class T> int {f}_(T, long) {{ return 0; }}\n"
        for f in CALLED
    )
    shown = "".join(f'std::printf("%d ", {f}_({given}{{}}, 0));' for f, given in calls)
    source.write_text(f"#include <cstdio>\n{OVERLOADED}{asked}int main() {{ {shown} }}")
    program = tmp_path / "program"
    subprocess.run(["g++", "-std=c++17", str(source), "-o", str(program)], check=True)
    said = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()

    def call(f: str, given: str) -> int:
        try:
            return getattr(lib, f)(getattr(lib, given)())
        except sb.ArgumentError:
            return 0

    expected = dict(zip(calls, map(int, said), strict=True))
    found = {(f, given): call(f, given) for f, given in calls}
    # C++ makes 2.5 the int 2; a number that a conversion gives goes no further where that would change it.
    assert expected.pop(("either", "Real")) == 1
    assert found.pop(("either", "Real")) == 0
    assert found == expected
    assert set(found.values()) == {0, 1, 2}


def test_a_conversion_for_const_objects_and_one_for_others_are_one(lib: Any) -> None:
    record, handle = lib.Refers(7), lib.RefersHandle(8)
    assert (int(record), float(record), lib.taken(record)) == (7, 7.0, 7)
    assert (int(handle), float(handle), lib.taken(handle), lib.RefersHandle.calls) == (8, 8.0, 8, 0)
    fixed = handle.fixed()
    assert (int(fixed), float(fixed), lib.taken(fixed), lib.RefersHandle.calls) == (8, 8.0, 8, 3)


def test_a_conversion_to_a_function_pointer_is_called_by_its_name() -> None:
    lib = sb.compile(
        "struct Next { using F = int (*)(int); int v; operator F() const { return [](int x) { return x + 1; }; } };",
        name="conversion_to_function",
    )
    assert not lib.__skipped__
    made = getattr(lib.Next(0), "operator int (*)(int)")()
    assert (made(4), bool(lib.Next(0))) == (5, True)
