"""None is an optional without a value; a null, or nothing, inside one is told apart, or refused."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # a large build

KINDS = {
    "raw": "Item*", "const_raw": "const Item*", "number": "int*", "shared": "std::shared_ptr<Item>",
    "text": "const char*", "wide": "const char32_t*", "blind": "void*",
}  # fmt: skip
NESTED = {
    "nested": "std::optional<int>", "variant": "std::variant<std::monostate, int>", "nothing": "std::monostate",
}  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    functions = "".join(
        f"""
        inline std::optional<{type_}> {name}(bool any) {{
          if (!any) return std::nullopt; return std::optional<{type_}>(std::in_place); }}
        inline int {name}_state(std::optional<{type_}> x) {{ return !x ? 0 : !{test} ? 1 : 2; }}
        struct {name}_holder {{ std::optional<{type_}> one; std::vector<std::optional<{type_}>> many; }};
        inline {name}_holder {name}_held() {{ {name}_holder h; h.one.emplace(); h.many = {{{{}}, h.one}}; return h; }}
        inline int {name}_called(std::function<int(std::optional<{type_}>)> f) {{ return f({name}(true)); }}
        """
        for name, type_, test in [
            *((n, t, "*x") for n, t in KINDS.items()),
            ("nested", NESTED["nested"], "*x"),
            ("variant", NESTED["variant"], "x->index()"),
            ("nothing", NESTED["nothing"], "x"),
        ]
    )
    return sb.compile(
        "#include <functional>\n#include <memory>\n#include <optional>\n#include <variant>\n#include <vector>\n"
        f"struct Item {{ int n = 5; ~Item() {{}} }};\n{functions}"
        "inline std::optional<int>* pointed(bool any) { static std::optional<int> x; return any ? &x : nullptr; }"
    )


@each("name", KINDS)
def test_a_null_inside_comes_and_goes_as_null(lib: Any, name: str) -> None:
    f, state = getattr(lib, name), getattr(lib, f"{name}_state")
    assert f(False) is None
    null = f(True)
    assert isinstance(null, sb.Pointer)
    assert not null
    assert (state(None), state(f(False)), state(null), state(sb.Pointer(0))) == (0, 0, 1, 1)


@each("name", KINDS)
def test_in_fields_containers_and_callbacks(lib: Any, name: str) -> None:
    held, state = getattr(lib, f"{name}_held")(), getattr(lib, f"{name}_state")
    assert state(held.one) == 1
    assert [state(x) for x in held.many] == [0, 1]
    assert getattr(lib, f"{name}_called")(lambda x: state(x) * 10) == 10


@each("name", NESTED)
def test_nothing_inside_is_refused(lib: Any, name: str) -> None:
    f, state = getattr(lib, name), getattr(lib, f"{name}_state")
    assert f(False) is None
    assert state(None) == 0
    with pytest.raises(sb.RangeError, match="has a value, which is itself empty"):
        f(True)
    with pytest.raises(sb.RangeError, match="itself empty"):
        print(getattr(lib, f"{name}_held")().one)


def test_a_value_inside_is_itself(lib: Any) -> None:
    item = lib.Item()
    assert (lib.raw_state(item), lib.nested_state(5), lib.variant_state(5), lib.text_state("x")) == (
        2,
        2,
        2,
        2,
    )
    assert lib.pointed(False) is None
    with pytest.raises(sb.RangeError, match="itself empty"):
        lib.pointed(True)


CODES = {"big": ("std::u32string", "char32_t(0x110000)"), "wide": ("std::wstring", "wchar_t(-1)")}


def test_text_that_unicode_lacks() -> None:
    lib = sb.compile(
        "#include <string>\n#include <vector>\n"
        + "".join(
            f"inline {t} {n}() {{ return {{{c}, {t}::value_type(97)}}; }}\n"
            f"inline std::vector<{t}> {n}_list() {{ return {{{n}()}}; }}\n"
            f"struct {n}_note {{ {t} text = {n}(); }};\n"
            f"inline const {t}::value_type* {n}_pointer() {{ static {t} s = {n}(); return s.c_str(); }}\n"
            for n, (t, c) in CODES.items()
        )
    )
    for name in CODES:
        for read in (
            getattr(lib, name), getattr(lib, f"{name}_list"), getattr(lib, f"{name}_pointer"),
            lambda name=name: getattr(lib, f"{name}_note")().text,
        ):  # fmt: skip
            with pytest.raises(
                sb.RangeError, match=r"C\+\+ gave .* character \[0\] is 0x(110000|ffffffff), and Unicode ends"
            ):
                read()
