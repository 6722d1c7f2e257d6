"""``std::ostream&`` and ``std::istream&`` are files of Python's: C++'s text arrives, and what it leaves is left."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

CODE = r"""
#include <iomanip>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>
struct Point {
  int x, y;
  void show(std::ostream& out) const { out << '(' << x << ", " << y << ')'; }
  std::ostream& print(std::ostream& out) const { return out << x << std::endl; }
  void read(std::istream& in) { in >> x >> y; }
};
inline void report(std::ostream& out, double x, int width) {
  out << std::setw(width) << std::setprecision(3) << x << " \xc3\xa9\n" << std::hex << 255;
}
inline void many(std::ostream& out, int n) { for (int i = 0; i < n; ++i) out << i << ' '; }
inline void raw(std::ostream& out, int c, int n) { for (int i = 0; i < n; ++i) out.put(static_cast<char>(c)); }
inline bool good(std::ostream& out) { out << 1 << std::flush; return out.good(); }
inline void fails(std::ostream& out) { out << "before"; throw std::out_of_range("after"); }
inline std::string line(std::istream& in) { std::string s; std::getline(in, s); return s; }
inline std::vector<int> numbers(std::istream& in, int n) {
  std::vector<int> v;
  for (int x; n-- && in >> x;) v.push_back(x);
  return v;
}
inline std::string rest(std::istream& in) { std::string s; for (char c; in.get(c);) s += c; return s; }
inline std::string bytes(std::istream& in, int n) {
  std::string s(n, 0);
  in.read(&s[0], n);
  s.resize(in.gcount());
  return s;
}
inline void copy(std::istream& in, std::ostream& out) { out << in.rdbuf(); }
inline std::ostream*& stored() { static std::ostream* s; return s; }
inline void keep(std::ostream& out) { stored() = &out; }
inline void late() { *stored() << "late" << std::flush; }
inline int which(std::ostream&) { return 1; }
inline int which(std::istream&) { return 2; }
inline int which(const std::string&) { return 3; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, name="streams")


# A call with a stream, and what a C++ program that writes to a std::ostringstream says.
WRITES: list[tuple[str, Callable[[Any, Any], object], str]] = [
    ("numbers", lambda lib, out: lib.report(out, 2.718281828, 8), "report(out, 2.718281828, 8);"),
    ("a const method", lambda lib, out: lib.Point(3, 4).show(out), "Point{3, 4}.show(out);"),
    ("gives it back", lambda lib, out: lib.Point(3, 4).print(out), "Point{3, 4}.print(out);"),
    ("more than a buffer", lambda lib, out: lib.many(out, 4000), "many(out, 4000);"),
    ("nothing", lambda lib, out: lib.many(out, 0), "many(out, 0);"),
    (
        "both",
        lambda lib, out: lib.copy(io.StringIO("é" * 5000), out),
        'for (int i = 0; i < 5000; ++i) out << "\\xc3\\xa9";',
    ),
]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    place = tmp_path_factory.mktemp("streams")
    lines = "".join(
        f"{{ std::ostringstream out; {cxx} std::cout << out.str() << '\\0'; }}\n" for *_, cxx in WRITES
    )
    program = f"{CODE}\n#include <iostream>\n#include <sstream>\nint main() {{\n{lines}}}\n"
    (place / "program.cpp").write_text(program)
    subprocess.run(["g++", "-std=c++17", "-o", place / "program", place / "program.cpp"], check=True)
    said = subprocess.run([place / "program"], check=True, capture_output=True).stdout
    return said.decode().split("\0")


@pytest.mark.parametrize("row", range(len(WRITES)), ids=[row[0] for row in WRITES])
def test_what_cxx_writes_arrives(lib: Any, written: list[str], row: int, tmp_path: Path) -> None:
    call, expected = WRITES[row][1], written[row]
    text, binary = io.StringIO(), io.BytesIO()
    assert call(lib, text) is None
    call(lib, binary)
    assert (text.getvalue(), binary.getvalue()) == (expected, expected.encode())
    for mode, buffering in (("w+", -1), ("wb+", -1), ("wb+", 0)):
        with open(tmp_path / "file", mode, buffering, newline=None if "b" in mode else "") as file:
            file.write("<" if mode == "w+" else b"<")  # type: ignore[call-overload]
            call(lib, file)
            file.write(">" if mode == "w+" else b">")  # type: ignore[call-overload]
        assert (tmp_path / "file").read_bytes() == f"<{expected}>".encode()


def test_standard_output_is_pythons(lib: Any, capsys: pytest.CaptureFixture[str]) -> None:
    lib.many(sys.stdout, 3)
    assert capsys.readouterr().out == "0 1 2 "


