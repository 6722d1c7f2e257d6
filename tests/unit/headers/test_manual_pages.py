"""Sixty headers of Debian beside their manual pages: no function is lost in silence, none is another library's."""

from __future__ import annotations

import gzip
import re
import subprocess
import warnings
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from clang import cindex
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # it binds sixty headers

PAGES = Path("/usr/share/man")
HEADERS = """
math.h unistd.h stdio.h stdlib.h string.h wchar.h complex.h fcntl.h netdb.h pthread.h sys/socket.h signal.h sched.h
time.h strings.h ctype.h sys/stat.h sys/mman.h sys/io.h wctype.h dirent.h search.h sys/time.h grp.h arpa/inet.h
resolv.h malloc.h utmp.h termios.h shadow.h sys/xattr.h inttypes.h argz.h pwd.h mqueue.h stdio_ext.h fenv.h
sys/uio.h semaphore.h aio.h libintl.h dlfcn.h err.h netinet/ether.h sys/epoll.h sys/resource.h mntent.h locale.h
aliases.h envz.h mcheck.h regex.h sys/timex.h sys/sysinfo.h sys/wait.h syslog.h fstab.h fts.h sys/inotify.h
sys/msg.h ucontext.h net/if.h poll.h png.h libssh2.h selinux/selinux.h selinux/restorecon.h pcre2posix.h nlopt.h
X11/Xauth.h libtasn1.h idn2.h zlib.h gmp.h
""".split()  # noqa: SIM905
# A name in a synopsis that is no function's.
WORDS = {"defined", "sizeof", "typeof", "_Static_assert"}


def path_of(header: str) -> Path | None:
    places = [Path(folder, header) for folder in ("/usr/include", "/usr/include/x86_64-linux-gnu")]
    return next((place for place in places if place.exists()), None)


@cache
def synopses() -> dict[str, set[str]]:
    """The functions that manual pages name, by each header that their synopses include."""
    found: dict[str, set[str]] = defaultdict(set)
    for page in [*PAGES.glob("man2/*.2.gz"), *PAGES.glob("man3/*.3.gz")]:
        text = gzip.decompress(page.read_bytes()).decode(errors="replace")
        synopsis = re.search(r'^\.SH "?SYNOPSIS"?$(.*?)^\.SH', text, re.MULTILINE | re.DOTALL)
        body = synopsis[1].partition("Feature Test Macro")[0] if synopsis else ""
        body = re.sub(r'\\f[A-Z]|\\f\(..|^\.\\".*$|^\.[A-Z]{1,2} ?|"|\\[-&]', "", body, flags=re.MULTILINE)
        names = {*re.findall(r"(?<![\w.])([A-Za-z_]\w+)\s*\((?!\*)", body)} - WORDS
        for header in re.findall(r"#\s*include\s*<([^>]+\.h)>", body):
            found[header] |= names
    return found


def declared(header: str, names: set[str]) -> set[str]:
    """Those of the names that are functions to GCC, with no feature macro set but its own."""
    asked = sorted(names)
    lines = [
        f'#line {i} "asked"\nvoid* p{i} = (void*)(1 ? {name} : {name});' for i, name in enumerate(asked, 1)
    ]
    source = "\n".join([f"#include <{header}>", *lines, ""])
    command = ["gcc", "-std=gnu17", "-fsyntax-only", "-w", "-fmax-errors=0", "-x", "c", "-"]
    said = subprocess.run(command, input=source, capture_output=True, text=True, check=False).stderr
    bad = {int(number) for number in re.findall(r"^asked:(\d+):\d+: error", said, re.MULTILINE)}
    return {name for i, name in enumerate(asked, 1) if i not in bad}


@cache
def package(file: str) -> str:
    """The Debian package of a file."""
    said = subprocess.run(["dpkg", "-S", file], capture_output=True, text=True, check=False).stdout
    return said.partition(":")[0]


def homes(header: str) -> dict[str, str]:
    """Where each function is declared that including a header declares."""
    unit = cindex.Index.create().parse("t.c", unsaved_files=[("t.c", f"#include <{header}>\n")])
    return {
        cursor.spelling: cursor.location.file.name
        for cursor in unit.cursor.get_children()
        if cursor.kind == cindex.CursorKind.FUNCTION_DECL and cursor.location.file
    }


def bound(header: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)  # __skipped__ says it, too
        return sb.bind(header, language="c")


@pytest.fixture(scope="module")
def pages() -> dict[str, set[str]]:
    if "math.h" not in synopses():
        pytest.skip("the manual pages are not installed: apt install manpages-dev")
    return synopses()


@each("header", [header for header in HEADERS if path_of(header)])
def test_a_header_has_what_its_manual_pages_say(pages: dict[str, set[str]], header: str) -> None:
    path = path_of(header)
    lib, known = bound(header), homes(header)
    skipped = {word for reason in lib.__skipped__ for word in re.findall(r"\w+", reason.name)}
    names = declared(header, pages.get(header, set()))
    own = {name for name in names if package(known.get(name, str(path))) == package(str(path))}
    # raise_, as Python has a word `raise`.
    there = {name.rstrip("_") for name in dir(lib) if not isinstance(getattr(lib, name, None), type)}
    assert own <= there | skipped
    foreign = {n: known[n] for n in there & known.keys() if package(known[n]) != package(str(path))}
    assert not foreign


def test_the_pages_say_enough(pages: dict[str, set[str]]) -> None:
    there = [h for h in HEADERS if path_of(h) is not None and declared(h, pages.get(h, set()))]
    assert len(there) >= 60
    assert sum(len(declared(h, pages[h])) for h in there) > 1200


def test_a_struct_of_a_parameter_list_is_refused_in_words(tmp_path: Path) -> None:
    header, own = tmp_path / "handles.h", tmp_path / "own.h"
    header.write_text(
        "static inline int is_null(const struct handle* h) { return !h; }\nstatic int one = 1;\n"
    )
    with pytest.warns(sb.BindWarning, match="struct handle is declared in this parameter list alone"):
        assert sb.bind(header, language="c").one == 1
    own.write_text("struct handle;\n#include <handles.h>\n")  # as the reason says
    lib = sb.bind(own, language="c", include_dirs=[tmp_path])
    assert lib.is_null(None) == 1
