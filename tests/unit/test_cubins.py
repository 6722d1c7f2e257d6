"""The parameter records of cubins, read from files written here, byte by byte, and damaged."""

import struct

import pytest

import samebytes as sb
from samebytes.toolchain import ptx
from samebytes.toolchain.kernel_metadata import code_architecture

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")


def parameter(ordinal, offset, size):
    """An entry EIATTR_KPARAM_INFO as ptxas writes it: form, attribute, length, then index, ordinal, offset, size."""
    return struct.pack("<BBHIHHI", 4, 0x17, 12, 0, ordinal, offset, size << 18 | 0x1F000)


def cubin(infos, machine=190, flags=0, version=8):
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
        b"\x7fELF\x02\x01\x01\x41" + bytes([version]) + bytes(7), 2, machine, 1, 0, 0, at + len(data), flags,
        64, 0, 0, 64, len(sections), len(sections) - 1,
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


@pytest.mark.parametrize(
    ("code", "found"),
    [
        (cubin({}, flags=0x06005A04, version=8), "sm_90"),  # of CUDA 13
        (cubin({}, flags=0x06007802, version=8), "sm_120"),
        (cubin({}, flags=0x500550, version=7), "sm_80"),  # of CUDA 12
        (cubin({}, machine=224), ""),
        (b"\x7fELF", ""),
        (b"int f();", ""),
        (b"// x\n.version 9.3\n.target sm_89, debug\n", "sm_89"),
    ],
)
def test_code_says_its_architecture(code, found):
    assert code_architecture(code) == found


PTX = b"""
// Compiler: .entry none(.param .u8 x)
.version 9.3
.target sm_90a
.address_size 64
.visible .entry nothing() { ret; }
.weak .entry plain { ret; }
/* .entry neither() */
.visible .entry k(
    .param .f32 k_param_0,
    .param .u64 .ptr .global .align 1 k_param_1,
    .param .align 32 .b8 k_param_2[40],  // a struct
    .param .u8 k_param_3, .param .f16x2 k_param_4,
    .param .b128 k_param_5, .param .bf16 k_param_6,
    .param .align 2 .b8 k_param_7 [ 6 ]
) .maxntid 256, 1, 1 { ld.param.f32 %f1, [k_param_0]; }
"""


def test_ptx_declares_its_parameters():
    assert ptx.is_ptx(PTX)
    assert code_architecture(PTX) == "sm_90a"
    assert sb.kernel_arguments(PTX, "nothing") == sb.kernel_arguments(PTX, "plain") == ()
    places = sb.kernel_arguments(PTX, "k")
    assert [(p.offset, p.size) for p in places] == [
        (0, 4), (8, 8), (32, 40), (72, 1), (76, 4), (80, 16), (96, 2), (98, 6),
    ]  # fmt: skip
    with pytest.raises(sb.BindError, match="no kernel 'none'; it has: nothing, plain, k"):
        sb.kernel_arguments(PTX, "none")


@pytest.mark.parametrize("words", [b".param .texref t", b".param t", b".reg .f32 r"])
def test_parameters_of_ptx_that_are_not_known_are_refused(words):
    with pytest.raises(sb.BindError, match="of k in the PTX is of no known type"):
        sb.kernel_arguments(b".version 9.3\n.target sm_90\n.entry k(" + words + b") { ret; }", "k")
