// Looks again at memory that nothing locks, right before C++ uses it.
#include "call/unlocked.hpp"

#include <algorithm>

#include "array/dlpack.hpp"
#include "object/instance.hpp"
#include "ref.hpp"
#include "view/view.hpp"

namespace samebytes {

Bytes reach(const void* data, int64_t ndim, const int64_t* shape, const int64_t* strides, int64_t unit,
            int64_t itemsize) {
  Bytes found{static_cast<const char*>(data), static_cast<const char*>(data)};
  if (is_empty(ndim, shape)) return found;
  for (int64_t d = 0; d < ndim; ++d) {
    const int64_t step = (shape[d] - 1) * strides[d] * unit;
    (step < 0 ? found.low : found.high) += step;
  }
  found.high += itemsize;
  return found;
}

Bytes ndarray_bytes(PyObject* array) {
  const PyArrayObject_fields* a = array_fields(array);
  return reach(a->data, a->nd, extents(a->dimensions), extents(a->strides), 1, array_itemsize(a));
}

namespace {

bool is_ndarray(PyObject* object) {
  PyTypeObject* const plain = plain_ndarray.load(std::memory_order_acquire);
  return Py_TYPE(object) == plain || PyObject_TypeCheck(object, ndarray_type());
}

Bytes view_bytes(const View& v) { return reach(v.data, v.ndim, v.shape, v.bytes, 1, v.elements->itemsize); }

// Whether whoever owns the bytes has them still. Only what may move its memory while others use it is asked.
bool lasts(const Bytes& bytes, PyObject* owner, int depth = 0) {
  while (owner && ++depth < 100) {
    if (PyMemoryView_Check(owner)) {
      owner = PyMemoryView_GET_BUFFER(owner)->obj;
    } else if (PyObject* exporter = locked_exporter(owner)) {
      owner = exporter;
    } else if (is_view(owner)) {
      owner = as_view(owner)->owner;
    } else if (PyTuple_CheckExact(owner)) {
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(owner); ++i)
        if (!lasts(bytes, PyTuple_GET_ITEM(owner, i), depth)) return false;
      return true;
    } else if (is_ndarray(owner)) {
      if (array_fields(owner)->flags & NPY_ARRAY_OWNDATA) return ndarray_bytes(owner).holds(bytes);
      owner = array_fields(owner)->base;
    } else {
      // A subclass may show other memory than its own.
      const Route* route = is_tensor(owner) ? find_route(Py_TYPE(owner)) : nullptr;
      return !route || route->match != match_torch || tensor_storage(owner).holds(bytes);
    }
  }
  return true;
}

// The tensor whose memory a view shows; null: it is no tensor's.
PyObject* tensor_of(PyObject* owner) {
  if (is_view(owner)) owner = as_view(owner)->owner;
  if (!PyTuple_CheckExact(owner)) return is_tensor(owner) ? owner : nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(owner); ++i)
    if (is_tensor(PyTuple_GET_ITEM(owner, i))) return PyTuple_GET_ITEM(owner, i);
  return nullptr;
}

Bytes bytes_now(PyObject* object, MatchFunction match) {
  if (match == match_torch) return tensor_bytes(object);
  if (match == match_view) return view_bytes(*as_view(object));
  if (match != match_exchange) return ndarray_bytes(object);
  const Route* route = find_route(Py_TYPE(object));
  DLTensor t;
  if (route->exchange.load(std::memory_order_acquire)->dltensor_from_object(object, &t) == 0)
    return {address(t), address(t)};
  PyErr_Clear();
  return {};
}

bool is_there(const Unlocked& noted) {
  if (!noted.match) return true;
  const Bytes now = bytes_now(noted.object, noted.match);
  return now == Bytes{noted.low, noted.high} && lasts(now, noted.object);
}

bool add(PyObject* object, MatchFunction match, bool written, CallResources& resources) {
  const Bytes now = match ? bytes_now(object, match) : Bytes();
  return resources.note({object, match, now.low, now.high, written});
}

