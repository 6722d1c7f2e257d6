"""What a header's library is: no name of an included file is lost in silence, and none comes that is another's."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # it binds many headers

FOLDERS = ("api", "core", "core/detail", "util")


class Tree(NamedTuple):
    """Headers on disk: what each declares, and what the first one includes, itself or by others."""

    main: Path
    given: list[Path]
    own: dict[str, Path]
    others: dict[str, Path]


def written(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#pragma once", *lines, ""]))
    return path


def tree(tmp: Path, seed: int) -> Tree:
    """A project beside a prefix with another library, with includes of every kind."""
    chance, project, prefix = random.Random(seed), tmp / "project", tmp / "prefix"
    (prefix / "lib").mkdir(parents=True)
    own: dict[str, Path] = {}
    others = {f"OTHER_{n}": prefix / "include" / f"other{n}.h" for n in range(2)}
    for name, path in others.items():
        written(path, f"enum {{ {name} = 1 }};")
    made: list[Path] = []
    for n in range(8):
        path = project / chance.choice(FOLDERS) / f"h{n}.h"
        lines = []
        for target in chance.sample(made, min(len(made), 2)):
            form = chance.choice(["near", "root", "angled"])
            near = Path(*[".."] * len(path.parent.relative_to(project).parts)) / target.relative_to(project)
            words = {"near": f'"{near}"', "root": f'"{target.relative_to(project)}"',
                     "angled": f"<{target.relative_to(project)}>"}  # fmt: skip
            lines.append(f"#include {words[form]}")
        if chance.random() < 0.3:
            lines.append(f"#include <other{chance.randrange(2)}.h>")
        if chance.random() < 0.7 or not lines:
            own[f"OWN_{n}"] = path
            form = chance.choice(["enum {{ {0} = 1 }};", "#define {0} 1", "struct {0} {{ int a; }};"])
            lines.append(form.format(f"OWN_{n}"))
        made.append(written(path, *lines))
    overlay = tmp / "overlay"  # whose header of a name goes before the project's
    written(overlay / "util/next.h", '#include_next "util/next.h"', "#define OVER 1")
    own["OVER"], own["UNDER"] = overlay / "util/next.h", written(project / "util/next.h", "#define UNDER 1")
    lines = [f'#include "../{made[-1].relative_to(project)}"', '#include "util/next.h"']
    main = written(project / "api/main.h", *lines, *(["struct Main { int a; };"] if seed % 2 else []))
    return Tree(main, [overlay, project, prefix / "include"], own, others)


def reached(given: Tree) -> set[Path]:
    """The files that the first one includes."""
    found, open_ = {given.main}, [given.main]
    while open_:
        path = open_.pop()
        for kind, name in re.findall(r'#include(\w*) ["<]([^">]+)', path.read_text()):
            places = [path.parent / name, *(folder / name for folder in given.given)]
            places = [place.resolve() for place in places if place.exists()]
            place = next(p for p in places if p != path) if kind else places[0]
            if place not in found:
                found.add(place)
                open_.append(place)
    return found


@each("seed", range(12))
def test_no_name_is_lost_in_silence(seed: int, tmp_path_factory: Any) -> None:
    given = tree(tmp_path_factory.mktemp("tree"), seed)
    there = reached(given)
    options = {"language": "c", "include_dirs": given.given}
    lib = sb.bind(given.main, **options)
    bound = {*dir(lib)}
    for name, path in given.own.items():
        if path in there and name not in bound:
            with pytest.raises(AttributeError, match="which the header includes") as told:
                getattr(lib, name)
            expose = ast.literal_eval(re.search(r"expose=(\[.*?\])", str(told.value))[1])  # type: ignore[index]
            assert path.name in expose[0]
            assert hasattr(sb.bind(given.main, expose=expose, **options), name)
            assert path.parts[-3] == "overlay"  # all else lies under the root that the header lies under
    for name, path in given.others.items():
        assert name not in bound
        if path in there:
            with pytest.raises(AttributeError, match=re.escape(f"expose=['*/include/{path.name}']")):
                getattr(lib, name)


SPLIT = {
    "a folder beside": ('#include "../core/core.h"\nstruct Api { int a; };', [], {"Core", "Api"}),
    "a folder inside": ('#include "detail/deep.h"\nstruct Api { int a; };', [], {"Deep", "Api"}),
    "only others": ('#include "../core/core.h"', [], {"Core"}),
    "by the root": ("#include <core/core.h>\nstruct Api { int a; };", ["."], {"Core", "Api"}),
    "others' in the project": ('#include "../third_party/json.h"\nstruct Api { int a; };', ["."], {"Api"}),
    "others' of the user's": ('#include "../third_party/json.h"', [], {"Json"}),
}


@each("case", SPLIT)
def test_a_users_folders(case: str, tmp_path_factory: Any) -> None:
    text, given, names = SPLIT[case]
    tmp = tmp_path_factory.mktemp("project")
    written(tmp / "core/core.h", "struct Core { int a; };")
    written(tmp / "api/detail/deep.h", "struct Deep { int a; };")
    written(tmp / "third_party/json.h", "struct Json { int a; };")
    lib = sb.bind(
        written(tmp / "api/api.h", text), language="c", include_dirs=[tmp / folder for folder in given]
    )
    assert {name for name in dir(lib) if not name.startswith("_")} == names


# What a manual page's synopsis says of a header, and what of it lies in another file, or in another folder.
SYSTEM = {
    "poll.h": "poll pollfd POLLIN POLLNVAL nfds_t",
    "sys/poll.h": "poll pollfd POLLIN",
    "sys/socket.h": "socket accept AF_INET SOCK_STREAM SOL_SOCKET SO_REUSEADDR sockaddr msghdr socklen_t SHUT_RD",
    "sys/mman.h": "mmap munmap mprotect PROT_READ MAP_SHARED MADV_FREE",
    "sys/ioctl.h": "ioctl FIONREAD winsize TIOCGWINSZ",
    "sys/stat.h": "stat fstat mkdir S_IRUSR S_IFMT",
    "sys/wait.h": "waitpid WNOHANG WUNTRACED",
    "wait.h": "waitpid WNOHANG",
    "sys/signal.h": "sigaction SIGINT sigset_t",
    "sys/epoll.h": "epoll_create1 epoll_event EPOLLIN EPOLL_CLOEXEC EPOLL_CTL_ADD",
    "sys/eventfd.h": "eventfd EFD_NONBLOCK",
    "sys/inotify.h": "inotify_init1 IN_CREATE IN_NONBLOCK inotify_event",
    "sys/resource.h": "getrlimit RLIMIT_NOFILE rlimit rusage",
    "sys/select.h": "select fd_set FD_SETSIZE timeval",
    "sys/time.h": "gettimeofday timeval itimerval ITIMER_REAL",
    "sys/uio.h": "readv writev iovec",
    "sys/un.h": "sockaddr_un",
    "sys/utsname.h": "uname utsname",
    "sys/statvfs.h": "statvfs ST_RDONLY",
    "sys/syslog.h": "syslog LOG_ERR",
    "syslog.h": "syslog LOG_ERR",
    "sys/errno.h": "EINTR ENOENT",
    "errno.h": "EINTR ENOENT",
    "sys/fcntl.h": "open O_CREAT",
    "fcntl.h": "open O_CREAT F_GETFL AT_FDCWD",
    "termios.h": "tcgetattr termios ECHO B9600",
    "sys/termios.h": "tcgetattr termios ECHO",
    "netinet/in.h": "sockaddr_in IPPROTO_TCP htons",
    "arpa/inet.h": "inet_pton ntohl in_addr",
    "netdb.h": "getaddrinfo addrinfo AI_PASSIVE EAI_AGAIN",
    "stdint.h": "INT64_MAX SIZE_MAX",
    "limits.h": "INT_MAX PATH_MAX NAME_MAX",
    "sched.h": "sched_yield SCHED_FIFO sched_param",
    "linux/input.h": "input_event EV_KEY KEY_A",
}


@each("header", SYSTEM)
def test_headers_of_the_system(header: str) -> None:
    lib = sb.bind(header, language="c")
    skipped = {one.name.partition("(")[0] for one in lib.__skipped__}
    assert [name for name in SYSTEM[header].split() if name not in {*dir(lib), *skipped}] == []


@each(
    "header, others",
    [("png.h", "gzopen Z_OK"), ("mpfr.h", "mpz_add"), ("linux/input.h", "gettimeofday select")],
)
def test_nothing_of_others_comes(header: str, others: str) -> None:
    try:
        names = {*dir(sb.bind(header, language="c"))}
    except sb.BindError as error:
        pytest.skip(str(error))
    assert names.isdisjoint(others.split())
