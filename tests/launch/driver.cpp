// A libcuda.so.1 for tests: it loads cubins, knows their kernels by name, and hands each launch to a function
// of the test's, which reads the parameters. What it is given wrongly it refuses as the driver does.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#ifdef OF_HIP  // the same as a libamdhip64.so
#define cuInit hipInit
#define cuDeviceGet hipDeviceGet
#define cuModuleLoadData hipModuleLoadData
#define cuModuleGetFunction hipModuleGetFunction
#define cuModuleGetGlobal_v2 hipModuleGetGlobal
#define cuMemcpyDtoH_v2 hipMemcpyDtoH
#define cuMemcpyHtoD_v2 hipMemcpyHtoD
#define cuCtxSynchronize hipDeviceSynchronize
#define cuLaunchKernel hipModuleLaunchKernel
#define cuStreamSynchronize hipStreamSynchronize
#define cuEventCreate hipEventCreateWithFlags
#define cuEventRecord hipEventRecord
#define cuStreamWaitEvent hipStreamWaitEvent
#define cuEventDestroy_v2 hipEventDestroy
#define cuEventQuery hipEventQuery
#define cuEventSynchronize hipEventSynchronize
#define cuStreamIsCapturing hipStreamIsCapturing
#define cuStreamGetCaptureInfo_v2 hipStreamGetCaptureInfo_v2
#define cuUserObjectCreate hipUserObjectCreate
#define cuGraphRetainUserObject hipGraphRetainUserObject
#endif

#define API extern "C" __attribute__((visibility("default")))