constexpr int kMostHeld = 1000;  // pointers may own each other in long chains

// What a call holds: views of converted arguments; tuples of them; pointers; what a record keeps for its own.
bool is_there(PyObject* held, int& seen) {
  while (is_pointer_class(Py_TYPE(held)) && ++seen < kMostHeld) {
    held = as_pointer(held)->owner;
    if (!held) return true;
  }
  if (++seen >= kMostHeld) return true;
  if (PyTuple_CheckExact(held)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(held); ++i)
      if (!is_there(PyTuple_GET_ITEM(held, i), seen)) return false;
    return true;
  }
  if (PyDict_CheckExact(held)) {
    PyObject *key, *target;
    for (Py_ssize_t i = 0; PyDict_Next(held, &i, &key, &target);)
      if (!is_there(target, seen)) return false;
    return true;
  }
  if (is_view(held)) return lasts(view_bytes(*as_view(held)), as_view(held)->owner);
  if (!PyMemoryView_Check(held)) return true;
  const Py_buffer& b = *PyMemoryView_GET_BUFFER(held);
  return lasts(reach(b.buf, b.ndim, b.shape, b.strides, 1, b.itemsize), b.obj);
}

// An exporter may show the memory of another object, and lock nothing.
bool is_locked_there(const Py_buffer& b) {
  const auto* start = static_cast<const char*>(b.buf);
  return lasts(b.shape && b.strides ? reach(b.buf, b.ndim, b.shape, b.strides, 1, b.itemsize)
                                    : Bytes{start, start + b.len},
               b.obj);
}

}  // namespace

bool note_written_view(PyObject* view, CallResources& resources) {
  return !tensor_of(view) || resources.note({view, nullptr, nullptr, nullptr, true});
}

bool note(PyObject* object, const Route& route, CallResources& resources) {
  const MatchFunction match = route.match.load(std::memory_order_acquire);
  return keeps_memory(match) || match == match_nothing || add(object, match, false, resources);
}

bool note_source(PyObject* object, bool written, CallResources& resources) {
  if (is_ndarray(object)) return add(object, match_ndarray, false, resources);
  if (is_tensor(object)) return add(object, match_torch, written, resources);
  if (is_view(object)) return add(object, match_view, written && !as_view(object)->readonly, resources);
  return true;
}

bool shows_tensor(PyObject* object) {
  return is_tensor(object) || (is_view(object) && tensors_are_met && tensor_of(object));
}

bool note_parts(PyObject* owners, CallResources& resources) {
  if (!tensors_are_met) return true;
  for (Py_ssize_t i = 0; PyTuple_CheckExact(owners) && i < PyTuple_GET_SIZE(owners); ++i) {
    PyObject* const part = PyTuple_GET_ITEM(owners, i);
    const bool noted = PyTuple_CheckExact(part) ? note_parts(part, resources)
                                                : !shows_tensor(part) || note_source(part, true, resources);
    if (!noted) return false;
  }
  return true;
}

PyObject* lasting_view(PyObject* object, bool written) {
  Ref made = is_tensor(object) ? Ref::steal(show(object)) : Ref::borrow(object);
  if (!made || written || !is_view(made.get()) || as_view(made.get())->readonly || !tensor_of(made.get()))
    return made.release();
  const View& seen = *as_view(made.get());
  View* const part = new_part(&seen, seen.ndim);
  if (!part) return nullptr;
  part->data = seen.data;
  part->readonly = true;
  std::copy_n(seen.shape, seen.ndim, part->shape);
  std::copy_n(seen.bytes, seen.ndim, part->bytes);
  derive(part);
  return as_object(part);
}

