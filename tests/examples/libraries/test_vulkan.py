"""Vulkan's C API from its own header: a compute dispatch from instance to result, on a GPU or on Mesa's CPU device."""

from __future__ import annotations

import ctypes
import ctypes.util
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

SHADER = """
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float x[]; };
layout(push_constant) uniform Parameters { float scale; uint n; };
void main() { uint i = gl_GlobalInvocationID.x; if (i < n) x[i] = scale * x[i] + float(i); }
"""
N, BYTES = 1000, 4000


@pytest.fixture(scope="module")
def vk(needs: Callable[[str, str], None]) -> Any:
    needs("vulkan/vulkan.h", "libvulkan-dev")
    library = ctypes.util.find_library("vulkan")
    if library is None:
        pytest.skip("libvulkan is not there: apt install libvulkan1 mesa-vulkan-drivers")
    return sb.bind("vulkan/vulkan.h", library=library, style="c_api", check=True)


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    compiler = shutil.which("glslangValidator")
    if compiler is None:
        pytest.skip("glslangValidator is not there: apt install glslang-tools")
    folder: Path = tmp_path_factory.mktemp("shader")
    (folder / "shader.comp").write_text(SHADER)
    command = [compiler, "-V", "shader.comp", "-o", "shader.spv"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return (folder / "shader.spv").read_bytes()


@pytest.fixture(scope="module")
def instance(vk: Any) -> Any:
    about = vk.VkApplicationInfo(
        sType=vk.VK_STRUCTURE_TYPE_APPLICATION_INFO,
        pApplicationName=b"samebytes",
        apiVersion=vk.VK_API_VERSION_1_1,
    )
    asked = vk.VkInstanceCreateInfo(sType=vk.VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, pApplicationInfo=about)
    try:
        made = vk.vkCreateInstance(asked, None)
    except sb.StatusError as error:
        if "VK_ERROR_INCOMPATIBLE_DRIVER" not in str(error):
            raise
        pytest.skip("no driver of Vulkan's is there: apt install mesa-vulkan-drivers")
    yield made
    vk.vkDestroyInstance(made, None)


@pytest.fixture(scope="module")
def physical(vk: Any, instance: Any) -> Any:
    count = np.zeros(1, np.uint32)
    vk.vkEnumeratePhysicalDevices(instance, count, None)
    if not count[0]:
        pytest.skip("no Vulkan device: apt install mesa-vulkan-drivers")
    found = sb.ListOfPointer([None] * int(count[0]))
    vk.vkEnumeratePhysicalDevices(instance, count, found)
    return found[0]


@pytest.fixture(scope="module")
def family(vk: Any, physical: Any) -> int:
    count = np.zeros(1, np.uint32)
    vk.vkGetPhysicalDeviceQueueFamilyProperties(physical, count, None)
    size = vk.VkQueueFamilyProperties.c_sizeof()
    room = np.zeros((int(count[0]), size), np.uint8)
    vk.vkGetPhysicalDeviceQueueFamilyProperties(physical, count, room)
    families = [vk.VkQueueFamilyProperties.fromObj(row) for row in room]
    return next(i for i, f in enumerate(families) if f.queueFlags & vk.VK_QUEUE_COMPUTE_BIT)


@pytest.fixture(scope="module")
def device(vk: Any, physical: Any, family: int) -> Any:
    priority = np.ones(1, np.float32)
    queue = vk.VkDeviceQueueCreateInfo(
        sType=vk.VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, queueFamilyIndex=family, queueCount=1,
        pQueuePriorities=priority,
    )  # fmt: skip
    made = vk.vkCreateDevice(
        physical,
        vk.VkDeviceCreateInfo(
            sType=vk.VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, queueCreateInfoCount=1, pQueueCreateInfos=queue
        ),
        None,
    )
    yield made
    vk.vkDestroyDevice(made, None)


def test_properties(vk: Any, physical: Any) -> None:
    properties = vk.VkPhysicalDeviceProperties()
    vk.vkGetPhysicalDeviceProperties(physical, properties)
    assert properties.deviceName.decode().isprintable()
    assert properties.deviceType in list(vk.VkPhysicalDeviceType)
    assert properties.limits.maxComputeWorkGroupSize.tolist()[0] >= 64
    assert properties.pipelineCacheUUID.shape == (vk.VK_UUID_SIZE,)


def test_a_compute_dispatch(vk: Any, physical: Any, device: Any, family: int, code: bytes) -> None:
    buffer = vk.vkCreateBuffer(
        device,
        vk.VkBufferCreateInfo(
            sType=vk.VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
            size=BYTES,
            usage=vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
        ),
        None,
    )
    memory = allocate(vk, physical, device, buffer)
    x = np.linspace(0, 1, N, dtype=np.float32)
    place = vk.vkMapMemory(device, memory, 0, BYTES, 0)
    ctypes.memmove(int(place), x.ctypes.data, BYTES)

    binding = vk.VkDescriptorSetLayoutBinding(
        descriptorType=vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, descriptorCount=1,
        stageFlags=vk.VK_SHADER_STAGE_COMPUTE_BIT,
    )  # fmt: skip
    set_layout = vk.vkCreateDescriptorSetLayout(
        device,
        vk.VkDescriptorSetLayoutCreateInfo(
            sType=vk.VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, bindingCount=1, pBindings=binding
        ),
        None,
    )
    layouts = sb.ListOfPointer([set_layout])
    constants = vk.VkPushConstantRange(stageFlags=vk.VK_SHADER_STAGE_COMPUTE_BIT, size=8)
    layout = vk.vkCreatePipelineLayout(
        device,
        vk.VkPipelineLayoutCreateInfo(
            sType=vk.VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, setLayoutCount=1, pSetLayouts=layouts,
            pushConstantRangeCount=1, pPushConstantRanges=constants,
        ),
        None,
    )  # fmt: skip
    shader = vk.vkCreateShaderModule(
        device,
        vk.VkShaderModuleCreateInfo(
            sType=vk.VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, codeSize=len(code),
            pCode=np.frombuffer(code, np.uint32),
        ),
        None,
    )  # fmt: skip
    asked = vk.VkComputePipelineCreateInfo(
        sType=vk.VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, layout=layout
    )
    asked.stage.sType = vk.VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO
    asked.stage.stage, asked.stage.module, asked.stage.pName = vk.VK_SHADER_STAGE_COMPUTE_BIT, shader, b"main"
    pipelines = sb.ListOfPointer([None])
    vk.vkCreateComputePipelines(device, None, 1, asked, None, pipelines)

    size = vk.VkDescriptorPoolSize(type=vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, descriptorCount=1)
    pool = vk.vkCreateDescriptorPool(
        device,
        vk.VkDescriptorPoolCreateInfo(
            sType=vk.VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
            maxSets=1,
            poolSizeCount=1,
            pPoolSizes=size,
        ),
        None,
    )
    sets = sb.ListOfPointer([None])
    vk.vkAllocateDescriptorSets(
        device,
        vk.VkDescriptorSetAllocateInfo(
            sType=vk.VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, descriptorPool=pool, descriptorSetCount=1,
            pSetLayouts=layouts,
        ),
        sets,
    )  # fmt: skip
    whole = vk.VkDescriptorBufferInfo(buffer=buffer, range=BYTES)
    written = vk.VkWriteDescriptorSet(
        sType=vk.VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, dstSet=sets[0], descriptorCount=1,
        descriptorType=vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, pBufferInfo=whole,
    )  # fmt: skip
    vk.vkUpdateDescriptorSets(device, 1, written, 0, None)

    commands_pool = vk.vkCreateCommandPool(
        device,
        vk.VkCommandPoolCreateInfo(
            sType=vk.VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, queueFamilyIndex=family
        ),
        None,
    )
    buffers = sb.ListOfPointer([None])
    vk.vkAllocateCommandBuffers(
        device,
        vk.VkCommandBufferAllocateInfo(
            sType=vk.VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            commandPool=commands_pool,
            commandBufferCount=1,
        ),
        buffers,
    )
    commands = buffers[0]
    vk.vkBeginCommandBuffer(
        commands, vk.VkCommandBufferBeginInfo(sType=vk.VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO)
    )
    point = vk.VK_PIPELINE_BIND_POINT_COMPUTE
    vk.vkCmdBindPipeline(commands, point, pipelines[0])
    vk.vkCmdBindDescriptorSets(commands, point, layout, 0, 1, sets, 0, None)
    parameters = np.array([(2.5, N)], [("scale", "f4"), ("n", "u4")])
    vk.vkCmdPushConstants(commands, layout, vk.VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, parameters)
    vk.vkCmdDispatch(commands, -(-N // 64), 1, 1)
    vk.vkEndCommandBuffer(commands)

    queue = vk.vkGetDeviceQueue(device, family, 0)[0]
    fence = vk.vkCreateFence(device, vk.VkFenceCreateInfo(sType=vk.VK_STRUCTURE_TYPE_FENCE_CREATE_INFO), None)
    submitted = vk.VkSubmitInfo(
        sType=vk.VK_STRUCTURE_TYPE_SUBMIT_INFO, commandBufferCount=1, pCommandBuffers=buffers
    )
    vk.vkQueueSubmit(queue, 1, submitted, fence)
    vk.vkWaitForFences(device, 1, [fence], vk.VK_TRUE, 10**10)
    found = np.frombuffer((ctypes.c_char * BYTES).from_address(int(place)), np.float32).copy()
    assert found == pytest.approx(2.5 * x + np.arange(N), rel=1e-6)

    vk.vkUnmapMemory(device, memory)
    for destroy, handle in (
        (vk.vkDestroyFence, fence), (vk.vkDestroyCommandPool, commands_pool), (vk.vkDestroyDescriptorPool, pool),
        (vk.vkDestroyPipeline, pipelines[0]), (vk.vkDestroyShaderModule, shader),
        (vk.vkDestroyPipelineLayout, layout), (vk.vkDestroyDescriptorSetLayout, set_layout),
        (vk.vkDestroyBuffer, buffer), (vk.vkFreeMemory, memory),
    ):  # fmt: skip
        destroy(device, handle, None)


def allocate(vk: Any, physical: Any, device: Any, buffer: Any) -> Any:
    """Memory that the host sees, bound to the buffer."""
    required = vk.VkMemoryRequirements()
    vk.vkGetBufferMemoryRequirements(device, buffer, required)
    there = vk.VkPhysicalDeviceMemoryProperties()
    vk.vkGetPhysicalDeviceMemoryProperties(physical, there)
    wanted = vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
    kinds = [i for i in range(there.memoryTypeCount) if required.memoryTypeBits >> i & 1]
    kind = next(i for i in kinds if there.memoryTypes[i].propertyFlags & wanted == wanted)
    asked = vk.VkMemoryAllocateInfo(
        sType=vk.VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, allocationSize=required.size, memoryTypeIndex=kind
    )
    memory = vk.vkAllocateMemory(device, asked, None)
    vk.vkBindBufferMemory(device, buffer, memory, 0)
    return memory


def test_statuses_that_raise(vk: Any, instance: Any) -> None:
    layers = sb.ListOfBytes([b"VK_LAYER_that_is_not_there"])
    asked = vk.VkInstanceCreateInfo(
        sType=vk.VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, enabledLayerCount=1, ppEnabledLayerNames=layers
    )
    with pytest.raises(
        sb.StatusError, match=r"vkCreateInstance\(\) returned VK_ERROR_LAYER_NOT_PRESENT \(-6\)"
    ):
        vk.vkCreateInstance(asked, None)
