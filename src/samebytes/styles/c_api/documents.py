"""What a function's documentation says of a parameter: whether it goes in or comes out, and whether it is many."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from ...frozen import frozen
from . import evidence, vocabulary
from .remarks import Remarks

OUT, INOUT, IN = "out", "inout", "in"


@frozen
class Told:
    """What documents tell of one parameter.

    Attributes
    ----------
    way : str
        ``"out"``, ``"inout"``, ``"in"``, or empty where they do not say it.
    many : bool
        Whether they speak of an array.
    source : str
        What said it, in words.
    sure : bool
        Whether an annotation or the parameter's own entry says it, not a sentence of the text.
    one : bool
        Whether they speak of one number: of a number of something, its size.
    allocated : bool
        Whether they speak of the address of a pointer, or of memory that C allocates.
    tagged : bool
        Whether it is written as a tag or an annotation, not in prose.
    text : str
        What they say, where it is prose.
    """

    way: str = ""
    many: bool = False
    source: str = ""
    sure: bool = False
    one: bool = False
    tagged: bool = False
    allocated: bool = False
    text: str = ""


# \param[in,out] name: doxygen's tag. gtk-doc's and GObject's: `@name: (out) (transfer full): …`.
_TAGS = {
    "out": OUT,
    "in,out": INOUT,
    "inout": INOUT,
    "in/out": INOUT,
    "out,in": INOUT,
    "in": IN,
    "i": IN,
    "o": OUT,
}
# An entry that begins with the tag: `<b>OUT</b>: length of …`, `[out] …`.
_FIRST_WORD = re.compile(
    r"(?:<b>|\*\*)?\[?((?:IN[, /]?OUT|IN|OUT)|(?<=\[)(?:in[, /]?out|in|out))\]?(?:</b>|\*\*)?(?:\s*:|(?<=\])|\s+-)\s*"
)
_COMMAND = r"[\\@](?:param|arg|tparam)\b"
_NEXT = re.compile(
    r"^\s*(?:[\\@](?!p\b|c\b|a\b|e\b|em\b|b\b|ref\b)\w+|:param\b|:returns?\b|Returns?\b\s*:?|@\w+\s*:)|\n\s*\n",
    re.MULTILINE,
)
# The next line of the kind `value - pointer to store the value`.
_NEXT_LINE = re.compile(r"^\s*(?:[-*+]\s+)?[*`]*\w+[*`]*\s*(?::|-{1,2}|=|–)\s", re.MULTILINE)
# Inside the parentheses of a declaration: SAL's words, and those that libraries write themselves.
_MARKS = (
    (re.compile(r"\b_?Inout_\w*|\bIN_?OUT\b|/\*[*!<\s]*(?i:\[?in[,/ _-]*out(?:put)?\]?)\b[^*]*\*/"), INOUT),
    (
        re.compile(
            r"\b_Out_?\w*|\b_Outptr\w*|\b[A-Z_]*OUT\b(?!\s*\()|/\*[*!<\s]*(?i:\[?out(?:put)?\]?)\b[^*]*\*/"
        ),
        OUT,
    ),
    (re.compile(r"\b_In_\w*|\bIN\b|/\*[*!<\s]*(?i:\[?in(?:put)?\]?)\b[^*]*\*/"), IN),
)
_MANY_MARK = re.compile(r"_Out_writes|_Out_(e|b)cap|_ecount|_bcount|_Inout_updates|counted_by|array")

# A comment between the parentheses, and the tag that it begins with.
_REMARK = re.compile(r"/\*(.*?)\*/|//[/!<]*(.*)$")
_TAG = re.compile(r"\[[\w, /-]+\]|\w+")
_BESIDE = "the comment beside it"

_EARLY = 36  # characters within which an entry says what it is of
_SENTENCE = re.compile(r"(?<=[.;:!?])\s+|\n\s*\n")
_REFERENCE = re.compile(
    r"(?:[\\@](?:see|sa|copydoc|copydetails|copybrief)\s+(?:#|::)?|\b(?:[Ss]ee(?: also)?|[Ll]ike|"
    r"[Ss]ame as)\s+(?:#|::)?)(\w+)"
)
_VARIANT = re.compile(r"(_r|_e|_ex|_v?2|_v?3|2|3|Ex|_ctx|_async|_full|_with_\w+)$")


def told(function: str, name: str, index: int, every: Mapping[str, Remarks], many_alone: bool = True) -> Told:
    """What the documents of a function say of a parameter; else those of the functions that they refer to."""
    own = every.get(function)
    if own is None:
        return Told()
    here = _marked(own, index) or _documented(own.comment, name)
    if here and (here.way or here.many or here.tagged):
        return here
    for other in _references(function, own.comment, every):
        found = _documented(every[other].comment, name)
        if found and found.way:
            return replace(found, source=f"{found.source} of {other}()")
    return here or Told()


def _references(function: str, comment: str, every: Mapping[str, Remarks]) -> Iterator[str]:
    """The functions whose documents are meant, too: ``\\see``, ``\\copydoc``, and without ``_r``."""
    for found in _REFERENCE.finditer(comment):
        if found[1] != function and found[1] in every:
            yield found[1]
    plain = _VARIANT.sub("", function)
    if plain != function and plain in every:
        yield plain


def _marked(own: Remarks, index: int) -> Told | None:
    """What attributes and macros inside the declaration say."""
    if index in own.access:
        mode, counted = own.access[index]
        way = {"write_only": OUT, "read_write": INOUT}.get(mode, IN)
        return Told(way, counted, f"the attribute access ({mode})", True, not counted, True)
    words = own.words[index] if index < len(own.words) else ""
    # The stars that lead a comment's lines are no part of what it says.
    words = re.sub(r" \* (?!\w+ ?$)", " ", words) if "/*" in words else words
    text = " ".join(" ".join(one) for one in _REMARK.findall(words)).strip(" *!<")
    for mark, way in _MARKS:
        if found := mark.search(words):
            many = _MANY_MARK.search(words) is not None or _is_many(text)
            tag = _TAG.match(text) if found[0].startswith("/*") else None
            said = tag[0] if tag else found[0]
            said_ = text[tag.end() :] if tag else text
            way = _tagged(way, said_)
            return Told(way, many, f"the word {said}", True, _is_one(said_), True, _allocates(text), text)
    if len(text.split()) > 1 and (_way(text) or _is_many(text)):
        return Told(_way(text), _is_many(text), _BESIDE, True, _is_one(text), False, _allocates(text), text)
    return None


@lru_cache(maxsize=4096)
def _documented(comment: str, name: str) -> Told | None:
    tag, text = _entry(comment, name) if name in comment else ("", "")
    if not text and len(name) > 1 and name.islower() and re.search(rf"\b{name.upper()}\b", comment):
        # GNU's documents have the names of parameters in capitals; in small letters it is a word like others.
        comment = re.sub(rf"\b{name}\b", "it", comment)
        comment = re.sub(rf"\b{name.upper()}\b", name, comment)
    if name not in comment:
        return None
    if tag in (OUT, INOUT, IN):
        return Told(
            _tagged(tag, text),
            _is_many(text),
            f"the documentation's [{tag}]",
            True,
            _is_one(text),
            True,
            _allocates(text),
            text,
        )
    if text:
        way = _way(text)
        return Told(
            way, _is_many(text), "the documentation", True, _is_one(text), False, _allocates(text), text
        )
    return _mentioned(comment, name)


def _tagged(tag: str, text: str) -> str:
    """The way that a tag says, but for a text beside it that says otherwise."""
    if tag == OUT and vocabulary.SAID_SURELY_BOTH.search(text):
        return INOUT
    read = vocabulary.SAID_IN_AND_OUT.search(text) or vocabulary.SAID_GIVEN.search(text)
    new = vocabulary.SAID_OF_NEW.search(text) and not read
    return "" if tag == INOUT and new else tag  # what is returned there was not there before: names decide


def _entry(comment: str, name: str) -> tuple[str, str]:
    """The tag and the text of a parameter's own entry; empty where there is none."""
    plain = re.escape(name)
    plain_line = rf"^\s*(?:[-*+]\s+)?[*`]*{plain}\b()[*`]*\s*(?:\(([^()]*)\)\s*)?(?::|-{{1,2}}|=|–)\s"
    for form in (
        rf"{_COMMAND}\s*(?:\[\s*([a-zA-Z,/ ]+?)\s*\])?\s*(?:\w+\s*,\s*)*{plain}\b"
        r"(?:\s*,\s*\w+\b)*\s*(?:\(([^()]*)\)\s*)?:?",
        rf"^\s*@{plain}()\s*:\s*((?:\([^()]*\)\s*)*):?",
        rf"^\s*:param\s+(?:[\w*]+\s+)?{plain}()\s*:()",
        plain_line,
    ):
        found = re.search(form, comment, re.MULTILINE)
        if found is None:
            continue
        rest = comment[found.end() :]
        stops = (_NEXT, _NEXT_LINE) if form is plain_line else (_NEXT,)
        stop = min((m for at in stops if (m := at.search(rest))), key=re.Match.start, default=None)
        text = " ".join(rest[: stop.start() if stop else 600].split())
        tag = _TAGS.get((found[1] or "").replace(" ", "").lower(), "")
        if (word := _FIRST_WORD.match(text)) and not tag:
            tag, text = _TAGS[re.sub("[^a-z,/]", "", word[1].lower())], text[word.end() :]
        said = (found[2] or "").replace(" ", "").lower()
        for part in re.split(r"[()\s,]+", said):
            if not tag and part in ("out", "inout", "output", "in"):
                tag = OUT if part == "output" else part
        return tag, f"{text} {said if 'array' in said else ''}".strip() or " "
    return "", ""


