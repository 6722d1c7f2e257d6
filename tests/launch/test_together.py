"""Clusters and cooperative launches: what the driver is told, by the layouts of CUDA's own header."""

import ctypes
import struct
import subprocess

import numpy as np
import pytest

import samebytes as sb
from samebytes.launch import apis, driver
from samebytes.launch.configuration import configuration
from samebytes.toolchain.cuda import cuda_headers

pytestmark = pytest.mark.full

SOURCE = "__global__ void k(int* p, int n) { p[blockIdx.x] += n; }"
PRINTS = """
#include <cuda.h>
#include <cstddef>
#include <cstdio>
int main() {
  std::printf("%zu %zu %zu %zu %zu %zu %zu %zu %zu %d %d %d %d", sizeof(CUlaunchConfig),
              offsetof(CUlaunchConfig, gridDimX), offsetof(CUlaunchConfig, blockDimX),
              offsetof(CUlaunchConfig, sharedMemBytes), offsetof(CUlaunchConfig, hStream),
              offsetof(CUlaunchConfig, numAttrs), sizeof(CUlaunchAttribute), offsetof(CUlaunchAttribute, value),
              offsetof(CUlaunchAttributeValue, clusterDim), CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
              CU_LAUNCH_ATTRIBUTE_COOPERATIVE, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH,
              CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH);
}
"""


@pytest.fixture(scope="module")
def header(tmp_path_factory):
    """Sizes, offsets and numbers as CUDA's header has them."""
    folder = tmp_path_factory.mktemp("header")
    (folder / "prints.cpp").write_text(PRINTS)
    includes = [f"-I{path}" for path in cuda_headers()]
    subprocess.run(["g++", *includes, folder / "prints.cpp", "-o", folder / "prints"], check=True)
    return [*map(int, subprocess.run([folder / "prints"], capture_output=True, check=True).stdout.split())]


@pytest.fixture
def lib(fake):
    return fake.knows(sb.compile(SOURCE, dialect="cuda", name="together"))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"cluster": 2}, [(2, 1, 1)]),
        ({"cluster": (2, 2)}, [(2, 2, 1)]),
        ({"cooperative": True}, [1]),
        ({"cluster": (1, 2, 1), "cooperative": True}, [(1, 2, 1), 1]),
    ],
)
def test_the_driver_is_told_as_its_header_says(said, expected, header, lib, fake):
    whole, grid, block, shared, stream, count, each, value, cluster, is_cluster, is_cooperative, *_ = header
    out = fake.array(np.zeros(4, np.int32))
    lib.k.configured(grid=(4, 2), block=3, stream=0x70, shared=16, **said)(out, 5)
    config, attributes = ctypes.create_string_buffer(whole), ctypes.create_string_buffer(2 * each)
    fake.library.fake_config.restype = ctypes.c_size_t
    assert fake.library.fake_config(config, attributes) == len(expected) * each
    assert struct.unpack_from("3I", config, grid) == (4, 2, 1)
    assert struct.unpack_from("3I", config, block) == (3, 1, 1)
    assert struct.unpack_from("I", config, shared) == (16,)
    assert struct.unpack_from("P", config, stream) == (0x70,)
    assert struct.unpack_from("I", config, count) == (len(expected),)
    for i, one in enumerate(expected):
        (kind,) = struct.unpack_from("i", attributes, i * each)
        if isinstance(one, tuple):
            assert kind == is_cluster
            assert struct.unpack_from("3I", attributes, i * each + value + cluster) == one
        else:
            assert kind == is_cooperative
            assert struct.unpack_from("i", attributes, i * each + value) == (one,)
    assert out.array.tolist() == [30] * 4


def test_the_device_is_asked_by_the_numbers_of_the_header(header):
    known = apis.APIS["cuda"].attributes
    assert header[-2:] == [known.clusters, known.cooperative]


REFUSED = (
    ({"cluster": 3}, sb.LaunchError, "grid.x is 4, which is no multiple of cluster.x, 3"),
    ({"cluster": (1, 4)}, sb.LaunchError, "grid.y is 2, which is no multiple of cluster.y, 4"),
    ({"cluster": (4, 2, 2)}, sb.LaunchError, "a cluster has 16 blocks, and the device takes 8 at most"),
    ({"cluster": 0}, sb.ArgumentError, "cluster is a positive int, or a tuple of up to three, got 0"),
    ({"cluster": 1.5}, sb.ArgumentError, "cluster is a positive int"),
    ({"cooperative": 1}, sb.ArgumentError, "cooperative is True or False, got 1"),
)


@pytest.mark.parametrize("row", range(len(REFUSED)))
def test_what_does_not_go_is_refused(row, lib):
    said, kind, words = REFUSED[row]
    with pytest.raises(kind, match=words):
        lib.k.configured(grid=(4, 2), block=1, **said)


def test_a_device_without_them_says_so():
    limits = driver.Limits(1024, (1024, 1024, 64), (2**31 - 1, 65535, 65535), 49152)
    for said, words in (
        ({"cluster": 1}, "has no clusters"),
        ({"cooperative": True}, "no cooperative launches"),
    ):
        with pytest.raises(sb.LaunchError, match=words):
            configuration("k", limits, lambda shared: 1, 1, 1, **said)