namespace {

enum { kNotReady = 600, kInvalidValue = 1, kInvalidImage = 200, kInvalidContext = 201, kNotFound = 500 };
struct UserObject {
  void* pointer;
  void (*destroy)(void*);
};
struct Module {
  void* context;
  std::string image;
};
struct Event {
  void* stream = nullptr;
  int turn = 0;
};
struct Function {
  Module* module;
  std::string name;
  unsigned shared = 49152;
};
using Hook = int (*)(const char*, const unsigned*, unsigned, void*, void**);

using VariableHook = int (*)(const char*, void**, size_t*);
using GraphHook = void (*)(int);

Hook hook;
GraphHook graph_hook;
VariableHook variable_hook;
int pending, unloadable, unrecorded, context_of_device, turn;
bool held;                                    // whether what is recorded from now on is not done
std::vector<std::pair<void*, void*>> orders;  // consumers and producers
void* captured;                               // the stream that is
std::vector<UserObject*> graph;               // what it keeps
std::vector<std::string> calls;
std::mutex locked;  // what several threads change
std::string blocking;
void (*callback)();
int patience;  // milliseconds

// Notes a call. The one that is to block has a thread of the driver's call back, and returns when that has:
// as where the queue is full behind a function of the host. Without patience it is an error.
int noted(const char* name) {
  const std::lock_guard lock(locked);
  calls.emplace_back(name);
  return blocking == name;
}
int entered(const char* name) {
  if (!noted(name)) return 0;
  blocking.clear();
  const auto done = std::make_shared<std::promise<void>>();
  std::thread([done] { callback(), done->set_value(); }).detach();
  const auto came = done->get_future().wait_for(std::chrono::milliseconds(patience));
  return came == std::future_status::ready ? 0 : 999;
}
#ifdef OF_HIP  // which has no stack of contexts, and the number of a device
thread_local std::vector<void*> current{&context_of_device};
thread_local int device_of_thread;
#else
thread_local std::vector<void*> current;
#endif

const struct {
  int code;
  const char *name, *text;
} errors[] = {
    {kInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {kNotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {999, "CUDA_ERROR_UNKNOWN", "the function of the host did not return"}};

const char* word(int code, bool text) {
  for (const auto& e : errors)
    if (e.code == code) return text ? e.text : e.name;
  return nullptr;
}

}  // namespace

// --- for tests

API void fake_on_launch(Hook function) { hook = function; }
API void fake_on_variable(VariableHook function) { variable_hook = function; }
API void fake_on_graph(GraphHook function) { graph_hook = function; }
API void fake_fail_later(int code) { pending = code; }
API void fake_fail_loading(int code) { unloadable = code; }
API void fake_capture(void* stream) { captured = stream; }
API void fake_destroy_graph() {
  std::thread([] {
    for (UserObject* object : graph) object->destroy(object->pointer), delete object;
    graph.clear();
  }).join();
}
API void fake_call_back(const char* name, void (*function)(), int milliseconds) {
  blocking = name, callback = function, patience = milliseconds;
}
API int fake_calls(const char* name) {
  const std::lock_guard lock(locked);
  int count = 0;
  for (const auto& call : calls) count += call == name;
  return count;
}
API void* fake_other_context() { return &calls; }
API void fake_fail_recording(int code) { unrecorded = code; }
API void fake_hold(int holds) { held = holds, ++turn; }
API int fake_orders(void* consumer, void* producer) {
  int count = 0;
  for (const auto& order : orders) count += order == std::make_pair(consumer, producer);
  return count;
}

// --- the driver's

API int cuInit(unsigned) { return 0; }
API int cuDeviceGet(int* device, int number) {
  if (number) return kInvalidValue;
  return *device = number, 0;
}
#ifdef OF_HIP
API int hipDeviceGetAttribute(int* value, int attribute, int) {
  static const int block[] = {1024, 1024, 64}, grid[] = {2147483647, 65535, 65535};
  if (attribute >= 26 && attribute < 29) return *value = block[attribute - 26], 0;
  if (attribute >= 29 && attribute < 32) return *value = grid[attribute - 29], 0;
  if (attribute == 56) return *value = 1024, 0;
  if (attribute == 74) return *value = 65536, 0;
  return kInvalidValue;
}
API int hipGetDevicePropertiesR0600(char* properties, int number) {
  if (number) return kInvalidValue;
  std::memset(properties, 0, 1472);
  std::strcpy(properties, "a gfx000 of tests");
  return std::strcpy(properties + 1160, "gfx90a:sramecc+:xnack-"), 0;
}
API int hipGetDevice(int* device) { return *device = device_of_thread, 0; }
API int hipSetDevice(int device) {
  noted("set");
  if (device > 1) return kInvalidValue;
  return device_of_thread = device, 0;
}
API const char* hipGetErrorName(int code) { return word(code, false); }
API const char* hipGetErrorString(int code) { return word(code, true); }
API int hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, Function*, size_t, int) {
  return *grid = 3, *block = 256, 0;
}
#else
API int cuDeviceGetAttribute(int* value, int attribute, int) {
  switch (attribute) {
    case 1:
      return *value = 1024, 0;
    case 8:
      return *value = 49152, 0;
    case 97:
      return *value = 166912, 0;
    case 2:
    case 3:
      return *value = 1024, 0;
    case 4:
      return *value = 64, 0;
    case 5:
      return *value = 2147483647, 0;
    case 6:
    case 7:
      return *value = 65535, 0;
    case 95:
    case 120:
      return *value = 1, 0;
    case 75:
      return *value = 8, 0;
    case 76:
      return *value = 0, 0;
  }
  return kInvalidValue;
}
#endif
#ifndef OF_HIP
API int cuDevicePrimaryCtxRetain(void** context, int) { return *context = &context_of_device, 0; }
API int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
API int cuCtxGetCurrent(void** context) { return *context = current.empty() ? nullptr : current.back(), 0; }
API int cuCtxGetDevice(int* device) { return *device = 0, current.empty() ? kInvalidContext : 0; }
API int cuCtxPushCurrent_v2(void* context) {
  noted("push");
  return current.push_back(context), 0;
}
API int cuCtxPopCurrent_v2(void** context) {
  if (current.empty()) return kInvalidContext;
  noted("pop");
  *context = current.back();
  return current.pop_back(), 0;
}
#endif
API int cuModuleLoadData(void** module, const char* image) {
  if (current.empty()) return kInvalidContext;
  if (unloadable) return unloadable;
  if (std::strstr(image, ".version") && std::strstr(image, ".target"))  // PTX, which the driver compiles
    return *module = new Module{current.back(), image}, 0;
  if (std::memcmp(image, "\177ELF", 4)) return kInvalidImage;
  // The file's table of sections is at its end: 64 bytes each (System V ABI).
  size_t sections;
  unsigned short count;
  std::memcpy(&sections, image + 40, sizeof sections);
  std::memcpy(&count, image + 60, sizeof count);
  return *module = new Module{current.back(), std::string(image, sections + 64 * count)}, 0;
}
API int cuModuleGetFunction(void** function, Module* module, const char* name) {
#ifdef OF_HIP
  const std::string section = std::string(name) + ".kd" + '\0';  // of what describes a kernel
#else
  const std::string section = std::string(".text.") + name + '\0';
#endif
  const std::string entry = std::string(".entry ") + name + '(';
  if (module->image.find(section) == std::string::npos && module->image.find(entry) == std::string::npos)
    return kNotFound;
  return *function = new Function{module, name}, 0;
}
API int cuModuleGetGlobal_v2(void** place, size_t* size, Module* module, const char* name) {
  if (current.empty() || current.back() != module->context) return kInvalidContext;
  return variable_hook(name, place, size) ? 0 : kNotFound;
}
API int cuMemcpyDtoH_v2(void* to, const void* from, size_t size) {
  if (current.empty()) return kInvalidContext;
  return std::memcpy(to, from, size), 0;
}
API int cuMemcpyHtoD_v2(void* to, const void* from, size_t size) {
  if (current.empty()) return kInvalidContext;
  return std::memcpy(to, from, size), 0;
}
API int cuCtxSynchronize() { return current.empty() ? kInvalidContext : 0; }
#ifndef OF_HIP
API int cuFuncSetAttribute(Function* function, int attribute, int value) {
  if (current.empty() || current.back() != function->module->context) return kInvalidContext;
  if (attribute != 8 || value < 0 || value > 166912) return kInvalidValue;
  return function->shared = value, 0;
}
// As of a device with 102400 bytes of shared memory, of which at most 3 blocks' are in use.
API int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, Function* function, void* of_block,
                                         size_t shared, int limit) {
  if (current.empty() || current.back() != function->module->context) return kInvalidContext;
  if (of_block || limit) return kInvalidValue;
  return *grid = 3, *block = shared > 34133 ? 256 : 768, 0;
}
#endif
API int cuLaunchKernel(Function* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                       unsigned bz, unsigned shared, void* stream, void** parameters, void** extra) {
  if (const int code = entered("launch")) return code;
  if (current.empty() || current.back() != function->module->context) return kInvalidContext;
  if (extra || !gx || shared > function->shared) return kInvalidValue;
  const unsigned extents[] = {gx, gy, gz, bx, by, bz};
  return hook ? hook(function->name.c_str(), extents, shared, stream, parameters) : 0;
}
#ifndef OF_HIP
// CUlaunchConfig's bytes, and those of its attributes, as they came.
std::string config_bytes, attribute_bytes;
API size_t fake_config(char* config, char* attributes) {
  std::memcpy(config, config_bytes.data(), config_bytes.size());
  std::memcpy(attributes, attribute_bytes.data(), attribute_bytes.size());
  return attribute_bytes.size();
}
API int cuLaunchKernelEx(const char* config, Function* function, void** parameters, void** extra) {
  config_bytes.assign(config, 56);
  unsigned extents[7], count;
  void *stream, *attributes;
  std::memcpy(extents, config, sizeof extents);
  std::memcpy(&stream, config + 32, 8);
  std::memcpy(&attributes, config + 40, 8);
  std::memcpy(&count, config + 48, 4);
  attribute_bytes.assign(static_cast<const char*>(attributes), 72 * count);
  return cuLaunchKernel(function, extents[0], extents[1], extents[2], extents[3], extents[4], extents[5],
                        extents[6], stream, parameters, extra);
}
#endif
API int cuStreamSynchronize(void* stream) {
  if (captured && stream == captured) return 900;
  if (const int code = entered("wait")) return code;
  const int code = pending;
  return pending = 0, code;
}
API int cuEventCreate(Event** event, unsigned flags) {
  if (current.empty() || flags != 2) return kInvalidValue;
  if (const int code = entered("event")) return code;
  return *event = new Event, 0;
}
API int cuEventRecord(Event* event, void* stream) {
  if (const int code = entered("record")) return code;
  event->stream = stream, event->turn = turn;
  return unrecorded;
}
API int cuStreamWaitEvent(void* consumer, Event* event, unsigned) {
  const std::lock_guard lock(locked);
  orders.push_back({consumer, event->stream});
  return 0;
}
API int cuEventDestroy_v2(Event* event) {
  if (const int code = entered("destroy")) return code;
  return delete event, 0;
}
API int cuEventQuery(Event* event) {
  if (const int code = entered("ask")) return code;
  if (pending) return pending;
  return held && event->turn == turn ? kNotReady : 0;
}
API int cuEventSynchronize(Event*) {
  if (const int code = entered("event wait")) return code;
  held = false;
  return pending;
}
API int cuStreamIsCapturing(void* stream, int* status) {
  if (const int code = entered("capturing")) return code;
  return *status = stream == &calls ? 2 : captured && stream == captured, 0;
}
API int cuStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* number, void** into,
                                  void*** dependencies, size_t* count) {
  if (dependencies || count) return kInvalidValue;
  *number = 1, *into = captured && stream == captured ? &graph : nullptr;
  return cuStreamIsCapturing(stream, status);
}
API int cuUserObjectCreate(UserObject** object, void* pointer, void (*destroy)(void*), unsigned count,
                           unsigned flags) {
  if (count != 1 || flags != 1) return kInvalidValue;
  return *object = new UserObject{pointer, destroy}, 0;
}
API int cuGraphRetainUserObject(void* into, UserObject* object, unsigned count, unsigned flags) {
  if (into != &graph || count != 1 || flags != 1) return kInvalidValue;
  return graph.push_back(object), 0;
}
#ifndef OF_HIP
API int cuGetErrorName(int code, const char** name) {
  return *name = word(code, false), *name ? 0 : kInvalidValue;
}
API int cuGetErrorString(int code, const char** text) {
  return *text = word(code, true), *text ? 0 : kInvalidValue;
}

