"""Equal enumerations in two libraries: each has its own class, and takes the other's; what differs is refused."""

from __future__ import annotations

import importlib
import pickle
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.tools.cli import main
from samebytes.values.codecs import codec
from samebytes.values.conversion import convert
from samebytes.values.enum import enum_class

pytestmark = pytest.mark.full  # large builds: the rules of two libraries in every form

ENUMERATIONS = r"""
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>
enum class Color { red, green };
enum Plain : short { low = -1, high = 5 };
enum class On : bool { no, yes };
enum class Perm : unsigned char { none = 0, read = 1, write = 2 };
inline Perm operator|(Perm a, Perm b) { return Perm(int(a) | int(b)); }
inline Perm& operator|=(Perm& a, Perm b) { return a = a | b; }
namespace ns {
enum class Inner : long { x = -3, y = 1l << 40 };
struct Outer { enum Mode { slow, fast }; Mode mode; Outer(Mode m) : mode(m) {} };
}
struct Palette { Color first; Color all[2]; Color bits : 3; };
struct Asked {
  virtual ~Asked() {}
  virtual Color ask() const { return Color::red; }
  int asked() const { return int(ask()); }
};
inline Color color = Color::red;
inline int number(Color c) { return int(c); }
inline int by_reference(const Color& c) { return int(c); }
inline int plain(Plain p) { return p; }
inline int on(On o) { return int(o); }
inline int perm(Perm p) { return int(p); }
inline long inner(ns::Inner i) { return long(i); }
inline int mode(ns::Outer::Mode m) { return m; }
inline int outer(const ns::Outer& o) { return o.mode; }
inline int pointed(const Color* c) { return int(*c); }
inline int listed(const std::vector<Color>& v) { int s = 0; for (Color c : v) s = 10 * s + int(c); return s; }
inline int mapped(const std::map<Color, int>& m) { return m.at(Color::green); }
inline int in_set(const std::set<Color>& s) { return int(s.count(Color::green)); }
inline int maybe(std::optional<Color> c) { return c ? int(*c) : -1; }
inline int paired(std::pair<Color, int> p) { return int(p.first) + p.second; }
inline int chosen(std::variant<int, Color> v) { return int(v.index()); }
inline int fraction(std::variant<double, Color> v) { return int(v.index()); }
inline int called(Color (*f)(Color)) { return int(f(Color::green)); }
inline int called_by(const std::function<Color()>& f) { return int(f()); }
inline Color same(Color c) { return c; }
inline int over(int) { return 1; }
inline int over(Color) { return 2; }
inline int small(long) { return 1; }
inline int small(Plain) { return 2; }
inline int two_kinds(ns::Inner) { return 1; }
inline int two_kinds(Color) { return 2; }
inline int either(Color, int) { return 1; }
inline int either(int, Color) { return 2; }
template <class T> int deduced(T x) { return int(x) + 100; }
template <Color C> int constant() { return int(C) + 200; }
"""
TAKEN = {
    "two.number(one.Color.green)": 1,
    "two.number(one.Color(7))": 7,
    "two.by_reference(one.Color.green)": 1,
    "two.plain(one.high), two.plain(one.Plain.low)": (5, -1),
    "two.on(one.On.yes)": 1,
    "two.perm(one.Perm.read | one.Perm.write)": 3,
    "two.perm(one.Perm.read | two.Perm.write)": 3,
    "two.inner(one.ns.Inner.y)": 1 << 40,
    "two.mode(one.ns.Outer.fast)": 1,
    "two.outer(one.ns.Outer.fast)": 1,
    "two.ns.Outer(one.ns.Outer.fast).mode is two.ns.Outer.fast": True,
    "two.pointed(one.Color.green)": 1,
    "two.listed([one.Color.green, two.Color.red, one.Color.green])": 101,
    "two.mapped({one.Color.green: 4})": 4,
    "two.in_set({one.Color.green, two.Color.green})": 1,
    "two.maybe(one.Color.green), two.maybe(None)": (1, -1),
    "two.paired((one.Color.green, 2))": 3,
    "two.chosen(one.Color.green), two.chosen(two.Color.green), two.chosen(1)": (1, 1, 0),
    "two.fraction(one.Color.green), two.fraction(1)": (1, 0),
    "two.called(lambda c: one.Color(c))": 1,
    "two.called(one.same)": 1,
    "two.called_by(lambda: one.Color.green)": 1,
    "two.over(one.Color.green), two.over(1)": (2, 1),
    "two.small(one.high), two.small(5)": (2, 1),
    "two.two_kinds(one.Color.green), two.two_kinds(one.ns.Inner.x)": (2, 1),
    "two.either(one.Color.green, 1), two.either(1, one.Color.green)": (1, 2),
    "two.deduced(one.Color.green), two.constant[one.Color.green]()": (101, 201),
    "type(two.Perm.read | one.Perm.write) is two.Perm": True,
    "type(two.same(one.Color.green)) is two.Color": True,
    "two.number(pickle.loads(pickle.dumps(one.Color.green)))": 1,
    "one.Color.green == two.Color.green, one.Color.green is two.Color.green": (True, False),
}  # fmt: skip


