// A hiprtc without a GPU: g++ compiles the kernels for the host, and beside each a function that reads the arguments at
// the places where C++ lays them out and runs the kernel for every thread of the grid; fake_hip.c calls it.
#include <hip/hiprtc.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

struct _hiprtcProgram {
  std::string source, log, code;
  std::vector<std::pair<std::string, std::string>> headers;
};

namespace {

const char* const before = R"(
#include <cstddef>
#include <cstdio>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>
#define __global__
#define __device__
struct dim3 { unsigned x = 1, y = 1, z = 1; };
static dim3 threadIdx, blockIdx, blockDim, gridDim;
#line 1 "program"
)";

const char* const after = R"(
template <class... T, size_t... I>
void run_grid(void (*kernel)(T...), std::index_sequence<I...>, const unsigned* d, char* buffer, void** params) {
  size_t ends[sizeof...(T) + 1] = {0}, places[sizeof...(T) + 1] = {0};
  ((places[I] = (ends[I] + alignof(T) - 1) / alignof(T) * alignof(T), ends[I + 1] = places[I] + sizeof(T)), ...);
  std::tuple<T...> arguments;
  (std::memcpy(&std::get<I>(arguments), params ? params[I] : buffer + places[I], sizeof(T)), ...);
  gridDim = {d[0], d[1], d[2]}, blockDim = {d[3], d[4], d[5]};
  for (blockIdx.z = 0; blockIdx.z < d[2]; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < d[1]; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < d[0]; ++blockIdx.x)
        for (threadIdx.z = 0; threadIdx.z < d[5]; ++threadIdx.z)
          for (threadIdx.y = 0; threadIdx.y < d[4]; ++threadIdx.y)
            for (threadIdx.x = 0; threadIdx.x < d[3]; ++threadIdx.x) kernel(std::get<I>(arguments)...);
  std::fflush(stdout);
}
template <class... T>
void run_grid(void (*kernel)(T...), const unsigned* d, char* buffer, void** params) {
  run_grid(kernel, std::index_sequence_for<T...>(), d, buffer, params);
}
#define LAUNCH(name) \
  extern "C" void fake_launch_##name(const unsigned* d, char* b, void** p) { run_grid(name, d, b, p); }
)";

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The names behind "__global__ void".
std::vector<std::string> kernels(const std::string& source) {
  std::vector<std::string> names;
  std::istringstream words(source);
  for (std::string word, before; words >> word; before = word)
    if (before == "__global__" && word == "void" && words >> word) names.push_back(word.substr(0, word.find('(')));
  return names;
}

hiprtcResult fill(const std::string& from, char* to) {
  if (!to) return HIPRTC_ERROR_INVALID_INPUT;
  from.copy(to, from.size());
  return HIPRTC_SUCCESS;
}

}  // namespace

extern "C" {

hiprtcResult hiprtcVersion(int* major, int* minor) { return *major = 9, *minor = 0, HIPRTC_SUCCESS; }

const char* hiprtcGetErrorString(hiprtcResult result) {
  return result == HIPRTC_SUCCESS ? "HIPRTC_SUCCESS" : result == HIPRTC_ERROR_COMPILATION ? "HIPRTC_ERROR_COMPILATION"
                                                                                         : "HIPRTC_ERROR_INTERNAL_ERROR";
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* prog, const char* src, const char*, int count, const char** headers,
                                 const char** names) {
  if (!prog || !src) return HIPRTC_ERROR_INVALID_INPUT;
  *prog = new _hiprtcProgram{src, "", "", {}};
  for (int i = 0; i < count; ++i) (*prog)->headers.emplace_back(names[i], headers[i]);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int count, const char** options) {
  bool architecture = false;
  std::string flags;
  for (int i = 0; i < count; ++i) {
    const std::string option = options[i];
    architecture |= option.rfind("--offload-arch=gfx", 0) == 0;
    if (option.rfind("-D", 0) == 0) flags += " '" + option + "'";
    else if (option.rfind("--offload-arch=gfx", 0)) return HIPRTC_ERROR_INVALID_OPTION;
  }
  if (count && !architecture) return HIPRTC_ERROR_INVALID_OPTION;
  char folder[] = "/tmp/fake-hiprtc-XXXXXX";
  if (!mkdtemp(folder)) return HIPRTC_ERROR_INTERNAL_ERROR;
  const std::string at = folder;
  for (const auto& [name, text] : prog->headers) std::ofstream(at + "/" + name) << text;
  std::ostringstream unit;
  unit << before << prog->source << after;
  for (const std::string& name : kernels(prog->source)) unit << "LAUNCH(" << name << ")\n";
  std::ofstream(at + "/k.cpp") << unit.str();
  const std::string call = "cd " + at + " && g++ -std=c++17 -O0 -w -I. -shared -fPIC" + flags + " k.cpp -o k.so 2> log";
  const int status = std::system(call.c_str());
  prog->log = read(at + "/log");
  prog->code = read(at + "/k.so");
  std::system(("rm -r " + at).c_str());
  return status ? HIPRTC_ERROR_COMPILATION : HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram prog, size_t* size) {
  return *size = prog->log.size(), HIPRTC_SUCCESS;
}
hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char* log) { return fill(prog->log, log); }
hiprtcResult hiprtcGetCodeSize(hiprtcProgram prog, size_t* size) { return *size = prog->code.size(), HIPRTC_SUCCESS; }
hiprtcResult hiprtcGetCode(hiprtcProgram prog, char* code) { return fill(prog->code, code); }
hiprtcResult hiprtcDestroyProgram(hiprtcProgram* prog) {
  if (!prog || !*prog) return HIPRTC_ERROR_INVALID_INPUT;
  delete *prog;
  return *prog = nullptr, HIPRTC_SUCCESS;
}

}  // extern "C"
