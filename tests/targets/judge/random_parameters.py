"""The kinds of parameters of random functions: each in C++, in the program of g++, and as Python passes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from random import Random
from typing import Any

import numpy as np

from .random_types import Enum, Plain, Struct, Type

BYTE, GUARD = 0xA5, 128


@dataclass
class Value:
    """One argument of a call: what the program of g++ reads of it."""

    atoms: list[bytes]
    shape: tuple[int, ...] = ()

    @property
    def stream(self) -> bytes:
        lengths = b"".join(n.to_bytes(4, "little") for n in self.shape)
        return lengths + b"".join(self.atoms)


@dataclass
class Place:
    """The memory of a target: how arrays get there, and what is looked at after the call."""

    lib: Any
    put: dict[str, Any]  # (array, base) -> argument, in the memory of a "pointer", a "reference" or a "value"
    objects: bool  # whether C++ gets the very objects
    masks: dict[str, bytes]
    watched: list[tuple[Any, Any]] = field(
        default_factory=list
    )  # what lies there now, and what should for g++'s bytes
    outputs: list[np.ndarray[Any, Any]] = field(default_factory=list)

    def array(
        self, data: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], form: str, memory: str = "pointer"
    ) -> Any:
        """An array with the bytes, amid guards; ``form`` is how its elements lie."""
        rank = len(shape)
        stored, turn = shape, slice(None)
        if form == "strided" and rank:
            stored, turn = (*shape[:-1], 2 * shape[-1]), (..., slice(None, None, 2))  # type: ignore[assignment]
        if form == "outer" and rank:
            stored, turn = (3 * shape[0], *shape[1:]), slice(1, None, 3)
        first = dtype.itemsize if form == "offset" else 0
        size = prod(stored) * dtype.itemsize
        base = np.full(2 * GUARD + size + first + 64, BYTE, "u1")
        start = -base.ctypes.data % 64 + GUARD + first
        order = "F" if form == "fortran" else "C"
        whole: np.ndarray[Any, Any] = np.ndarray(stored, dtype, base, start, order=order)  # type: ignore[call-overload]
        view = whole[turn]
        if form == "reversed":
            view = view[tuple(slice(None, None, -1) for _ in shape)]
        if form == "more":
            view = view[None]
        self._fill(view, data, dtype)
        given = self.put[memory](view, base)
        wanted = base.copy()
        again = np.ndarray(
            view.shape, dtype, wanted, view.__array_interface__["data"][0] - base.ctypes.data, view.strides
        )

        def expected(after: bytes) -> bytes:
            self._fill(again, after, dtype)
            return wanted.tobytes()

        self.watched.append((lambda: base.tobytes(), expected))
        return given

    @staticmethod
    def _fill(view: Any, data: bytes, dtype: np.dtype[Any]) -> None:
        """Copy bytes, padding too."""
        n = dtype.itemsize
        view.view(f"V{n}")[...] = np.frombuffer(data, f"V{n}").reshape(view.shape)

    def record(self, made: Any, type_: Struct) -> Any:
        """An object that C++ may write."""
        mask = np.frombuffer(self.masks[type_.spelled], "u1")

        def masked(data: bytes) -> bytes:
            return (np.frombuffer(data, "u1") & mask).tobytes()

        if self.objects:
            self.watched.append((lambda: masked(bytes(made)), masked))
        else:
            self.watched.append((lambda: b"", lambda after: b""))
        return made


@dataclass(frozen=True)
class Parameter:
    """A parameter called ``name``.

    Attributes
    ----------
    forms : tuple of str
        How Python may pass it; the first is what most targets take.
    kind : str
        Which of the class's parameters it is.
    rank : int
        Of what has dimensions.
    const : bool
        C++ writes nothing there.
    intent : object
        Its ``arg_intent``.
    """

    name: str
    type: Type
    kind: str = ""
    rank: int = 0
    const: bool = False
    intent: Any = None

    @property
    def tags(self) -> frozenset[str]:
        return self.type.tags

    @property
    def forms(self) -> tuple[str, ...]:
        raise NotImplementedError

    def declared(self) -> list[str]:
        raise NotImplementedError

    def fold(self) -> str:
        return self.type.fold(self.name)

    def put(self) -> str:
        return ""

    def read(self) -> str:
        """Statements of g++'s program."""
        raise NotImplementedError

    def given(self) -> list[str]:
        """The arguments there."""
        return [self.name]

    def shown(self) -> str:
        """Statements that show the memory before and after the call; what has some has a row of ``watched``."""
        return ""

    def draw(self, pick: Random) -> Value:
        return Value(self.type.draw(pick))

    def make(self, value: Value, form: str, before: bytes, place: Place) -> list[Any]:
        raise NotImplementedError


