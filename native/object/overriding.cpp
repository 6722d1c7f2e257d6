// The objects of classes that Python derives: see object/overriding.hpp.
#include "object/overriding.hpp"

#include <atomic>
#include <iterator>
#include <map>
#include <new>

#include "call/pending.hpp"
#include "call/writes.hpp"
#include "object/construction.hpp"
#include "object/ending.hpp"

namespace samebytes {

bool overriding_is_known = false;

namespace {

// By the address of each base, as several objects may begin at one: a base, and its first member. Never
// destroyed, as handles outlive what ends a process.
using Places = std::multimap<const void*, PyObject*>;
Places& places() {
  static auto* const known = new Places;
  return *known;
}

// Which object was found at an address last. What it depends on is compared, or ends all of them: an object
// comes or goes (`changes`), or a class changes (its version).
struct Found {
  const void* address;
  const PyTypeObject* asked;
  const PyTypeObject* type;
  PyObject* handle;
  unsigned int version;
  uint64_t changes;
};
constexpr size_t kFound = 64;
Found found_last[kFound];
uint64_t changes = 1;

Found& found_place(const void* address) {
  const auto number = reinterpret_cast<uintptr_t>(address) >> 4;
  return found_last[(number ^ (number >> 6)) % kFound];
}

bool add_place(PyObject* handle, const void* address) try {
  ++changes;
  places().emplace(address, handle);
  return true;
} catch (const std::bad_alloc&) {
  return PyErr_NoMemory(), false;
}

// Has the object found at these offsets. False: exception set, and it is found nowhere.
bool know_at(PyObject* handle, PyObject* offsets) {
  forget_overriding(handle);
  as_handle(handle)->overriding = true;
  overriding_is_known = true;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(offsets); ++i) {
    const Py_ssize_t offset = PyLong_AsSsize_t(PyTuple_GET_ITEM(offsets, i));
    if ((offset == -1 && PyErr_Occurred()) || !add_place(handle, as_handle(handle)->data + offset))
      return forget_overriding(handle), false;
  }
  return true;
}

// know_overriding(handle, offsets)
PyObject* know_overriding(PyObject*, PyObject* args) {
  PyObject *handle, *offsets;
  if (!PyArg_ParseTuple(args, "OO!:know_overriding", &handle, &PyTuple_Type, &offsets)) return nullptr;
  if (!is_handle_class(Py_TYPE(handle)) || !as_handle(handle)->data)
    return type_error("expected a handle"), nullptr;
  if (!know_at(handle, offsets)) return nullptr;
  as_handle(handle)->watched = true;
  Py_RETURN_NONE;
}

// How many objects C++ owns: destructors of others need not ask, and so need no GIL.
std::atomic<size_t> given_count{0};

PyObject* given_at(const void* address) {
  const auto range = places().equal_range(address);
  for (auto found = range.first; found != range.second; ++found)
    if (as_handle(found->second)->given && as_handle(found->second)->data == address) return found->second;
  return nullptr;
}

void lose(PyObject* handle) {
  forget_overriding(handle);
  as_handle(handle)->given = false;
  given_count.fetch_sub(1);
  as_handle(handle)->data = nullptr;
  Py_SET_SIZE(handle, 0);
}

// What a destructor calls, in any thread: nobody finds the object any more when C++'s own destructors run.
void ended(const void* object) {
  if (!given_count.load()) return;
  in_python([&] {
    PyObject* const handle = given_at(object);
    if (!handle) return;
    const PendingException pending;
    lose(handle);
    Py_DECREF(handle);  // C++'s
    back_in_cxx();
  });
}

PyMethodDef functions[] = {
    {"know_overriding", know_overriding, METH_VARARGS,
     "know_overriding(handle, offsets, /)\n--\n\nFrom now on C++ gives this very object, by whichever of the "
     "bases that lie at these offsets."},
    {}};

}  // namespace

PyObject* overriding_at(const void* address, PyTypeObject* type) {
  Found& last = found_place(address);
  if (likely(last.address == address && last.changes == changes && last.asked == type)) {
    const PyTypeObject* const now = Py_TYPE(last.handle);
    if (likely(now == last.type && last.version && now->tp_version_tag == last.version &&
               Py_REFCNT(last.handle) > 0))
      return last.handle;
  }
  const auto range = places().equal_range(address);
  for (auto found = range.first; found != range.second; ++found) {
    PyObject* const handle = found->second;
    if (!PyType_IsSubtype(Py_TYPE(handle), type) || Py_REFCNT(handle) <= 0) continue;
    last = {address, type, Py_TYPE(handle), handle, Py_TYPE(handle)->tp_version_tag, changes};
    return handle;
  }
  return nullptr;
}

PyObject* own_of(PyObject* object, PyObject* name, PyObject* method) {
  static PyObject* const owns = PyUnicode_InternFromString("__samebytes_owns__");
  if (!is_handle_class(Py_TYPE(object)) || !as_handle(object)->overriding) return nullptr;
  PyObject* const known = _PyType_Lookup(Py_TYPE(object), owns);
  PyObject* const own = known && PyDict_CheckExact(known) ? PyDict_GetItem(known, name) : nullptr;
  return own == method ? nullptr : own;
}

void give_overriding(PyObject* handle) {
  Py_INCREF(handle);
  as_handle(handle)->destroy = nullptr;
  as_handle(handle)->given = true;
  given_count.fetch_add(1);
}

void take_back_overriding(PyObject* handle) {
  const Ref codec = class_codec(Py_TYPE(handle));
  if (!codec) return PyErr_Clear();  // its class has gone: C++ keeps it
  as_handle(handle)->given = false;
  given_count.fetch_sub(1);
  complete_handle(handle, codec_of(codec));
  Py_DECREF(handle);  // C++'s: the caller has its own
}

// Without memory for its places nobody finds it: C++ then gives a view of the object, as of any other.
void know_derived(PyObject* handle) {
  static PyObject* const name = PyUnicode_InternFromString("__samebytes_places__");
  if (as_handle(handle)->overriding) return;
  PyObject* const places = _PyType_Lookup(Py_TYPE(handle), name);
  if (places && PyTuple_CheckExact(places) && !know_at(handle, places)) PyErr_Clear();
}

// All its places lie in the object.
void forget_overriding(PyObject* handle) {
  if (likely(!as_handle(handle)->overriding)) return;
  as_handle(handle)->overriding = false;
  ++changes;
  const char* const data = as_handle(handle)->data;
  const auto end = places().lower_bound(data + Py_SIZE(handle));
  for (auto found = places().lower_bound(data); found != end;)
    found = found->second == handle ? places().erase(found) : std::next(found);
}

int add_overriding_functions(PyObject* module) {
  const Ref over = Ref::steal(PyLong_FromVoidPtr(reinterpret_cast<void*>(python_has_ended)));
  if (!over || PyModule_AddObjectRef(module, "PYTHON_IS_OVER", over.get()) < 0) return -1;
  const Ref ends = Ref::steal(PyLong_FromVoidPtr(reinterpret_cast<void*>(ended)));
  if (!ends || PyModule_AddObjectRef(module, "OVERRIDING_ENDED", ends.get()) < 0) return -1;
  return PyModule_AddFunctions(module, functions);
}

}  // namespace samebytes
