// What host code that nvcc has compiled calls for <<<>>>, and for variables of the device: on the driver, and
// on the very module that the library's kernels were loaded as. CUDA's own runtime would load another copy.
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#define SERVED extern "C" __attribute__((visibility("hidden")))
#define EXPORTED extern "C" __attribute__((visibility("protected"), used))

struct dim3 {
  unsigned x, y, z;
};

namespace {

using Result = int;  // CUresult, which cudaError_t has the numbers of
enum : Result { kInvalidValue = 1, kInvalidSymbol = 13, kInvalidFunction = 98, kNotFound = 500 };

// A kernel, as the unit registers it; it stands for a cudaKernel_t, too.
struct Kernel {
  std::string name;
  void *function = nullptr, *module = nullptr;
};

// The functions of the driver that are called here.
struct Driver {
  Result (*get_current)(void**);
  Result (*push)(void*);
  Result (*pop)(void**);
  Result (*function)(void**, void*, const char*);
  Result (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void**);
  Result (*wait)(void*);
  Result (*is_capturing)(void*, int*);
  Result (*allow)(void*, int, int);
  Result (*variable)(void**, size_t*, void*, const char*);
  Result (*to_device)(void*, const void*, size_t);
  Result (*to_host)(void*, const void*, size_t);
  Result (*within)(void*, const void*, size_t);
  Result (*to_device_later)(void*, const void*, size_t, void*);
  Result (*to_host_later)(void*, const void*, size_t, void*);
  Result (*within_later)(void*, const void*, size_t, void*);
  Result (*synchronize)();
  Result (*name)(Result, const char**);
  Result (*text)(Result, const char**);
};
constexpr const char* kNames[] = {"cuCtxGetCurrent",      "cuCtxPushCurrent_v2",  "cuCtxPopCurrent_v2",
                                  "cuModuleGetFunction",  "cuLaunchKernel",       "cuStreamSynchronize",
                                  "cuStreamIsCapturing",  "cuFuncSetAttribute",   "cuModuleGetGlobal_v2",
                                  "cuMemcpyHtoD_v2",      "cuMemcpyDtoH_v2",      "cuMemcpyDtoD_v2",
                                  "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2",
                                  "cuCtxSynchronize",     "cuGetErrorName",       "cuGetErrorString"};
static_assert(sizeof kNames / sizeof *kNames * sizeof(void*) == sizeof(Driver), "a name for each");

// By Python: the module and the context of the kernels, and the current stream; 0, or words.
using Ready = int (*)(void** module, void** context, void** stream, char* words, size_t room);

Driver driver;
Ready ask;

std::map<const void*, Kernel>& kernels() {
  static std::map<const void*, Kernel> all;
  return all;
}
std::map<const void*, std::string>& variables() {
  static std::map<const void*, std::string> all;
  return all;
}

struct Configuration {
  dim3 grid, block;
  size_t shared;
  void* stream;
};

// One call by Python, or what threads of the host's own launch meanwhile.
struct Call {
  Call* before = nullptr;
  bool ready = false;
  void *module = nullptr, *context = nullptr, *stream = nullptr;
  std::vector<void*> streams;
  std::string failed;
};

thread_local std::vector<Configuration> configurations;
thread_local Call* current;
thread_local Result last;  // for cudaGetLastError
Call beside;
std::mutex lock;

std::string words_of(Result code) {
  const char *name = nullptr, *text = nullptr;
  if (driver.name && !driver.name(code, &name) && name) {
    std::string words = name;
    if (driver.text && !driver.text(code, &text) && text) words += std::string(", ") + text;
    return words;
  }
  return "error " + std::to_string(code);
}

void note(const std::string& failed) {
  const std::lock_guard guard(lock);
  Call& call = current ? *current : beside;
  if (call.failed.empty()) call.failed = failed;
}

// Whether this thread's call knows what it launches on: asked for once in each call, as streams change.
bool made_ready(Call& call, Result& code) {
  if (call.ready) return true;
  char words[1024] = "";
  if (ask && !ask(&call.module, &call.context, &call.stream, words, sizeof words)) {
#ifdef SAMEBYTES_BESIDE_RUNTIME
    // CUDA's runtime copies on the default stream, so launches are there, too, behind what is current.
    void* const stream = std::exchange(call.stream, nullptr);
    if (stream && (code = driver.wait(stream)))
      return note("waiting for the current stream failed: " + words_of(code)), last = code, false;
#endif
    return call.ready = true;
  }
  note(words);
  code = last = 999;  // cudaErrorUnknown
  return false;
}

// Does something in the context of the kernels.
template <class Do>
Result within(const Do& what) {
  Call own, &call = current ? *current : own;
  Result code = 0;
  if (!made_ready(call, code)) return code;
  void* there = nullptr;
  const bool entered = driver.get_current(&there) || there != call.context;
  if (entered && (code = driver.push(call.context))) return last = code;
  code = what(call);
  if (entered) driver.pop(&there);
  if (code) last = code;
  return code;
}

// Looked up once for each module: a kernel's own address here is that of its stub.
Result function_of(Kernel& kernel, void* module, void*& function) {
  const std::lock_guard guard(lock);
  if (kernel.module != module) {
    if (const Result code = driver.function(&kernel.function, module, kernel.name.c_str())) return code;
    kernel.module = module;
  }
  return function = kernel.function, 0;
}

Result launch(Kernel* kernel, dim3 grid, dim3 block, void** parameters, size_t shared, void* stream) {
  if (!kernel)
    return note("a launch by <<<>>> failed: its kernel is not in this library"), last = kInvalidFunction;
  const Result code = within([&](Call& call) {
    void* function = nullptr;
    if (const Result found = function_of(*kernel, call.module, function)) return found;
    void* const on = stream ? stream : call.stream;
    const Result done = driver.launch(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                      static_cast<unsigned>(shared), on, parameters, nullptr);
    const std::lock_guard guard(lock);
    auto& streams = (current ? call : beside).streams;
    bool known = done != 0;
    for (void* one : streams) known |= one == on;
    if (!known) streams.push_back(on);
    return done;
  });
  if (code) {
    char said[160];
    std::snprintf(said, sizeof said, "<<<(%u, %u, %u), (%u, %u, %u), %zu>>>", grid.x, grid.y, grid.z, block.x,
                  block.y, block.z, shared);
    note("the launch of " + kernel->name + said + " failed: " + words_of(code));
  }
  return code;
}

// Until the work of a call has run: its arrays are the caller's again. What is captured does not run.
void finish(Call& call) {
  std::vector<void*> streams;
  {
    const std::lock_guard guard(lock);
    streams.swap(beside.streams);
    if (call.failed.empty()) call.failed.swap(beside.failed);
    beside.failed.clear();
  }
  for (void* one : call.streams) {
    bool known = false;
    for (void* other : streams) known |= one == other;
    if (!known) streams.push_back(one);
  }
  if (streams.empty()) return;
  const Result code = within([&](Call&) {
    Result first = 0;
    for (void* stream : streams) {
      int captured = 0;
      if (stream && driver.is_capturing && !driver.is_capturing(stream, &captured) && captured) continue;
      if (const Result code = driver.wait(stream); code && !first) first = code;
    }
    return first;
  });
  if (code) note("what it launched has failed: " + words_of(code));
}

enum Kind { kHostToHost, kToDevice, kToHost, kWithin, kByAddress };

// A variable's address, and whether so many bytes from an offset on lie in it.
Result place_of(Call& call, const void* symbol, size_t offset, size_t count, char*& place) {
  const auto found = variables().find(symbol);
  if (found == variables().end()) return kInvalidSymbol;
  void* address = nullptr;
  size_t size = 0;
  if (const Result code = driver.variable(&address, &size, call.module, found->second.c_str()))
    return code == kNotFound ? kInvalidSymbol : code;
  if (offset > size || count > size - offset) return kInvalidValue;
  return place = static_cast<char*>(address) + offset, 0;
}

Result copy(const void* symbol, void* data, size_t count, size_t offset, Kind kind, bool reads, bool later,
            void* stream) {
  return within([&](Call& call) -> Result {
    char* place = nullptr;
    if (const Result code = place_of(call, symbol, offset, count, place)) return code;
    if (kind == kByAddress) kind = reads ? kToHost : kToDevice;  // as the runtime's default for symbols
    if (kind == kHostToHost || kind == (reads ? kToDevice : kToHost))
      return 21;  // cudaErrorInvalidMemcpyDirection
    void *const to = reads ? data : place, *const from = reads ? place : data;
    if (later) {
      const auto call_it = kind == kWithin ? driver.within_later
                           : reads         ? driver.to_host_later
                                           : driver.to_device_later;
      void* const on = stream ? stream : call.stream;
      if (!call_it) return kNotFound;
      if (const Result code = call_it(to, from, count, on)) return code;
      const std::lock_guard guard(lock);
      (current ? call : beside).streams.push_back(on);
      return 0;
    }
    // What was launched on a stream of its own comes before, as it does on the default stream.
    if (call.stream)
      if (const Result code = driver.wait(call.stream)) return code;
    const auto call_it = kind == kWithin ? driver.within : reads ? driver.to_host : driver.to_device;
    if (!call_it) return kNotFound;
    if (const Result code = call_it(to, from, count)) return code;
    return driver.synchronize();
  });
}

}  // namespace

