/* A HIP runtime without a GPU: device memory is the host's, and launches keep the argument bytes they are given. */
#include <hip/hip_runtime_api.h>
#include <stdlib.h>
#include <string.h>

struct ihipStream_t { int ordinal; };
struct ihipModule_t { char image[16]; };
struct ihipModuleSymbol_t { char name[64]; };

static int current, allocated, streams;
static unsigned char seen[4096];
static size_t seen_size;
static unsigned dims[7];

static hipError_t give(void** ptr, size_t size) {
  *ptr = NULL;
  if (size > ((size_t)1 << 40)) return hipErrorOutOfMemory;
  if (size) *ptr = malloc(size), ++allocated;
  return hipSuccess;
}

hipError_t hipMalloc(void** ptr, size_t size) { return give(ptr, size); }
hipError_t hipExtMallocWithFlags(void** ptr, size_t sizeBytes, unsigned int flags) { return give(ptr, sizeBytes); }
hipError_t hipMallocManaged(void** ptr, size_t size, unsigned int flags) { return give(ptr, size); }
hipError_t hipMallocAsync(void** ptr, size_t size, hipStream_t stream) { return give(ptr, size); }
hipError_t hipMallocFromPoolAsync(void** ptr, size_t size, hipMemPool_t pool, hipStream_t stream) {
  return give(ptr, size);
}
hipError_t hipFree(void* ptr) {
  if (ptr) free(ptr), --allocated;
  return hipSuccess;
}
hipError_t hipFreeAsync(void* ptr, hipStream_t stream) { return hipFree(ptr); }
hipError_t hipMemcpy(void* dst, const void* src, size_t size, hipMemcpyKind kind) {
  if (size && (!dst || !src)) return hipErrorInvalidValue;
  return memcpy(dst, src, size), hipSuccess;
}
hipError_t hipMemcpyAsync(void* dst, const void* src, size_t size, hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpy(dst, src, size, kind);
}
hipError_t hipMemset(void* dst, int value, size_t size) { return memset(dst, value, size), hipSuccess; }
hipError_t hipMemsetAsync(void* dst, int value, size_t size, hipStream_t stream) {
  return hipMemset(dst, value, size);
}

hipError_t hipGetDeviceCount(int* count) { return *count = 2, hipSuccess; }
hipError_t hipGetDevice(int* device) { return *device = current, hipSuccess; }
hipError_t hipSetDevice(int device) {
  if (device < 0 || device > 1) return hipErrorInvalidDevice;
  return current = device, hipSuccess;
}
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  return *value = attribute == hipDeviceAttributeWarpSize ? 64 : 0, hipSuccess;
}
hipError_t hipGetDeviceProperties(hipDeviceProp_t* prop, int device) {
  if (device < 0 || device > 1) return hipErrorInvalidDevice;
  memset(prop, 0, sizeof *prop);
  strcpy(prop->name, "no GPU");
  strcpy(prop->gcnArchName, "gfx90a");
  prop->warpSize = 64;
  prop->maxGridSize[0] = 2147483647;
  return hipSuccess;
}
hipError_t hipDeviceSynchronize(void) { return hipSuccess; }

hipError_t hipStreamCreate(hipStream_t* stream) {
  *stream = malloc(sizeof **stream);
  return (*stream)->ordinal = ++streams, hipSuccess;
}
hipError_t hipStreamSynchronize(hipStream_t stream) { return hipSuccess; }
hipError_t hipStreamDestroy(hipStream_t stream) { return free(stream), --streams, hipSuccess; }

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  *module = malloc(sizeof **module);
  return memcpy((*module)->image, image, 4), hipSuccess;
}
hipError_t hipModuleUnload(hipModule_t module) { return free(module), hipSuccess; }
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* kname) {
  static struct ihipModuleSymbol_t kernel;
  *function = NULL;
  if (strlen(kname) >= sizeof kernel.name) return hipErrorNotFound;
  strcpy(kernel.name, kname);
  return *function = &kernel, hipSuccess;
}

/* HIP takes the arguments in one of two ways: as one buffer (extra), or as the address of each (kernelParams). */
static hipError_t keep_extra(void** extra) {
  void* data = NULL;
  for (; *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == HIP_LAUNCH_PARAM_BUFFER_POINTER) data = extra[1];
    if (extra[0] == HIP_LAUNCH_PARAM_BUFFER_SIZE) seen_size = *(size_t*)extra[1];
  }
  if (seen_size > sizeof seen || (seen_size && !data)) return hipErrorInvalidValue;
  if (seen_size) memcpy(seen, data, seen_size);
  return hipSuccess;
}

/* Where each argument of the next launch by kernelParams belongs: what the driver knows from the code object. */
static int place_count;
static size_t place_offsets[32], place_sizes[32];
void fake_places(int count, const size_t* offsets, const size_t* sizes) {
  place_count = count;
  memcpy(place_offsets, offsets, count * sizeof *offsets);
  memcpy(place_sizes, sizes, count * sizeof *sizes);
}
static hipError_t keep_params(void** params) {
  for (int i = 0; i < place_count; ++i) {
    memcpy(seen + place_offsets[i], params[i], place_sizes[i]);
    seen_size = place_offsets[i] + place_sizes[i];
  }
  return hipSuccess;
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                 unsigned bz, unsigned shared, hipStream_t stream, void** params, void** extra) {
  const unsigned given[7] = {gx, gy, gz, bx, by, bz, shared};
  memcpy(dims, given, sizeof dims);
  memset(seen, 0, sizeof seen);
  seen_size = 0;
  if (!f || (params && extra)) return hipErrorInvalidValue;
  if (!(gx && gy && gz && bx && by && bz)) return hipErrorInvalidConfiguration;
  return extra ? keep_extra(extra) : params ? keep_params(params) : hipSuccess;
}

const char* hipGetErrorString(hipError_t error) { return error == hipSuccess ? "no error" : "an error"; }
const char* hipGetErrorName(hipError_t error) { return error == hipSuccess ? "hipSuccess" : "hipError"; }

size_t fake_seen(unsigned char* out) { return memcpy(out, seen, seen_size), seen_size; }
void fake_dims(unsigned* out) { memcpy(out, dims, sizeof dims); }
int fake_allocated(void) { return allocated; }