def _way(text: str) -> str:
    if _is_both(text):
        return INOUT
    return OUT if vocabulary.SAID_OUT.search(text) else ""


def _is_both(text: str) -> bool:
    if (
        vocabulary.SAID_ON_RETURN.search(text) or vocabulary.SAID_WILL_HOLD.search(text)
    ) and not vocabulary.SAID_SURELY_BOTH.search(text):
        return False
    return vocabulary.SAID_IN_AND_OUT.search(text) is not None


def _allocates(text: str) -> bool:
    return vocabulary.SAID_ALLOCATED.search(text) is not None


def _is_one(text: str) -> bool:
    one = vocabulary.SAID_ONE.search(text)
    return one is not None and one.start() < _EARLY and not _is_many(text)


def _is_many(text: str) -> bool:
    if vocabulary.SAID_FOR_EACH.search(text):
        return True
    text = vocabulary.SAID_OF_MANY.sub("", text)
    found = vocabulary.SAID_MANY.search(text)
    one = vocabulary.SAID_ONE.search(text)
    return found is not None and not (one is not None and one.start() < found.start())


def _mentioned(comment: str, name: str) -> Told | None:
    """What sentences say in which the parameter stands: ``*name`` is what it points to, and that is written."""
    if len(name) < 3 and not re.search(rf"[*`|]{re.escape(name)}\b|\\p {re.escape(name)}\b", comment):
        return None
    word = re.compile(rf"(?<![\w.>]){re.escape(name)}\b")
    sentences = [" ".join(s.split()) for s in _SENTENCE.split(comment) if word.search(s)]
    if not sentences:
        return None
    text = " ".join(sentences)
    way = ""
    if _is_both(text):
        way = INOUT
    elif _is_written(name).search(re.sub(r" \([^()]*\)", "", text)) and vocabulary.SAID_OUT.search(text):
        way = OUT
    # What a number by its name is said to be, it is said to be in its own part of a sentence.
    named = (
        evidence.is_out_name(name) or evidence.is_named_count(name) or evidence.is_quantity_name(name, False)
    )
    parts = [c for s in sentences for c in re.split(r"[,;()]| and ", s) if word.search(c)]
    many = any(_is_many(part) for part in (parts if named else sentences))
    # "*users is set": what lies at that place is one thing, an address or a number.
    star = way == OUT and re.search(rf"(?<![\w*])[|`]?\*{re.escape(name)}\b(?!\[)", text) is not None
    return Told(
        way, many, "the documentation's sentence", False, _is_one(text), False, _allocates(text) or star, text
    )


@lru_cache(maxsize=1024)
def _is_written(name: str) -> re.Pattern[str]:
    """What says in a sentence that something is written where a parameter points."""
    name = re.escape(name)
    return re.compile(
        rf"(?i)(\b(in|into|at|to|through|via)\b[^.;,]{{0,25}}\*?\\?[`'|]?{name}\b)|"
        rf"[*`]{name}`? (is|are|will|gets|contains|holds|points|receives)\b|"
        rf"\b{name}[`']? (is|are|will be|gets) (set|filled|stored|written|assigned|updated|returned|pointed)\b|"
        rf"\b(sets?|fills?|updates?|returns?|stores?|writes?|setting) [^.;]{{0,40}}\*?{name}\b|"
        rf"\b{name}['`]? (specifies|is|denotes) (a |the )?(pointer|address|location)[^.;]{{0,60}}\b(in ?to|where|"
        rf"that|in) "
        r"(which )?[^.;]{0,60}\b(assigned|stored|written|put|returned|placed|set|receives?)\b|"
        rf"[|]?\*{name}[|`]?(,| and|,? or)[^.;]{{0,60}}\b(is|are|will be) (set|filled|stored|written|assigned)\b"
    )
