"""Deep nesting, large types and many names: right, or one sentence, in bounded time and memory."""

from __future__ import annotations

import resource
import time
import warnings
from typing import Any

import pytest

import samebytes as sb
from samebytes.errors import BindError

pytestmark = pytest.mark.full  # it takes long

SECONDS = 60  # of processor time, here and in compilers; what it replaces took minutes, or never ended


def compiled(source: str) -> tuple[Any, list[str]]:
    """The library, and what is not bound; within the time, and without much memory."""
    begun, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib = sb.compile(source)
    assert time.process_time() - begun < SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # KiB
    return lib, [str(s) for s in lib.__skipped__]


def nested(count: int) -> str:
    structs = "".join(f"struct S{i} {{ S{i - 1} a; int b; }};\n" for i in range(1, count))
    return f"struct S0 {{ int v; }};\n{structs}inline int top(const S{count - 1}& s) {{ return s.b; }}\n"


def test_structs_to_the_limit() -> None:
    lib, skipped = compiled(nested(100))
    assert skipped == []
    top = lib.S99(b=7)
    inner = top
    for _ in range(99):
        inner = inner.a
    inner.v = 5
    assert lib.top(top) == 7
    assert "S0(v=5)" in repr(top)


def test_structs_beyond_it() -> None:
    lib, skipped = compiled(nested(500))
    assert any("S100 " in s and "it nests more than 100 classes in one another" in s for s in skipped)
    assert lib.S99().b == 0
    assert not hasattr(lib, "S100")


def test_the_outermost_is_read_first() -> None:
    """A template makes what it nests when it is used: then nothing inside is known yet."""
    source = """
    template <int N> struct T { T<N - 1> inner; int own; };
    template <> struct T<0> { int own; };
    inline int f(const T<400>& t) { return t.own; }
    inline int g(int a) { return a; }
    """
    try:
        lib, skipped = compiled(source)
    except BindError as error:
        assert "deeper than" in str(error)  # noqa: PT017
        return
    assert lib.g(4) == 4
    assert any("f(" in s for s in skipped) or hasattr(lib, "f")


def test_two_of_each_inside_the_next() -> None:
    """As many leaves as two to the power of the depth."""
    structs = "".join(f"struct D{i} {{ D{i - 1} a, b; }};\n" for i in range(1, 21))
    lib, skipped = compiled(
        f"struct D0 {{ int v; }};\n{structs}inline int size(const D20&) {{ return sizeof(D20) >> 20; }}\n"
        "inline int f(int a) { return a; }"
    )
    assert skipped == []
    assert lib.size(lib.D20()) == 4
    assert lib.f(3) == 3


def test_inheritance() -> None:
    # Few of them have members of their own: each has a constructor of all that it inherits.
    members = {i: f"int v{i};" for i in range(1, 100, 30)}
    classes = "".join(f"struct B{i} : B{i - 1} {{ {members.get(i, '')} }};\n" for i in range(1, 100))
    lib, _ = compiled(f"struct B0 {{ int v0; int get() const {{ return v0; }} }};\n{classes}")
    deep = lib.B99()
    deep.v0, deep.v31 = 4, 5
    assert deep.get() == 4
    assert (deep.v31, lib.B99(6).get()) == (5, 6)


@pytest.mark.parametrize(("stars", "bound"), [(1, True), (64, True), (65, False), (5000, False)])
def test_pointers(stars: int, bound: bool) -> None:
    lib, skipped = compiled(f"inline int f(int {'*' * stars}) {{ return 1; }} inline int g() {{ return 2; }}")
    assert lib.g() == 2
    assert hasattr(lib, "f") == bound
    assert (
        [s.rpartition(": ")[2] for s in skipped] == [] if bound else ["it points through more than 64 levels"]
    )


def test_a_large_array() -> None:
    lib, skipped = compiled(
        "struct Big { char b[268435456]; int n; }; inline int f(const Big& b) { return b.n; }"
    )
    assert skipped == []
    assert sb.sizeof(lib.Big) == 268435460


def many(count: int, form: str, between: str = "") -> str:
    return between.join(form.format(i, i + 1) for i in range(count))


F = "inline int f() { return 1; }"
WIDE = {
    "rank 60": f"struct R {{ int a{'[1]' * 60}; }}; inline int f(const R& = R()) {{ return 1; }}",
    "5000 fields": f"struct R {{ {many(5000, 'int f{};')} }}; inline int f(const R& = R()) {{ return 1; }}",
    "10,000 enumerators": f"enum R {{ {many(10_000, 'e{}', ',')} }}; inline int f(R = e0) {{ return 1; }}",
    "300 parameters": f"inline int f({many(300, 'int a{} = 0', ',')}) {{ return 1; }}",
    "a long name": f"inline int {'f' * 5000}() {{ return 1; }} {F}",
    "namespaces": f"{'namespace n {' * 200} inline int g() {{ return 1; }} {'}' * 200} {F}",
    "typedefs": f"typedef int t0; {many(999, 'typedef t{} t{};')} inline int f(t999 = 0) {{ return 1; }}",
    "macros": f"#define A B\n#define B A\n#define C C+1\n#define D(x) D(x)\n{F}",
    "function pointers": (
        f"using F0 = int (*)(int); {many(60, 'using F{1} = int (*)(F{0});')}"
        "inline int f(F60 = nullptr) { return 1; }"
    ),
    "too many of them": (
        f"using F0 = int (*)(int); {many(99, 'using F{1} = int (*)(F{0});')}"
        f"inline int g(F99) {{ return 1; }} {F}"
    ),
    "names with $ and others": f"inline int a$b() {{ return 1; }} inline int größe() {{ return 1; }} {F}",
}