@pytest.fixture(scope="module")
def pair() -> list[Any]:
    return [sb.compile(ENUMERATIONS, defines=[f"N={n}"], name=f"colors{n}", std="c++17") for n in (1, 2)]


@pytest.mark.parametrize("call", TAKEN)
def test_enumerators_of_one_library_serve_the_other(pair: list[Any], call: str) -> None:
    one, two = pair
    for _ in range(2):  # what is remembered of the first call counts in the second
        assert eval(call, {"one": one, "two": two, "pickle": pickle}) == TAKEN[call]


def test_enumerators_of_another_library_are_stored(pair: list[Any]) -> None:
    one, two = pair
    green = one.Color.green
    palette = two.Palette(green, [green, green], green)
    palette.first, palette.bits = green, green
    assert type(palette.first) is type(palette.bits) is two.Color
    assert (palette.first, *palette.all, palette.bits) == (1, 1, 1, 1)
    two.color = green
    assert two.color is two.Color.green
    two.color = two.Color.red
    perm = two.Perm.read
    perm |= one.Perm.write
    assert type(perm) is two.Perm
    assert perm == 3


def test_overridden_functions_return_them(pair: list[Any]) -> None:
    one, two = pair

    class Mine(two.Asked):  # type: ignore[misc, name-defined]
        def ask(self) -> Any:
            return one.Color.green

    assert Mine().asked() == 1


@pytest.mark.parametrize(
    "call", ["two.either(one.Color.green, one.Color.green)", "two.either(two.Color.green, two.Color.green)"]
)
def test_an_enumerator_is_no_number_for_another_parameter(pair: list[Any], call: str) -> None:
    with pytest.raises(sb.ArgumentError, match=r"either\(Color, Color\) has no overload that fits"):
        eval(call, {"one": pair[0], "two": pair[1]})


def test_the_core_takes_them_from_the_second_call_on(pair: list[Any]) -> None:
    one, two = pair
    two.number(one.Color.green)
    native = codec(two.Color.__samebytes_type__)
    assert native.pack(one.Color.green) == native.pack(two.Color.green) == b"\1\0\0\0"
    assert native.pack(one.ns.Inner.x) is None
    assert not pickle.loads(pickle.dumps(vars(two.Color)["__samebytes_codecs__"]))  # as cloudpickle has it
    for _ in range(100):  # classes of libraries that are gone leave no trace
        assert convert(two.Color.__samebytes_type__, enum_class(one.Color.__samebytes_type__, "gone")(1)).data


# What one header says, what another says, and what the error says; nothing: it is the same enumeration.
DECLARED = {
    "Same": ("enum class Same { a, b = 3 };", "enum class Same : int { b = 3, a = 0 };", ""),
    "Opaque": ("enum class Opaque : short;", "enum class Opaque : short { a, b };", ""),
    "Width": ("enum class Width : short { a };", "enum class Width { a };", "type is int16, expected int32"),
    "Sign": ("enum class Sign : unsigned { a };", "enum class Sign { a };", "type is uint32, expected int32"),
    "Scoped": ("enum class Scoped : int { sa };", "enum Scoped : int { sa };", "it is an enum class, expected an enum"),
    "Value": ("enum class Value { a, b };", "enum class Value { a, b = 2 };", "its b is 1, expected 2"),
    "Fewer": ("enum class Fewer { a };", "enum class Fewer { a, b };", "it has no b"),
    "More": ("enum class More { a, b };", "enum class More { a };", "it also has b"),
    "Named": ("enum class Named { a, b };", "enum class Named { a, c };", "it has no c"),
}  # fmt: skip


