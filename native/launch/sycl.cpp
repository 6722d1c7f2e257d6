// A launch by dpctl's C interface to SYCL. A plan hands its arguments on as an array of pointers to them;
// dpctl asks of each what it is: a number of so many bytes, an address in unified shared memory, other bytes,
// or room for a work-group. The last kind is no argument of the call: a launch says how much it is.
#include "launch/sycl.hpp"

#include <cstdint>
#include <cstring>
#include <utility>

#include "launch/launchers.hpp"
#include "ref.hpp"

namespace samebytes {

namespace {

constexpr size_t kMostOverloads = 32;
constexpr int kMostParameters = 256;
constexpr int kCalledFunctions = 6;
enum Status : int32_t { kRefused = 1, kNoRoom = 2 };
// DPCTLKernelArgType (dpctl_sycl_enum_types.h)
enum Kind : int32_t { kByte = 1, kTwo = 3, kFour = 5, kEight = 7, kAddress = 10, kLocal = 12, kBytes = 13 };

using SyclRef = void*;
// dpctl's functions, by their addresses in the library that Python has opened.
struct Dpctl {
  SyclRef (*submit_range)(SyclRef, SyclRef, void**, const int32_t*, size_t, const size_t*, size_t,
                          const SyclRef*, size_t);
  SyclRef (*submit_nd_range)(SyclRef, SyclRef, void**, const int32_t*, size_t, const size_t*, const size_t*,
                             size_t, const SyclRef*, size_t);
  void (*wait)(SyclRef);
  void (*drop_event)(SyclRef);
  SyclRef (*make_bytes)(void*, size_t);
  void (*drop_bytes)(SyclRef);
};
static_assert(sizeof(Dpctl) == kCalledFunctions * sizeof(void*), "one address each");

// One parameter of the compiled kernel: an argument of the call, or what the launch has fixed.
struct Place {
  int32_t argument, kind;
  size_t size;
  void* fixed;
};

struct Launch {
  Dpctl dpctl;
  SyclRef kernel, queue;
  size_t range[3], local[3];  // local[0] 0: the runtime chooses it
  int dimensions, count;      // count: parameters of the compiled kernel
  int called, given;          // the declaration's parameters, and those of them that a call gives
  void* const* defaults;      // where the values of the rest lie
  const Place* places;
  int waits;
};

// What dpctl is handed for one launch, and gets back after it.
class Arguments {
 public:
  Arguments(const Launch& l, void** given) : launch_(l) {
    for (; count_ < l.count; ++count_) {
      const Place& p = l.places[count_];
      void* const value = p.argument < 0         ? p.fixed
                          : p.argument < l.given ? given[p.argument]
                                                 : l.defaults[p.argument];
      kinds[count_] = p.kind;
      values[count_] = value;
      if (p.kind == kAddress) values[count_] = *static_cast<void**>(value);
      if (p.kind == kBytes && !(values[count_] = l.dpctl.make_bytes(value, p.size))) return;
    }
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() {
    for (int i = 0; i < count_; ++i)
      if (kinds[i] == kBytes) launch_.dpctl.drop_bytes(values[i]);
  }
  bool complete() const { return count_ == launch_.count; }

  void* values[kMostParameters];
  int32_t kinds[kMostParameters];

 private:
  const Launch& launch_;
  int count_ = 0;
};

int32_t launch_once(const Launch& l, void** given) {
  Arguments a(l, given);
  if (!a.complete()) return kNoRoom;
  const size_t count = static_cast<size_t>(l.count), dimensions = static_cast<size_t>(l.dimensions);
  const SyclRef event = l.local[0] ? l.dpctl.submit_nd_range(l.kernel, l.queue, a.values, a.kinds, count,
                                                             l.range, l.local, dimensions, nullptr, 0)
                                   : l.dpctl.submit_range(l.kernel, l.queue, a.values, a.kinds, count,
                                                          l.range, dimensions, nullptr, 0);
  if (!event) return kRefused;
  // The arrays are the caller's again when this returns, so it is not before the kernel has run.
  if (l.waits) l.dpctl.wait(event);
  l.dpctl.drop_event(event);
  return 0;
}

// In the place of a shim: the launches of a name's overloads, of which the function itself is one, the
// declaration's parameters, and where the status goes.
template <size_t Overload>
void launch_sycl(void** arguments) {
  const Launch& launch = (*static_cast<const Launch**>(arguments[0]))[Overload];
  // A range of nothing is what there is to do for no elements.
  *static_cast<int32_t*>(arguments[launch.called + 1]) =
      launch.range[0] ? launch_once(launch, arguments + 1) : 0;
}

bool addresses(PyObject* items, Dpctl& dpctl) {
  if (!PyTuple_CheckExact(items) || PyTuple_GET_SIZE(items) != kCalledFunctions) {
    PyErr_SetString(PyExc_ValueError, "sycl_launch() takes one address for each of dpctl's functions");
    return false;
  }
  void* found[kCalledFunctions];
  for (int i = 0; i < kCalledFunctions; ++i) {
    found[i] = PyLong_AsVoidPtr(PyTuple_GET_ITEM(items, i));
    if (found[i] || PyErr_Occurred()) continue;
    PyErr_SetString(PyExc_ValueError, "a function of dpctl is not null");
  }
  if (PyErr_Occurred()) return false;
  std::memcpy(&dpctl, found, sizeof dpctl);
  return true;
}

PyObject* sycl_launch(PyObject*, PyObject* args) {
  PyObject* dpctl;
  unsigned long long kernel, queue, defaults, places, range[3], local[3];
  Launch l = {};
  if (!PyArg_ParseTuple(args, "OKK(KKK)(KKK)iiiiKKp:sycl_launch", &dpctl, &kernel, &queue, &range[0],
                        &range[1], &range[2], &local[0], &local[1], &local[2], &l.dimensions, &l.count,
                        &l.called, &l.given, &defaults, &places, &l.waits))
    return nullptr;
  if (!addresses(dpctl, l.dpctl)) return nullptr;
  if (l.given < 0 || l.given > l.called || l.count < 0 || l.count > kMostParameters || l.dimensions < 1 ||
      l.dimensions > 3) {
    PyErr_SetString(PyExc_ValueError, "a launch has up to three dimensions and 256 parameters");
    return nullptr;
  }
  for (int i = 0; i < 3; ++i) l.range[i] = range[i], l.local[i] = local[i];
  l.kernel = reinterpret_cast<void*>(kernel);
  l.queue = reinterpret_cast<void*>(queue);
  l.defaults = reinterpret_cast<void**>(defaults);
  l.places = reinterpret_cast<const Place*>(places);
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(&l), sizeof l);
}

template <size_t... Overloads>
Ref launchers(std::index_sequence<Overloads...>) {
  return addresses_of({launch_sycl<Overloads>...});
}

// The kinds by the bytes of a number, and the others by their names.
Ref kinds() {
  return Ref::steal(Py_BuildValue("{i:i,i:i,i:i,i:i,s:i,s:i,s:i}", 1, kByte, 2, kTwo, 4, kFour, 8, kEight,
                                  "pointer", kAddress, "local", kLocal, "bytes", kBytes));
}

PyMethodDef functions[] = {{"sycl_launch", sycl_launch, METH_VARARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

int add_sycl_launch(PyObject* module) {
  const Ref all = launchers(std::make_index_sequence<kMostOverloads>()), known = kinds();
  if (!all || PyModule_AddObjectRef(module, "LAUNCH_SYCL", all.get()) < 0 || !known ||
      PyModule_AddObjectRef(module, "SYCL_KINDS", known.get()) < 0)
    return -1;
  return PyModule_AddFunctions(module, functions);
}

}  // namespace samebytes
