"""``e |= x`` of enumerators: what C++ leaves in the enumerator, whatever its operator gives; Python's never change."""

from __future__ import annotations

import subprocess
import warnings
from pathlib import Path

import pytest

import samebytes as sb

SOURCE = r"""
#include <cstdint>
#include <type_traits>
enum class Perm : std::uint8_t { none = 0, read = 1, write = 2, exec = 4, all = 7 };
inline Perm& operator|=(Perm& a, Perm b) { return a = Perm(int(a) | int(b)); }
inline Perm operator&=(Perm& a, Perm b) { Perm old = a; a = Perm(int(a) & int(b)); return old; }
inline void operator+=(Perm& a, int n) { a = Perm(int(a) + n); }
inline bool operator^=(Perm& a, const Perm& b) { a = Perm(int(a) ^ int(b) ^ 16); return false; }
inline const Perm& operator-=(Perm& a, const Perm& b) { a = Perm(int(a) - int(b)); return b; }
inline Perm& operator<<=(Perm& a, unsigned n) { return a = Perm(int(a) << n); }
enum Plain { pa = 1, pb = 2 };
inline Plain& operator|=(Plain& a, Plain b) { return a = Plain(int(a) | int(b) | 32); }
namespace ns { enum class Inner : char { x = -3, y = 5 };
inline Inner& operator*=(Inner& a, int n) { return a = Inner(int(a) * n); } }
enum class On : bool { no, yes };
inline On& operator|=(On& a, On b) { return a = On(bool(a) || bool(b)); }
enum class Flag : unsigned long { a = 1, b = 1ul << 40 };
template <class E> struct on : std::false_type {};
template <> struct on<Flag> : std::true_type {};
template <class E> std::enable_if_t<on<E>::value, E&> operator|=(E& x, E y) {
  return x = E((unsigned long)x | (unsigned long)y | 8);
}
template <class E> std::enable_if_t<on<E>::value> operator-=(E& x, int n) { x = E((unsigned long)x - n); }
struct File { Perm perm = Perm::read; Plain plain = pa; };
struct Owner { Perm perm = Perm::read; virtual ~Owner() {} };
"""
ROWS = {
    "perm = lib.Perm.read; perm |= lib.Perm.write": "auto perm = Perm::read; perm |= Perm::write;",
    "perm = lib.Perm.all; perm &= lib.Perm.exec": "auto perm = Perm::all; perm &= Perm::exec;",
    "perm = lib.Perm.read; perm += 3": "auto perm = Perm::read; perm += 3;",
    "perm = lib.Perm.read; perm ^= lib.Perm.all": "auto perm = Perm::read; perm ^= Perm::all;",
    "perm = lib.Perm.all; perm -= lib.Perm.exec": "auto perm = Perm::all; perm -= Perm::exec;",
    "perm = lib.Perm.read; perm <<= 3": "auto perm = Perm::read; perm <<= 3;",
    "perm = lib.pa; perm |= lib.pb": "auto perm = pa; perm |= pb;",
    "perm = lib.ns.Inner.x; perm *= 7": "auto perm = ns::Inner::x; perm *= 7;",
    "perm = lib.On.no; perm |= lib.On.yes": "auto perm = On::no; perm |= On::yes;",
    "perm = lib.Flag.a; perm |= lib.Flag.b": "auto perm = Flag::a; perm |= Flag::b;",
    "perm = lib.Flag.b; perm -= 1": "auto perm = Flag::b; perm -= 1;",
    "f = lib.File(); f.perm |= lib.Perm.all; perm = f.perm": "File f; f.perm |= Perm::all; auto perm = f.perm;",
    "f = lib.File(); f.plain |= lib.pb; perm = f.plain": "File f; f.plain |= pb; auto perm = f.plain;",
    "o = lib.Owner(); o.perm += 1; perm = o.perm": "Owner o; o.perm += 1; auto perm = o.perm;",
    "v = [lib.pa]; v[0] |= lib.pb; perm = v[0]": "Plain v[1] = {pa}; v[0] |= pb; auto perm = v[0];",
}  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> sb.Library:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing that these operators write is discarded
        return sb.compile(SOURCE)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    folder: Path = tmp_path_factory.mktemp("in_place")
    rows = "".join(f'{{ {cxx} std::printf("%ld\\n", long(perm)); }}\n' for cxx in ROWS.values())
    (folder / "main.cpp").write_text(f"#include <cstdio>\n{SOURCE}\nint main() {{ {rows} }}")
    subprocess.run(["g++", "-std=gnu++17", "-w", "-o", "main", "main.cpp"], cwd=folder, check=True)
    lines = subprocess.run([folder / "main"], capture_output=True, text=True, check=True).stdout.split()
    return dict(zip(ROWS, map(int, lines), strict=True))


@pytest.mark.parametrize("python", ROWS)
def test_it_is_what_cpp_leaves(lib: sb.Library, told: dict[str, int], python: str) -> None:
    names: dict[str, object] = {"lib": lib}
    exec(python, names)
    perm = names["perm"]
    assert type(perm) in (lib.Perm, lib.Plain, lib.ns.Inner, lib.On, lib.Flag)
    assert int(perm) == told[python]  # type: ignore[call-overload]


def test_no_enumerator_changes(lib: sb.Library) -> None:
    before = lib.Perm.read
    after = before
    after |= lib.Perm.write
    assert (before.value, after.value, lib.Perm.read.value) == (1, 3, 1)


def test_what_the_operator_does_not_take(lib: sb.Library) -> None:
    perm = lib.Perm.read
    with pytest.raises(TypeError):
        perm += "much"
    assert perm is lib.Perm.read