def _local(p: Parameter) -> str:
    kind = p.type.spelled
    return f"{kind}& {p.name} = *room<{kind}>(1); {p.type.get(p.name)}"


def quiet(atom: bytes, type_: Type) -> bytes:
    """A number whose NaNs every target passes: quiet ones of 32 bits, of fewer the one that a float32 becomes.

    Numba's dispatcher takes numbers of 32 bits by way of a double; compiled code has those of fewer as ``float32``.
    """
    if not isinstance(type_, Plain):
        return atom
    numbers = np.frombuffer(atom, type_.number).copy()
    if type_.format in ("f4", "c8"):
        bits = numbers.view("u4")
        bits[np.isnan(bits.view("f4"))] |= 1 << 22
    elif type_.format in ("f2", "bfloat16"):
        numbers.view("u2")[np.isnan(numbers.astype("f4"))] = 0x7FFF
    elif type_.format == "float8_e5m2":
        numbers.view("u1")[np.isnan(numbers.astype("f4"))] = 0x7E
    return numbers.tobytes()


def _scalar(type_: Type, atoms: Iterator[bytes], lib: Any, form: str) -> Any:
    if form == "0d":
        return np.array(type_.build(atoms, lib, "np"))
    return type_.build(atoms, lib, form)


class ByValue(Parameter):
    """A number, an enumeration, a vector or a struct by value or by ``const T&``."""

    @property
    def tags(self) -> frozenset[str]:
        return self.type.tags | ({"intent" if self.intent else "reference"} if self.kind else frozenset())

    @property
    def forms(self) -> tuple[str, ...]:
        if isinstance(self.type, Struct):
            tuples = () if self.type.head == "union" else ("tuple",)
            return ("py", *tuples, *(("record",) if self.type.described else ()))
        if isinstance(self.type, Enum):
            return ("py", "np", "0d")
        assert isinstance(self.type, Plain)
        return ("py", "tuple", "array") if self.type.vector else ("py", "np", "0d")

    def declared(self) -> list[str]:
        return [f"{'const ' * self.const}{self.type.spelled}{self.kind} {self.name}"]

    def read(self) -> str:
        return _local(self)

    def shown(self) -> str:
        return f"shown(&{self.name}, sizeof {self.name});" if isinstance(self.type, Struct) else ""

    def draw(self, pick: Random) -> Value:
        return Value([quiet(a, self.type) for a in self.type.draw(pick)])

    def make(self, value: Value, form: str, before: bytes, place: Place) -> list[Any]:
        if isinstance(self.type, Struct):
            if form == "record":
                array = np.frombuffer(before, self.type.dtype(place.lib)).copy()
                place.watched.append((lambda: b"", lambda after: b""))
                return [array[0]]
            made = self.type.build(iter(value.atoms), place.lib, form)
            if form == "tuple":
                place.watched.append((lambda: b"", lambda after: b""))
                return [made]
            return [place.record(made, self.type)]
        if isinstance(self.type, Plain) and self.type.vector and form != "py":
            numbers = np.frombuffer(value.atoms[0], self.type.number)
            return [tuple(numbers) if form == "tuple" else numbers.copy()]
        return [_scalar(self.type, iter(value.atoms), place.lib, form)]


