"""What clang tells of a class as a type: what a range-based for statement over it gives, what its ``size()`` is."""

from __future__ import annotations

import re

from ..clang.kinds import Decl, Kind
from ..clang.libclang import ClangType, Cursor, kind_of, type_kind
from ..clang.parse import ParsedUnit

# No line is refused: what C++ does not have gives void. Our own overloads of begin() and end() are there to be no
# function, so that others are found by the argument alone, as the statement finds them.
_WRITTEN = " ".join(
    line.strip()
    for line in """
namespace samebytes_told {
template <class T> struct is;
template <class T> T&& value() noexcept;
template <class T> T& stored(T) noexcept;
template <class T> struct only { operator T&() const; };
namespace ends { struct none {}; void begin(none); void end(none);
template <class R> auto first(R& r, int) -> decltype(stored(r.begin()));
template <class R> auto first(R& r, long) -> decltype(stored(begin(r)));
template <class R> auto last(R& r, int) -> decltype(stored(r.end()));
template <class R> auto last(R& r, long) -> decltype(stored(end(r))); }
template <class T> struct bare { using type = T; };
template <class T> struct bare<T&> { using type = T; };
template <class I, class G, class V> is<V>* proxied(V*, is<G>*, char (*)[__is_class(G) && !__is_same(G, V)
 && __is_convertible_to(G, V) ? 1 : -1]);
template <class I, class G> auto element(int) -> decltype(proxied<I, G, typename I::value_type>(0, 0, 0));
template <class I, class G> is<G>* element(long);
template <class T> struct owner; template <class T> struct owner<T&> { using type = T; };
template <class O> auto owned(typename O::deleter_type*, char (*)[__is_class(typename O::element_type) ? 1 : -1])
 -> decltype((void)value<O&>().operator->(), (is<typename O::pointer>*)0);
template <class I, class G> auto element(int) -> decltype(owned<typename owner<G>::type>(0, 0));
template <class R> auto range(int) -> decltype(
 static_cast<bool>(ends::first(value<R&>(), 0) != ends::last(value<R&>(), 0)), (void)++ends::first(value<R&>(), 0),
 element<typename bare<decltype(ends::first(value<R&>(), 0))>::type, decltype(*ends::first(value<R&>(), 0))>(0));
template <class R> void range(long);
template <class T, class C> is<T>* plain(T (C::*)() const);
template <class T, class C> is<T>* plain(T (C::*)() const&);
template <class R> auto size(int) -> decltype(plain(&R::size));
template <class R> void size(long);
template <class R> auto text(int) -> decltype((void)(*(std::ostream*)0 << value<R&>()), (is<std::string>*)0);
template <class R> void text(long);
}""".splitlines()
)
# No macro of the user's has such names.
_OURS = re.compile(
    r"\b(?:[CGIORTVr]|is|ends|value|stored|only|none|first|last|bare|type|proxied|owner|owned|element|plain"
    r"|(?:range|size|text)(?=\((?:int|long)\)))\b"
)
_HELP = _OURS.sub(r"samebytes_\g<0>", _WRITTEN)
_PREFIX = "samebytes_told_"


class ToldTypes:
    """Questions by their text, and the types that the last parse answered."""

    def __init__(self) -> None:
        self._pending: dict[str, None] = {}
        self._answers: dict[str, ClangType | None] = {}

    @property
    def pending(self) -> bool:
        """Whether a question has been asked that no parse has seen."""
        return bool(self._pending)

    def ask(self, form: str, spelling: str) -> ClangType | None:
        """The canonical type, or None if there is none or no answer yet.

        Parameters
        ----------
        form : str
            ``"range"``: of the elements that a range-based for statement gives; ``"size"``: of what ``size() const``
            gives; ``"text"``: std::string, if a stream takes it; ``"own text"``: the same, if not by a conversion.
        """
        text = (
            f"{form}<samebytes_told::samebytes_only<{spelling}>>"
            if form == "own text"
            else f"{form}<{spelling}>"
        )
        text = text.removeprefix("own ")
        if text not in self._answers:
            self._pending[text] = None
        return self._answers.get(text)

    def lines(self) -> tuple[str, ...]:
        """The lines of the synthetic main file, one for each question, and one before them."""
        asked = (*self._answers, *self._pending)
        lines = (
            f"using {_PREFIX}{n} = decltype(samebytes_told::samebytes_{text}(0));"
            for n, text in enumerate(asked)
        )
        return (_HELP, *lines) if asked else ()

    def forget(self) -> None:
        """Let go of the last parse."""
        self._answers = dict.fromkeys(self._answers)

    def answer(self, unit: ParsedUnit) -> None:
        """Take the answers."""
        asked = (*self._answers, *self._pending)
        self._answers, self._pending = dict.fromkeys(asked), {}
        for cursor in unit.asked if asked else ():
            if kind_of(cursor) == Decl.ALIAS and cursor.spelling.startswith(_PREFIX):
                self._answers[asked[int(cursor.spelling[len(_PREFIX) :])]] = _told(cursor)


def _told(alias: Cursor) -> ClangType | None:
    found = alias.underlying_typedef_type.get_canonical()
    if type_kind(found) != Kind.POINTER:
        return None
    return found.get_pointee().get_template_argument_type(0).get_canonical()
