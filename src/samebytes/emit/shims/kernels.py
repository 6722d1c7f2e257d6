"""What a unit of kernels asserts: the layout of each record, and the exact declaration of each kernel."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ...model.module import Module
from ...model.owner import Owner
from ...model.signature import Signature
from ...types import Span
from .base import Piece
from .cuda import CudaShims

# An mdspan whose "address" is a number shows where each of them keeps it, and is a constant.
_ACCESSOR = """namespace samebytes_proof {
template <class T> struct accessor {
  using offset_policy = accessor;
  using element_type = T;
  using reference = T&;
  using data_handle_type = unsigned long long;
  constexpr reference access(data_handle_type, decltype(sizeof 0)) const noexcept;
  constexpr data_handle_type offset(data_handle_type p, decltype(sizeof 0)) const noexcept { return p; }
};
}"""
_OBJECT = """namespace samebytes_proof {{
using mdspan_{n} = {spelling};
using extents_{n} = typename mdspan_{n}::extents_type;
using index_{n} = typename mdspan_{n}::index_type;
using shown_{n} = {mdspan}<typename mdspan_{n}::element_type, extents_{n}, typename mdspan_{n}::layout_type,
                      accessor<typename mdspan_{n}::element_type>>;
struct image_{n} {{ unsigned long long data; {members} }};
constexpr image_{n} value_{n} = __builtin_bit_cast(image_{n}, shown_{n}(
    7ULL, typename shown_{n}::mapping_type(extents_{n}({extents}){strides}), {{}}));
static_assert(sizeof(mdspan_{n}) == sizeof(image_{n}) && alignof(mdspan_{n}) == alignof(image_{n}) && {checks}, "");
}}"""
# Where a span has its address and its count was read of its class; no constant shows an address.
_SPAN = """namespace samebytes_proof {{
using span_{n} = {spelling};
struct image_{n} {{ {element}* data; {members} }};
static_assert(sizeof(span_{n}) == sizeof(image_{n}) && alignof(span_{n}) == alignof(image_{n}) &&
              __is_trivially_copyable(span_{n}), "");
}}"""
_IS_SPAN = "cuda::std::span<"
_INLINE = re.compile(r"::(__\w+::)+")
_OF_STD = frozenset({"Kokkos::mdspan", "std::experimental::mdspan"})  # whose strides are a std::array


class KernelProofs(CudaShims):
    """The source itself and its proofs: kernels have no shims, the driver calls them."""

    def proofs(self, module: Module) -> list[Piece]:
        """What a unit asserts that has something else, too."""
        return [*self._facts(module), *self._shims(module)]

    def _preamble(self, module: Module) -> Iterator[Piece]:
        yield from ()

    def _facts(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        yield from super()._facts(module, only)
        yield from proven_spans(module)

    def _shims(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        for index, signature in enumerate(module.functions):
            sentence = f'static_assert(sizeof({exact(signature)}) == sizeof(void*), "");'
            yield Piece(Owner("function", index), sentence)


def proven_spans(module: Module, *, beside_host: bool = False) -> Iterator[Piece]:
    """That the mdspans and spans of kernels have their numbers where launches put them.

    Functions of the host, ``beside_host``, have others of the host's memory, which their shims make.
    """
    types = (p.value_type for f in module.functions for p in f.parameters)
    spans = dict.fromkeys(t for t in types if isinstance(t, Span) and (t.memory or not beside_host))
    if any(not span.spelling.startswith(_IS_SPAN) for span in spans):
        yield Piece(None, _ACCESSOR)
    for number, span in enumerate(spans):
        yield Piece(Owner("type", span.spelling), _object(number, span))


def _object(n: int, span: Span) -> str:
    """That an mdspan has its numbers where :attr:`Span.image` says; of a span, that it has no others."""
    if span.spelling.startswith(_IS_SPAN):
        members = "unsigned long long extents[1];" if span.extents[0] is None else ""
        element = f"typename span_{n}::element_type"
        return _SPAN.format(n=n, spelling=span.spelling, element=element, members=members)
    counts = {"extents": span.extents.count(None), "strides": span.ndim}
    held = {field.name: counts[field.name] for field in span.image.fields if field.name in counts}
    first = {"extents": 10, "strides": 20}
    checks = [f"value_{n}.data == 7"]
    checks += [
        f"value_{n}.{name}[{i}] == {first[name] + i}" for name, count in held.items() for i in range(count)
    ]
    template = _INLINE.sub("::", span.spelling.partition("<")[0])
    array = "std::array" if template in _OF_STD else f"{template.rpartition('::')[0]}::array"
    strides = ", ".join(str(first["strides"] + i) for i in range(span.ndim))
    return _OBJECT.format(
        n=n, spelling=span.spelling, mdspan=template, checks=" && ".join(checks),
        members=" ".join(f"index_{n} {name}[{count}];" for name, count in held.items()),
        extents=", ".join(str(first["extents"] + i) for i in range(counts["extents"])),
        strides=f", {array}<index_{n}, {span.ndim}>{{{strides}}}" if span.layout == "stride" else "",
    )  # fmt: skip


def exact(signature: Signature) -> str:
    """Names a kernel by its exact type, of which no code is made: a misread declaration does not compile."""
    types = ", ".join(p.spelling for p in signature.parameters)
    return f"static_cast<{signature.result_spelling} (*)({types})>(&{signature.qualified})"


GENERATOR = KernelProofs()
