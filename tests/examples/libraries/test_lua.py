"""Lua from its own headers: the API's macros in a header of five lines, and functions of Lua's that are Python's."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

# What Lua gives as macros with parameters.
HEADER = """
#include <lua5.4/lua.h>
#include <lua5.4/lauxlib.h>
#include <lua5.4/lualib.h>
static inline int run(lua_State *L, const char *text) { return luaL_dostring(L, text); }
static inline void pop(lua_State *L, int n) { lua_pop(L, n); }
static inline int call(lua_State *L, int arguments, int results) { return lua_pcall(L, arguments, results, 0); }
static inline double number(lua_State *L, int at) { return lua_tonumber(L, at); }
static inline const char *text(lua_State *L, int at) { return lua_tostring(L, at); }
"""


@pytest.fixture(scope="module")
def lib(needs: Callable[[str, str], None], tmp_path_factory: pytest.TempPathFactory) -> Any:
    needs("lua5.4/lua.h", "liblua5.4-dev")
    library = ctypes.util.find_library("lua5.4")
    if library is None:
        pytest.skip("liblua5.4 is not there: apt install liblua5.4-0")
    header: Path = tmp_path_factory.mktemp("lua") / "own_lua.h"
    header.write_text(HEADER)
    return sb.bind(header, library=library, style="c_api", language="c", expose=["*/lua5.4/*"])


@pytest.fixture
def state(lib: Any) -> Any:
    made = lib.luaL_newstate()
    lib.luaL_openlibs(made)
    yield made
    lib.lua_close(made)


def test_a_script(lib: Any, state: Any) -> None:
    script = "function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end return fib(20), _VERSION"
    assert lib.run(state, script) == lib.LUA_OK
    assert lib.lua_gettop(state) == 2
    assert lib.number(state, 1) == 6765
    assert lib.text(state, 2) == f"Lua {lib.LUA_VERSION_MAJOR}.{lib.LUA_VERSION_MINOR}"
    lib.pop(state, 2)
    assert lib.lua_tonumberx(state, -1) == (0, 0)  # nothing is there: the second says that it is no number


def test_a_function_of_pythons(lib: Any, state: Any) -> None:
    seen = []

    def hypotenuse(own: Any) -> int:
        seen.append(type(own))
        lib.lua_pushnumber(own, (lib.number(own, 1) ** 2 + lib.number(own, 2) ** 2) ** 0.5)
        return 1

    kept = lib.lua_CFunction(hypotenuse)
    lib.lua_pushcclosure(state, kept, 0)
    lib.lua_setglobal(state, "hypotenuse")
    assert lib.run(state, "return hypotenuse(3, 4) + hypotenuse(5, 12)") == lib.LUA_OK
    assert lib.number(state, -1) == 18
    assert seen == [type(state)] * 2


def test_errors_of_lua(lib: Any, state: Any) -> None:
    """Lua leaves its own functions with longjmp: the status says what happened."""
    assert lib.run(state, "local x = nil; return x.field") == 1
    assert "attempt to index a nil value" in lib.text(state, -1)
    assert lib.luaL_loadstring(state, "this is no Lua") == lib.LUA_ERRSYNTAX


def test_errors_of_python(lib: Any, state: Any) -> None:
    def fails(own: Any) -> int:
        raise KeyError("from Python")

    kept = lib.lua_CFunction(fails)
    lib.lua_pushcclosure(state, kept, 0)
    with pytest.raises(KeyError, match="from Python"):
        lib.call(state, 0, 0)


def test_memory_is_counted_by_python(lib: Any) -> None:
    held: dict[int, Any] = {}

    def allocate(ud: Any, block: Any, before: int, after: int) -> Any:
        old = held.pop(int(block), None) if block else None
        if not after:
            return None
        new = ctypes.create_string_buffer(after)
        if old is not None:
            ctypes.memmove(new, old, min(len(old), after))
        held[ctypes.addressof(new)] = new
        return sb.Pointer(ctypes.addressof(new))

    kept = lib.lua_Alloc(allocate)
    state = lib.lua_newstate(kept, None)
    assert len(held) > 10
    assert lib.run(state, "t = {} for i = 1, 100 do t[i] = i * i end return t[12]") == lib.LUA_OK
    assert lib.number(state, -1) == 144
    lib.lua_close(state)
    assert not held
