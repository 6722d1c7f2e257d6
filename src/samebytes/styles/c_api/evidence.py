"""What names tell of outputs: the verbs of functions, and the names that only one value that comes out has."""

from __future__ import annotations

import re

from . import vocabulary

# "H5Pget" is H5P and get; "getenv" gets.
_PARTS = re.compile(r"[A-Z]+\d+[A-Z]*(?=[a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words(name: str) -> tuple[str, ...]:
    """The parts of a name, in lower case."""
    found = [part.lower() for part in _PARTS.findall(name)]
    return tuple(word for part in found for word in _split(part))


def _split(part: str) -> tuple[str, ...]:
    joined = vocabulary.JOINED.fullmatch(part)
    return (joined[1], part) if joined else (part,)


def gets(function: str) -> bool:
    """Whether a function asks for something, and neither sets nor copies."""
    found = words(function)
    asks = not vocabulary.GETS.isdisjoint(found) or (bool(found) and found[-1] in vocabulary.ASKED)
    return asks and not takes(function)


def converts(function: str) -> tuple[str, str]:
    """What a function makes of what, by its name: ``dn2str``, ``key_to_string``."""
    found = vocabulary.CONVERTS.search(function)
    return (found[1].lower(), found[2].lower()) if found else ("", "")


def makes(function: str) -> bool:
    """Whether a function makes or finds what comes out."""
    if vocabulary.TEXTS.search(function) and not takes(function):
        return True
    found = words(function)
    verbs = found[:-1] if len(found) > 1 and found[-1] == "list" else found  # "ConnectingJointList" is a noun
    return not vocabulary.MAKES.isdisjoint(verbs) and not takes(function)


def owns(function: str) -> bool:
    """Whether its place is an output even where a count stands beside it."""
    return not vocabulary.OWN.isdisjoint(words(function)) and not takes(function)


def allocates(function: str) -> bool:
    """Whether it gives back an array that it made."""
    return not vocabulary.ALLOCATES.isdisjoint(words(function)) and not takes(function)


def takes(function: str) -> bool:
    """Whether it takes what lies there: ``free``, ``set``, ``write``, ``copy_to``.

    The first verb counts: ``get_update`` asks, ``free_list_get`` frees.
    """
    if vocabulary.COPIES.search(function) or vocabulary.CHANGES.search(function):
        return True
    return _verb(function) in vocabulary.TAKES


def frees(function: str) -> bool:
    """Whether it takes what lies there to end it: ``nvJitLinkDestroy(handle_t* handle)``, not ``AddMemFreeNode``."""
    return _verb(function) in vocabulary.FREES


def _verb(function: str) -> str:
    """The verb of a function's name that counts: the first one, or, where all are nouns as often, what takes."""
    found = [
        w for w in words(function) if w in vocabulary.TAKES or w in vocabulary.GETS or w in vocabulary.MAKES
    ]
    verbs = [
        w for i, w in enumerate(found) if w not in vocabulary.NOUNS or (w == "set" and i < len(found) - 1)
    ]
    return next(iter(verbs or [w for w in found if w in vocabulary.TAKES]), "")


def is_out_name(name: str) -> bool:
    """Whether a parameter's name says that one value comes out."""
    name = name.strip("_")
    if vocabulary.STREAMED.fullmatch(name) or vocabulary.ENDS_IN_OUT.fullmatch(name):
        return False
    return vocabulary.OUT_NAMES.fullmatch(name) is not None


def is_value_name(name: str) -> bool:
    """Whether a name is that of the one value that is read: ``value``, ``dval``."""
    return vocabulary.VALUE_NAMES.fullmatch(name) is not None and name != "eval"


def without_type(function: str) -> str:
    """A function's name without the type that it has in it: ``read`` for ``read_int32``, ``readDouble``."""
    return vocabulary.TYPE_WORDS.sub("\0", function)


def is_quantity_name(name: str, real: bool) -> bool:
    """Whether a name ends in that of one quantity: ``seconds_left``."""
    form = vocabulary.REAL_QUANTITY_NAMES if real else vocabulary.QUANTITY_NAMES
    return form.fullmatch(name.removeprefix("p_")) is not None and not vocabulary.EACH.fullmatch(name)


def is_octet_name(name: str) -> bool:
    """Whether a name is that of one number as small as a byte: ``status``."""
    return vocabulary.OCTET_NAMES.fullmatch(name.strip("_").lower()) is not None


def is_octets_name(name: str) -> bool:
    """Whether a name is that of what is several bytes: ``address``, ``key``."""
    return vocabulary.OCTETS_NAMES.fullmatch(name) is not None


def is_old(name: str) -> bool:
    """Whether a name is that of what was before: ``old_mode``."""
    return vocabulary.OLD.fullmatch(name) is not None


def is_mask(name: str) -> bool:
    """Whether a number by value says by its bits which ones are asked for."""
    return vocabulary.MASKS.fullmatch(name) is not None


def is_vague_out(name: str) -> bool:
    """Whether a name says that something comes out, one or many."""
    return name in ("out", "output", "ret", "info", "found", "left") or name.startswith(("out_", "r_"))


def is_marked_out(name: str) -> bool:
    """Whether a name has a mark of outputs before or behind what it is of: ``ret_users``, ``syms_out``."""
    return vocabulary.MARKED_OUT.fullmatch(name) is not None and not vocabulary.ENDS_IN_OUT.fullmatch(name)


def fetches(function: str) -> bool:
    """Whether a function's verb is to get something, and nothing else."""
    return _verb(function) in vocabulary.FETCHES


def lists(function: str) -> bool:
    """Whether a function's verb is to list something."""
    found = words(function)
    return not {"list", "enumerate"}.isdisjoint(found[:-1]) and not takes(function)


def goes_through(function: str) -> bool:
    """Whether a function gets one thing after another: ``packet_next``."""
    return not {"next", "prev", "first", "last", "get"}.isdisjoint(words(function)) and not takes(function)


def is_many_noun(function: str) -> bool:
    """Whether a function is named after many: ``ConnectingJointList``, ``find_all``."""
    last = words(function)[-1:]
    return is_plural_noun(function) or (bool(last) and last[0] in ("list", "array", "all", "set", "table"))


def setters(function: str) -> tuple[str, ...]:
    """The names of what may set what a function asks for: ``entry_set_size`` for ``entry_size``, ``entry_get_size``."""
    parts = function.split("_")
    found = ["_".join((*parts[:i], "set", *parts[i:])) for i in range(1, len(parts))]
    for ask, tell in (("Get", "Set"), ("get", "set"), ("GET", "SET")):
        if ask in function:
            found.append(function.replace(ask, tell, 1))
    return tuple(found)


def is_moved_text(name: str) -> bool:
    """Whether a name of a ``char**`` is that of a text that is read on, or of a buffer that grows: ``lineptr``."""
    return vocabulary.MOVED_TEXTS.fullmatch(name.lower()) is not None


def is_limit(name: str) -> bool:
    """Whether a number says how many there may be, which goes in: ``max_len``."""
    return vocabulary.LIMITS.fullmatch(name) is not None


def is_place_name(name: str) -> bool:
    """Whether the name of a ``T**`` says that an address comes out."""
    return is_out_name(name) or vocabulary.PLACES_OUT.fullmatch(name) is not None or is_place_p(name)


def is_error(name: str) -> bool:
    """Whether the name of a ``T**`` says that an error, or its text, comes out."""
    return vocabulary.ERRORS.fullmatch(name) is not None


def is_end(name: str) -> bool:
    """Whether the name of a ``char**`` says where reading ended: ``strtol(text, &end, 10)``."""
    return vocabulary.ENDS.fullmatch(name) is not None


def is_handle_name(name: str) -> bool:
    """Whether the name of a number is that of a handle."""
    return vocabulary.HANDLES.fullmatch(name) is not None


def goes_on(function: str) -> bool:
    """Whether a function may be one that goes on with what its first parameter is."""
    found = words(function)
    return (
        not vocabulary.GOES_ON.isdisjoint(found)
        and vocabulary.GETS.isdisjoint(found)
        and not makes_anew(function)
    )


def is_iterator(name: str) -> bool:
    """Whether a name is that of a place from where the next call goes on."""
    return vocabulary.ITERATORS.fullmatch(name) is not None


def creates(function: str) -> bool:
    """Whether a function makes something that did not exist."""
    return not vocabulary.CREATES.isdisjoint(words(function)) and not takes(function)


def makes_anew(function: str) -> bool:
    """Whether a function makes something, and does not only begin it."""
    return not (vocabulary.CREATES - vocabulary.GOES_ON).isdisjoint(words(function)) and not takes(function)


def is_many_of_something(name: str) -> bool:
    """Whether a name has a plural with what became of them: ``rootsfound``."""
    return vocabulary.MANY_OF.fullmatch(name) is not None


def is_transferred(name: str) -> bool:
    """Whether a name says how much was used of a buffer."""
    return vocabulary.TRANSFERRED.fullmatch(name) is not None


def is_list_name(name: str) -> bool:
    """Whether the name of a ``T**`` says that it is a list."""
    return vocabulary.LISTS.fullmatch(name) is not None


def may_be_got(name: str) -> bool:
    """Whether a name that may be of something that goes in is that of something to be asked for, too."""
    return vocabulary.GOT.fullmatch(name) is not None


def is_text_name(name: str) -> bool:
    """Whether a name is that of a text."""
    return name in ("str", "s", "text", "line")


def is_real_out(name: str) -> bool:
    """Whether a name says that one number comes out, where arrays are usual."""
    return vocabulary.REAL_OUT.fullmatch(name.strip("_")) is not None


def is_quantity(name: str) -> bool:
    """Whether a real number is one by its name: ``radius``."""
    found = words(name)
    return bool(found) and found[-1].removesuffix("p") in vocabulary.QUANTITIES


def gives_pointer(function: str) -> bool:
    """Whether a function gives the addresses of what it has: ``get_ptr_duals``."""
    found = words(function)
    return gets(function) and not {"ptr", "pointer", "pointers", "ptrs"}.isdisjoint(found)


def asks_version(function: str) -> bool:
    """Whether a function tells a version, number by number."""
    return words(function)[-1:] == ("version",)


def asks_one(function: str) -> bool:
    """Whether a function asks for one number by its own name: ``get_retry_count``."""
    return gets(function) and bool(words(function)) and words(function)[-1] in vocabulary.ONE_ASKED


def reads(function: str) -> bool:
    """Whether a function reads or gets a value: ``register_read``."""
    return not takes(function) and not {"read", "get", "peek", "query", "fetch"}.isdisjoint(words(function))


def is_question(function: str) -> bool:
    """Whether a function asks what is so or not: ``is_present``, ``has_value``."""
    return not vocabulary.QUESTIONS.isdisjoint(words(function)) and not takes(function)


def is_place_p(name: str) -> bool:
    """Whether a name ends in the p of a pointer to one: ``typep``."""
    return (
        vocabulary.PLACE_P.fullmatch(name) is not None
        and name not in vocabulary.WORDS_P
        and not name.endswith(("sp", "map", "group"))
    )


def is_both(name: str) -> bool:
    """Whether a name is that of something that goes in, too."""
    return (
        vocabulary.BOTH.fullmatch(re.sub(r"(?<=..)_?p$", "", name)) is not None
        or vocabulary.BOTH.fullmatch(name) is not None
    )


def is_vector(name: str, floats: bool) -> bool:
    """Whether a name may be that of several numbers; whole ones are seldom places or colours."""
    return (vocabulary.VECTOR if floats else vocabulary.WHOLE_VECTOR).fullmatch(name) is not None


def is_coordinate(name: str) -> bool:
    """Whether a name is that of one of a few numbers that belong together."""
    return vocabulary.COORDINATE.fullmatch(name) is not None


def is_count(name: str) -> bool:
    """Whether a name says that it counts."""
    name = name.strip("_")
    return vocabulary.COUNTING.fullmatch(name) is not None and not vocabulary.NOT_COUNTS.fullmatch(name)


def is_named_count(name: str) -> bool:
    """Whether a name says what it counts, ``num_devices``: that is one number."""
    return vocabulary.NAMED_COUNT.fullmatch(
        name.strip("_")
    ) is not None and not vocabulary.NOT_COUNTS.fullmatch(name)


def is_capacity(name: str) -> bool:
    """Whether a number by value says how many there are, or may be."""
    return is_count(name) or vocabulary.CAPACITY_WORDS.fullmatch(name) is not None


def is_plural_noun(function: str) -> bool:
    """Whether a function's own name ends in a plural: ``get_variables``."""
    found = words(function)
    last = found[-1] if found else ""
    return (
        len(last) > 3
        and last.endswith("s")
        and not last.endswith(("ss", "us", "is", "as", "ns"))
        and last not in vocabulary.SINGULAR
    )


def is_extent(name: str) -> bool:
    """Whether a number by value may say how many there are, ``naxis``, ``dim``."""
    return is_capacity(name) or vocabulary.EXTENT_WORDS.fullmatch(name) is not None


def is_unnamed(name: str) -> bool:
    """Whether the declaration gives a parameter no name."""
    return re.fullmatch(r"arg\d+_*", name) is not None
