"""Members of records: each public one is bound or skipped with a reason; definitions elsewhere are no second ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import samebytes as sb
from samebytes.model.module import Module
from samebytes.types import Enum

Read = Callable[..., Module]


def skipped(module: Module) -> dict[str, str]:
    return {s.name: s.kind for s in module.skipped}


def test_every_kind_is_told(read: Read) -> None:
    module = read(
        "struct S {\n  int x;\n  S(int);\n  ~S() = default;\n  int get(int, float) const;\n  static int make();\n"
        "  operator int();\n  bool operator==(S);\n  template <class T> T as();\n  static int count;\n};\n"
    )
    assert {f.qualified: f.kind for f in module.functions} == {
        "S::S": "constructor",
        "S::get": "method",
        "S::make": "static",
        "S::operator int": "method",
        "S::operator bool": "method",  # what C++ makes of operator int where it asks whether an S is true
        "S::operator==": "method",
    }
    assert skipped(module) == {}
    assert [(t.qualified, t.kind, t.owner) for t in module.templates] == [("S::as", "method", "S")]
    assert [v.qualified for v in module.variables] == ["S::count"]
    declared = [f for f in module.functions if not f.implicit]
    places = sorted(m.location.line for m in (*declared, *module.templates) if m.location)
    assert places == [3, *range(5, 10)]
    assert module.exposed == 1 + 6 + 1 + 2


def test_members_that_cannot_be_bound(read: Read) -> None:
    module = read(
        "struct S {\n  int x;\n  S(const S&) = default;\n  void gone() = delete;\n  int printf(const char*, ...);\n"
        "  void shaky() volatile;\n  void shaky();\n"
        "  void far(long double);\n  void* operator new(decltype(sizeof 0));\n};\n"
    )
    assert {s.name.partition("(")[0]: s.reason.partition(":")[0] for s in module.skipped} == {
        "S::gone": "it is deleted or marked unavailable",
        "S::printf": "it takes a variable number of arguments (...)",
        "S::shaky": "no object of Python's is volatile",
        "S::far": "parameter 1 'arg0' (long double)",
        "S::operator new": "C++ calls it when it makes and destroys objects",
    }


def test_what_the_compiler_adds_is_no_declaration(read: Read) -> None:
    assert read("struct S { int x; };\nS f(S a) { S b(a); b = a; return b; }").exposed == 2


@pytest.mark.parametrize("access", ["protected", "private"])
def test_members_that_are_not_public_are_not_exposed(read: Read, access: str) -> None:
    module = read(
        f"class C {{ public: int x; {access}: void f(); static const int K; using T = int; "
        "struct In { int y; }; };\n"
        "const int C::K = 3;\n"
    )
    assert (module.exposed, module.skipped, module.constants) == (1, (), ())


def test_friends(read: Read) -> None:
    module = read(
        "namespace n { struct S { int x; friend int hidden(S s) { return 1; } friend int seen(S s) { return 2; }\n"
        "friend int later(S); friend int S_before(S); friend int lost(int); }; int seen(S s); }\n"
    )
    named = {f.qualified: f.expression for f in module.functions}
    assert named == {"n::hidden": "hidden", "n::later": "later", "n::S_before": "S_before", "n::seen": ""}
    assert skipped(module).keys() == {"n::lost(int)"}
    assert "C++ does not find it through its arguments" in module.skipped[0].reason


def test_definitions_outside_their_scope(read: Read, judge: Callable[..., None], tmp_path: object) -> None:
    module = read(
        "namespace a { int f(int); extern const int K; struct S; template <class T> void t(T); "
        "inline namespace v { int g(int); } }\n"
        "int a::f(int x) { return x; }\nconst int a::K = 4;\nstruct a::S { int x; static const int L; };\n"
        "template <class T> void a::t(T) {}\nconst int a::S::L = 5;\nint a::g(int x) { return x; }\n"
    )
    assert [f.qualified for f in module.functions] == ["a::f", "a::g"]
    assert {c.qualified: c.value for c in module.constants} == {"a::K": 4, "a::S::L": 5}
    assert [r.name for r in module.records] == ["a::S"]
    assert [t.qualified for t in module.templates] == ["a::t"]
    assert module.skipped == ()
    judge(module, f"{tmp_path}/source.hpp")


def test_a_constant_hides_an_inherited_field(read: Read) -> None:
    """C++ forbids a constant with the name of a field of the same class, so no other clash exists."""
    module = read("struct B { int size, b; };\nstruct D : B { static constexpr int size = 3; int d; };")
    fields = {r.name: [f.name for f in r.fields] for r in module.records}
    assert fields["D"] == ["d"] or fields["D"] == ["b", "d"]
    assert [(c.qualified, c.value) for c in module.constants] == [("D::size", 3)]


def test_edges_of_enumerations(read: Read) -> None:
    module = read(
        "#include <cstdint>\nenum class Byte : unsigned char {};\nenum class Truth : bool { no, yes };\n"
        "enum : std::uint64_t { LARGE = 0xFFFFFFFFFFFFFFFF };\nenum : bool { YES = true };\n"
        "enum : signed char { LOW = -128 };\nByte f(Byte b, Truth t);\n"
    )
    byte, truth = module.enums
    assert isinstance(byte, Enum)
    assert (str(byte.underlying), byte.members) == ("uint8", ())
    assert (str(truth.underlying), truth.members) == ("bool", (("no", 0), ("yes", 1)))
    assert {c.name: c.value for c in module.constants} == {"LARGE": 2**64 - 1, "YES": True, "LOW": -128}


@pytest.mark.filterwarnings("ignore")
def test_constants_and_types_are_on_the_record_class() -> None:
    lib = sb.compile(
        "struct S { int x; static constexpr int K = 3; static constexpr int pass = 4; using Self = S; };\n"
        "struct N { ~N(); static constexpr int K = 5; };\n"
        "enum class Truth : bool { no, yes };\nenum class Byte : unsigned char {};\n"
        "inline Truth flip(Truth t) { return t == Truth::no ? Truth::yes : Truth::no; }\n"
        "inline Byte next(Byte b) { return static_cast<Byte>(static_cast<unsigned char>(b) + 1); }\n"
    )
    assert (lib.S.K, lib.S.pass_, lib.N.K, lib.S(7).x) == (3, 4, 5, 7)
    assert lib.S.Self is lib.S
    assert lib.flip(lib.Truth.no) is lib.Truth.yes
    assert lib.next(3) == 4
