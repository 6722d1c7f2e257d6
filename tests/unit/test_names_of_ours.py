"""Members of C++'s come before names that nobody documents: those of ours are all ``__samebytes_..__``."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

NAMES = [
    "_address", "_owner", "_kept", "_view", "_make", "_construct", "_from_buffer", "_snapshot", "_const", "_destroyed",
    "_taken", "_awaits", "_unmade", "value", "dtype", "replace", "copy", "name",
]  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    fields = " ".join(f"int {name} = {i};" for i, name in enumerate(NAMES))
    methods = " ".join(f"int {name}() const {{ return {i}; }}" for i, name in enumerate(NAMES))
    return sb.compile(
        f"""
        struct Fields {{ {fields} }}; struct HeldFields {{ {fields} ~HeldFields() {{}} }};
        struct Methods {{ int own = 0; {methods} }};
        class HeldMethods {{ public: {methods} virtual ~HeldMethods() {{}} }};
        struct Inner {{ Fields inside; HeldFields held; ~Inner() {{}} }};
        inline int sum(const Fields& f) {{ return f._address + f._owner; }}
        inline int held_sum(HeldFields* f) {{ return f->_const + f->_destroyed; }}
        inline HeldFields& lent() {{ static HeldFields f; return f; }}
        """
    )


@each("kind, name", [(k, n) for k in ("Fields", "HeldFields", "Methods", "HeldMethods") for n in NAMES])
def test_the_member_is_there_by_its_name(lib: Any, kind: str, name: str) -> None:
    made = getattr(lib, kind)()
    found = getattr(made, name)
    assert (found() if callable(found) else found) == NAMES.index(name)
    if kind.endswith("Fields"):
        setattr(made, name, 70)
        assert getattr(made, name) == 70


def test_objects_of_such_classes_do_what_others_do(lib: Any) -> None:
    fields, held = lib.Fields(_address=10, _owner=20), lib.HeldFields()
    assert lib.sum(fields) == 30
    held._const, held._destroyed = 3, 4
    assert lib.held_sum(held) == 7
    assert lib.held_sum(lib.lent()) == NAMES.index("_const") + NAMES.index("_destroyed")
    inner = lib.Inner()
    inner.inside._owner = 5
    inner.held._taken = 6
    assert (inner.inside._owner, inner.held._taken) == (5, 6)
    sb.delete(held)
    with pytest.raises(sb.IntentError, match="It is gone"):
        lib.held_sum(held)


@each("kind", ["Plain", "PlainHeld"])
def test_no_other_name_is_ours(kind: str) -> None:
    lib = sb.compile("struct Plain { int x; }; struct PlainHeld { int x; ~PlainHeld() {} };")
    ours = [n for n in dir(getattr(lib, kind)) if n.startswith("_") and not n.startswith("__")]
    assert set(ours) <= {"_repr_html_", "_numba_type_"}  # notebooks and Numba ask for these
