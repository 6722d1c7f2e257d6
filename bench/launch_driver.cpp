// A libcuda.so.1 that does nothing and counts: what remains of a launch is what its caller does. A function
// that is not here, and that is asked for by its name, succeeds and gives nothing.
#include <dlfcn.h>

#include <cstring>

#define API extern "C" __attribute__((visibility("default")))

static long launches, records, waits, others;
static int context, module_, function;
static thread_local void* current;

API void counts(long* to) { to[0] = launches, to[1] = records, to[2] = waits, to[3] = others; }
// The driver's own call with four arguments, so many times: what every way to launch pays.
API int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                       void**, void**) {
  return ++launches, 0;
}
API int cuLaunchKernelEx(const void*, void*, void**, void**) { return ++launches, 0; }
API void launch_often(int count) {
  int (*volatile launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                         void**, void**) = cuLaunchKernel;
  char x[8] = {}, y[8] = {}, a[4] = {}, n[4] = {};
  void* arguments[] = {x, y, a, n};
  for (int i = 0; i < count; ++i) launch(&function, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
}
API int cuInit(unsigned) { return 0; }
API int cuDriverGetVersion(int* version) { return *version = 13020, 0; }
API int cuDeviceGetCount(int* count) { return *count = 1, 0; }
API int cuDeviceGet(int* device, int) { return *device = 0, 0; }
API int cuDeviceGetAttribute(int* value, int attribute, int) {
  static const struct {
    int attribute, value;
  } known[] = {{1, 1024},  {2, 1024}, {3, 1024}, {4, 64}, {5, 2147483647}, {6, 65535},   {7, 65535},
               {8, 49152}, {10, 32},  {75, 9},   {76, 0}, {95, 1},         {97, 232448}, {120, 1}};
  *value = 1;
  for (const auto& k : known)
    if (k.attribute == attribute) *value = k.value;
  return 0;
}
API int cuDeviceGetName(char* name, int length, int) { return std::strncpy(name, "none", length), 0; }
API int cuDevicePrimaryCtxRetain(void** to, int) { return *to = &context, 0; }
API int cuDevicePrimaryCtxGetState(int, unsigned* flags, int* active) { return *flags = 0, *active = 1, 0; }
API int cuCtxGetCurrent(void** to) { return *to = current, 0; }
API int cuCtxSetCurrent(void* to) { return current = to, 0; }
API int cuCtxPushCurrent_v2(void* to) { return current = to, 0; }
API int cuCtxPopCurrent_v2(void** to) { return *to = current, current = nullptr, 0; }
API int cuCtxGetDevice(int* device) { return *device = 0, 0; }
API int cuModuleLoadData(void** to, const void*) { return *to = &module_, 0; }
API int cuModuleLoadDataEx(void** to, const void*, unsigned, int*, void**) { return *to = &module_, 0; }
API int cuModuleGetFunction(void** to, void*, const char*) { return *to = &function, 0; }
API int cuLibraryLoadData(void** to, const void*, int*, void**, unsigned, int*, void**, unsigned) {
  return *to = &module_, 0;
}
API int cuLibraryGetKernel(void** to, void*, const char*) { return *to = &function, 0; }
API int cuKernelGetFunction(void** to, void*) { return *to = &function, 0; }
API int cuStreamSynchronize(void*) { return ++waits, 0; }
API int cuStreamCreateWithPriority(void** to, unsigned, int) { return *to = &context, 0; }
API int cuStreamIsCapturing(void*, int* status) { return *status = 0, 0; }
API int cuStreamGetCtx(void*, void** to) { return *to = &context, 0; }
API int cuEventCreate(void** to, unsigned) { return *to = &context, 0; }
API int cuEventRecord(void*, void*) { return ++records, 0; }
API int cuEventQuery(void*) { return 0; }
API int cuEventSynchronize(void*) { return 0; }
API int cuEventDestroy_v2(void*) { return 0; }
API int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void*, void*, size_t, int) {
  return *grid = 1, *block = 256, 0;
}
API int cuFuncSetAttribute(void*, int, int) { return 0; }
API int cuCtxSynchronize() { return 0; }
API int cuModuleGetGlobal_v2(void**, size_t*, void*, const char*) { return 500; }
API int cuMemcpyDtoH_v2(void*, const void*, size_t) { return 1; }
API int cuMemcpyHtoD_v2(void*, const void*, size_t) { return 1; }
API int cuGetErrorName(int, const char** to) { return *to = "CUDA_ERROR", 0; }
API int cuGetErrorString(int, const char** to) { return *to = "an error", 0; }

static int nothing() { return ++others, 0; }
API int cuGetProcAddress_v2(const char* name, void** to, int, unsigned long long, int* status) {
  char versioned[128];
  const size_t length = std::strlen(name);
  if (length + 4 > sizeof versioned) return 1;
  std::memcpy(versioned, name, length + 1);
  std::strcat(versioned, "_v2");
  *to = dlsym(RTLD_DEFAULT, versioned);
  if (!*to) *to = dlsym(RTLD_DEFAULT, name);
  if (!*to) *to = reinterpret_cast<void*>(nothing);
  if (status) *status = 0;
  return 0;
}
API int cuGetProcAddress(const char* name, void** to, int version, unsigned long long flags) {
  return cuGetProcAddress_v2(name, to, version, flags, nullptr);
}
