// A launch by CUDA's driver, or HIP's. A plan hands its arguments on as an array of pointers to them, which
// is what cuLaunchKernel takes: a kernel is called as a shim is, and the first argument says how it is
// launched.
#include "launch/cuda.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "launch/driver.hpp"
#include "launch/launchers.hpp"
#include "ref.hpp"

namespace samebytes {

namespace {

constexpr size_t kMostOverloads = 32;
constexpr int kMostParameters = 256;  // of a kernel that some are left out of

// CUlaunchAttribute and CUlaunchConfig (cuda.h): what a launch says that cuLaunchKernel has no word for.
struct Attribute {
  int id, padding;
  union {
    unsigned cluster[3];
    int cooperative;
    char room[64];
  };
};
constexpr int kCooperative = 2, kCluster = 4;  // CU_LAUNCH_ATTRIBUTE_…
}  // namespace

struct Config {
  unsigned grid[3], block[3], shared;
  void* stream;
  Attribute* attributes;
  unsigned count;
};
static_assert(sizeof(Attribute) == 72 && sizeof(Config) == 56, "as in cuda.h");

namespace {

Result launch_once(const DeviceLaunch& l, void** parameters) {
  if (!l.cluster[0] && !l.cooperative)
    return l.driver.launch(l.function, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2],
                           l.shared, l.stream, parameters, nullptr);
  Attribute attributes[2] = {};
  Config config = {{l.grid[0], l.grid[1], l.grid[2]},
                   {l.block[0], l.block[1], l.block[2]},
                   l.shared,
                   l.stream,
                   attributes,
                   0};
  if (l.cluster[0]) {
    Attribute& a = attributes[config.count++];
    a.id = kCluster;
    std::memcpy(a.cluster, l.cluster, sizeof l.cluster);
  }
  if (l.cooperative) {
    Attribute& a = attributes[config.count++];
    a.id = kCooperative, a.cooperative = 1;
  }
  return l.driver.launch_as(&config, l.function, parameters, nullptr);
}

Result launch_and_wait(const DeviceLaunch& l, void** parameters, Step& step) {
  step = kLaunch;
  void* all[kMostParameters];
  if (l.given < l.count) {
    std::copy_n(parameters, l.given, all);
    std::copy_n(l.defaults, l.count - l.given, all + l.given);
    parameters = all;
  }
  const Result launched = launch_once(l, parameters);
  if (launched || !l.waits) return launched;
  // The arrays are the caller's again when this returns, so it is not before the kernel has run.
  step = kWait;
  return l.driver.wait(l.stream);
}

Result in_context(const DeviceLaunch& l, void** parameters, Step& step) {
  step = kEnter;
  Entered entered(l.driver, l.context);
  if (const Result code = entered.status()) return code;
  const Result code = launch_and_wait(l, parameters, step);
  const Result left = entered.leave();
  return code ? code : left;
}

// In the place of a shim: the launches of a name's overloads, of which the function itself is one, the
// kernel's parameters, and where the status goes.
template <size_t Overload>
void launch_cuda(void** arguments) {
  const DeviceLaunch& launch = (*static_cast<const DeviceLaunch**>(arguments[0]))[Overload];
  *static_cast<int32_t*>(arguments[launch.count + 1]) = launched(launch, arguments + 1);
}

PyObject* device_launch(PyObject*, PyObject* args) {
  PyObject* driver;
  unsigned long long function, context, stream, defaults;
  DeviceLaunch l = {};
  if (!PyArg_ParseTuple(args, "OKKK(III)(III)Iip(III)piK:device_launch", &driver, &function, &context,
                        &stream, &l.grid[0], &l.grid[1], &l.grid[2], &l.block[0], &l.block[1], &l.block[2],
                        &l.shared, &l.count, &l.waits, &l.cluster[0], &l.cluster[1], &l.cluster[2],
                        &l.cooperative, &l.given, &defaults))
    return nullptr;
  if (!driver_functions(driver, l.driver)) return nullptr;
  if ((l.cluster[0] || l.cooperative) && !l.driver.launch_as) {
    PyErr_SetString(PyExc_ValueError, "the driver launches no clusters or cooperative grids");
    return nullptr;
  }
  if (l.given < 0 || l.given > l.count || (l.given < l.count && l.count > kMostParameters)) {
    PyErr_SetString(PyExc_ValueError, "a launch gives some of at most 256 parameters, or all");
    return nullptr;
  }
  l.defaults = reinterpret_cast<void**>(defaults);
  l.function = reinterpret_cast<void*>(function);
  l.context = reinterpret_cast<void*>(context);
  l.stream = reinterpret_cast<void*>(stream);
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(&l), sizeof l);
}

template <size_t... Overloads>
Ref launchers(std::index_sequence<Overloads...>) {
  return addresses_of({launch_cuda<Overloads>...});
}

PyMethodDef functions[] = {{"device_launch", device_launch, METH_VARARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

// The driver refuses a grid of no blocks, which is what there is to do for no elements.
int32_t launched(const DeviceLaunch& launch, void** parameters) {
  Step step = kEnter;
  const Result code = launch.grid[0] ? in_context(launch, parameters, step) : 0;
  return status_of(code, step);
}

bool driver_functions(PyObject* items, Driver& driver) {
  if (!PyTuple_CheckExact(items) || PyTuple_GET_SIZE(items) != kDriverFunctions) {
    PyErr_SetString(PyExc_ValueError, "a driver is one address for each of its functions");
    return false;
  }
  void* found[kDriverFunctions];
  for (int i = 0; i < kDriverFunctions; ++i) found[i] = PyLong_AsVoidPtr(PyTuple_GET_ITEM(items, i));
  if (PyErr_Occurred()) return false;
  std::memcpy(&driver, found, sizeof driver);
  const bool enters = driver.pop_current ? driver.set_current != nullptr : driver.set_device != nullptr;
  if (enters && driver.get_current && driver.launch && driver.wait && driver.make_event && driver.record &&
      driver.ask && driver.await_event && driver.drop_event && driver.is_capturing)
    return true;
  PyErr_SetString(PyExc_ValueError, "a function of the driver is not null");
  return false;
}

int add_launch(PyObject* module) {
  const Ref all = launchers(std::make_index_sequence<kMostOverloads>());
  if (!all || PyModule_AddObjectRef(module, "LAUNCH_CUDA", all.get()) < 0 ||
      PyModule_AddIntConstant(module, "LAUNCH_STEP_BITS", kStepBits) < 0 ||
      PyModule_AddIntConstant(module, "LAUNCH_RECORDS", kRecord) < 0 ||
      PyModule_AddIntConstant(module, "LAUNCH_ASKS", kAsk) < 0)
    return -1;
  return PyModule_AddFunctions(module, functions);
}

}  // namespace samebytes
