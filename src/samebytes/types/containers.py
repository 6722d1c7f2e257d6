"""Containers that the shim makes and describes again: sequences, maps, optionals, products, variants, matrices."""

from __future__ import annotations

from typing import ClassVar

from ..frozen import frozen
from ..later import later_pattern
from .array import CArray
from .base import Type, unqualified
from .converted import Converted, Object, Owner
from .function import Function
from .pointer import Pointer
from .scalar import SCALARS, Scalar

_KEYED = later_pattern(r"std::(?:__\w+::)?(?:unordered_)?multimap<")


@frozen
class Container(Converted):
    """A container whose elements are copied in and out.

    Attributes
    ----------
    element : Type
    unique : bool
        Whether Python sees a set.
    """

    INSIDE: ClassVar = ("element",)

    element: Type
    unique: bool = False

    @property
    def numbers(self) -> Scalar | None:
        """The element, where elements are numbers: then an array describes them."""
        plain = isinstance(self.element, Scalar) and not self.unique
        return self.element if plain and isinstance(self.element, Scalar) else None

    @property
    def listed(self) -> bool:
        """Whether it is a ``std::initializer_list``: what C++ writes in braces."""
        return self.spelling.startswith("std::initializer_list<")

    @property
    def keyed(self) -> bool:
        """Whether it has keys, each as often as it likes: pairs, which a dict is, too."""
        return _KEYED.match(self.spelling) is not None

    def __str__(self) -> str:
        if self.numbers is not None:
            return f"{self.element}[n]"
        return f"{'set' if self.unique else 'list'}[{self.element}]"


@frozen
class Dictionary(Converted):
    """A std::map or std::unordered_map: a dict.

    Attributes
    ----------
    key, value : Type
    """

    INSIDE: ClassVar = ("key", "value")

    key: Type
    value: Type

    def __str__(self) -> str:
        return f"dict[{self.key}, {self.value}]"


@frozen
class Maybe(Converted):
    """A std::optional, or a smart pointer to what is no object of a class: None, or the value."""

    INSIDE: ClassVar = ("value",)

    value: Type

    @property
    def shared(self) -> bool:
        """Whether it is a smart pointer to a value that others have, too."""
        return self.spelling.partition("<")[0].endswith("shared_ptr")

    def __str__(self) -> str:
        return f"{self.value} | None"


@frozen
class Target(Maybe):
    """A pointer to one converted object, ``std::string*``: None, or a value that the shim makes the target."""


@frozen
class Product(Converted):
    """A std::pair or std::tuple, or a std::array of what is converted: a tuple of known length."""

    INSIDE: ClassVar = ("elements",)

    elements: tuple[Type, ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.elements)) or '()'}]"


@frozen
class Choice(Converted):
    """A std::variant: a value of the one of its types that it is."""

    INSIDE: ClassVar = ("elements",)

    elements: tuple[Type, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.elements))


@frozen
class Matrix(Converted):
    """A matrix or a vector: an array goes in, and one that owns its memory comes back.

    Attributes
    ----------
    element : Scalar
    extents : tuple of int or None
        Of each of Python's dimensions; None where the array's is taken.
    order : str
        How elements lie: ``"F"``, columns first, or ``"C"``.
    inner, outer : int or None
        Of a class that shows others' memory: the stride between neighbours, and between columns (rows in C order), in
        elements; 0 as they lie without gaps, None any.
    shows : str
        What a class that owns no elements does with those that it shows: ``"reads"``, ``"writes"``, or ``"copies"``
        those that it cannot show; empty: it has its own.
    header : str
        The file of ``include/samebytes/crossing`` that knows the class.
    columns : bool
        Whether an array of one dimension serves, too: it is one column.
    """

    INSIDE: ClassVar = ("element",)

    element: Scalar
    extents: tuple[int | None, ...] = (None, None)
    order: str = "F"
    inner: int | None = 1
    outer: int | None = 0
    shows: str = ""
    header: str = ""
    columns: bool = False

    @property
    def ndim(self) -> int:
        """Python's dimensions."""
        return len(self.extents)

    @property
    def wire(self) -> Product:
        """All elements in a row, and then the numbers of rows and columns, and a stride for each."""
        numbers: tuple[Type, ...] = (Container("", self.element), CArray(SCALARS["int64"], (4,)))
        return Product("", numbers)

    def __str__(self) -> str:
        letters = (n if m is None else str(m) for n, m in zip("nm", self.extents, strict=False))
        return f"{self.element}[{', '.join(letters)}]"


@frozen
class NdArray(Converted):
    """An array of a library that says at run time of what rank it is, or of what elements: ``cv::Mat``.

    Attributes
    ----------
    elements : tuple of Scalar
        What its elements may be; the descriptor says which, by its place here.
    least, most : int
        Python's dimensions.
    order : str
        How elements lie that C++ sees where they are: ``"C"``, the last index fastest, rows with gaps, or ``"F"``;
        empty: in any way, as C++ has a copy, which is written back after the call.
    writes : bool
        Whether C++ gets the elements where they are, to write to them; else each call makes its own.
    header : str
        The file of ``include/samebytes/crossing`` that knows the class.
    """

    INSIDE: ClassVar = ("elements",)
    MOST: ClassVar = 8  # dimensions in a descriptor: crossing/ndarray.hpp

    elements: tuple[Scalar, ...]
    least: int = 0
    most: int = MOST
    order: str = "C"
    writes: bool = False
    header: str = ""

    @property
    def wire(self) -> Product:
        """All bytes in a row; the number of dimensions, which element it is, and the extents and strides in bytes."""
        numbers: tuple[Type, ...] = (
            Container("", SCALARS["uint8"]),
            CArray(SCALARS["int64"], (2 + 2 * self.MOST,)),
        )
        return Product("", numbers)

    def __str__(self) -> str:
        elements = " | ".join(map(str, self.elements)) if len(self.elements) < 4 else "number"
        same = self.least == self.most
        return f"{elements}[{', '.join('nmkl'[i : i + 1] or f'n{i}' for i in range(self.most)) if same else '...'}]"


@frozen
class Sparse(Converted):
    """A sparse matrix: SciPy's, compressed by columns or by rows.

    Attributes
    ----------
    element, index : Scalar
        The numbers, and those that say where each stands.
    order : str
        ``"F"``: by columns (CSC), ``"C"``: by rows (CSR).
    header : str
        The file of ``include/samebytes/crossing`` that knows the class.
    """

    INSIDE: ClassVar = ("element", "index")

    element: Scalar
    index: Scalar
    order: str = "F"
    header: str = ""

    @property
    def form(self) -> str:
        """SciPy's word for the format."""
        return "csc" if self.order == "F" else "csr"

    @property
    def wire(self) -> Product:
        """The numbers, the inner index of each, where each column (row) begins, and rows and columns."""
        indices = Container("", self.index)
        return Product("", (Container("", self.element), indices, indices, CArray(SCALARS["int64"], (2,))))

    def __str__(self) -> str:
        return f"{self.element}[n, m] in {self.form.upper()}"


def refers(type_: Type) -> bool:
    """Whether a container or its like has the addresses of objects that are not its own: ``std::vector<T*>``."""
    bare = unqualified(type_)
    if isinstance(bare, Object) and bare.refers:
        return True
    return isinstance(bare, Pointer) or any(map(refers, _in_bytes(bare)))


def _in_bytes(bare: Type) -> tuple[Type, ...]:
    """What lies inside of a value: of a shared object, and of what a function takes, nothing."""
    return () if isinstance(bare, Owner | Function) else bare.parts
