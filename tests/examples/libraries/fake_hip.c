/* A HIP runtime without a GPU: device memory is the host's, streams are done when they are asked, and the kernels of a
   module that fake_hiprtc.cpp compiled run here, thread after thread. Launches keep the argument bytes they were given. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <hip/hip_runtime_api.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What fake_hiprtc.cpp puts beside each kernel: it reads the arguments as C++ lays them out, and runs the grid. */
typedef void launch_t(const unsigned* dims, void* buffer, void** params);

struct ihipStream_t { int ordinal; };
struct ihipEvent_t { struct timespec at; };
struct ihipModule_t { void* opened; };
struct ihipModuleSymbol_t { launch_t* run; };

enum { DEVICES = 2 };
static int current, allocated, streams;
static unsigned char seen[4096];
static size_t seen_size;
static unsigned dims[7];
static hipError_t last;

static hipError_t said(hipError_t status) {
  if (status != hipSuccess) last = status;
  return status;
}
static hipError_t give(void** ptr, size_t size) {
  if (!ptr) return said(hipErrorInvalidValue);
  *ptr = NULL;
  if (size > ((size_t)1 << 40)) return said(hipErrorOutOfMemory);
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
hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags) { return give(ptr, size); }
hipError_t hipFree(void* ptr) {
  if (ptr) free(ptr), --allocated;
  return hipSuccess;
}
hipError_t hipHostFree(void* ptr) { return hipFree(ptr); }
hipError_t hipFreeAsync(void* ptr, hipStream_t stream) { return hipFree(ptr); }
hipError_t hipMemcpy(void* dst, const void* src, size_t size, hipMemcpyKind kind) {
  if (size && (!dst || !src)) return said(hipErrorInvalidValue);
  if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault) return said(hipErrorInvalidMemcpyDirection);
  return memmove(dst, src, size), hipSuccess;
}
hipError_t hipMemcpyAsync(void* dst, const void* src, size_t size, hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpy(dst, src, size, kind);
}
hipError_t hipMemset(void* dst, int value, size_t size) {
  if (size && !dst) return said(hipErrorInvalidValue);
  return memset(dst, value, size), hipSuccess;
}
hipError_t hipMemsetAsync(void* dst, int value, size_t size, hipStream_t stream) {
  return hipMemset(dst, value, size);
}

hipError_t hipGetDeviceCount(int* count) { return *count = DEVICES, hipSuccess; }
hipError_t hipGetDevice(int* device) { return *device = current, hipSuccess; }
hipError_t hipSetDevice(int device) {
  if (device < 0 || device >= DEVICES) return said(hipErrorInvalidDevice);
  return current = device, hipSuccess;
}
hipError_t hipDeviceSynchronize(void) { return hipSuccess; }
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  static const struct { hipDeviceAttribute_t attribute; int value; } known[] = {
    {hipDeviceAttributeMaxBlockDimX, 1024}, {hipDeviceAttributeMaxBlockDimY, 1024},
    {hipDeviceAttributeMaxBlockDimZ, 1024}, {hipDeviceAttributeMaxGridDimX, 2147483647},
    {hipDeviceAttributeMaxGridDimY, 65536}, {hipDeviceAttributeMaxGridDimZ, 65536},
    {hipDeviceAttributeMaxThreadsPerBlock, 1024}, {hipDeviceAttributeWarpSize, 64},
    {hipDeviceAttributeMultiprocessorCount, 104},
  };
  if (device < 0 || device >= DEVICES) return said(hipErrorInvalidDevice);
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].attribute == attribute) return *value = known[i].value, hipSuccess;
  return said(hipErrorInvalidValue);
}
hipError_t hipGetDeviceProperties(hipDeviceProp_t* prop, int device) {
  static const int block[3] = {1024, 1024, 1024}, grid[3] = {2147483647, 65536, 65536};
  if (device < 0 || device >= DEVICES) return said(hipErrorInvalidDevice);
  memset(prop, 0, sizeof *prop);
  strcpy(prop->name, "no GPU");
  strcpy(prop->gcnArchName, "gfx90a");
  prop->totalGlobalMem = (size_t)64 << 30;
  prop->sharedMemPerBlock = 65536;
  prop->warpSize = 64;
  prop->maxThreadsPerBlock = 1024;
  prop->multiProcessorCount = 104;
  prop->major = 9;
  memcpy(prop->maxThreadsDim, block, sizeof block);
  memcpy(prop->maxGridSize, grid, sizeof grid);
  return hipSuccess;
}

