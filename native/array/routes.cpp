// The global map from exact type to route, and the array functions that Python sees.
#include <cstring>
#include <new>
#include <vector>

#include "array/describe.hpp"
#include "array/dlpack.hpp"
#include "array/numpy.hpp"
#include "array/torch.hpp"
#include "object/classes.hpp"
#include "object/instance.hpp"
#include "ref.hpp"
#include "view/view.hpp"

namespace samebytes {

Route kNoRoute{nullptr, match_nothing, false, nullptr, nullptr};

std::atomic<PyTypeObject*> plain_ndarray{nullptr};

Match match_nothing(const ArraySpec&, PyObject*, const Route&, ArrayRef&, CallResources&) {
  return Match::no;
}

namespace {

// Open addressing. Readers take no lock: slots only go from null to a record, and a table that was outgrown
// is kept, since a reader may still be in it (all of them together are no larger than the last).
struct Table {
  size_t mask;
  std::atomic<Route*>* slots;
};

std::atomic<Table*> table{nullptr};
size_t used = 0;

size_t start(const PyTypeObject* type, size_t mask) {
  return (reinterpret_cast<uintptr_t>(type) >> 4) * size_t{0x9E3779B97F4A7C15} >> 32 & mask;
}

void insert(Table& into, Route* route) {
  size_t i = start(route->type, into.mask);
  while (into.slots[i].load(std::memory_order_relaxed)) i = (i + 1) & into.mask;
  into.slots[i].store(route, std::memory_order_release);
}

bool grow() {
  Table* old = table.load(std::memory_order_relaxed);
  const size_t size = old ? 2 * (old->mask + 1) : 64;
  auto* slots = new (std::nothrow) std::atomic<Route*>[size]();
  auto* larger = slots ? new (std::nothrow) Table{size - 1, slots} : nullptr;
  if (!larger) {
    delete[] slots;
    return false;
  }
  for (size_t i = 0; old && i <= old->mask; ++i)
    if (Route* route = old->slots[i].load(std::memory_order_relaxed)) insert(*larger, route);
  table.store(larger, std::memory_order_release);
  return true;
}

// Programs that make classes as they run, and keep them, must not grow the table as long as they do: the
// objects of further classes are described by Python.
constexpr size_t kMostRoutes = 4096;

std::vector<Route*> unused;  // records that are in no table

// Takes the records out whose types have died. In place: with the GIL nobody reads meanwhile.
void sweep() {
  const Table* now = table.load(std::memory_order_relaxed);
  std::vector<Route*> here;
  for (size_t i = 0; now && i <= now->mask; ++i) {
    Route* const route = now->slots[i].exchange(nullptr);
    if (route) (route->type == &gone_class ? unused : here).push_back(route);
  }
  for (Route* route : here) insert(*table.load(), route);
  used = here.size();
}

bool is_crowded() {
  const Table* now = table.load(std::memory_order_relaxed);
  return used == kMostRoutes || !now || 2 * (used + 1) > now->mask + 1;
}

// A record of the type, in no table yet; null: exception set. Garbage may be collected meanwhile.
Route* new_route(PyTypeObject* type) {
  Route* route = nullptr;
  if (!unused.empty()) {
    route = unused.back();
    unused.pop_back();
  } else {
    route = new (std::nothrow) Route{nullptr, match_nothing, false, nullptr, nullptr};
  }
  if (!route) return PyErr_NoMemory(), nullptr;
  if (remember_class(&route->type, type)) return route;
  unused.push_back(route);
  return nullptr;
}

// Publishes the settings of `made` under its type; a record that exists is changed in place. False: exception
// set.
bool publish(const Route& made) {
  Route* spare = find_route(made.type) ? nullptr : new_route(made.type);
  if (!spare && PyErr_Occurred()) return false;
  auto* route = const_cast<Route*>(find_route(made.type));
  const bool fresh = !route;
  if (fresh && is_crowded()) sweep();
  if (spare && (!fresh || used == kMostRoutes || (is_crowded() && !grow()))) {
    forget_class(&spare->type);
    spare->type = &gone_class;
    unused.push_back(spare);
    if (fresh && used < kMostRoutes) return PyErr_NoMemory(), false;
    if (fresh) return true;
  }
  if (fresh) route = spare;
  route->readonly.store(made.readonly.load());
  route->exchange.store(made.exchange.load());
  route->guard.store(made.guard.load());
  route->showing.store(made.showing.load());
  route->match.store(made.match.load(), std::memory_order_release);
  if (made.match == match_ndarray && made.type == ndarray_type()) {
    plain_ndarray.store(made.type, std::memory_order_release);
  } else if (plain_ndarray.load() == made.type) {
    plain_ndarray.store(nullptr);
  }
  if (!fresh) return true;
  insert(*table.load(std::memory_order_relaxed), route);
  ++used;
  return true;
}

bool setup_numpy(Route& route) {
  PyTypeObject* ndarray = ndarray_type();
  if (!ndarray) return false;
  route.match = route.readonly ? match_readonly_ndarray : match_ndarray;
  route.showing = &kShowNdarray;
  if (PyType_IsSubtype(route.type, ndarray)) return true;
  PyErr_Format(PyExc_ValueError, "%s is no numpy.ndarray", route.type->tp_name);
  return false;
}

bool setup_exchange(Route& route) {
  const DLPackExchangeAPI* api = find_exchange(route.type);
  route.exchange = api;
  route.match = match_exchange;
  return api != nullptr;
}

// Whether no object of a type can have another protocol, which would have to be asked first.
bool speaks_buffer_alone(PyTypeObject* type) {
  const bool fixed = !(type->tp_flags & Py_TPFLAGS_HEAPTYPE) || (type->tp_flags & Py_TPFLAGS_IMMUTABLETYPE);
  if (!fixed || type->tp_dictoffset || type->tp_getattro != PyObject_GenericGetAttr) return false;
  for (const char* name :
       {"__dlpack__", "__cuda_array_interface__", "__sycl_usm_array_interface__", "__array_interface__"})
    if (PyObject_HasAttrString(reinterpret_cast<PyObject*>(type), name)) return false;
  return true;
}

// Not by what the exchange table lends for a call: that says nothing of read-only memory.
bool setup_dlpack(Route& route) {
  const Ref own = Ref::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(route.type), "__dict__"));
  if (!own) return false;
  if (PyMapping_HasKeyString(own.get(), "__dlpack_c_exchange_api__")) {  // a subclass may mean something else
    const DLPackExchangeAPI* api = find_exchange(route.type);
    PyErr_Clear();
    route.exchange = api && api->managed_from_object ? api : nullptr;
  }
  route.showing = &kShowDLPack;
  route.match = match_shown;
  return true;
}