// --- what Python and the shims call

// Python answers calls before it opens the driver, which nothing may ever launch by.
EXPORTED void samebytes_answer(void* ready) { ask = reinterpret_cast<Ready>(ready); }

EXPORTED int samebytes_open_driver(const char* library) {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!opened) return 1;
  void* found[sizeof kNames / sizeof *kNames];
  for (size_t i = 0; i < sizeof kNames / sizeof *kNames; ++i) found[i] = dlsym(opened, kNames[i]);
  std::memcpy(&driver, found, sizeof driver);
  return !(driver.get_current && driver.push && driver.pop && driver.function && driver.launch &&
           driver.wait && driver.variable && driver.to_device && driver.to_host && driver.synchronize);
}

SERVED void* samebytes_begin() noexcept {
  Call* const call = new Call;
  call->before = current;
  return current = call;
}

// Throws what a launch in the call has failed with, unless the call has thrown itself.
SERVED void samebytes_end(void* begun, bool throws) {
  Call* const call = static_cast<Call*>(begun);
  finish(*call);
  current = call->before;
  const std::string failed = call->failed;
  delete call;
  if (!failed.empty()) last = 0;  // the caller knows it
  if (throws && !failed.empty()) throw std::runtime_error(failed);
}

// --- what nvcc has a unit of host code call

