"""samebytes itself: the same functions read from plain C++, with the GIL held, released, and as their code decides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cases import A1, A2, SUN, Call, Data, array_calls, class_calls
from peers.base import BENCH, Peer


def preparing(nogil: bool | str) -> Callable[[Path, Data], dict[str, Call]]:
    """A `prepare` that compiles the functions with this GIL policy."""

    def prepare(build: Path, data: Data) -> dict[str, Call]:
        import samebytes as sb

        lib = sb.compile(BENCH / "samebytes_calls.cpp", nogil=nogil)

        @sb.struct
        class Sun:
            azimuth: sb.float32
            altitude: sb.float32
            cell: sb.float64

        calls = {"a1": (lib.a1, A1), "a2": (lib.a2, A2)}
        suns = {"d": lib.Sun(*SUN), "d_tuple": SUN, "d_other": Sun(*SUN)}
        calls |= {case: (lib.d, (sun,)) for case, sun in suns.items()}
        calls |= class_calls(data.arrays, lib.e, lib.Label)
        return calls | array_calls(data.families(), lib.b, lib.c)

    return prepare


PEERS = (
    Peer("samebytes", preparing(False), ("samebytes",), "held (nogil=False)", ours=True),
    Peer("samebytes, default", preparing("auto"), ("samebytes",), 'by each code (nogil="auto")', ours=True),
    Peer("samebytes, nogil", preparing(True), ("samebytes",), "released (nogil=True)", ours=True),
)
