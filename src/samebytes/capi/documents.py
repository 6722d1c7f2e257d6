"""What a function's documentation says of a parameter: whether it goes in or comes out, and whether it is many."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from .remarks import Remarks

OUT, INOUT, IN = "out", "inout", "in"


@dataclass(frozen=True, slots=True)
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
    (re.compile(r"\b_?Inout_\w*|\bIN_?OUT\b|/\*\s*(?i:\[?in[,/ _-]*out(?:put)?\]?)\b[^*]*\*/"), INOUT),
    (
        re.compile(
            r"\b_Out_?\w*|\b_Outptr\w*|\b[A-Z_]*OUT\b(?!\s*\()|/\*\s*(?i:\[?out(?:put)?\]?)\b[^*]*\*/"
        ),
        OUT,
    ),
    (re.compile(r"\b_In_\w*|\bIN\b|/\*\s*(?i:\[?in(?:put)?\]?)\b[^*]*\*/"), IN),
)
_MANY_MARK = re.compile(r"_Out_writes|_Out_(e|b)cap|_ecount|_bcount|_Inout_updates|counted_by|array")

_IN_AND_OUT = re.compile(
    r"(?i)\bif [|`]?\*\w+[|`]? is (not |non-?)?NULL\b|\bpoints to (a )?NULL\b|\bin[/, -]+out\b|"
    r"\binput[/ ]+output\b|\binput and output\b|\b(on|upon|as|at) (input|entry|call)\b|\binput:|"
    r"\binitial(ly)?\b|\bmust (initially |already |first )?(be (set|initiali[sz]ed|filled)|contain|"
    r"hold|specify|have been)|"
    r"\bshould (initially |already |first )?(be (set|initiali[sz]ed|filled)|contain|hold|specify)|\bpreviously\b|"
    r"\bin[- ]place\b|\b(advanced|incremented|decremented|modified|updated(?! to| with)|adjusted|reallocated|"
    r"resized|overwritten|changed)\b|"
    r"\bbefore (the )?call|\bcaller (must|should|sets|initiali[sz]es)|\bmay be changed|"
    r"\bmaximum (number|size|length)|"
    r"\bcapacity\b|\bcurrent position\b|\bsize of the (output |destination |user'?s? )?buffer"
)
_SURELY_BOTH = re.compile(
    r"(?i)\bif [|`]?\*\w+[|`]? is (not |non-?)?NULL\b|\bpoints to (a )?NULL\b|\bin[/, -]+out\b|"
    r"\binput[/ ]+output\b|\binput and output\b|\b(on|upon|as|at) (input|entry|"
    r"call)\b|\binput:|\bin:|"
    r"\bmust (initially |already |first )?(be (set|initiali[sz]ed)|contain|hold) "
)
_OUTPUT_OF_NEW = re.compile(
    r"(?i)\b(returned|returns?|newly|new|created|in which|where .* (stored|placed|written|put|"
    r"returned)|will be (stored|set|filled)|"
    r"to (receive|store)|value of)\b|^(\w+ ){0,3}to (store|hold|get|receive)\b"
)
_ON_RETURN = re.compile(r"(?i)\b(on|upon|at|after) (output|return|exit|success|successful)\b")
# Something is put there, whatever is said of it then: "will hold the maximum size".
_WILL_HOLD = re.compile(
    r"(?i)\b(that|which) will (hold|receive|contain)\b|\breturned here\b|\breturn address\b"
)
_OUTPUT = re.compile(
    r"(?i)\boutput\b|\breceiv(e|es|ing)\b|\bwill (be|contain|hold|point|receive|store|have)\b|"
    r"\b(is|are|gets?|be|being|been) (set|filled|stored|written|assigned|placed|returned|saved|put|populated)\b|"
    r"\bto (store|hold|receive|return|get|save|write|be (filled|set|written|stored|returned|populated|updated))\b|"
    r"\bwhere\b.*\b(store|stored|stores|written|write|placed|put|returned|return|saved|save|go|"
    r"goes)\b|\bin (to )?which\b|"
    r"\bstores? (a|the) [^.;]{1,60} there\b|"
    r"\b(on|upon|at|after) (output|return|exit|success|successful)\b|\breturn(s|ed)?\b|\bresulting\b|\bresult\b|"
    r"\bfill(s|ed)\b|\bstore(s|d)\b|\baddress of a\b|\baddress (to|where)\b|\blocation\b|\bset to\b|"
    r"\bupdated to\b|\bplace to\b|"
    r"\bpointer to (a |an |the )?(variable|location|int|integer|unsigned|size_t|double|float|pointer|"
    r"handle)\b|\[out\]"
)
_MANY = re.compile(
    r"(?i)\barrays?\b|\bvectors?\b|\blists?\b|\bbuffers?\b|\bmatri(x|ces)\b|\belements\b|\bentries\b|"
    r"\btables?\b|\bstrings\b|"
    r"\bof (size|length|dimension)\b|\bat least\b|\bsequence\b|\bvalues\b|\bcoordinates\b|\bhandles\b|"
    r"\bpointers\b|\w\[|"
    r"\bcoefficients\b|\bweights\b|\bindices\b|\brows\b|\bcolumns\b|\bper (each|row|vertex|element)\b|\bfor each\b"
)
# Words that make one of many: "the number of elements in the array".
_ONE_OF = re.compile(
    r"(?i)\b(number|size|length|count|index|amount|total|capacity|dimension|rank|order|sum|bytes|id|"
    r"type|status|maximum|"
    r"minimum|position|offset|how many|address of (a|the) pointer|pointer to (a|"
    r"the) pointer|(pointer to|address of) (an? )?(unsigned )?(int|integer|bool|boolean|size_t|long|variable|enum|"
    r"u?int\d+_t)|(int|integer|bool|boolean) pointer)\b"
    r"(?! (is|are|=|must|should|arrays?|vectors?|buffers?|lists?|values))"
)
# What is said of many is one number: "buffer size in bytes".
_OF_MANY = re.compile(
    r"(?i)\b(buffers?|arrays?|lists?|vectors?|tables?|elements|entries|strings|rows|columns)(?= (size|length|"
    r"count|index|capacity|"
    r"number|type|id|offset|position)\b)"
)
_EARLY = 36  # characters within which an entry says what it is of
_ALLOCATED = re.compile(
    r"(?i)\b(m|c)?alloc|\ballocat|\bnewly\b|\b(must|should|to|can) be (freed|released|deallocated)|\bfree[ds]?\b|"
    r"\b(is|are|be|been|gets?) (set|updated|made|changed|adjusted) to (point|the)\b|\bpoint(ed|s|ing)? to (an? |"
    r"the )?(newly|internal)|"
    r"\b(stores?|returns?|to store|assigns) (a |the )?(pointer|address|array|list|table)\b|\bpointer (is|"
    r"will be) (set|updated)\b|"
    r"\b(pointer to|address of) (a |the |an )?(\w+ )?pointer\b"
)
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
    for mark, way in _MARKS:
        if found := mark.search(words):
            return Told(way, _MANY_MARK.search(words) is not None, f"the word {found[0]}", True, False, True)
    return None


@lru_cache(maxsize=4096)
def _documented(comment: str, name: str) -> Told | None:
    if name not in comment:
        return None
    tag, text = _entry(comment, name)
    if tag in (OUT, INOUT, IN):
        way = INOUT if tag == OUT and _SURELY_BOTH.search(text) else tag
        if tag == INOUT and _OUTPUT_OF_NEW.search(text) and not _IN_AND_OUT.search(text):
            way = ""  # what is new, or returned there, was not there before: names decide
        return Told(
            way,
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
    return OUT if _OUTPUT.search(text) else ""


def _is_both(text: str) -> bool:
    if (_ON_RETURN.search(text) or _WILL_HOLD.search(text)) and not _SURELY_BOTH.search(text):
        return False
    return _IN_AND_OUT.search(text) is not None


def _allocates(text: str) -> bool:
    return _ALLOCATED.search(text) is not None


def _is_one(text: str) -> bool:
    one = _ONE_OF.search(text)
    return one is not None and one.start() < _EARLY and not _is_many(text)


def _is_many(text: str) -> bool:
    text = _OF_MANY.sub("", text)
    found = _MANY.search(text)
    one = _ONE_OF.search(text)
    return found is not None and not (one is not None and one.start() < found.start())


def _mentioned(comment: str, name: str) -> Told | None:
    """What sentences say in which the parameter stands: ``*name`` is what it points to, and that is written."""
    if len(name) < 3 and not re.search(rf"[*`]{re.escape(name)}\b|\\p {re.escape(name)}\b", comment):
        return None
    word = re.compile(rf"(?<![\w.>]){re.escape(name)}\b")
    sentences = [" ".join(s.split()) for s in _SENTENCE.split(comment) if word.search(s)]
    if not sentences:
        return None
    text = " ".join(sentences)
    way = ""
    if _is_both(text):
        way = INOUT
    elif _is_written(name).search(re.sub(r" \([^()]*\)", "", text)) and _OUTPUT.search(text):
        way = OUT
    many = any(_is_many(s) for s in sentences)
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
