// Searches Python's objects for those that depend on one: see call/seen.hpp.
#include "call/seen.hpp"

#include <new>
#include <vector>

#include "call/memory.hpp"
#include "call/reach.hpp"
#include "object/result_owner.hpp"
#include "object/smart_pointer.hpp"
#include "view/view.hpp"
#include "watched.hpp"

namespace samebytes {

Py_ssize_t watched_objects = 0;

namespace {

PyObject* gc;  // the module

Ref call_gc(const char* name) { return Ref::steal(PyObject_CallMethod(gc, name, nullptr)); }

// What can use the memory that it refers to; containers of Python's cannot.
bool may_use(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  return is_instance_class(type) || is_pointer_class(type) || is_view(object) || keeps_results(type);
}

// What the garbage collector watches and shows, of those that may use memory of others. Python code may run
// before the list is made.
struct Users {
  std::vector<PyObject*> all;
  Ref list;  // keeps them

  // Whether none is hidden.
  bool are_all() const { return static_cast<Py_ssize_t>(all.size()) >= watched_objects; }
};

bool list_users(Users& users) {
  users.list = call_gc("get_objects");
  users.all.clear();
  for (Py_ssize_t i = 0; users.list && i < PyList_GET_SIZE(users.list.get()); ++i) {
    PyObject* const object = PyList_GET_ITEM(users.list.get(), i);
    if (may_use(object)) users.all.push_back(object);
  }
  return static_cast<bool>(users.list);
}

// Objects that gc.freeze() has hidden are shown to the collector again, where there are any: whether they
// depend on the one in question could not be known otherwise.
bool list_all_users(Users& users) {
  if (!list_users(users)) return false;
  return users.are_all() || (call_gc("unfreeze") && list_users(users));
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
    return {instance->data, Py_SIZE(object), instance->owner};
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

// Calls `found` with each object that depends on another one, until it says false. No Python code runs.
template <class Found>
void each_dependent(const Users& users, PyObject* on, bool by_bytes, const Found& found) {
  Reach reach(on, by_bytes);
  for (PyObject* const object : users.all) {
    if (object == on || !reach.from(object)) continue;
    if (!found(object)) return;
    reach.forget();
  }
}

bool has_dependents(const Users& users, PyObject* handle) {
  bool any = false;
  each_dependent(users, handle, false, [&](PyObject*) { return any = true, false; });
  return any;
}

bool has_beyond(const Users& users, PyObject* object) {
  bool any = false;
  const ByteRange whole = place_of(object);
  each_dependent(users, object, true, [&](PyObject* one) { return any = is_beyond(one, whole), !any; });
  return any;
}

// Twice if need be: the frames of an old error, and other garbage, may hold what is found first. What a
// collection under way hides, in a finalizer of which this may be asked, counts as found.
template <class Has>
bool search(PyObject* object, bool& found, const Has& has) try {
  for (int round = 0; round < 2; ++round) {
    if (round && !call_gc("collect")) return false;
    Users users;
    if (!list_all_users(users)) return false;
    found = !users.are_all() || has(users, object);
    if (!found) return true;  // the list goes, and with it nothing that it alone refers to
  }
  return true;
} catch (const std::bad_alloc&) {
  return PyErr_NoMemory(), false;
}

PyObject* dependents(PyObject*, PyObject* object) try {
  if (!is_handle_class(Py_TYPE(object))) return type_error("expected a handle"), nullptr;
  Ref found = Ref::steal(PyList_New(0));
  Users users;
  if (!found || !list_all_users(users)) return nullptr;
  bool told = true;
  each_dependent(users, object, false,
                 [&](PyObject* one) { return told = PyList_Append(found.get(), one) == 0; });
  return told ? found.release() : nullptr;
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

bool look_beyond(PyObject* object, bool& found) { return search(object, found, has_beyond); }

int add_seen_functions(PyObject* module) {
  gc = PyImport_ImportModule("gc");
  return gc ? PyModule_AddFunctions(module, functions) : -1;
}

}  // namespace samebytes