USES = """
struct Has$ { $ v; };
inline long f_$($ e) { return long(e); }
inline long has_$(Has$ h) { return long(h.v); }
inline long in_$(const std::vector<$>& v) { return long(v[0]); }
typedef long (*F$)($);
inline long call_$(F$ f) { return f($(0)); }
inline F$ get_$() { return f_$; }
inline int over_$($) { return 0; }
inline int over_$(int) { return 1; }
inline int either_$(std::variant<int, $> v) { return 1 - int(v.index()); }
"""


@pytest.fixture(scope="module")
def declared() -> list[Any]:
    use = "".join(USES.replace("$", name) for name in DECLARED)
    texts = [
        "#include <variant>\n#include <vector>\n" + "".join(row[i] for row in DECLARED.values()) + use
        for i in (0, 1)
    ]
    return [sb.compile(text, name=f"declared{i}", std="c++17") for i, text in enumerate(texts)]


@pytest.mark.parametrize("name", DECLARED)
def test_what_makes_two_enumerations_the_same(declared: list[Any], name: str) -> None:
    one, two = declared
    words, given = DECLARED[name][2], getattr(one, name)(0)
    calls = {
        f"f_{name}": (given, f"Its enumeration is named {name}, too, but .*{words}"),
        f"over_{name}": (
            given,
            f"no overload that fits.*Its enumeration is named {name}, too, but .*{words}",
        ),
        f"either_{name}": (given, f"Its enumeration is named {name}, too, but .*{words}"),
        f"in_{name}": ([given], f"Its enumeration is named {name}, too, but .*{words}"),
        f"has_{name}": (
            getattr(one, f"Has{name}")(given),
            f"Its class is named Has{name}, too, .*: its v is another {name}: .*{words}",
        ),
        f"call_{name}": (
            getattr(one, f"get_{name}")(),
            "Its signature is .*, with other types of these names",
        ),
    }
    for call, (argument, error) in calls.items():
        for _ in range(2):
            if words:
                with pytest.raises(sb.ArgumentError, match=f"(?s){error}"):
                    getattr(two, call)(argument)
            else:
                assert getattr(two, call)(argument) == 0


def test_another_name_is_another_enumeration(pair: list[Any]) -> None:
    one, two = pair
    with pytest.raises(
        sb.ArgumentError, match=r"expected Color \(red, green\), got <Inner.x: -3>.*Pass a member of Color"
    ):
        two.number(one.ns.Inner.x)


HEADER = """
typedef enum { COLOR_RED, COLOR_GREEN = 4 } color_t;
struct holds { enum { COLOR_IN, COLOR_OUT } side; color_t color; };
static inline int number(color_t c) { return c; }
static inline int side(struct holds h) { return 10 * h.side + h.color; }
"""


def test_enumerations_of_c_however_they_are_bound(tmp_path: Path) -> None:
    """As C, as C++, by a style, with shorter names in Python, and as two packages."""
    (tmp_path / "color.h").write_text(HEADER)
    (tmp_path / "short.yml").write_text("API Prefix Removal:\n  Enum: [COLOR_]\n")
    for name in ("first", "second"):
        (tmp_path / f"{name}.h").write_text(
            f'#include "color.h"\nstatic inline int {name}(void) {{ return 0; }}\n'
        )
        done = CliRunner().invoke(
            main,
            ["bind", str(tmp_path / f"{name}.h"), "-o", str(tmp_path), "--expose", str(tmp_path / "color.h")],
        )
        assert done.exit_code == 0, done.output
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        libraries = [
            sb.bind(tmp_path / "color.h", name="c"),
            sb.bind(tmp_path / "color.h", name="styled", style="c_api"),
            sb.bind(tmp_path / "color.h", name="short", config=tmp_path / "short.yml"),
            sb.compile('#include "color.h"\nint n;', name="cxx", include_dirs=[tmp_path], expose=["*"]),
            importlib.import_module("first"),
            importlib.import_module("second"),
        ]
    for one in libraries:
        for two in libraries:
            held = one.holds(1, one.color_t(4))
            assert (two.number(held.color), two.side(held)) == (4, 14)
            assert two.side(two.holds(held.side, held.color)) == 14