hipError_t hipStreamCreate(hipStream_t* stream) {
  *stream = malloc(sizeof **stream);
  return (*stream)->ordinal = ++streams, hipSuccess;
}
hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t size, const uint32_t* mask) {
  uint32_t any = 0;
  for (uint32_t i = 0; i < size; ++i) any |= mask[i];
  return any ? hipStreamCreate(stream) : said(hipErrorInvalidValue);
}
hipError_t hipStreamSynchronize(hipStream_t stream) { return hipSuccess; }
hipError_t hipStreamQuery(hipStream_t stream) { return hipSuccess; }
hipError_t hipStreamDestroy(hipStream_t stream) {
  if (!stream) return said(hipErrorInvalidHandle);
  return free(stream), --streams, hipSuccess;
}

hipError_t hipEventCreate(hipEvent_t* event) {
  return *event = calloc(1, sizeof **event), hipSuccess;
}
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return clock_gettime(CLOCK_MONOTONIC, &event->at), hipSuccess;
}
hipError_t hipEventSynchronize(hipEvent_t event) { return hipSuccess; }
hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop) {
  const double seconds = (double)(stop->at.tv_sec - start->at.tv_sec);
  return *ms = (float)(1e3 * seconds + 1e-6 * (double)(stop->at.tv_nsec - start->at.tv_nsec)), hipSuccess;
}
hipError_t hipEventDestroy(hipEvent_t event) { return free(event), hipSuccess; }

/* A code object says itself how long it is: its last part is the table of sections. */
static void* open_image(const void* image) {
  const Elf64_Ehdr* head = image;
  char path[] = "/tmp/fake-hip-XXXXXX";
  const size_t size = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
  if (head->e_ident[EI_CLASS] != ELFCLASS64 || !head->e_shoff) return NULL;
  const int file = mkstemp(path);
  if (file < 0) return NULL;
  void* opened = write(file, image, size) == (ssize_t)size ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  close(file);
  unlink(path);
  return opened;
}
hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  if (!image || memcmp(image, ELFMAG, SELFMAG)) return said(hipErrorInvalidImage);
  *module = malloc(sizeof **module);
  return (*module)->opened = open_image(image), hipSuccess;
}
hipError_t hipModuleUnload(hipModule_t module) {
  if (module->opened) dlclose(module->opened);
  return free(module), hipSuccess;
}
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* kname) {
  static struct ihipModuleSymbol_t kernels[64];
  static int next;
  char name[256] = "fake_launch_";
  *function = NULL;
  if (strlen(kname) > 200) return said(hipErrorNotFound);
  launch_t* run = module->opened ? (launch_t*)dlsym(module->opened, strcat(name, kname)) : NULL;
  if (module->opened && !run) return said(hipErrorNotFound);
  *function = &kernels[next++ % 64];
  return (*function)->run = run, hipSuccess;
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
  if (!f || (params && extra)) return said(hipErrorInvalidValue);
  if (!(gx && gy && gz && bx && by && bz) || bx * by * bz > 1024) return said(hipErrorInvalidConfiguration);
  const hipError_t status = extra ? keep_extra(extra) : params && !f->run ? keep_params(params) : hipSuccess;
  if (status == hipSuccess && f->run) f->run(dims, seen, params);
  return said(status);
}

hipError_t hipGetLastError(void) {
  const hipError_t status = last;
  return last = hipSuccess, status;
}
#define ERRORS(row)                                                                                               \
  row(hipSuccess, "no error") row(hipErrorInvalidValue, "invalid argument") row(hipErrorOutOfMemory, "out of memory") \
  row(hipErrorInvalidDevice, "invalid device ordinal") row(hipErrorInvalidImage, "not a code object")              \
  row(hipErrorInvalidHandle, "invalid resource handle") row(hipErrorNotFound, "named symbol not found")            \
  row(hipErrorInvalidConfiguration, "invalid configuration argument")                                              \
  row(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")
#define TEXT(status, text) case status: return text;
#define NAME(status, text) case status: return #status;
const char* hipGetErrorString(hipError_t error) {
  switch (error) { ERRORS(TEXT) default: return "unknown error"; }
}
const char* hipGetErrorName(hipError_t error) {
  switch (error) { ERRORS(NAME) default: return "hipErrorUnknown"; }
}

size_t fake_seen(unsigned char* out) { return memcpy(out, seen, seen_size), seen_size; }
void fake_dims(unsigned* out) { memcpy(out, dims, sizeof dims); }
int fake_allocated(void) { return allocated; }