@pytest.mark.parametrize("source", WIDE.values(), ids=WIDE)
def test_wide_and_long(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(
        "SAMEBYTES_OPTIMIZE"
    )  # as users build: the code is read, which is long where nothing optimises
    lib, skipped = compiled(source)
    assert lib.f() == 1
    reasons = (
        "it points through more than 64 levels", "D (source.cpp:4): it is a macro with parameters",
        "as an expression, its text is refused: use of undeclared identifier",
    )  # fmt: skip
    assert [s for s in skipped if not any(reason in s for reason in reasons)] == []


def test_many_overloads() -> None:
    forms = "".join(f"struct O{i} {{ int a; }}; inline int f(O{i}) {{ return {i}; }}\n" for i in range(100))
    lib, _ = compiled(forms)
    assert [lib.f(getattr(lib, f"O{i}")()) for i in (0, 50, 99)] == [0, 50, 99]


def deep(count: int) -> Any:
    found: Any = 1
    for _ in range(count):
        found = [found]
    return found


def test_values_that_nest_or_hold_themselves() -> None:
    lib, _ = compiled(
        "#include <map>\n#include <string>\n#include <vector>\nstruct P { double x, y; };\n"
        "inline int v(std::vector<std::vector<int>> v) { return v.size(); }\n"
        "inline int m(std::map<std::string, int> m) { return m.size(); }\n"
        "inline int p(P) { return 1; }\ninline int i(int) { return 1; }\ninline int a(const double*) { return 1; }\n"
    )
    itself: list[Any] = []
    itself.append(itself)
    mapping: dict[str, Any] = {}
    mapping["a"] = mapping
    for value in (deep(10_000), itself, mapping, {"a": itself}, [mapping], (itself,)):
        for name in "vmpia":
            with pytest.raises((sb.Error, TypeError, RecursionError)) as raised:
                getattr(lib, name)(value)
            assert len(str(raised.value)) < 2000


COLLIDING = """
inline int import(int a) { return a; }
namespace import_ { inline int g() { return 2; } }
namespace lambda { inline int h() { return 3; } struct S { int a; }; }
inline int lambda_(int a) { return a; }
struct with { struct In { int q; }; int from; int from_; static int s() { return 5; } };
namespace deep { namespace def { inline int k() { return 6; } } inline int def_() { return 7; } }
enum class Kind { None, None_, True };
"""


def test_names_that_meet_behind_keywords() -> None:
    """Each name is reached: what is no keyword keeps its own, the other has one more underscore."""
    lib, skipped = compiled(COLLIDING)
    assert skipped == []
    found = (
        lib.import__(1), lib.import_.g(), lib.lambda__.h(), lib.lambda_(4), lib.with_.s(), lib.deep.def__.k(),
        lib.deep.def_(), lib.with_.In(2).q, lib.lambda__.S(3).a,
    )  # fmt: skip
    assert found == (1, 2, 3, 4, 5, 6, 7, 2, 3)
    assert (lib.with_(1, 2).from__, lib.with_(1, 2).from_) == (1, 2)
    assert len(lib.Kind) == 3


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ('quo"te.h', "a quote ends the name in an #include"),
        ("new\nline.h", "a line ends there"),
        ("\udcff.h", "is not UTF-8"),
        ("tab\there.h", ""),
        ("it's a $HOME #1 \\ name.h", ""),
    ],
    ids=ascii,
)
@pytest.mark.parametrize("kind", ["file", "folder", "included", "included folder"])
def test_names_of_files(tmp_path: Any, name: str, words: str, kind: str) -> None:
    home = tmp_path / name if kind == "folder" else tmp_path
    home.mkdir(exist_ok=True)
    header = home / (name if kind == "file" else "main.h")
    text = "inline int named() { return 8; }\n"
    if kind.startswith("included"):
        inner = tmp_path / name / "inner.h" if kind == "included folder" else tmp_path / name
        inner.parent.mkdir(exist_ok=True)
        inner.write_text(text)
        if "\n" in name or '"' in name:
            pytest.skip("no #include can say it")
        spelled = str(inner.relative_to(tmp_path)).encode(errors="surrogateescape")
        header.write_bytes(b'#include "' + spelled + b'"\ninline int other() { return 9; }\n')
    else:
        header.write_text(text)
    try:
        lib = sb.bind(
            str(header), language="c++", expose=[str(tmp_path)] if kind.startswith("included") else []
        )
    except BindError as error:
        assert words, error  # noqa: PT017
        assert words in str(error) or "UTF-8" in str(error)  # noqa: PT017
        return
    assert not words or kind.startswith("included")
    assert (lib.other() == 9) if kind.startswith("included") else (lib.named() == 8)