class Reference(Parameter):
    """``T&`` of a struct or a number, which C++ writes."""

    @property
    def tags(self) -> frozenset[str]:
        return self.type.tags | {"intent" if self.intent else "reference"}

    @property
    def forms(self) -> tuple[str, ...]:
        if isinstance(self.type, Struct) and not (self.intent and self.type.described):
            return ("py",)
        return ("array", "offset", "more")

    def declared(self) -> list[str]:
        return [f"{self.type.spelled}& {self.name}"]

    def put(self) -> str:
        return self.type.put(self.name)

    def read(self) -> str:
        return _local(self)

    def shown(self) -> str:
        return f"shown(&{self.name}, sizeof {self.name});"

    def make(self, value: Value, form: str, before: bytes, place: Place) -> list[Any]:
        if form == "py" and isinstance(self.type, Struct):
            return [place.record(self.type.build(iter(value.atoms), place.lib, "py"), self.type)]
        return [place.array(before, (1,), self.type.dtype(place.lib), form, "reference")]


class Output(Parameter):
    """``T&`` or ``T[3]`` that Python leaves out and is returned."""

    @property
    def tags(self) -> frozenset[str]:
        return self.type.tags | {"intent"}

    @property
    def forms(self) -> tuple[str, ...]:
        return ("py",)

    def declared(self) -> list[str]:
        return [f"{self.type.spelled} {self.name}[3]" if self.kind else f"{self.type.spelled}& {self.name}"]

    def fold(self) -> str:
        return ""

    def put(self) -> str:
        if not self.kind:
            return self.type.put(self.name)
        return f"for (int i = 0; i < 3; ++i) {{ {self.type.put(f'{self.name}[i]')} }}"

    def read(self) -> str:
        kind = self.type.spelled
        return f"{kind} {self.name}[3];" if self.kind else f"{kind}& {self.name} = *room<{kind}>(1);"

    def shown(self) -> str:
        return f"shown(&{self.name}, sizeof {self.name});"

    def draw(self, pick: Random) -> Value:
        return Value([])

    def make(self, value: Value, form: str, before: bytes, place: Place) -> list[Any]:
        out = np.zeros(3 if self.kind else 1, self.type.dtype(place.lib))
        place.outputs.append(out)
        place.watched.append((out.tobytes, lambda after: after))
        return []


class Pointer(Parameter):
    """``T*`` or ``const T*`` and the number of elements."""

    @property
    def forms(self) -> tuple[str, ...]:
        if isinstance(self.type, Struct) and not self.type.described:
            return ("object",)
        objects = ("object",) if isinstance(self.type, Struct) else ()
        return ("array", "offset", "more", *objects)

    def _one(self) -> bool:
        return self.forms == ("object",)

    def declared(self) -> list[str]:
        return [f"{'const ' * self.const}{self.type.spelled}* {self.name}", f"int {self.name}_n"]

    def _each(self, text: str) -> str:
        return f"for (int i = 0; i < {self.name}_n; ++i) {{ {text} }}"

    def fold(self) -> str:
        return f"h = mix(h, {self.name}_n); " + self._each(self.type.fold(f"{self.name}[i]"))

    def put(self) -> str:
        return "" if self.const else self._each(self.type.put(f"{self.name}[i]"))

    def read(self) -> str:
        kind = self.type.spelled
        head = f"const int {self.name}_n = taken<int>(); {kind}* {self.name} = room<{kind}>({self.name}_n);"
        return f"{head} {self._each(self.type.get(f'{self.name}[i]'))}"

    def given(self) -> list[str]:
        return [self.name, f"{self.name}_n"]

    def shown(self) -> str:
        return f"shown({self.name}, {self.name}_n * sizeof *{self.name});"

    def draw(self, pick: Random) -> Value:
        n = 1 if self._one() else pick.choice([1, 1, 2, 3, 5])
        return Value([a for _ in range(n) for a in self.type.draw(pick)], (n,))

    def make(self, value: Value, form: str, before: bytes, place: Place) -> list[Any]:
        (n,) = value.shape
        if form == "object" and n == 1 and isinstance(self.type, Struct):
            made = self.type.build(iter(value.atoms), place.lib, "py")
            return [place.record(made, self.type), n]
        form = "array" if form == "object" else form
        return [place.array(before, (n,), self.type.dtype(place.lib), form), n]


