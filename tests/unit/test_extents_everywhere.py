"""Declared extents hold wherever a function comes from: pointers to functions, virtual functions, protected ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # classes that Python derives are built

WAYS = {
    "function": lambda lib: lib.fill, "result": lambda lib: lib.get(), "field": lambda lib: lib.ops().fn,
    "field by typedef": lambda lib: lib.ops().named, "array of pointers": lambda lib: lib.ops().several[1],
    "variable": lambda lib: lib.variable, "method": lambda lib: lib.V().run, "static": lambda lib: lib.V.st,
    "call operator": lambda lib: lib.V(), "template": lambda lib: lib.made[sb.float64],
    "member of a template": lambda lib: lib.Box[sb.float64]().run, "reference result": lambda lib: lib.lent(),
    "own of a virtual one": lambda lib: Derived.of(lib)().own, "protected": lambda lib: Derived.of(lib)().hidden,
    "beside private ones": lambda lib: Derived.of(lib)().mixed,
    "constructor": lambda lib: lib.V, "protected constructor": lambda lib: Derived.of(lib, "Closed"),
}  # fmt: skip


class Derived:
    """Classes that Python derives."""

    @staticmethod
    def of(lib: Any, name: str = "V") -> Any:
        def own(self: Any, out: Any) -> None:
            super(made, self).run(out)

        def hidden(self: Any, out: Any) -> None:
            self.kept(out)

        def mixed(self: Any, out: Any) -> None:
            self.both(out)

        made = type(
            "Derived", (getattr(lib, name),), {"own": own, "hidden": hidden, "mixed": mixed, "run": own}
        )
        return made


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(
        """
        inline void fill(double out[16]) { for (int i = 0; i < 16; ++i) out[i] = 7; }
        typedef void (*fill_t)(double out[16]);
        inline fill_t get() { return fill; }
        inline const fill_t& lent() { static fill_t f = fill; return f; }
        struct Ops { void (*fn)(double out[16]) = fill; fill_t named = fill; fill_t several[2] = {fill, fill}; };
        inline Ops ops() { return {}; }
        inline fill_t variable = fill;
        class V { public: V() {} V(double out[16]) { fill(out); } virtual ~V() {}
          virtual void run(double out[16]) { fill(out); } static void st(double out[16]) { fill(out); }
          int operator()(double out[16]) { fill(out); return 1; }
         protected: void kept(double out[16]) { fill(out); } void both(double out[16]) { fill(out); }
         private: void both(int) {} };
        class Closed { public: virtual ~Closed() {} virtual void run(double out[16]) {}
         protected: Closed(double out[16]) { fill(out); } };
        template <class T> void made(T out[16]) { for (int i = 0; i < 16; ++i) out[i] = 7; }
        template <class T> struct Box { void run(T out[16]) { fill(out); } };
        """
    )


@each("way", WAYS)
def test_too_few_elements_are_refused(lib: Any, way: str) -> None:
    whole = np.zeros(32)
    function = WAYS[way](lib)
    with pytest.raises(sb.ArrayError, match=r"n >= 16"):
        function(whole[:15])
    assert not whole.any()
    function(whole[:16])
    assert whole.tolist() == [7] * 16 + [0] * 16
