"""Exceptions with a ``std::error_code``: Python's OSError where the system speaks, else the code and its category."""

from __future__ import annotations

import copy
import errno
import pickle
from typing import Any

import pytest

import samebytes as sb

from ..tables import each

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = r"""
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <string>
#include <system_error>
struct Category : std::error_category {
  const char* name() const noexcept override { return "mine"; }
  std::string message(int n) const override { return "number " + std::to_string(n); }
};
inline const Category mine;
struct Own : std::system_error {
  int line = 5;
  explicit Own(std::error_code code) : std::system_error(code, "own") {}
};
struct OwnFile : std::filesystem::filesystem_error {
  OwnFile() : filesystem_error("own", "a", "b", std::make_error_code(std::errc::file_exists)) {}
};
struct Wording : OwnFile { const char* what() const noexcept override { return "own words"; } };
inline void fail(const std::string& how) {
  using std::filesystem::filesystem_error;
  if (how == "generic") throw std::system_error(ENOENT, std::generic_category(), "reading");
  if (how == "system") throw std::system_error(EACCES, std::system_category());
  if (how == "unknown") throw std::system_error(999999, std::system_category());
  if (how == "zero") throw std::system_error(0, std::generic_category());
  if (how == "mine") throw std::system_error(7, mine, "other");
  if (how == "file") std::filesystem::file_size("/nowhere/é");
  if (how == "files") std::filesystem::copy_file("/nowhere/a", "/nowhere/b");
  if (how == "no file") throw filesystem_error("none", std::make_error_code(std::errc::io_error));
  if (how == "file of mine") throw filesystem_error("odd", "a", std::error_code(7, mine));
  if (how == "future") { std::promise<int> p; p.get_future(); p.get_future(); }
  if (how == "stream") { std::ifstream f; f.exceptions(std::ios::failbit); f.open("/nowhere"); }
  if (how == "own") throw Own({ENOTDIR, std::generic_category()});
  if (how == "own of mine") throw Own({3, mine});
  if (how == "own file") throw OwnFile();
  if (how == "wording") throw Wording();
  if (how == "nested") {
    const std::system_error outer(EINTR, std::generic_category(), "outer");
    try { fail("file"); } catch (...) { std::throw_with_nested(outer); }
  }
}
inline std::string what(const std::string& how) {
  try { fail(how); } catch (const std::exception& e) { return e.what(); }
  return "";
}
inline int code(const std::string& how) {
  try { fail(how); } catch (const std::system_error& e) { return e.code().value();
  } catch (const std::future_error& e) { return e.code().value(); }
  return -1;
}
inline void pass(std::function<void()> f) { f(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, std="c++17")


def raised(lib: Any, how: str) -> Any:
    with pytest.raises(Exception) as caught:
        lib.fail(how)
    return caught.value


# how -> Python's class, its words, the files, the category, the type.
OF_THE_SYSTEM = (
    ("generic", FileNotFoundError, "reading: No such file or directory", (None, None), "generic", "std::system_error"),
    ("system", PermissionError, "Permission denied", (None, None), "system", "std::system_error"),
    ("unknown", OSError, "Unknown error 999999", (None, None), "system", "std::system_error"),
    ("zero", OSError, "Success", (None, None), "generic", "std::system_error"),
    ("file", FileNotFoundError, "cannot get file size: No such file or directory", ("/nowhere/é", None), "generic",
     "std::filesystem::filesystem_error"),
    ("files", FileNotFoundError, "cannot copy file: No such file or directory", ("/nowhere/a", "/nowhere/b"), "generic",
     "std::filesystem::filesystem_error"),
    ("no file", OSError, "none: Input/output error", (None, None), "generic", "std::filesystem::filesystem_error"),
    ("own", NotADirectoryError, "own: Not a directory", (None, None), "generic", "Own"),
    ("own file", FileExistsError, "own: File exists", ("a", "b"), "generic", "OwnFile"),
    ("wording", FileExistsError, "own words", ("a", "b"), "generic", "Wording"),
)  # fmt: skip


@each("how, builtin, words, files, category, name", OF_THE_SYSTEM)
def test_what_the_system_says_is_an_os_error(
    lib: Any, how: str, builtin: type, words: str, files: tuple[str, str], category: str, name: str
) -> None:
    error = raised(lib, how)
    assert isinstance(error, builtin)
    assert type(error) is builtin or "own" in how or how == "wording"
    assert (error.errno, error.cxx_code) == (lib.code(how), lib.code(how))
    assert (error.strerror, error.filename, error.filename2) == (words, *files)
    assert (error.cxx_category, error.cxx_type) == (category, name)
    assert words in lib.what(how)
    like = OSError(error.errno, words, files[0], None, files[1]) if files[0] else OSError(error.errno, words)
    assert (str(error), error.args) == (str(like), like.args)


# how -> its words, the category, the type.
OF_OTHERS = (
    ("mine", "other: number 7", "mine", "std::system_error"),
    ("file of mine", "odd: number 7", "mine", "std::filesystem::filesystem_error"),
    ("future", "std::future_error: Future already retrieved", "future", "std::future_error"),
    ("stream", "basic_ios::clear: iostream error", "iostream", "std::ios_base::failure"),
    ("own of mine", "own: number 3", "mine", "Own"),
)


@each("how, words, category, name", OF_OTHERS)
def test_another_category_is_no_os_error(lib: Any, how: str, words: str, category: str, name: str) -> None:
    error = raised(lib, how)
    assert isinstance(error, RuntimeError)
    assert not isinstance(error, OSError)
    assert (error.cxx_code, error.cxx_category, error.cxx_type) == (lib.code(how), category, name)
    assert words in lib.what(how)
    assert words in str(error)


def test_a_class_of_its_own_catches_both(lib: Any) -> None:
    for how in ("own", "own of mine"):
        error = raised(lib, how)
        assert isinstance(error, lib.Own.exception)
        assert error.line == error.cxx.line == 5
    assert not issubclass(lib.Own.exception, OSError)
    with pytest.raises(FileExistsError):
        lib.fail("own file")


def test_an_inner_one_is_the_cause(lib: Any) -> None:
    error = raised(lib, "nested")
    assert (type(error), error.errno, error.strerror.split(";")[0]) == (
        InterruptedError, errno.EINTR, "outer: Interrupted system call"
    )  # fmt: skip
    assert (type(error.__cause__), error.__cause__.filename) == (FileNotFoundError, "/nowhere/é")


@each("how", [row[0] for row in (*OF_THE_SYSTEM, *OF_OTHERS)])
def test_copies_and_pickles_say_the_same(lib: Any, how: str) -> None:
    error = raised(lib, how)
    for other in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        for name in (
            "args",
            "errno",
            "strerror",
            "filename",
            "filename2",
            "cxx_code",
            "cxx_category",
            "cxx_type",
        ):
            assert getattr(other, name, None) == getattr(error, name, None), name
        assert str(other) == str(error)


def test_it_passes_through_cxx_as_itself(lib: Any) -> None:
    seen = []

    def fails() -> None:
        try:
            lib.fail("files")
        except OSError as error:
            seen.append(error)
            raise

    with pytest.raises(FileNotFoundError) as caught:
        lib.pass_(fails)
    assert caught.value is seen[0]