SERVED void** __cudaRegisterFatBinary(void* code) {
  static void* handle;  // Python loads the code itself
  return handle = code, &handle;
}
SERVED void __cudaRegisterFatBinaryEnd(void**) {}
SERVED void __cudaUnregisterFatBinary(void**) {}
SERVED char __cudaInitModule(void**) { return 1; }
SERVED void __cudaRegisterFunction(void**, const char* stub, char*, const char* name, int, void*, void*,
                                   void*, void*, int*) {
  kernels()[stub].name = name;
}
SERVED void __cudaRegisterVar(void**, char* host, char*, const char* name, int, size_t, int, int) {
  variables()[host] = name;
}
SERVED unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
SERVED Result __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (configurations.empty()) return last = 9;  // cudaErrorInvalidConfiguration
  const Configuration& said = configurations.back();
  *grid = said.grid, *block = said.block, *shared = said.shared;
  std::memcpy(stream, &said.stream, sizeof said.stream);
  configurations.pop_back();
  return 0;
}
SERVED Result __cudaGetKernel(void** kernel, const void* stub) {
  const auto found = kernels().find(stub);
  if (found == kernels().end()) return *kernel = nullptr, kInvalidFunction;
  return *kernel = &found->second, 0;
}
SERVED Result __cudaLaunchKernel(void* kernel, dim3 grid, dim3 block, void** parameters, size_t shared,
                                 void* stream) {
  return launch(static_cast<Kernel*>(kernel), grid, block, parameters, shared, stream);
}
SERVED Result cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** parameters, size_t shared,
                               void* stream) {
  const auto found = kernels().find(stub);
  return launch(found == kernels().end() ? nullptr : &found->second, grid, block, parameters, shared, stream);
}
SERVED Result cudaFuncSetAttribute(const void* stub, int attribute, int value) {
  const auto found = kernels().find(stub);
  if (found == kernels().end()) return last = kInvalidFunction;
  const Result code = within([&](Call& call) {
    void* function = nullptr;
    if (const Result found_code = function_of(found->second, call.module, function)) return found_code;
    return driver.allow ? driver.allow(function, attribute, value) : Result{kNotFound};
  });
  if (code) note("cudaFuncSetAttribute() of " + found->second.name + " failed: " + words_of(code));
  return code;
}

