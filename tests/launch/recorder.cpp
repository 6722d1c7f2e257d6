// A libcuda.so.1 that stands before another, DRIVER: it counts calls, shows each launch to a function of the test's, and
// hands all on. What it does not name is the other's, on which it depends, and so dlsym() finds it there.
#include <dlfcn.h>

#include <cstring>
#include <map>
#include <mutex>
#include <string>

#define API extern "C" __attribute__((visibility("default")))

namespace {

using Hook = int (*)(const char*, const unsigned*, unsigned, void*, void**);

Hook hook;
std::mutex locked;
std::map<std::string, int> counts;
std::map<void*, std::string> kernels;

template <class Function>
Function* theirs(const char* name) {
  static void* const driver = dlopen(DRIVER, RTLD_NOW);
  return reinterpret_cast<Function*>(dlsym(driver, name));
}
void noted(const char* name) {
  const std::lock_guard lock(locked);
  ++counts[name];
}
int shown(void* function, const unsigned* extents, unsigned shared, void* stream, void** parameters) {
  noted("launch");
  std::string name;
  {
    const std::lock_guard lock(locked);
    name = kernels[function];
  }
  return hook ? hook(name.c_str(), extents, shared, stream, parameters) : 0;
}

}  // namespace

API void record_on_launch(Hook function) { hook = function; }
API int record_calls(const char* name) {
  const std::lock_guard lock(locked);
  return counts[name];
}

#define COUNTED(what, name, parameters, arguments)                \
  API int name parameters {                                       \
    noted(what);                                                  \
    static auto* const function = theirs<int parameters>(#name);  \
    return function arguments;                                    \
  }
COUNTED("wait", cuStreamSynchronize, (void* stream), (stream))
COUNTED("event", cuEventCreate, (void** event, unsigned flags), (event, flags))
COUNTED("record", cuEventRecord, (void* event, void* stream), (event, stream))
COUNTED("destroy", cuEventDestroy_v2, (void* event), (event))
COUNTED("ask", cuEventQuery, (void* event), (event))
COUNTED("event wait", cuEventSynchronize, (void* event), (event))

API int cuModuleGetFunction(void** found, void* module, const char* name) {
  static auto* const function = theirs<int(void**, void*, const char*)>("cuModuleGetFunction");
  const int code = function(found, module, name);
  if (code) return code;
  const std::lock_guard lock(locked);
  kernels[*found] = name;
  return 0;
}
API int cuLaunchKernel(void* kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, void* stream, void** parameters, void** extra) {
  static auto* const function = theirs<decltype(cuLaunchKernel)>("cuLaunchKernel");
  const unsigned extents[] = {gx, gy, gz, bx, by, bz};
  if (const int code = shown(kernel, extents, shared, stream, parameters)) return code;
  return function(kernel, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra);
}
API int cuLaunchKernelEx(const char* config, void* kernel, void** parameters, void** extra) {
  static auto* const function = theirs<decltype(cuLaunchKernelEx)>("cuLaunchKernelEx");
  unsigned extents[7];  // CUlaunchConfig begins with them and the bytes of shared memory; the stream follows
  void* stream;
  std::memcpy(extents, config, sizeof extents);
  std::memcpy(&stream, config + 32, sizeof stream);
  if (const int code = shown(kernel, extents, extents[6], stream, parameters)) return code;
  return function(config, kernel, parameters, extra);
}
