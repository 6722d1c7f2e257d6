"""The parameter records of cubins, read from files written here, byte by byte, and damaged."""

import struct

import pytest

import samebytes as sb

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")


def parameter(ordinal, offset, size):
    """An entry EIATTR_KPARAM_INFO as ptxas writes it: form, attribute, length, then index, ordinal, offset, size."""
    return struct.pack("<BBHIHHI", 4, 0x17, 12, 0, ordinal, offset, size << 18 | 0x1F000)


def cubin(infos, machine=190):
    """An ELF file with one section ``.nv.info.NAME`` for each kernel."""
    names = [f".nv.info.{name}" for name in infos]
    strings = b"\0" + b"".join(n.encode() + b"\0" for n in (*names, ".shstrtab"))
    bodies = [*infos.values(), strings]
    data, sections, at = b"", [_SECTION.pack(*[0] * 10)], _HEADER.size
    for name, body in zip((*names, ".shstrtab"), bodies, strict=True):
        where = strings.index(b"\0" + name.encode() + b"\0") + 1
        sections.append(_SECTION.pack(where, 1, 0, 0, at + len(data), len(body), 0, 0, 1, 0))
        data += body
    head = _HEADER.pack(
        b"\x7fELF\x02\x01\x01".ljust(16, b"\0"), 2, machine, 1, 0, 0, at + len(data), 0, 64, 0, 0, 64,
        len(sections), len(sections) - 1,
    )  # fmt: skip
    return head + data + b"".join(sections)


OTHER = struct.pack("<BBHI", 4, 0x1C, 4, 0xFFFFFFFF)  # another attribute of four bytes
PLAIN = struct.pack("<BBH", 3, 0x19, 24)  # two bytes of value, no more


def test_parameters_are_told_in_their_order():
    info = OTHER + PLAIN + parameter(1, 8, 4) + parameter(0, 0, 8) + OTHER
    places = sb.kernel_arguments(cubin({"k": info, "_Z1gv": b""}), "k")
    assert [(p.offset, p.size, p.dialect) for p in places] == [(0, 8, "cuda"), (8, 4, "cuda")]
    assert sb.kernel_arguments(cubin({"k": info, "_Z1gv": b""}), "_Z1gv") == ()


def test_a_kernel_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(sb.BindError, match="no kernel 'x'; it has: k, g"):
        sb.kernel_arguments(cubin({"k": b"", "g": b""}), "x")


@pytest.mark.parametrize("cut", [20, 63, 70, 150])
def test_a_damaged_file_is_refused(cut):
    with pytest.raises(sb.BindError, match="damaged"):
        sb.kernel_arguments(cubin({"k": parameter(0, 0, 8)})[:cut], "k")