// --- variables of the device

SERVED Result cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset,
                                 Kind kind) {
  const Result code = copy(symbol, const_cast<void*>(from), count, offset, kind, false, false, nullptr);
  return code ? note("cudaMemcpyToSymbol() failed: " + words_of(code)), code : code;
}
SERVED Result cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset, Kind kind) {
  const Result code = copy(symbol, to, count, offset, kind, true, false, nullptr);
  return code ? note("cudaMemcpyFromSymbol() failed: " + words_of(code)), code : code;
}
SERVED Result cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset,
                                      Kind kind, void* stream) {
  const Result code = copy(symbol, const_cast<void*>(from), count, offset, kind, false, true, stream);
  return code ? note("cudaMemcpyToSymbolAsync() failed: " + words_of(code)), code : code;
}
SERVED Result cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset, Kind kind,
                                        void* stream) {
  const Result code = copy(symbol, to, count, offset, kind, true, true, stream);
  return code ? note("cudaMemcpyFromSymbolAsync() failed: " + words_of(code)), code : code;
}
SERVED Result cudaGetSymbolAddress(void** place, const void* symbol) {
  return within([&](Call& call) {
    char* found = nullptr;
    const Result code = place_of(call, symbol, 0, 0, found);
    return *place = found, code;
  });
}
SERVED Result cudaGetSymbolSize(size_t* size, const void* symbol) {
  return within([&](Call& call) -> Result {
    const auto found = variables().find(symbol);
    if (found == variables().end()) return kInvalidSymbol;
    void* address = nullptr;
    return driver.variable(&address, size, call.module, found->second.c_str());
  });
}

// --- errors: ours, and where the unit has CUDA's runtime for other things, that one's behind them

#ifdef SAMEBYTES_BESIDE_RUNTIME
extern "C" Result __real_cudaGetLastError();
extern "C" Result __real_cudaPeekAtLastError();
#else  // and not the errors of one that something else in the process has brought
static Result __real_cudaGetLastError() { return 0; }
static Result __real_cudaPeekAtLastError() { return 0; }
#endif
SERVED Result __wrap_cudaGetLastError() {
  const Result code = last;
  last = 0;
  const Result other = __real_cudaGetLastError();
  return code ? code : other;
}
SERVED Result __wrap_cudaPeekAtLastError() { return last ? last : __real_cudaPeekAtLastError(); }
SERVED const char* cudaGetErrorName(Result code) {
  const char* name = nullptr;
  if (!code) return "cudaSuccess";
  return driver.name && !driver.name(code, &name) && name ? name : "unrecognized error code";
}
SERVED const char* cudaGetErrorString(Result code) {
  const char* text = nullptr;
  if (!code) return "no error";
  return driver.text && !driver.text(code, &text) && text ? text : "unrecognized error code";
}
