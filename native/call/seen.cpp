// Searches Python's objects for those that depend on one: see call/seen.hpp.
#include "call/seen.hpp"

#include <new>
#include <vector>

#include "call/memory.hpp"
#include "call/reach.hpp"
#include "object/dependents.hpp"
#include "object/ledger.hpp"
#include "object/result_owner.hpp"
#include "object/smart_pointer.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

PyObject* gc;  // the module

// Calls `act` with each object that depends on another, until it says false. False: it did so.
template <class Act>
bool each_dependent(const Act& act) {
  const auto one = [](PyObject* object, void* to) { return (*static_cast<const Act*>(to))(object); };
  return each_dependent_of<Instance>(act) && each_dependent_of<Pointer>(act) &&
         each_dependent_of<View>(act) && each_result_dependent(one, const_cast<Act*>(&act));
}

struct ByteRange {
  const char* at = nullptr;
  Py_ssize_t size = 0;  // bytes
  PyObject* owner = nullptr;

  bool contains(const ByteRange& other) const {
    return other.at >= at && other.at < at + size && other.at + other.size <= at + size;
  }
};

ByteRange place_of(PyObject* object) {
  if (is_instance_class(Py_TYPE(object))) {
    const Instance* const instance = as_instance(object);
    PyObject* const owner = instance->owner;
    return {instance->data, Py_SIZE(object), owner && is_of_remains_alone(owner) ? nullptr : owner};
  }
  if (is_pointer_class(Py_TYPE(object)))
    return {static_cast<char*>(as_pointer(object)->address), 0, as_pointer(object)->owner};
  if (is_view(object)) return {as_view(object)->data, 0, as_view(object)->owner};
  return {};
}

// Whether what lies at a place is a part of the bytes of what owns it, and not elsewhere.
bool is_part(const ByteRange& place, PyObject* owner) {
  if (!owner) return false;
  if (PyTuple_CheckExact(owner)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(owner); ++i)
      if (is_part(place, PyTuple_GET_ITEM(owner, i))) return true;
    return false;
  }
  if (!is_instance_class(Py_TYPE(owner))) return false;
  const ByteRange whole = place_of(owner);
  return (!whole.owner || is_own(owner)) && whole.contains({place.at, 0, nullptr});
}

// Whether what depends on an object lies elsewhere than in its bytes, and not in memory of its own.
bool is_beyond(PyObject* dependent, const ByteRange& whole) {
  if (keeps_results(Py_TYPE(dependent)) || is_shared(dependent)) return false;
  const ByteRange place = place_of(dependent);
  return !whole.contains({place.at, 0, nullptr}) && !place.contains(whole) && !is_part(place, place.owner);
}

// Calls `found` with each object that depends on this one, until it says false. No Python code runs.
template <class Found>
void each_dependent_on(PyObject* on, bool by_bytes, const Found& found) {
  Reach reach(on, by_bytes);
  each_dependent([&](PyObject* object) {
    if (object == on || !reach.from(object)) return true;
    reach.forget();
    return found(object);
  });
}

bool has_dependents(PyObject* handle) {
  bool any = false;
  each_dependent_on(handle, false, [&](PyObject*) { return any = true, false; });
  return any;
}

template <class Counts>
bool has_beyond(PyObject* object, const Counts& counts) {
  bool any = false;
  const ByteRange whole = place_of(object);
  each_dependent_on(object, true,
                    [&](PyObject* one) { return any = counts(one) && is_beyond(one, whole), !any; });
  return any;
}

// Whether an object lies in bytes of its own, or in a result: it may refer to others, but is no part of them.
bool is_apart(PyObject* object) {
  if (!is_instance_class(Py_TYPE(object))) return false;
  PyObject* const owner = as_instance(object)->owner;
  return !owner || is_own(object) || keeps_results(Py_TYPE(owner)) || is_of_remains_alone(owner);
}

bool is_related(PyTypeObject* type, PyObject* classes) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(classes); ++i) {
    auto* const one = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(classes, i));
    if (PyType_IsSubtype(type, one) || (is_record_class(type) && PyType_IsSubtype(one, type))) return true;
  }
  return false;
}

// What depends on the object and is garbage ends before the answer is yes: the frames of an old error may
// hold it. That helps and decides nothing: the list is asked again.
template <class Has>
bool search(PyObject* object, bool& found, const Has& has) try {
  found = has(object);
  if (!found) return true;
  if (!Ref::steal(PyObject_CallMethod(gc, "collect", nullptr))) return false;
  found = has(object);
  return true;
} catch (const std::bad_alloc&) {
  return PyErr_NoMemory(), false;
}

PyObject* dependents(PyObject*, PyObject* object) try {
  if (!is_handle_class(Py_TYPE(object))) return type_error("expected a handle"), nullptr;
  std::vector<Ref> found;  // first: making a list may collect garbage, and end some of them
  each_dependent_on(object, false, [&](PyObject* one) {
    if (!is_remains(one)) found.push_back(Ref::borrow(one));  // the results that have those are found, too
    return true;
  });
  Ref list = Ref::steal(PyList_New(0));
  for (const Ref& one : found)
    if (!list || PyList_Append(list.get(), one.get()) < 0) return nullptr;
  return list.release();
} catch (const std::bad_alloc&) {
  return PyErr_NoMemory();
}

PyMethodDef functions[] = {
    {"dependents", dependents, METH_O,
     "dependents(object, /)\n--\n\nThe objects that lie inside of a handle's object or refer to it."},
    {}};

}  // namespace

void note_viewed(PyObject* owner) {
  if (!owner) return;
  if (PyTuple_CheckExact(owner)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(owner); ++i) note_viewed(PyTuple_GET_ITEM(owner, i));
  } else if (is_handle_class(Py_TYPE(owner))) {
    as_handle(owner)->viewed = true;
  } else if (is_share(Py_TYPE(owner))) {
    if (PyObject* const seen = handle_of_share(owner)) as_handle(seen)->viewed = true;
  } else if (is_memory(Py_TYPE(owner))) {
    as_memory(owner)->resources.each([](PyObject* held, PyObject*) { return note_viewed(held), true; },
                                     nullptr);
  }
}

bool look(PyObject* handle) {
  bool found = false;
  if (!is_seen(handle)) return true;
  if (!search(handle, found, has_dependents)) return false;
  if (!found) as_handle(handle)->viewed = false;
  return true;
}

bool look_beyond(PyObject* object, bool& found) {
  return search(object, found, [](PyObject* on) { return has_beyond(on, [](PyObject*) { return true; }); });
}

bool look_for_elements(PyObject* object, PyObject* classes, bool& found) {
  return search(object, found, [classes](PyObject* on) {
    return has_beyond(
        on, [classes](PyObject* one) { return is_related(Py_TYPE(one), classes) && !is_apart(one); });
  });
}

void move_dependents(PyObject* object, Py_ssize_t by) {
  const ByteRange whole = place_of(object);
  each_dependent_on(object, false, [&](PyObject* one) {
    if (!whole.contains({place_of(one).at, 0, nullptr})) return true;
    if (is_instance_class(Py_TYPE(one))) as_instance(one)->data += by;
    if (is_pointer_class(Py_TYPE(one)))
      as_pointer(one)->address = static_cast<char*>(as_pointer(one)->address) + by;
    return true;
  });
}

int add_seen_functions(PyObject* module) {
  gc = PyImport_ImportModule("gc");
  return gc ? PyModule_AddFunctions(module, functions) : -1;
}

}  // namespace samebytes