READS: list[tuple[str, Callable[[Any, Any], object], object, str]] = [
    ("7 8 9 rest", lambda lib, file: lib.numbers(file, 2), [7, 8], " 9 rest"),
    ("one\ntwo\n", lambda lib, file: lib.line(file), "one", "two\n"),
    ("no end", lambda lib, file: lib.line(file), "no end", ""),
    ("", lambda lib, file: lib.line(file), "", ""),
    ("é€𝄞 x\ny", lambda lib, file: lib.line(file), "é€𝄞 x", "y"),
    ("é" * 3000 + "\nz" * 3000, lambda lib, file: lib.line(file), "é" * 3000, "z\n" * 2999 + "z"),
    ("all of it", lambda lib, file: lib.rest(file), "all of it", ""),
    ("abcdef", lambda lib, file: lib.bytes(file, 4), "abcd", "ef"),
]


@pytest.mark.parametrize("row", range(len(READS)))
@pytest.mark.parametrize("kind", ["text", "binary", "file", "bytes of a file", "pipe", "text of a pipe"])
def test_what_cxx_leaves_is_left(lib: Any, row: int, kind: str, tmp_path: Path) -> None:
    content, call, expected, left = READS[row]
    if kind == "text of a pipe" and row == 0:
        return  # see below
    with opened(kind, content, tmp_path) as file:
        found = call(lib, file)
        assert (found if isinstance(found, str) else list(found)) == expected  # type: ignore[call-overload]
        rest = file.read()
    assert (rest if isinstance(rest, str) else rest.decode()) == left


def test_a_pipe_of_text_takes_nothing_back(lib: Any, tmp_path: Path) -> None:
    with (
        opened("text of a pipe", "7 8 9", tmp_path) as file,
        pytest.raises(sb.ArgumentError, match="read further than it used"),
    ):
        lib.numbers(file, 1)


def opened(kind: str, content: str, place: Path) -> Any:
    if kind in ("text", "binary"):
        return io.StringIO(content) if kind == "text" else io.BytesIO(content.encode())
    if kind in ("file", "bytes of a file"):
        (place / "file").write_text(content, newline="")
        return open(place / "file", newline="") if kind == "file" else open(place / "file", "rb")
    reading, writing = os.pipe()
    os.write(writing, content.encode())
    os.close(writing)
    return open(reading, newline="") if kind.startswith("text") else open(reading, "rb")


def test_a_file_that_is_listed_is_read_in_turn(lib: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a\nb\nc\n")
    with open(tmp_path / "file") as file:
        assert (next(file), lib.line(file), file.read()) == ("a\n", "b", "c\n")
    with tempfile.NamedTemporaryFile("w+") as named:
        lib.many(named, 2)
        named.seek(0)
        assert named.read() == "0 1 "


def test_an_object_is_read(lib: Any) -> None:
    point = lib.Point(0, 0)
    point.read(io.StringIO("5 6"))
    assert (point.x, point.y) == (5, 6)


class Broken(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raise KeyError("full")

    def readinto(self, room: Any) -> int:
        raise KeyError("empty")


@pytest.mark.parametrize(
    "call", [lambda lib, f: lib.good(f), lambda lib, f: lib.many(f, 9999), lambda lib, f: lib.line(f)]
)
def test_what_a_file_raises_comes_back(lib: Any, call: Callable[[Any, Any], object]) -> None:
    with pytest.raises(KeyError, match=r"full|empty"):
        call(lib, Broken())


def test_what_cxx_throws_comes_behind_what_it_wrote(lib: Any) -> None:
    out = io.StringIO()
    with pytest.raises(IndexError, match="after"):
        lib.fails(out)
    assert out.getvalue() == "before"


def test_bytes_that_are_no_text(lib: Any) -> None:
    text, binary = io.StringIO(), io.BytesIO()
    lib.raw(text, 0xFF, 2)
    lib.raw(binary, 0xFF, 5000)
    assert (text.getvalue(), binary.getvalue()) == ("\udcff\udcff", b"\xff" * 5000)
    with pytest.raises(sb.ArgumentError, match="inside of a character"):
        lib.bytes(io.StringIO("é"), 1)


def test_a_stream_that_cxx_keeps_says_so(lib: Any) -> None:
    lib.keep(io.StringIO())
    with pytest.raises(sb.ArgumentError, match="a call that is over"):
        lib.late()


def test_no_call_keeps_a_file(lib: Any, tmp_path: Path) -> None:
    for use in (lib.which, lib.good):
        file = open(tmp_path / "file", "w")  # noqa: SIM115
        gone = weakref.ref(file)
        use(file)
        with pytest.warns(ResourceWarning, match="unclosed file"):
            del file
        assert gone() is None


def test_overloads(lib: Any, tmp_path: Path) -> None:
    with open(tmp_path / "file", "w") as file:
        assert lib.which(file) == 1
    with open(tmp_path / "file") as file:
        assert lib.which(file) == 2
    assert lib.which("text") == 3


@pytest.mark.parametrize("given", ["text", 5, None, io.StringIO])
def test_what_is_no_file_to_write_to(lib: Any, given: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="expected a file that is open to write"):
        lib.many(given, 1)
    with (
        open(os.devnull) as reading,
        pytest.raises(sb.ArgumentError, match="It is not writable"),
    ):
        lib.many(reading, 1)
    closed = io.StringIO()
    closed.close()
    with pytest.raises(sb.ArgumentError, match="It is closed"):
        lib.many(closed, 1)