bool setup_interface(Route& route) {
  route.showing = &kShowInterface;
  route.match = match_shown;
  return true;
}

bool setup_buffer(Route& route) {
  route.match = match_buffer;
  if (route.readonly || speaks_buffer_alone(route.type)) route.showing = &kShowBuffer;
  if (route.type->tp_as_buffer && route.type->tp_as_buffer->bf_getbuffer) return true;
  PyErr_Format(PyExc_ValueError, "%s exports no buffer", route.type->tp_name);
  return false;
}

bool setup_python(Route& route) {
  route.match = match_nothing;
  return true;
}

struct Kind {
  const char* name;
  bool (*setup)(Route&);
};

constexpr Kind kKinds[] = {{"numpy", setup_numpy},   {"torch", setup_torch},   {"exchange", setup_exchange},
                           {"buffer", setup_buffer}, {"dlpack", setup_dlpack}, {"interface", setup_interface},
                           {"view", setup_view},     {"python", setup_python}};

PyObject* set_route(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"type", "route", "readonly", nullptr};
  PyTypeObject* type;
  const char* name;
  int readonly = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!s|p:set_route", const_cast<char**>(names), &PyType_Type,
                                   &type, &name, &readonly))
    return nullptr;
  for (const Kind& kind : kKinds) {
    if (std::strcmp(kind.name, name) != 0) continue;
    Route made{type, match_nothing, readonly != 0, nullptr, nullptr};
    if (!kind.setup(made)) return nullptr;
    if (is_shown_class(type) && made.match != match_nothing) made.match = match_known;
    if (!publish(made)) return nullptr;
    Py_RETURN_NONE;
  }
  return PyErr_Format(PyExc_ValueError, "unknown route '%s'", name);
}

PyMethodDef kFunctions[] = {
    {"set_route", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(set_route)),
     METH_VARARGS | METH_KEYWORDS,
     "set_route(type, route, readonly=False)\n--\n\nRead objects of exactly this type by route: 'numpy', "
     "'torch', "
     "'exchange', 'buffer', 'dlpack', 'interface', 'view' or 'python' (never "
     "natively)."},
    {"meet_torch", meet_torch, METH_O,
     "meet_torch(type, /)\n--\n\nLearn where tensors keep what they are; `type` is torch.Tensor."},
    {"describe_ndarray", describe_ndarray, METH_O,
     "describe_ndarray(array, /)\n--\n\nDescribe a numpy.ndarray."},
    {"describe_buffer", describe_buffer, METH_O,
     "describe_buffer(exporter, /)\n--\n\nDescribe a buffer, locked until the owner dies."},
    {"describe_dlpack", describe_dlpack, METH_O,
     "describe_dlpack(capsule, /)\n--\n\nConsume a DLPack capsule; its deleter runs when the owner dies. "
     "Packed "
     "sub-byte elements have itemsize 0 and strides in elements."},
    {"describe_exchange", describe_exchange, METH_O,
     "describe_exchange(object, /)\n--\n\nDescribe an object of a type that has a torch or exchange route."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

const Route* find_route(PyTypeObject* type) {
  const Table* now = table.load(std::memory_order_acquire);
  if (!now) return nullptr;
  for (size_t i = start(type, now->mask);; i = (i + 1) & now->mask) {
    const Route* route = now->slots[i].load(std::memory_order_acquire);
    if (!route || route->type == type) return route;
  }
}

int add_array_functions(PyObject* module) { return PyModule_AddFunctions(module, kFunctions); }

}  // namespace samebytes