class Extent(Parameter):
    """``T(&)[n]``, ``std::array<T, n>`` and references to it."""

    N = 3

    @property
    def tags(self) -> frozenset[str]:
        own = {"std"} if "array" in self.kind else set()
        own |= {"intent" if self.intent else "reference"} if "&" in self.kind else set()
        return self.type.tags | own

    @property
    def writes(self) -> bool:
        return "&" in self.kind and "const" not in self.kind

    @property
    def forms(self) -> tuple[str, ...]:
        return ("array", "offset") if self.writes else ("array", "offset", "strided", "reversed")

    def declared(self) -> list[str]:
        return [self.kind.format(T=self.type.spelled, x=self.name, n=self.N)]

    def _each(self, text: str) -> str:
        return f"for (int i = 0; i < {self.N}; ++i) {{ {text} }}"

    def fold(self) -> str:
        return self._each(self.type.fold(f"{self.name}[i]"))

    def put(self) -> str:
        return self._each(self.type.put(f"{self.name}[i]")) if self.writes else ""

    def read(self) -> str:
        kind = self.type.spelled
        made = f"STD::array<{kind}, {self.N}>" if "array" in self.kind else f"T_{self.name}"
        head = "" if "array" in self.kind else f"using T_{self.name} = {kind}[{self.N}]; "
        place = f"{head}{made}& {self.name} = *({made}*)room<{kind}>({self.N});"
        return f"{place} {self._each(self.type.get(f'{self.name}[i]'))}"

    def shown(self) -> str:
        return f"shown(&{self.name}, sizeof {self.name});"

    def draw(self, pick: Random) -> Value:
        return Value([a for _ in range(self.N) for a in self.type.draw(pick)])

    def make(self, value: Value, form: str, before: bytes, place: Place) -> list[Any]:
        memory = "reference" if "&" in self.kind else "value"
        return [place.array(before, (self.N,), self.type.dtype(place.lib), form, memory)]


