"""A class of ``std`` that is no bytes goes from function to function; its members are bound when one is asked for."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
#include <exception>
#include <memory>
#include <stdexcept>
#include <typeinfo>
struct My : std::runtime_error { using std::runtime_error::runtime_error; };
inline std::exception_ptr keep(const My& e) { return std::make_exception_ptr(e); }
inline void again(std::exception_ptr p) { std::rethrow_exception(p); }
inline const std::type_info& info(int n) { return n ? typeid(int) : typeid(double); }
inline bool is_int(const std::type_info& t) { return t == typeid(int); }
inline bool is_double(const std::type_info* t) { return t && *t == typeid(double); }
inline std::weak_ptr<int> weak(std::shared_ptr<int> p) { return p; }
inline bool expired(const std::weak_ptr<int>& p) { return p.expired(); }
inline std::unique_ptr<int, void (*)(int*)> deleted() { return {new int(3), [](int* p) { delete p; }}; }
inline int plain() { return 3; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


def test_objects_go_from_function_to_function(lib: Any) -> None:
    with pytest.raises(lib.My.exception, match="mine"):
        lib.again(lib.keep(lib.My("mine")))
    assert [lib.is_int(lib.info(n)) for n in (0, 1)] == [False, True]
    assert [lib.is_double(t) for t in (lib.info(0), lib.info(1), None)] == [True, False, False]
    assert lib.expired(lib.weak(3))
    assert isinstance(lib.info(1), lib.std.type_info)


def test_members_are_bound_when_they_are_asked_for(lib: Any) -> None:
    assert lib.info(1).name() == "i"  # of an object that C++ gave
    assert lib.info(1) == lib.info(1)
    assert lib.info(1) != lib.info(0)
    with pytest.raises(AttributeError, match="nam"):
        lib.info(1).nam  # noqa: B018


def test_the_name_is_that_of_cxx(lib: Any) -> None:
    assert lib.std.exception_ptr is type(lib.keep(lib.My("x")))
    assert repr(lib.std.weak_ptr) == "<class template std::weak_ptr>"
    assert not hasattr(lib.std, "nested_exception")  # which no function mentions


def test_what_is_refused_says_the_cause(lib: Any) -> None:
    with pytest.raises(AttributeError, match=r"a std::unique_ptr with a deleter of its own crosses if"):
        lib.deleted  # noqa: B018
