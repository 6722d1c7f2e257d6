"""How values of C++ lie in registers and in memory: a few words, an address, the elements of a vector."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...types import COMPONENTS
from ..compiler import NumbaCompiler
from .equivalents import element_of
from .fixed import register_fixed_models
from .kinds import (
    AddressType,
    AtomicType,
    CallableType,
    ConstPointerType,
    ElementType,
    FloatLiteral,
    HandleType,
    MethodType,
    NamespaceType,
    RecordType,
    SharedType,
    StructType,
    VectorType,
)

BYTE = ir.IntType(8)
ADDRESS = BYTE.as_pointer()
WORD = ir.IntType(64)


def words(struct: StructType) -> ir.Type:
    """The register form of a struct: whole words, so that all bytes travel, padding and bit-fields too."""
    layout = struct.layout
    word = min(layout.align, 8)
    return ir.ArrayType(ir.IntType(8 * word), layout.size // word)


def register_models(compiler: NumbaCompiler) -> None:
    """Teach a compiler the types of ``kinds``."""
    models, types = compiler.models, compiler.types

    class StructModel(models.PrimitiveModel):  # type: ignore[name-defined,misc]
        def __init__(self, dmm: Any, fe_type: Any) -> None:
            super().__init__(dmm, fe_type, words(fe_type))

        def get_argument_type(self) -> Any:
            """As a parameter of a kernel a struct has the size and the alignment that it has in C++."""
            layout = self._fe_type.layout
            if layout.align <= WORD.width // 8 or not compiler.cuda:
                return self.get_value_type()
            return ir.ArrayType(ir.VectorType(BYTE, layout.align), layout.size // layout.align)

        def _stored(self, builder: Any, value: Any, form: Any) -> Any:
            if value.type == form:
                return value
            place = compiler.cgutils.alloca_once(builder, value.type)
            place.align = self._fe_type.layout.align
            builder.store(value, place, align=place.align)
            return builder.load(builder.bitcast(place, form.as_pointer()), align=place.align)

        def as_argument(self, builder: Any, value: Any) -> Any:
            return self._stored(builder, value, self.get_argument_type())

        def from_argument(self, builder: Any, value: Any) -> Any:
            return self._stored(builder, value, self.get_value_type())

    class RecordModel(models.StructModel):  # type: ignore[name-defined,misc]
        def __init__(self, dmm: Any, fe_type: Any) -> None:
            members = [("data", types.CPointer(types.uint8))]
            if not compiler.cuda:
                members.insert(0, ("meminfo", types.MemInfoPointer(types.uint8)))
            super().__init__(dmm, fe_type, members)

    class VectorModel(models.StructModel):  # type: ignore[name-defined,misc]
        def __init__(self, dmm: Any, fe_type: Any) -> None:
            names = COMPONENTS[: fe_type.vector.size]
            super().__init__(dmm, fe_type, [(name, element_of(fe_type)) for name in names])

    register_fixed_models(compiler)
    compiler.store_model(AddressType, models.OpaqueModel)
    compiler.store_model(CallableType, models.OpaqueModel)
    compiler.store_model(ConstPointerType, models.PointerModel)
    compiler.store_model(FloatLiteral, lambda dmm, ty: dmm[types.float64])
    compiler.store_model(NamespaceType, models.OpaqueModel)
    compiler.store_model(ElementType, models.RecordModel)
    compiler.store_model(MethodType, lambda dmm, ty: dmm[ty.this])
    compiler.store_model(StructType, StructModel)
    compiler.store_model(RecordType, RecordModel)
    compiler.store_model(HandleType, RecordModel)
    compiler.store_model(SharedType, RecordModel)
    compiler.store_model(AtomicType, RecordModel)
    compiler.store_model(VectorType, VectorModel)