bool settle(CallResources& resources, PyObject** moved) {
  const auto noted = [&](const Unlocked& one) { return is_there(one) || (*moved = one.object, false); };
  const auto held = [&](PyObject* object) {
    int seen = 0;
    return is_there(object, seen) || (*moved = object, false);
  };
  const auto locked = [&](const Py_buffer& one) { return is_locked_there(one) || (*moved = one.obj, false); };
  return resources.every(noted, held, locked);
}

namespace {

void raise_target(PyObject* target) {
  if (PyTuple_CheckExact(target)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(target); ++i) raise_target(PyTuple_GET_ITEM(target, i));
  } else if (is_view(target) && !as_view(target)->readonly) {
    if (PyObject* tensor = tensor_of(target)) raise_version(tensor);
  }
}

// What the pointers of a record point into, as hold_pointee_owners() took it.
void raise_targets(PyObject* held) {
  if (!tensors_are_met || !PyDict_CheckExact(held)) return;
  PyObject *key, *target;
  for (Py_ssize_t i = 0; PyDict_Next(held, &i, &key, &target);) raise_target(target);
}

}  // namespace

void raise_versions(const CallResources& resources) {
  resources.every(
      [](const Unlocked& one) {
        PyObject* tensor = one.written ? tensor_of(one.object) : nullptr;
        if (tensor) raise_version(tensor);
        return true;
      },
      [](PyObject* held) { return raise_targets(held), true; }, [](const Py_buffer&) { return true; });
}

namespace {

PyObject* words;  // (function, number of the argument or 0, what has moved) raises

// Which argument has moved: itself, or what was made of it.
int number_of(PyObject* moved, PyObject* const* args, int count) {
  for (int i = 0; i < count; ++i)
    if (args[i] == moved) return i + 1;
  PyObject* const owner = is_view(moved) ? as_view(moved)->owner : moved;
  for (int i = 0; i < count; ++i) {
    if (args[i] == owner) return i + 1;
    for (Py_ssize_t k = 0; PyTuple_CheckExact(owner) && k < PyTuple_GET_SIZE(owner); ++k)
      if (PyTuple_GET_ITEM(owner, k) == args[i]) return i + 1;
  }
  return count == 1;
}

PyObject* set_moved(PyObject*, PyObject* function) {
  Py_XSETREF(words, Py_NewRef(function));
  Py_RETURN_NONE;
}

PyObject* raise_version_of(PyObject*, PyObject* object) {
  if (PyTuple_CheckExact(object)) {
    raise_target(object);
  } else if (PyObject* tensor = tensor_of(object)) {
    raise_version(tensor);
  }
  Py_RETURN_NONE;
}

PyObject* lasting_view_of(PyObject*, PyObject* object) { return lasting_view(object, false); }

PyMethodDef functions[] = {
    {"unwritten", lasting_view_of, METH_O,
     "unwritten(object, /)\n--\n\nA read-only view of a torch tensor, or of the one that a view shows; "
     "other objects are returned. Pointers to const keep it: autograd is told nothing."},
    {"set_moved", set_moved, METH_O,
     "set_moved(function, /)\n--\n\nWhat raises where an argument's memory has moved: function(name of the "
     "function, number of the argument or 0, what has moved)."},
    {"raise_version", raise_version_of, METH_O,
     "raise_version(object, /)\n--\n\nTell autograd that a torch tensor, or the one that a view shows, is "
     "written to. Other objects are left alone."},
    {}};

}  // namespace

bool settle(CallResources& resources, PyObject* name, PyObject* const* args, int count) {
  PyObject* moved = nullptr;
  if (likely(settle(resources, &moved))) return true;
  const Ref held = Ref::borrow(moved);
  if (!words) return PyErr_SetString(PyExc_RuntimeError, "samebytes.call.addresses is not imported"), false;
  const Ref raised =
      Ref::steal(PyObject_CallFunction(words, "OiO", name, number_of(moved, args, count), moved));
  if (raised) PyErr_SetString(PyExc_SystemError, "an argument has moved, and nobody said so");
  return false;
}

int add_unlocked_functions(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace samebytes