class Described(Parameter):
    """Descriptors of one to three dimensions, spans and mdspans; ``kind`` is ``array``, ``span`` or a layout."""

    @property
    def tags(self) -> frozenset[str]:
        own = {"array": set(), "span": {"span"}}.get(self.kind, {"mdspan"})
        return self.type.tags | own

    @property
    def forms(self) -> tuple[str, ...]:
        if self.kind in ("array", "layout_stride"):
            return ("array", "strided", "fortran", "reversed", "outer", "offset")[
                : None if self.kind == "array" else 3
            ]
        return ("fortran",) if self.kind == "layout_left" else ("array", "offset")

    def spelled(self) -> str:
        element = f"{'const ' * self.const}{self.type.spelled}"
        if self.kind == "array":
            return f"samebytes::array<{element}, {self.rank}>"
        if self.kind == "span":
            return f"STD::span<{element}>"
        extents = ", ".join(["MD::dynamic_extent"] * self.rank)
        return f"MD::mdspan<{element}, MD::extents<int, {extents}>, MD::{self.kind}>"

    def declared(self) -> list[str]:
        return [f"{self.spelled()} {self.name}"]

    def _each(self, text: str) -> str:
        x, of = self.name, {"array": "{x}.shape[{d}]", "span": "{x}.size()"}.get(self.kind, "{x}.extent({d})")
        heads = [f"const int {x}_{d} = (int){of.format(x=x, d=d)};" for d in range(self.rank)]
        loops = "".join(f"for (int i{d} = 0; i{d} < {x}_{d}; ++i{d}) " for d in range(self.rank))
        return f"{{ {' '.join(heads)} {text.partition('|')[0]} {loops}{{ {text.partition('|')[2]} }} }}"

    def _element(self) -> str:
        x, places = self.name, [f"i{d}" for d in range(self.rank)]
        if self.kind == "array":
            return f"{x}({', '.join(places)})"
        if self.kind == "span":
            return f"{x}[i0]"
        at = " + ".join(f"i{d} * {x}.mapping().stride({d})" for d in range(self.rank))
        return f"{x}.data_handle()[{at}]"

    def fold(self) -> str:
        lengths = "".join(f"h = mix(h, {self.name}_{d}); " for d in range(self.rank))
        return self._each(f"{lengths}|{self.type.fold(self._element())}")

    def put(self) -> str:
        return "" if self.const else self._each(f"|{self.type.put(self._element())}")

    def read(self) -> str:
        x, kind, every = self.name, self.type.spelled, range(self.rank)
        n = "; ".join(f"const int {x}_n{d} = taken<int>()" for d in every)
        count = " * ".join(f"{x}_n{d}" for d in every)
        own = f"{kind}* {x}_p = room<{kind}>({count});"
        turned = self.kind == "layout_left"  # the stream has the elements in C's order, as has what is shown
        at = "i"
        if turned:
            at = " + ".join(
                f"(i / ({' * '.join(['1', *(f'{x}_n{e}' for e in every if e > d)])}) % {x}_n{d})"
                f" * ({' * '.join(['1', *(f'{x}_n{e}' for e in every if e < d)])})"
                for d in every
            )
        fill = f"for (int i = 0; i < {count}; ++i) {{ {self.type.get(f'{x}_p[{at}]')} }}"
        steps = ", ".join(" * ".join(["1", *(f"{x}_n{e}" for e in every if e > d)]) for d in every)
        sizes = ", ".join(f"{x}_n{d}" for d in every)
        if self.kind == "array":
            lengths = ", ".join(f"(unsigned long){x}_n{d}" for d in every)
            signed = ", ".join(f"(unsigned long)({s})" for s in steps.split(", "))
            made = f"{self.spelled()} {x}{{{x}_p, {{{lengths}}}, {{{signed}}}}};"
        elif self.kind == "span":
            made = f"{self.spelled()} {x}({x}_p, {x}_n0);"
        else:
            whole = f"using M_{x} = {self.spelled()}; typename M_{x}::extents_type {x}_e({sizes});"
            strides = f", {{{steps}}}" if self.kind == "layout_stride" else ""
            made = f"{whole} M_{x} {x}({x}_p, typename M_{x}::mapping_type({x}_e{strides}));"
        show = f"hex(&{x}_p[{at}], sizeof *{x}_p)"
        each = f'std::printf(" x"); for (int i = 0; i < {count}; ++i) {{ {show}; }}'
        return f"{n}; {own} {fill} {made} auto {x}_show = [&] {{ {each} }};"

    def shown(self) -> str:
        return f"{self.name}_show();"

    def draw(self, pick: Random) -> Value:
        shape = tuple(pick.choice([1, 2, 3]) for _ in range(self.rank))
        return Value([a for _ in range(prod(shape)) for a in self.type.draw(pick)], shape)

    def make(self, value: Value, form: str, before: bytes, place: Place) -> list[Any]:
        return [place.array(before, value.shape, self.type.dtype(place.lib), form)]


def arguments(
    parameters: Sequence[Parameter],
    values: Sequence[Value],
    forms: Sequence[str],
    before: Sequence[bytes],
    place: Place,
) -> list[Any]:
    """Python's arguments of a call."""
    found: list[Any] = []
    for p, value, form, data in zip(parameters, values, forms, before, strict=False):
        found += p.make(value, form, data, place)
    return found
