"""The English words of every rule about C pointers: verbs of functions, names of parameters, phrases of documents."""

from __future__ import annotations

import re


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Verbs of functions, and names of outputs, places, handles and counts.

# "getenv" gets, "settings" set nothing.
JOINED = re.compile(r"(get|set)(?!up|ting|s$|ter|opt$|$)[a-z]{2,}")
# What asks for something, whose numbers behind pointers come out.
GETS = _set(
    "get getter gets query inquire inq fetch lookup retrieve peek measure compute calculate calc estimate "
    "getopt examine inspect determine obtain parse detect identify check us minmax split frexp remquo modf "
    "sincos resolve probe "
)
# "a function of this name asks for a text".
FETCHES = _set("get gets query fetch retrieve inquire inq lookup")
# What is asked for, where a function is named after it alone: `image_extents`, `surface_status`.
ASKED = _set("stat statistics info version capabilities count counts extents status size")
# What makes or finds something, whose address comes out.
MAKES = _set(
    "get create new open init initialize initialise alloc allocate malloc calloc memalign make build construct "
    "load parse connect accept find lookup dup duplicate clone copy import from start begin acquire prepare "
    "compile spawn generate gen next first prev previous last query resolve fetch setup instantiate "
    "enumerate list mmap map describe to export subscribe retrieve obtain discover listen borrow peek top pop "
    "snapshot derive keygen wrap read extract encode dump print asprintf format convert transform version "
    "search "
)
# The first of these six go with counts by value, too (measured on 19 libraries).
OWN = _set("get alloc allocate malloc calloc create new open init initialize initialise load")
# What gives arrays of numbers back.
ALLOCATES = _set("get alloc allocate malloc calloc memalign create new parse dup clone export encode")
# What takes what lies there, to end it, to change it, or to hand it on.
TAKES = _set(
    "free close destroy delete dispose release unref decref deref fini finalize finish cleanup clear drop end "
    "term terminate put set write append prepend insert push add remove erase sort reset swap replace realloc "
    "resize reserve extend grow advance skip consume merge update concat strsep strtok solve factor factorize "
    "combination multiply scale fill assign reverse shuffle move enqueue send sendv submit rewind unlink erode "
    "dilate wait select poll unlock unmap kill interpolate evaluate eval apply accumulate exchange transpose "
    "invert execute run exec process compress decompress restore recycle give yield done disconnect detach "
    "bind attach dest sink undo expand "
)
# What ends it, whatever its name is.
FREES = _set("free close destroy delete dispose release unref decref deref")
# "a function of this name takes what lies there", as those above do.
COPIES = re.compile(r"copy_?to|copy_?from|CopyTo|CopyFrom|memcpy|to_?arrays?$", re.IGNORECASE)
# "make_writable" changes what is there.
CHANGES = re.compile(r"(?i)make_?[a-z]*(able|ible|current|valid|unique|private|ready|owned|canonical)(_|$)")
# What goes on with an object as often as it makes one.
GOES_ON = _set(
    "start begin accept connect prepare spawn convert transform format setup wrap next prev previous first "
    "last borrow peek pop register subscribe encode decode extract resolve detect list discover acquire lookup "
    "read parse "
)
# Names of one value that comes out, and nothing else.
OUT_NAMES = re.compile(
    r"out|(?:p_?)?out(?:_\w+|[A-Z]\w*)|\w+_out|\w+Out|ret|ret_?val\w*|retval|ret_\w+|\w+_ret|"
    r"\w+_return|\w+Ret|\w+_returned|return(ed)?_[a-z]\w*|return(ed)?[A-Z]\w*|"
    r"r_[a-z]\w*|\w*_?written|\w*Written|n_?read|bytes_?read|\w*_read|bytes_?\w*ed|nbytes_?\w*ed|\w*BytesRead|"
    r"p?err|p?error|err_?code|error_?code|errcode_ret|errno|perr\w*|pErr\w*|ierr|errorp|info|p?status|stat|rc|"
    r"\w*_?errors?_?(code|num|offset|line|col|column|pos|position)|(?:p_?)?(abserr|resabs|resasc|chisq|rcond|objval)|"
    r"outl|olen|ver|version|p?major|p?minor|p?micro|p?patch|p?revision|(p_)?rev|major_?version|"
    r"minor_?version|patch_?version|sgn|"
    r"found|exists|fail(ed)?\w*|ms|m?secs?|usecs?|nsecs?|milliseconds|[a-z]{0,3}err(or|no)?|total|sum|"
    r"det|trace|elapsed\w*|checksum|crc|is_?[a-z]\w*|(has|have)_[a-z]\w*|n?left|remaining|p?nneeded|needed|"
    r"required|actual\w*|\w+_actual|transferred"
)
# "its name, 'errmsg'": the place of an error, or of its text.
ERRORS = re.compile(
    r"p{0,2}z?[Ee]rr(or)?(_?([Mm]sg|[Mm]essage|ptr|str|string|text|info))?(_?out|_?ret|p)?|perrors?_?msg|gerror"
)
# "its name, 'endptr'": where reading ended.
ENDS = re.compile(r"(\w*_)?(end|endp|endptr|end_ptr|strend|tail|pz?Tail|eptr|nend|endpos)")
# "its name, 'ppDb'": the place of an address that comes out.
PLACES_OUT = re.compile(
    r"pp+_?[A-Z]\w*|ppv?|pp_\w+|p?ph[A-Z]\w*|phandle|newp|\w*_?(handle|new)p?|new\w+|result|res|\w+_?p?ptr_?out"
)
# "a function of this name makes what it is the handle of".
HANDLES = re.compile(
    r"(?:p_?)?(\w*_)?(id|idp|tid|pid|key|fd|fds?p|fildes|handle|hid|token|thread|newthread|timer\w*|"
    r"session|object|obj|port)_?p?|p?h[A-Z]\w*|\w*(Handle|Id|ID)"
)
# What makes something that did not exist.
CREATES = _set(
    "create open new alloc allocate malloc calloc memalign mmap map make build construct load duplicate clone "
    "dup fork init initialize initialise generate gen socket register connect accept start begin "
)
# "it may be an array": a plural with what became of them.
MANY_OF = re.compile(r"[a-z]{3,}s(found|out|used|set|read|written|in|left|at|of|per\w+)")
# Names of what is in and out, by what every such name is elsewhere: a place in something, a state, room.
BOTH = re.compile(
    r"arguments|argv|args|argc\w*|string|option|str|s|text|line|lineptr|pos|position|cursor|state|\w*_state|seed|"
    r"\w*seed|"
    r"iter|iterator|it|ptr|p|offset|idx|index|inout|\w*_inout|io|cookie|ctx|"
    r"opaque|last|lasts|saveptr|save_ptr|stringp|endp|mbs|len_?io|tail|head|next|cur|current|rest|src|"
    r"source|in|inbuf|input|"
    r"next_\w+|avail_\w+|total_\w+|options|opts|dict|list|root|stack|heap|queue|refcount|counter|once|"
    r"flag|lock|mutex|sem"
)
# Names of numbers that come in vectors although they are no plurals.
VECTOR = re.compile(
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
# Of whole numbers fewer: "it may be an array".
WHOLE_VECTOR = re.compile(
    r"(?i)\w*(matrix|mat|vec\w*|vertex|vert|coords?|rgba?|row|col|column|array|arr|tab|table|perm\w*|"
    r"permutation|buffer|buf|data|"
    r"samples?|work\w*|hist\w*|mask|map|img|image|pixels?|iv|params?|stats|set|limits?|range|window|"
    r"palette|shape|dims?|"
    r"strides?|path|chunk|tiles?|bins?|digest|hash|uuid|guid|md|list|box|rect|bbox|bounds?|part|color|"
    r"colour|labels?|memberships?)"
)
# "a function of this name asks for numbers that belong together".
COORDINATE = re.compile(
    r"(?:p_?)?(x|y|z|w|h|[a-z][0-9]|[xyz]_?\w{1,8}|\w{1,12}_?[xyz]|width|height|depth|left|right|top|"
    r"bottom|r|g|b|a|red|green|blue|alpha|"
    r"hue|sat|lat|lon|latitude|longitude|min|max|lo|hi|low|high|load|minimum|maximum|mean|re|im|real|"
    r"imag|"
    r"year|month|day|hour|minute|second|major|minor|micro|patch|rev|begin|end|start|stop|offset|size|length|len|"
    r"w0|\w+_w0|ascent|descent|[a-z]+_?(width|height|min|max|size))"
)
# Counts, and those of many without their name among them.
COUNTING = re.compile(
    r"(?:p_?)?(n|nb|num|nr|cnt|count|len|length|size|sz|nbytes|bytes|total|amount|plen|l|sp|ksp|vsp|np|cntp|szp|"
    r"plength|"
    r"psize|pcount|lenp|sizep|countp|size_p|len_p)|"
    r"(?:p_?)?(n|nb|num|nr)_?[a-z]\w*|\w*_?(count|cnt|num|len|length|size|sz|nbytes)p?|p?\w*(Count|"
    r"Num|Len|Length|Size)|"
    r"(num|Num|nr|number|total)_?\w+|\w+_?[nm]o|sizeof_\w+"
)
# "its name says that it counts": it says what.
NAMED_COUNT = re.compile(
    r"(?:p_?|a)?(num|nb|nr|n)_[a-z]\w*[a-z]|p?[Nn](um|b|r)[A-Z]\w+|\w+_?([Cc]ount|_cnt|_num|_len|Len|"
    r"_length|Length|_nelems)(_?p|_ptr|Ptr)?|"
    r"l[ri]?work|(len|length|lenp|plen|cntp|sizep)|n(sizes|elems|items|bytes|chars|rows|cols|"
    r"types|devices|entries|values|threads)|"
    r"\w*(bufferSize|buffer_size|BufferSize|workSize|SizeInBytes)\w*"
)
# Words that begin as counts do.
NOT_COUNTS = re.compile(
    r"(?i)n(odes?|ames?|umbers?|ormals?|otes?|ets?|eighbou?rs?|ew\w*|ext\w*|eeds?|ative|ode_?\w+|ame_?\w+|eg\w*)"
)
# "the function is named after what it makes".
CONVERTS = re.compile(r"([A-Za-z]+?)(?:2|_to_|To_?(?=[A-Z]))([A-Za-z]+)")
# Functions that make a text of something.
TEXTS = re.compile(r"[tT]o_?[sS]tr(ing)?|2str|[a-z]_str(ing)?$|asprintf")
# Verbs that are nouns as often: they count where nothing else does.
NOUNS = _set(
    "set map list string str version info status count counts statistics stat first last next top run process "
    "update select fill sort scale lock poll format print key new from to read "
)
# What a stream has left, before the call and after it: `size_t* avail_out`.
STREAMED = re.compile(r"(?:p_?)?(avail|available|next)_?(in|out|In|Out)p?")
# Names of one real number, or one of two bytes, that comes out.
REAL_OUT = re.compile(
    r"\w+_out|\w+_ret|\w+_return|\w+_returned|(?:p_?)?(abserr|resabs|resasc|chisq|rcond)|elapsed\w*|ms|m?secs?|"
    r"usecs?|nsecs?|ver|version|"
    r"total|sum|det|trace|p?err|p?error|p?status|info|out[A-Z]\w*|p?out_\w+"
)
# "it is the answer to a question".
QUESTIONS = _set("is has can are supports supported busy enabled present valid")
# "typep", "idp"; not words that end so.
PLACE_P = re.compile(r"[a-z_]{2,}[^aiouxmps_]p(?<!step)(?<!rep)(?<!eep)(?<!help)(?<!arp)(?<!orp)(?<!lerp)")
# Words that end in a p of their own.
WORDS_P = _set(
    "map heap group loop temp tmp strip ip tcp udp top step op cap app clip stop up skip timestamp help swap "
    "dump setup backup startp stridep imapp edgep indexp posp sp lp gp wp bp drop crop jump amp lamp ramp pop "
    "shape overlap bitmap pixmap keymap remap snap chip ship zip gzip bzip flip trip wrap interp extrap workp "
    "infop datap bufp ptrp "
)
# Quantities of which there is one, unless a plural or a count says otherwise.
QUANTITIES = _set(
    "value val gamma factor radius diameter angle ratio rate gain threshold tolerance slope area volume "
    "interval thickness temperature voltage frequency freq duration timeout speed mass density level load norm "
    "percentage progress probability modularity "
)
# "a function of this name asks for it", where the place has no name.
ONE_ASKED = _set(
    "count status version type size number flags state level mode format index id length width height"
)
# Nouns of functions that end as plurals do, and may be of one thing.
SINGULAR = _set(
    "extents status caps bits flags limits dims stats settings params bytes rows cols columns access minutes "
    "hours days "
)
# Marks of outputs that a family of functions has: "its name, 'ret_users'".
MARKED_OUT = re.compile(r"(p_?)?(out|ret)_\w+|(p|pp)?Out[A-Z]\w*|\w+_(out|ret|return)")
# A `char**` of these names is read on, or grows, whatever the function asks for.
MOVED_TEXTS = re.compile(
    r"(\w*_?)?(p|pp|ptr|pos|line|lineptr|saveptr|stringp|next|rest|in|src|source|input|argv|args|buf|"
    r"buffer|data)"
)
# A number of these names says how many there may be.
LIMITS = re.compile(r"(?:p_?)?max(imum)?_?[a-zA-Z]\w*")
# "its name is that of a place from where the next call goes on".
ITERATORS = re.compile(
    r"\w*(opaque|iter|iterator|state|cookie|saveptr|save_ptr|pos|cursor|stringp|seed)p?|prev(ious)?p?"
)
# "it says how much of the buffer before it was used".
TRANSFERRED = re.compile(
    r"p?(n|o|out)?_?(len|l|n|nread|nwritten|sent|recv|recvd|received|copied|consumed|"
    r"processed|used|done)(_?p|_?out)?"
)
# "its name is that of a list".
LISTS = re.compile(
    r"(?i)(\w*_)?(list|array|arr|args?|argv|vec|vector|data|tab|table)|\w+(List|Array|Args|"
    r"Vec|Data)|azKeep|rows?"
)
# Of the names of what goes in, those that a function may ask for.
GOT = re.compile(
    r"root|list|head|next|current|last|dict|options|opts|root|tail|stack|queue|rest|ctx|cookie|opaque|state"
)
# By value, these say how many there may be, as counts do.
CAPACITY_WORDS = re.compile(r"(?i)\w*_?(max|maximum|capacity|limit|avail|maxlen)|(max|capacity)\w*")
# By value, these may say how long arrays are.
EXTENT_WORDS = re.compile(r"(?i)n\w{0,8}|\w*dims?|rank|order|m|k|\w*_dim|points|cells|degree|deg")
# "its name, 'value'": the one thing that a function reads.
VALUES = _set("value val pvalue valuep")
# "it is the answer to a question", "its name, 'result'".
ANSWERS = _set("res result answer retval rv")

# Names of the one value that functions for each type read.
VALUE_NAMES = re.compile(r"(?i)p?_?\w{0,3}(value|val|result|res|ret)p?")
# What functions for each type have in their names.
TYPE_WORDS = re.compile(
    r"(?i)_?(bool(ean)?|char|byte|short|int|integer|long(_?long)?|float|double|real|string|str|"
    r"u?int_?\d+|[usifr]\d{1,2}|unsigned|u?long)(?=$|_|[A-Z])"
)
# What each of many has: ``atom_type``.
EACH = re.compile(
    r"\w*(row|col|column|node|atom|vertex|vtx|cell|face|edge|elem|element|point|particle|bond|block|tile|line|item|"
    r"entry|cluster|bin|site|residue|pixel|child|parent|component|band|plane|layer|arg|param)s?(_\w+|[A-Z]\w*)"
)
# What one quantity's name ends in; alone, without a word before it, fewer are never read.
QUANTITY_NAMES = re.compile(
    r"(?i)(\w+_|\w*[a-z](?=[A-Z]))(timer|tag|status|code|mode|rev|frame|timeout|port|priority|rate|speed|duration|"
    r"delay|latency|frequency|left|result|minimum|maximum|initial|limit|offset|epoch|sign|exponent|days|hours)|"
    r"(\w+_|\w*[a-z](?=[A-Z])|[a-z](?=type))?(seconds|secs|sec|msecs?|usecs?|nsecs?|milliseconds|microseconds|"
    r"nanoseconds|minutes|timestamp|level|type|kind|class|version|revision|percent|percentage|bitrate|bitstream|"
    r"temperature|voltage|avail|available|remaining)"
)
# Real numbers that are one, seldom many.
REAL_QUANTITY_NAMES = re.compile(
    r"(?i)(\w+_|\w*[a-z](?=[A-Z]))?(seconds|secs|sec|msecs?|usecs?|milliseconds|percent|percentage|duration|"
    r"latency|delay|timestamp|bitrate|temperature|voltage|left|elapsed)"
)
# Numbers as small as a byte.
OCTET_NAMES = re.compile(
    r"(\w+_)?(status|level|mode|type|kind|version|revision|rev|major|minor|patch|bugfix|percent|percentage|enabled|"
    r"priority|bus|port|channel|count|index|severity|quality|depth|speed|brightness|volume|attempts|retries)"
)
# What is several bytes by its name.
OCTETS_NAMES = re.compile(
    r"(?i)\w*(mac|addr(ess)?|serial\w*|key|iv|nonce|salt|sig|signature|secret|token|name|id|ssid|pin|password|"
    r"cert\w*|der|pem|out|output|dest|dst|payload|packet|frame|msg|message|content|line|text|string|checksum|crc|"
    r"raw|octets?|in|input|src|source|res|result)"
)
# Types of numbers by whatever name, whose arrays are usual: `OPJ_UINT32`, `la_int64_t`, `uchar`, `pixel`.
PLAIN_TYPES = re.compile(
    r"(?i)\w*(u?int|uint|long|short|word|byte|octet|char|size|ssize|real|float|double|number|num|integer|"
    r"scalar|sample|pixel|coord|index|idx|limb|ucs|rune|glyph|colou?r|intn|fixed|data|str|off)_?\d*(_?t)?|"
    r"\w*[a-z]?(8|16|32|64|128)(_?t)?|int|char|void|bool|_Bool|unsigned|signed|long|short|float|double|\w"
)
# Counts that say not of what.
BARE_COUNTS = re.compile(
    r"(?i)(p|p_|a)?(n|num|count|cnt|len|length|size|sz|nbytes|bytes|total)(p|_p|ptr|_ptr)?"
)
# What was there before.
OLD = re.compile(r"p?_?(old|prev|previous|prior)_?[a-z]\w+|p?(Old|Prev|Previous|Prior)[A-Z]\w+|prior")
# Words that end as marks of outputs do.
ENDS_IN_OUT = re.compile(
    r"(?i:(\w*_)?(time|fade|log|check|sign|zoom|lay|in|shut|print|cut|drop|black)_?out)|"
    r"\w*[a-z](Time|Fade|Log|Check|Zoom|Lay|Shut|Print|Cut|Drop)_?[oO]ut"
)
# Functions that map so many numbers to as many: "as many such numbers go in by value".
MAPS = re.compile(
    r"\w*((?i:fwd|rev|forward|backward|inverse|reverse|project|convert|map)|[a-z]2[a-z]|_to_|_from_|[a-zA-Z][tT]o(?=[A-Z]))\w*"
)
# A number by value that says which ones are asked for: an answer for each of them.
MASKS = re.compile(r"(?i)\w*(mask|bitmap|bitset)")

# Phrases of documents.

# "the documentation says that it goes in": something is read there, too.
SAID_IN_AND_OUT = re.compile(
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
# Something is read there, whatever is said of it then.
SAID_SURELY_BOTH = re.compile(
    r"(?i)\bif [|`]?\*\w+[|`]? is (not |non-?)?NULL\b|\bpoints to (a )?NULL\b|\bin[/, -]+out\b|"
    r"\binput[/ ]+output\b|\binput and output\b|\b(on|upon|as|at) (input|entry|"
    r"call)\b|\binput:|\bin:|"
    r"\bmust (initially |already |first )?(be (set|initiali[sz]ed)|contain|hold) "
)
# An `[in,out]` by these is what comes out.
SAID_OF_NEW = re.compile(
    r"(?i)\b(returned|returns?|newly|new|created|in which|where .* (stored|placed|written|put|"
    r"returned)|will be (stored|set|filled)|"
    r"to (receive|store)|value of)\b|^(\w+ ){0,3}to (store|hold|get|receive)\b"
)
# An `[in,out]` by these is read.
SAID_GIVEN = re.compile(r"(?i)\b(containing|holding|requested|desired|wanted)\b")
# "a buffer to store the type": of a place, the one address that is put there.
SAID_TO_STORE = re.compile(r"(?i)\bto (store|hold|receive)\b")
# One number for each of several, whatever is a number of what.
SAID_FOR_EACH = re.compile(
    r"(?i)\b(one|a|an|element|entry|value|number|item)s? (\w+ ){0,3}(for|per|in) each\b|"
    r"\b(for|per|along|in) (each|every) (dimension|axis|bit|direction|set bit)\b|\bper[- ](dimension|axis)\b"
)
# After the call; then what stands above says nothing of what was before.
SAID_ON_RETURN = re.compile(r"(?i)\b(on|upon|at|after) (output|return|exit|success|successful)\b")
# Something is put there, whatever is said of it then: "will hold the maximum size".
SAID_WILL_HOLD = re.compile(
    r"(?i)\b(that|which) will (hold|receive|contain)\b|\breturned here\b|\breturn address\b"
)
# "the documentation says that it comes out".
SAID_OUT = re.compile(
    r"(?i)\boutput\b|\breceiv(e|es|ing)\b|\bwill (be|contain|hold|point|receive|store|have)\b|"
    r"\b(is|are|gets?|be|being|been) (set|filled|stored|written|assigned|placed|returned|saved|put|populated)\b|"
    r"\bto (store|hold|receive|return|get|save|write|be (filled|set|written|stored|returned|populated|updated))\b|"
    r"\bwhere\b.*\b(store|stored|stores|written|write|placed|put|returned|return|saved|save|go|"
    r"goes)\b|\bin (to )?which\b|"
    r"\bstores? (a|the) [^.;]{1,60} there\b|"
    r"\b(on|upon|at|after) (output|return|exit|success|successful)\b|\breturn(s|ed)?\b|\bresulting\b|\bresult\b|"
    r"\bfill(s|ed|(?= \*))\b|\bstore(s|d)\b|\baddress of a\b|\baddress (to|where)\b|\blocation\b|\bset to\b|"
    r"\bupdated to\b|\bplace to\b|"
    r"\bpointer to (a |an |the )?(variable|location|int|integer|unsigned|size_t|double|float|pointer|"
    r"handle)\b|\[out\]"
)
# "the documentation speaks of an array", "of several".
SAID_MANY = re.compile(
    r"(?i)\barrays?\b|\bvectors?\b|\blists?\b|\bbuffers?\b|\bmatri(x|ces)\b|\belements\b|\bentries\b|"
    r"\btables?\b|\bstrings\b|"
    r"\bof (size|length|dimension)\b|\bat least\b|\bsequence\b|\bvalues\b|\bcoordinates\b|\bhandles\b|"
    r"\bpointers\b|\w\[|"
    r"\bcoefficients\b|\bweights\b|\bindices\b|\brows\b|\bcolumns\b|\bper (each|row|vertex|element)\b|\bfor each\b"
)
# Words that make one of many: "the number of elements in the array".
SAID_ONE = re.compile(
    r"(?i)\b(number|size|length|count|index|amount|total|capacity|dimension|rank|order|sum|bytes|id|"
    r"type|status|maximum|"
    r"minimum|position|offset|how many|address of (a|the) pointer|pointer to (a|"
    r"the) pointer|(pointer to|address of) (an? )?(unsigned )?(int|integer|bool|boolean|size_t|long|variable|enum|"
    r"u?int\d+_t)|(int|integer|bool|boolean) pointer)\b"
    r"(?! (is|are|=|must|should|arrays?|vectors?|buffers?|lists?|values))"
)
# What is said of many is one number: "buffer size in bytes".
SAID_OF_MANY = re.compile(
    r"(?i)\b(buffers?|arrays?|lists?|vectors?|tables?|elements|entries|strings|rows|columns)(?= (size|length|"
    r"count|index|capacity|"
    r"number|type|id|offset|position)\b)"
)
# One address is put there, whatever lies behind it.
SAID_ALLOCATED = re.compile(
    r"(?i)\b(m|c)?alloc|\ballocat|\bnewly\b|\b(must|should|to|can) be (freed|released|deallocated)|\bfree[ds]?\b|"
    r"\b(is|are|be|been|gets?) (set|updated|made|changed|adjusted) to (point|the)\b|\bpoint(ed|s|ing)? to (an? |"
    r"the )?(newly|internal)|"
    r"\b(stores?|returns?|to store|assigns) (a |the )?(pointer|address|array|list|table)\b|\bpointer (is|"
    r"will be) (set|updated)\b|"
    r"\b(pointer to|address of) (a |the |an )?(\w+ )?pointer\b"
)

# Names of arrays, of their counts, and of what is one beside them.

# Numbers that count: by their first or their last word, `num_dashes`, `nbElements`, `frame_size`, `nx`, `n0`.
COUNTING_WORDS = re.compile(
    r"n|nb|num|nr|cnt|count|counts|len|length|size|sz|dim|dims|rank|order|rows|cols|columns|elements|nelem"
)
# Short names of counts.
SHORT_COUNTS = re.compile(r"[nmNM]\d?|n[a-z]{1,8}")
# Words that begin as short names of counts do.
NO_COUNTS = re.compile(
    r"n\w*id|name|node|new|next|no|not|null\w*|normal|need\w*|net|nice|now|neg\w*|near\w*|native|nature|nil|nibble"
)
# Extents that stand behind what they measure alone: before an output they are of something else.
EXTENTS = re.compile(r"w|h|width|height|depth|stride|pitch|channels|capacity|limit|max\w*")
# What is one number beside arrays, too.
ONE_BESIDE_ARRAYS = re.compile(
    r"n|nb|num|nr|no|count|cnt|len|length|size|sz|bytes|written|read|used|done|ret|return|returned|err|error|"
    r"errno|errcode|status|"
    r"info|rc|result|code|total|sum|mean|avg|average|variance|sd|stddev|median|min|max|minimum|maximum|norm|dist|"
    r"distance|"
    r"dot|det|trace|idx|index|offset|pos|position|id|handle|type|version|flag|flags|width|height|depth|time|ms|"
    r"duration|cost|"
    r"pitch|stride|fail|failed|found|active|current|rank|abserr|chisq|rcond|objval"
)
# One number, whatever stands beside it.
NEVER_ARRAYS = re.compile(r"(?i)l[ri]?work\w*|info|err\w*|status")
# What is many by its name.
MANY = re.compile(
    r"data|array|arr|vec|vector|matrix|mat|table|list|v|buf|buffer|samples?|pcm|work|workspace|coeff|coef|coefs|"
    r"histogram|hist|lut"
)
# What is one although it ends in s.
ONE_WITH_S = re.compile(
    r"\w*(ss|us|is|bias|alias|bits|bytes|flags|seconds|secs|abs)|ms|ns|us|bytes|nbytes|pos|flags|bits|caps|has|rows|cols|columns|days|hours|minutes|"
    r"seconds|secs|nsecs|usecs|"
    r"attributes|options|opts|args|errors|params|settings|events|revents|contents|abs|cos|eps|jobs|hits|"
    r"priorities|threads|pixels_per_\w+|fps|dps|access|progress|address|means|news|elements|entries|items|samples"
)
# "it comes in two calls: how many, and then these".
COUNT_PLACES = re.compile(r"p?(num|nr)(?![a-z])\w*|p?[Nn]um[A-Z_]\w*|\w*([Cc]ount|_num)|nr")
# How many there are, `nsizes`; not words that begin so, `nodes`, `names`.
NUMBERS_OF = re.compile(
    r"(?i)(p_?)?(n(?!odes|ames|umbers|ormals|otes|ets|eighbou?rs|anos|ibbles)|nb|num|nr|number_of|no_of)_?[a-z]\w*|"
    r"\w*_?(count|num|cnt)s?"
)
# What a family's marks add to a name.
OUT_MARK = re.compile(r"^(p_?)?(ret|out)_")
# Where each of these stands, what is read or written is a part of an array.
PARTS_OF_ARRAYS = re.compile(r"(start|count|stride|imap|index|edges|origin)p?s?")

# What a number beside a buffer counts that is not that buffer's room.

# Words of documents by which one of a number's units is more than one element of the buffer.
SAID_UNITS = re.compile(
    r"(?i)\bper[- ](channel|row|line|plane|pixel|block|frame|band|component)|\binterleaved|\b(sample|"
    r"stereo) (frames|pairs)|"
    r"\b(number|count|length|size) (of|in) (the )?(\w+ )?(frames|blocks|rows|lines|pixels|pairs|channels|pages|"
    r"sectors|tuples|words)\b|"
    r"\bin (frames|blocks|rows|lines|pixels|pairs|words|samples per)\b|\beach channel\b|\btimes (the )?(number|"
    r"size|width)"
)
# Functions, and numbers, of another unit: "its unit is not one element of 'in'".
MANY_CHANNELS = re.compile(r"(?i)interleaved?|deinterleave|_planar|multi_?channel")
# Numbers of another unit than one element.
OTHER_UNITS = re.compile(
    r"(?i)\w*(frames?|blocks?|rows?|lines|pixels?|pairs|channels|pages|sectors|words)(_?(count|num|len|read))?_?p?"
)
# Of bytes, or of what no type is known: what says how many things there are says not how many bytes.
THINGS = re.compile(r"(?i)\w*(count|cnt|items?|elements?|elems?|nmemb|entries)_?p?(tr)?|p?(num|nr)_?[a-z]+")
# "the documentation says that C writes behind it, or in place".
SAID_BEHIND = re.compile(
    r"(?i)\bin[- ]place\b|\b(writes?|written|appends?|appended|adds?|added|extends?)\b[^.;]{0,60}\b(behind|beyond|"
    r"following|"
    r"after the (end|packet|message|data)|to the end|trailer|at the end)|\b(grow|expand)s?\b|"
    r"\b(room|space|large enough|enough memory|writable)\b[^.;]{0,40}\b(additional|extra|more|trailer|tag|padding|"
    r"overhead)"
)
# What says that a number is behind a pointer: `dstSizePtr`.
ROOM_PLACE = re.compile(r"(?<=.)(_ptr|Ptr|_p)$|(?<=len|gth|ize|unt|cnt)p$")
# What is made of the very bytes that are given, where no others are.
TRANSFORMS = re.compile(
    r"(un)?(protect|seal|escape|wrap|pad|compress|scramble)|descramble|decompress|(en|de)(crypt|code)|filter|process|"
    r"transform|convert|normali[sz]e|append|trim|strip"
)
# Buffers of what a function makes.
RESULTS = re.compile(
    r"(?i)p?_?\w*(out|output|dest|dst|result|reply|response|ret|sig|signature|digest|hash|mac|md|tag)(_?buf(fer)?)?\d*|"
    r"(out|dest|dst)\w*"
)
# Rooms that are given to a function, unless it changes what lies there.
ROOMS = re.compile(r"(?i)p?_?\w*(buf|buffer|str|string|name|value|val|text|path|key|info|desc)\d*")
# Buffers of what a function works on.
SOURCES = re.compile(
    r"(?i)p?_?(in|input|src|source|plain|plaintext|cipher|ciphertext|msg|message|from)(_?(buf|buffer|data|text))?"
)
# Documents that say whose room it is.
SAID_ROOM = re.compile(
    r"(?i)\b(size|length|capacity|room|space|number of (bytes|octets|elements|characters|chars|items|"
    r"entries))\b[^.;]{0,30}\b"
    r"(of|in|for|available)\b[^.;]{0,30}\b(buffers?|arrays?|memory|output|destination|space)\b|\bcapacity\b|"
    r"\bavailable\b|"
    r"\ballocated\b|\bmax(imum)?\b|\b(on|at) (input|entry|call)\b[^.;]{0,60}\b(size|capacity|space|buffer|"
    r"allocated)|\bbuffer (size|length)"
)

# Buffers and their rooms.

# What is no buffer: what a caller has a function hand on, and addresses that a function is asked about.
NO_BUFFERS = re.compile(
    r"(?i)\w*(ctx|context|user|user_?data|opaque|closure|cookie|handle|priv|private|app_?data|arg)|"
    r"\w*(ptr|pointer|addr|address)|base"
)
# A capacity by value that no data is named after: ``int bufSize, int* length, char* log``.
CAPACITIES = re.compile(
    r"(?i)(buf|buffer|out|output|max|dst|dest|param_?value)?_?(size|sz|len|length|n|count|capacity|bytes|avail|max)"
)
# What a buffer and its number are called besides what they are of: ``dstBuffer, dstSizePtr``.
BUFFER_SUFFIX = re.compile(r"(?<=[a-zA-Z0-9])_?(buffer|Buffer|buf|Buf)$")

# Lists of handles.

# Names that say how many there are.
COUNTS_OF_LISTS = re.compile(r"^p?(num|count)(?![a-z])|^p?Num|^p?num_|(_count|Count|_entries)$|^ndev$")
# What such names add to that of the things.
STEMS = re.compile(r"^p?(num|Num|count|n_)(?![a-z])|^ph?(?=[A-Z])|(_count|Count|_num|Num)$")
# Several handles by their name; not "status", "class", "axis".
PLURAL = re.compile(r"(?<![aius])(?<!^f)(?<!_f)(?<!^pf)s$")
# What is one even behind an array.
ALONE_BEHIND_LISTS = re.compile(r"(?i)err|^fail|^lwork|_ret$|out$|^p?(num|count)|count$|^event$")

# Data that the caller has.

# Strides (BLAS, LAPACK) and the number of elements that a sparse array has: what has them works on arrays.
STRIDES = re.compile(r"(inc|ld)[a-zA-Z]{0,4}|[a-z]?stride\w*|nnz\w*")
# The number of elements of the array before it.
LENGTH_OF_DATA = re.compile(r"n")
# Names of arrays alone.
DATA = re.compile(r"[io]?data|\w+_data")
# What is one number beside arrays, too: how large a workspace must be.
WORKSPACE_SIZES = re.compile(r"(?i)lwork\w*|\w*(size|bytes|count)(inbytes)?")
