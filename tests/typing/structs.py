"""Read by type checkers, never run: each line that ends in `# error` must be refused, every other accepted."""

from typing import Literal, assert_type

import numpy as np

import samebytes as sb


@sb.struct
class Sun:
    azimuth: sb.float64
    altitude: sb.float32
    cell: sb.float64 = sb.float64(30.0)

    def above(self) -> bool:
        return self.altitude > 0


@sb.struct(align=32)
class Everything:
    flag: bool
    nothing: None
    n: int
    small: sb.int8
    half: sb.float16
    brain: sb.bfloat16
    wave: sb.complex64
    position: sb.float32x3
    sun: Sun
    pair: tuple[int, float]
    image: sb.array[sb.float32, Literal[2]]
    matrix: sb.carray[sb.float32, Literal[3], Literal[4]]
    where: sb.pointer[sb.const[sb.float32]]


# fmt: off
sun = Sun(315.0, 45.0, 30.0)
Sun(315, np.float32(45))
Sun(azimuth=1.0, altitude=2.0)
everything = Everything(
    True, None, 1, np.int8(2), 3.5, sb.bfloat16(1), 1j, sb.float32x3(1, 2, 3), sun, (1, 2.0),
    np.zeros((2, 2)), [1.0] * 12, None,
)
Everything(True, None, 1, 2, 3.5, 1.0, 1j, (1, 2, 3), sun, (1, 2.0), np.zeros((2, 2)), [1.0] * 12, None)

assert_type(sun.azimuth, float)
assert_type(everything.small, int)
assert_type(everything.wave, complex)
assert_type(everything.position, sb.float32x3)
assert_type(everything.image.shape, tuple[int, ...])
assert_type(everything.sun.above(), bool)
assert_type(sb.pack(sun), bytes)

Sun()  # error
Sun("north", 45.0)  # error
Sun(1.0, 2.0, 3.0, 4.0)  # error
Sun(1.0, 2.0, height=3.0)  # error
Sun(1j, 2.0)  # error
sun.azimuth = 5.0  # error
sun.colour  # error  # noqa: B018
sb.float32x3(1, 2)  # error
sb.float32x3("a", 2, 3)  # error
sb.float32x2(1, 2).z  # error  # noqa: B018
sb.float32x9  # error  # noqa: B018
Everything(1.0, None, 1, 2, 3.5, 1.0, 1j, (1, 2, 3), sun, (1, 2.0), np.zeros((2, 2)), [1.0] * 12, None)  # error
Everything(True, None, 1, 2, 3.5, 1.0, 1j, (1, 2), sun, (1, 2.0), np.zeros((2, 2)), [1.0] * 12, None)  # error
sb.struct(align="16")  # error