// --- what hardware.py asks beside

API int cuMemAllocManaged(void** place, size_t size, unsigned flags) {
  if (current.empty() || flags != 1 || !size) return kInvalidValue;
  return *place = std::calloc(size, 1), 0;
}
API int cuStreamCreate(void** stream, unsigned flags) {
  if (current.empty() || flags != 1) return kInvalidValue;
  return *stream = new char, 0;
}
API int cuStreamBeginCapture_v2(void* stream, int mode) {
  if (!stream || captured || mode != 1) return kInvalidValue;
  return captured = stream, graph_hook(0), 0;
}
API int cuStreamEndCapture(void* stream, void** into) {
  if (!captured || stream != captured) return kInvalidValue;
  captured = nullptr, *into = &graph;
  return graph_hook(1), 0;
}
API int cuGraphInstantiateWithFlags(void** made, void* from, unsigned long long flags) {
  if (from != &graph || flags) return kInvalidValue;
  return *made = from, 0;
}
API int cuGraphLaunch(void* made, void*) { return made == &graph ? graph_hook(2), 0 : kInvalidValue; }
API int cuGraphExecDestroy(void* made) { return made == &graph ? 0 : kInvalidValue; }
API int cuGraphDestroy(void* from) { return from == &graph ? fake_destroy_graph(), 0 : kInvalidValue; }
#endif
