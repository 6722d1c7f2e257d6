"""What names tell of outputs: the verbs of functions, and the names that only one value that comes out has."""

from __future__ import annotations

import re


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# "H5Pget" is H5P and get; "getenv" gets.
_PARTS = re.compile(r"[A-Z]+\d+[A-Z]*(?=[a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_JOINED = re.compile(r"(get|set)(?!up|ting|s$|ter|opt$|$)[a-z]{2,}")
# What asks for something, whose numbers behind pointers come out.
_GETS = _set(
    "get getter gets query inquire inq fetch lookup retrieve peek measure compute calculate calc estimate "
    "getopt examine inspect determine obtain parse detect identify check us minmax split frexp remquo modf "
    "sincos resolve probe "
)
_FETCHES = _set("get gets query fetch retrieve inquire inq lookup")
# What is asked for, where a function is named after it alone: `image_extents`, `surface_status`.
_ASKED = _set("stat statistics info version capabilities count counts extents status size")
# What makes or finds something, whose address comes out.
_MAKES = _set(
    "get create new open init initialize initialise alloc allocate malloc calloc memalign make build construct "
    "load parse connect accept find lookup dup duplicate clone copy import from start begin acquire prepare "
    "compile spawn generate gen next first prev previous last query resolve fetch setup instantiate "
    "enumerate list mmap map describe to export subscribe retrieve obtain discover listen borrow peek top pop "
    "snapshot derive keygen wrap read extract encode dump print asprintf format convert transform version "
    "search "
)
# The first of these six go with counts by value, too (measured on 19 libraries).
_OWN = _set("get alloc allocate malloc calloc create new open init initialize initialise load")
# What gives arrays of numbers back.
_ALLOCATES = _set("get alloc allocate malloc calloc memalign create new parse dup clone export encode")
# What takes what lies there, to end it, to change it, or to hand it on.
_TAKES = _set(
    "free close destroy delete dispose release unref decref deref fini finalize finish cleanup clear drop end "
    "term terminate put set write append prepend insert push add remove erase sort reset swap replace realloc "
    "resize reserve extend grow advance skip consume merge update concat strsep strtok solve factor factorize "
    "combination multiply scale fill assign reverse shuffle move enqueue send sendv submit rewind unlink erode "
    "dilate wait select poll unlock unmap kill interpolate evaluate eval apply accumulate exchange transpose "
    "invert execute run exec process compress decompress restore recycle give yield done disconnect detach "
    "bind attach dest sink undo expand "
)
# What ends it, whatever its name is.
_FREES = _set("free close destroy delete dispose release unref decref deref")
_COPIES = re.compile(r"copy_?to|copy_?from|CopyTo|CopyFrom|memcpy|to_?arrays?$", re.IGNORECASE)
# "make_writable" changes what is there.
_CHANGES = re.compile(r"(?i)make_?[a-z]*(able|ible|current|valid|unique|private|ready|owned|canonical)(_|$)")
# What goes on with an object as often as it makes one.
_GOES_ON = _set(
    "start begin accept connect prepare spawn convert transform format setup wrap next prev previous first "
    "last borrow peek pop register subscribe encode decode extract resolve detect list discover acquire lookup "
    "read parse "
)
# Names of one value that comes out, and nothing else.
_OUT_NAMES = re.compile(
    r"out|(?:p_?)?out(?:_\w+|[A-Z]\w*)|\w+_out|\w+Out|ret|ret_?val\w*|retval|ret_\w+|\w+_ret|"
    r"\w+_return|\w+Ret|\w+_returned|"
    r"r_[a-z]\w*|\w*_?written|\w*Written|n_?read|bytes_?read|\w*_read|bytes_?\w*ed|nbytes_?\w*ed|\w*BytesRead|"
    r"p?err|p?error|err_?code|error_?code|errcode_ret|errno|perr\w*|pErr\w*|ierr|errorp|info|p?status|stat|rc|"
    r"\w*_?errors?_?(code|num|offset|line|col|column|pos|position)|(?:p_?)?(abserr|resabs|resasc|chisq|rcond|objval)|"
    r"outl|olen|ver|version|p?major|p?minor|p?micro|p?patch|p?revision|p?rev|major_?version|"
    r"minor_?version|patch_?version|sgn|"
    r"found|exists|fail(ed)?\w*|ms|m?secs?|usecs?|nsecs?|milliseconds|[a-z]{0,3}err(or|no)?|total|sum|"
    r"det|trace|elapsed\w*|checksum|crc|is_?[a-z]\w*|has_[a-z]\w*|n?left|remaining|p?nneeded|needed|"
    r"required|actual\w*|\w+_actual|transferred"
)
_ERRORS = re.compile(
    r"p{0,2}z?[Ee]rr(or)?(_?([Mm]sg|[Mm]essage|ptr|str|string|text|info))?(_?out|_?ret|p)?|perrors?_?msg|gerror"
)
_ENDS = re.compile(r"(\w*_)?(end|endp|endptr|end_ptr|strend|tail|pz?Tail|eptr|nend|endpos)")
_PLACES_OUT = re.compile(
    r"pp+_?[A-Z]\w*|ppv?|pp_\w+|p?ph[A-Z]\w*|phandle|newp|\w*_?(handle|new)p?|new\w+|result|res|\w+_?p?ptr_?out"
)
_HANDLES = re.compile(
    r"(?:p_?)?(\w*_)?(id|idp|tid|pid|key|fd|fds?p|fildes|handle|hid|token|thread|newthread|timer\w*|"
    r"session|object|obj|port)_?p?|p?h[A-Z]\w*|\w*(Handle|Id|ID)"
)
_CREATES = _set(
    "create open new alloc allocate malloc calloc memalign mmap map make build construct load duplicate clone "
    "dup fork init initialize initialise generate gen socket register connect accept start begin "
)
_MANY_OF = re.compile(r"[a-z]{3,}s(found|out|used|set|read|written|in|left|at|of|per\w+)")
# Names of what is in and out, by what every such name is elsewhere: a place in something, a state, room.
_BOTH = re.compile(
    r"arguments|argv|args|argc\w*|string|option|str|s|text|line|lineptr|pos|position|cursor|state|\w*_state|seed|"
    r"\w*seed|"
    r"iter|iterator|it|ptr|p|offset|idx|index|inout|\w*_inout|io|cookie|ctx|"
    r"opaque|last|lasts|saveptr|save_ptr|stringp|endp|mbs|len_?io|tail|head|next|cur|current|rest|src|"
    r"source|in|inbuf|input|"
    r"next_\w+|avail_\w+|total_\w+|options|opts|dict|list|root|stack|heap|queue|refcount|counter|once|"
    r"flag|lock|mutex|sem"
)
# Names of numbers that come in vectors although they are no plurals.
_VECTOR = re.compile(
    r"(?i)\w*(matrix|mat|quat\w*|transform|xform|trans|vec\w*|vertex|vert|normal|coords?|coordinates?|"
    r"xyz\w*|uv|rgba?|colou?r|hsv|lab|"
    r"rotation|rot|euler|translation|axis|direction|dir|origin|center|centre|tangent|gradient|grad|"
    r"velocity|point|position|pos|"
    r"bbox|bounds?|extent|box|rect|basis|coefs?|coeffs?|spectrum|row|col|column|array|arr|tab|table|"
    r"perm\w*|permutation|"
    r"buffer|buf|data|samples?|work\w*|hist\w*|mask|map|img|image|pixels?|iv|key|block|weights?|"
    r"diag\w*|sol|solution|jac\w*|"
    r"hess\w*|sigma|covar|residual|rhs|lhs|val|params?|stats|dist|set|range|limits?|window|kernel|"
    r"palette|profile|scale|size|"
    r"shape|dims?|strides?|time|dash|pattern|bins?|path|chunk|tiles?|loc|location|addr|address|md|"
    r"digest|hash|id|uuid|guid|"
    r"lower|upper|lo|hi|lb|ub|fmin|step|tol|multiplier)"
)
_WHOLE_VECTOR = re.compile(
    r"(?i)\w*(matrix|mat|vec\w*|vertex|vert|coords?|rgba?|row|col|column|array|arr|tab|table|perm\w*|"
    r"permutation|buffer|buf|data|"
    r"samples?|work\w*|hist\w*|mask|map|img|image|pixels?|iv|params?|stats|set|limits?|range|window|"
    r"palette|shape|dims?|"
    r"strides?|path|chunk|tiles?|bins?|digest|hash|uuid|guid|md|list|box|rect|bbox|bounds?|part|color|"
    r"colour|labels?|memberships?)"
)
_COORDINATE = re.compile(
    r"(?:p_?)?(x|y|z|w|h|[a-z][0-9]|[xyz]_?\w{1,8}|\w{1,12}_?[xyz]|width|height|depth|left|right|top|"
    r"bottom|r|g|b|a|red|green|blue|alpha|"
    r"hue|sat|lat|lon|latitude|longitude|min|max|lo|hi|low|high|load|minimum|maximum|mean|re|im|real|"
    r"imag|"
    r"year|month|day|hour|minute|second|major|minor|micro|patch|rev|begin|end|start|stop|offset|size|length|len|"
    r"w0|\w+_w0|ascent|descent|[a-z]+_?(width|height|min|max|size))"
)
_COUNTING = re.compile(
    r"(?:p_?)?(n|nb|num|nr|cnt|count|len|length|size|sz|nbytes|bytes|total|amount|plen|l|sp|ksp|vsp|np|cntp|szp|"
    r"plength|"
    r"psize|pcount|lenp|sizep|countp|size_p|len_p)|"
    r"(?:p_?)?(n|nb|num|nr)_?[a-z]\w*|\w*_?(count|cnt|num|len|length|size|sz|nbytes)p?|p?\w*(Count|"
    r"Num|Len|Length|Size)|"
    r"(num|Num|nr|number|total)_?\w+|\w+_?[nm]o|sizeof_\w+"
)
_NAMED_COUNT = re.compile(
    r"(?:p_?|a)?(num|nb|nr|n)_[a-z]\w*[a-z]|p?[Nn](um|b|r)[A-Z]\w+|\w+_?([Cc]ount|_cnt|_num|_len|Len|"
    r"_length|Length|_nelems)(_?p|_ptr|Ptr)?|"
    r"l[ri]?work|(len|length|lenp|plen|cntp|sizep)|n(sizes|elems|items|bytes|chars|rows|cols|"
    r"types|devices|entries|values|threads)|"
    r"\w*(bufferSize|buffer_size|BufferSize|workSize|SizeInBytes)\w*"
)
_NOT_COUNTS = re.compile(
    r"(?i)n(odes?|ames?|umbers?|ormals?|otes?|ets?|eighbou?rs?|ew\w*|ext\w*|eeds?|ative|ode_?\w+|ame_?\w+|eg\w*)"
)


def words(name: str) -> tuple[str, ...]:
    """The parts of a name, in lower case."""
    found = [part.lower() for part in _PARTS.findall(name)]
    return tuple(word for part in found for word in _split(part))


def _split(part: str) -> tuple[str, ...]:
    joined = _JOINED.fullmatch(part)
    return (joined[1], part) if joined else (part,)


def gets(function: str) -> bool:
    """Whether a function asks for something, and neither sets nor copies."""
    found = words(function)
    asks = not _GETS.isdisjoint(found) or (bool(found) and found[-1] in _ASKED)
    return asks and not takes(function)


def converts(function: str) -> tuple[str, str]:
    """What a function makes of what, by its name: ``dn2str``, ``key_to_string``."""
    found = _CONVERTS.search(function)
    return (found[1].lower(), found[2].lower()) if found else ("", "")


_CONVERTS = re.compile(r"([A-Za-z]+?)(?:2|_to_|To_?(?=[A-Z]))([A-Za-z]+)")
_TEXTS = re.compile(r"[tT]o_?[sS]tr(ing)?|2str|[a-z]_str(ing)?$|asprintf")


def makes(function: str) -> bool:
    """Whether a function makes or finds what comes out."""
    if _TEXTS.search(function) and not takes(function):
        return True
    found = words(function)
    verbs = found[:-1] if len(found) > 1 and found[-1] == "list" else found  # "ConnectingJointList" is a noun
    return not _MAKES.isdisjoint(verbs) and not takes(function)


def owns(function: str) -> bool:
    """Whether its place is an output even where a count stands beside it."""
    return not _OWN.isdisjoint(words(function)) and not takes(function)


def allocates(function: str) -> bool:
    """Whether it gives back an array that it made."""
    return not _ALLOCATES.isdisjoint(words(function)) and not takes(function)


def takes(function: str) -> bool:
    """Whether it takes what lies there: ``free``, ``set``, ``write``, ``copy_to``.

    The first verb counts: ``get_update`` asks, ``free_list_get`` frees.
    """
    if _COPIES.search(function) or _CHANGES.search(function):
        return True
    return _verb(function) in _TAKES


def frees(function: str) -> bool:
    """Whether it takes what lies there to end it: ``nvJitLinkDestroy(handle_t* handle)``, not ``AddMemFreeNode``."""
    return _verb(function) in _FREES


def _verb(function: str) -> str:
    """The verb of a function's name that counts: the first one, or, where all are nouns as often, what takes."""
    found = [w for w in words(function) if w in _TAKES or w in _GETS or w in _MAKES]
    verbs = [w for i, w in enumerate(found) if w not in _NOUNS or (w == "set" and i < len(found) - 1)]
    return next(iter(verbs or [w for w in found if w in _TAKES]), "")


# Verbs that are nouns as often: they count where nothing else does.
_NOUNS = _set(
    "set map list string str version info status count counts statistics stat first last next top run process "
    "update select fill sort scale lock poll format print key new from to read "
)


def is_out_name(name: str) -> bool:
    """Whether a parameter's name says that one value comes out."""
    name = name.strip("_")
    return _OUT_NAMES.fullmatch(name) is not None and not _STREAMED.fullmatch(name)


# What a stream has left, before the call and after it: `size_t* avail_out`.
_STREAMED = re.compile(r"(?:p_?)?(avail|available|next)_?(in|out|In|Out)p?")


def is_vague_out(name: str) -> bool:
    """Whether a name says that something comes out, one or many."""
    return name in ("out", "output", "ret", "info", "found", "left") or name.startswith(("out_", "r_"))


def is_marked_out(name: str) -> bool:
    """Whether a name has a mark of outputs before or behind what it is of: ``ret_users``, ``syms_out``."""
    return re.fullmatch(r"(p_?)?(out|ret)_\w+|(p|pp)?Out[A-Z]\w*|\w+_(out|ret|return)", name) is not None


def fetches(function: str) -> bool:
    """Whether a function's verb is to get something, and nothing else."""
    return _verb(function) in _FETCHES


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
    return (
        re.fullmatch(
            r"(\w*_?)?(p|pp|ptr|pos|line|lineptr|saveptr|stringp|next|rest|in|src|source|input|argv|args|buf|"
            r"buffer|data)",
            name.lower(),
        )
        is not None
    )


def is_limit(name: str) -> bool:
    """Whether a number says how many there may be, which goes in: ``max_len``."""
    return re.fullmatch(r"(?:p_?)?max(imum)?_?[a-zA-Z]\w*", name) is not None


def is_place_name(name: str) -> bool:
    """Whether the name of a ``T**`` says that an address comes out."""
    return is_out_name(name) or _PLACES_OUT.fullmatch(name) is not None or is_place_p(name)


def is_error(name: str) -> bool:
    """Whether the name of a ``T**`` says that an error, or its text, comes out."""
    return _ERRORS.fullmatch(name) is not None


def is_end(name: str) -> bool:
    """Whether the name of a ``char**`` says where reading ended: ``strtol(text, &end, 10)``."""
    return _ENDS.fullmatch(name) is not None


def is_handle_name(name: str) -> bool:
    """Whether the name of a number is that of a handle."""
    return _HANDLES.fullmatch(name) is not None


def goes_on(function: str) -> bool:
    """Whether a function may be one that goes on with what its first parameter is."""
    found = words(function)
    return not _GOES_ON.isdisjoint(found) and _GETS.isdisjoint(found) and not makes_anew(function)


def is_iterator(name: str) -> bool:
    """Whether a name is that of a place from where the next call goes on."""
    return (
        re.fullmatch(
            r"\w*(opaque|iter|iterator|state|cookie|saveptr|save_ptr|pos|cursor|stringp|seed)p?", name
        )
        is not None
    )


def creates(function: str) -> bool:
    """Whether a function makes something that did not exist."""
    return not _CREATES.isdisjoint(words(function)) and not takes(function)


def makes_anew(function: str) -> bool:
    """Whether a function makes something, and does not only begin it."""
    return not (_CREATES - _GOES_ON).isdisjoint(words(function)) and not takes(function)


def is_many_of_something(name: str) -> bool:
    """Whether a name has a plural with what became of them: ``rootsfound``."""
    return _MANY_OF.fullmatch(name) is not None


def is_transferred(name: str) -> bool:
    """Whether a name says how much was used of a buffer."""
    return (
        re.fullmatch(
            r"p?(n|o|out)?_?(len|l|n|nread|nwritten|sent|recv|recvd|received|copied|consumed|"
            r"processed|used|done)(_?p|_?out)?",
            name,
        )
        is not None
    )


def is_list_name(name: str) -> bool:
    """Whether the name of a ``T**`` says that it is a list."""
    return (
        re.fullmatch(
            r"(?i)(\w*_)?(list|array|arr|args?|argv|vec|vector|data|tab|table)|\w+(List|Array|Args|"
            r"Vec|Data)|azKeep|rows?",
            name,
        )
        is not None
    )


def may_be_got(name: str) -> bool:
    """Whether a name that may be of something that goes in is that of something to be asked for, too."""
    return (
        re.fullmatch(
            r"root|list|head|next|current|last|dict|options|opts|root|tail|stack|queue|rest|ctx|cookie|opaque|state",
            name,
        )
        is not None
    )


def is_text_name(name: str) -> bool:
    """Whether a name is that of a text."""
    return name in ("str", "s", "text", "line")


# Names of one real number, or one of two bytes, that comes out.
_REAL_OUT = re.compile(
    r"\w+_out|\w+_ret|\w+_return|\w+_returned|(?:p_?)?(abserr|resabs|resasc|chisq|rcond)|elapsed\w*|ms|m?secs?|"
    r"usecs?|nsecs?|ver|version|"
    r"total|sum|det|trace|p?err|p?error|p?status|info|out[A-Z]\w*|p?out_\w+"
)
_QUESTIONS = _set("is has can are supports supported busy enabled present valid")
# "typep", "idp"; not words that end so.
_PLACE_P = re.compile(r"[a-z_]{2,}[^aiouxmps_]p(?<!step)(?<!rep)(?<!eep)(?<!help)(?<!arp)(?<!orp)(?<!lerp)")
_WORDS_P = _set(
    "map heap group loop temp tmp strip ip tcp udp top step op cap app clip stop up skip timestamp help swap "
    "dump setup backup startp stridep imapp edgep indexp posp sp lp gp wp bp drop crop jump amp lamp ramp pop "
    "shape overlap bitmap pixmap keymap remap snap chip ship zip gzip bzip flip trip wrap interp extrap workp "
    "infop datap bufp ptrp "
)


def is_real_out(name: str) -> bool:
    """Whether a name says that one number comes out, where arrays are usual."""
    return _REAL_OUT.fullmatch(name.strip("_")) is not None


# Quantities of which there is one, unless a plural or a count says otherwise.
_QUANTITIES = _set(
    "value val gamma factor radius diameter angle ratio rate gain threshold tolerance slope area volume "
    "thickness temperature voltage frequency freq duration timeout speed mass density level load norm interval "
    "percentage progress probability modularity "
)


def is_quantity(name: str) -> bool:
    """Whether a real number is one by its name: ``radius``."""
    found = words(name)
    return bool(found) and found[-1].removesuffix("p") in _QUANTITIES


def gives_pointer(function: str) -> bool:
    """Whether a function gives the addresses of what it has: ``get_ptr_duals``."""
    found = words(function)
    return gets(function) and not {"ptr", "pointer", "pointers", "ptrs"}.isdisjoint(found)


def asks_version(function: str) -> bool:
    """Whether a function tells a version, number by number."""
    return words(function)[-1:] == ("version",)


def asks_one(function: str) -> bool:
    """Whether a function asks for one number by its own name: ``get_retry_count``."""
    return gets(function) and bool(words(function)) and words(function)[-1] in _ONE_ASKED


_ONE_ASKED = _set(
    "count status version type size number flags state level mode format index id length width height"
)


def reads(function: str) -> bool:
    """Whether a function reads or gets a value: ``register_read``."""
    return not takes(function) and not {"read", "get", "peek", "query", "fetch"}.isdisjoint(words(function))


def is_question(function: str) -> bool:
    """Whether a function asks what is so or not: ``is_present``, ``has_value``."""
    return not _QUESTIONS.isdisjoint(words(function)) and not takes(function)


def is_place_p(name: str) -> bool:
    """Whether a name ends in the p of a pointer to one: ``typep``."""
    return (
        _PLACE_P.fullmatch(name) is not None
        and name not in _WORDS_P
        and not name.endswith(("sp", "map", "group"))
    )


def is_both(name: str) -> bool:
    """Whether a name is that of something that goes in, too."""
    return _BOTH.fullmatch(re.sub(r"(?<=..)_?p$", "", name)) is not None or _BOTH.fullmatch(name) is not None


def is_vector(name: str, floats: bool) -> bool:
    """Whether a name may be that of several numbers; whole ones are seldom places or colours."""
    return (_VECTOR if floats else _WHOLE_VECTOR).fullmatch(name) is not None


def is_coordinate(name: str) -> bool:
    """Whether a name is that of one of a few numbers that belong together."""
    return _COORDINATE.fullmatch(name) is not None


def is_count(name: str) -> bool:
    """Whether a name says that it counts."""
    name = name.strip("_")
    return _COUNTING.fullmatch(name) is not None and not _NOT_COUNTS.fullmatch(name)


def is_named_count(name: str) -> bool:
    """Whether a name says what it counts, ``num_devices``: that is one number."""
    return _NAMED_COUNT.fullmatch(name.strip("_")) is not None and not _NOT_COUNTS.fullmatch(name)


def is_capacity(name: str) -> bool:
    """Whether a number by value says how many there are, or may be."""
    return (
        is_count(name)
        or re.fullmatch(r"(?i)\w*_?(max|maximum|capacity|limit|avail|maxlen)|(max|capacity)\w*", name)
        is not None
    )


def is_plural_noun(function: str) -> bool:
    """Whether a function's own name ends in a plural: ``get_variables``."""
    found = words(function)
    last = found[-1] if found else ""
    return (
        len(last) > 3
        and last.endswith("s")
        and not last.endswith(("ss", "us", "is", "as", "ns"))
        and last not in _SINGULAR
    )


_SINGULAR = _set(
    "extents status caps bits flags limits dims stats settings params bytes rows cols columns access minutes "
    "hours days "
)


def is_extent(name: str) -> bool:
    """Whether a number by value may say how many there are, ``naxis``, ``dim``."""
    return (
        is_capacity(name)
        or re.fullmatch(r"(?i)n\w{0,8}|\w*dims?|rank|order|m|k|\w*_dim|points|cells|degree|deg", name)
        is not None
    )


def is_unnamed(name: str) -> bool:
    """Whether the declaration gives a parameter no name."""
    return re.fullmatch(r"arg\d+_*", name) is not None
