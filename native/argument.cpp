// What a call does besides its fast path: converting, outputs, errors.
#include <cstring>

#include "call.hpp"
#include "handle.hpp"
#include "held.hpp"
#include "kept.hpp"
#include "owned.hpp"
#include "scalar.hpp"
#include "take.hpp"

namespace samebytes {

namespace {

// Whether an object that has an address is as many elements as a reference names.
bool counts(const Codec& codec, PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  if (is_instance_class(type) || PyType_IsSubtype(type, pointer_type)) return true;
  if (type != plain_ndarray.load(std::memory_order_acquire)) return false;  // Python counts
  const PyArrayObject_fields* array = array_fields(object);
  int64_t count = 1;
  for (int d = 0; d < array->nd; ++d) count *= array->dimensions[d];
  return count == codec.count;
}

}  // namespace

Match take_address(Input& input, PyObject* object, void*& where, Keep& keep) {
  const Codec& codec = *input.codec;
  if (likely(Py_TYPE(object) == input.python) && is_record_class(input.python)) {
    if (unlikely(input.guards) && is_const_object(object)) return Match::no;
    if (unlikely(input.holds) && !hold_targets(object, keep)) return Match::error;
    if (likely(Py_SIZE(object) == input.size)) return where = as_instance(object)->data, Match::yes;
  }
  if (input.kind == Kind::structure || input.kind == Kind::handle) {
    PyTypeObject* type = Py_TYPE(object);
    if (input.guards && is_const_object(object)) return Match::no;
    if (!accepts(codec, type) || !(codec.is_const ? is_instance_class(type) : is_record_class(type)))
      return Match::no;
    if (codec.has_pointers && !hold_targets(object, keep)) return Match::error;
    where = instance_data(codec, object);
    return where ? Match::yes : Match::no;
  }
  const Match match = encode_pointer(codec, object, &where, input.route, keep);
  if (match != Match::yes) return match;
  return where && (!codec.count || counts(codec, object)) ? Match::yes : Match::no;
}

Match take_made(const Input& input, PyObject* object, void*& where) {
  if (!PyType_IsSubtype(Py_TYPE(object), input.python)) return Match::no;
  if (Py_SIZE(object) != input.size) return Match::no;
  if (input.kind == Kind::handle) {
    const Handle* fresh = as_handle(object);
    if (fresh->owner || fresh->destroy != input.codec->unroom) return Match::no;
  }
  where = as_instance(object)->data;
  return Match::yes;
}

Match convert_argument(Plan& plan, const Candidate& candidate, int index, PyObject* object, char* slot,
                       void*& where, Keep& keep) {
  const Input& input = candidate.inputs[index];
  Ref converted = Ref::steal(PyObject_CallFunction(plan.fallback, "iiO", candidate.index, index, object));
  if (!converted) return Match::error;
  if (converted.get() == Py_None) return Match::no;
  const bool indirect = input.flags & kIndirect;
  const Py_ssize_t size = indirect ? static_cast<Py_ssize_t>(sizeof(void*)) : input.codec->size;
  PyObject* bytes;
  PyObject* owner;
  if (!PyTuple_Check(converted.get()) || !PyArg_ParseTuple(converted.get(), "SO", &bytes, &owner) ||
      PyBytes_GET_SIZE(bytes) != size) {
    PyErr_Clear();
    PyErr_Format(PyExc_SystemError, "%U(): converting argument %d did not give %zd bytes", plan.name,
                 index + 1, size);
    return Match::error;
  }
  if (indirect) {
    where = load<void*>(PyBytes_AS_STRING(bytes));
  } else if (input.way != Way::structure || !lend(input, object, slot, where)) {
    // A class that is accepted from now on is lent at once: C++ may know an object as one of a derived class.
    std::memcpy(slot, PyBytes_AS_STRING(bytes), size);
    where = slot;
  }
  return keep.hold(Py_NewRef(owner)) ? Match::yes : Match::error;
}

void call_without_gil(Shim shim, void** argv) {
  PyThreadState* thread = PyEval_SaveThread();
  shim(argv);
  PyEval_RestoreThread(thread);
}

void prepare_extras(const Candidate& candidate, char* frame, void** argv) {
  if (candidate.given != candidate.argc) std::memset(argv, 0, candidate.argc * sizeof *argv);
  for (int i = 0; i < candidate.output_count; ++i) {
    const Output& output = candidate.outputs[i];
    if (output.make) continue;
    char* slot = frame + output.offset;
    std::memset(slot, 0, output.codec->size);
    argv[output.argv] = slot;
  }
  // What C++ constructs there leaves padding as it was, and the bytes become visible.
  if (candidate.result && candidate.result->kind != Kind::handle)
    std::memset(frame + candidate.result_offset, 0, candidate.result->size);
}

bool make_outputs(const Candidate& candidate, PyObject* const* args, char* frame, void** argv, Keep& keep) {
  for (int i = 0; i < candidate.output_count; ++i) {
    const Output& output = candidate.outputs[i];
    if (!output.make) continue;
    const Py_ssize_t count = PyTuple_GET_SIZE(output.takes);
    Ref given = Ref::steal(PyTuple_New(count));
    for (Py_ssize_t k = 0; given && k < count; ++k) {
      PyObject* const said = args[PyLong_AsSsize_t(PyTuple_GET_ITEM(output.takes, k))];
      PyTuple_SET_ITEM(given.get(), k, Py_NewRef(said));
    }
    const Ref made = Ref::steal(given ? PyObject_CallObject(output.make, given.get()) : nullptr);
    if (!made) return false;
    Py_buffer* buffer;
    if (keep.lock(made.get(), PyBUF_WRITABLE, &buffer) != Match::yes) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "storage for an output is a writable buffer");
      return false;
    }
    store(frame + output.offset, buffer);
    argv[output.argv] = buffer->buf;
  }
  return true;
}

namespace {

PyObject* decode_made(const Output& output, const char* frame, PyObject* owner) {
  const auto* buffer = load<const Py_buffer*>(frame + output.offset);
  if (output.whole && !output.finish) return Py_NewRef(buffer->obj);
  if (output.whole) return PyObject_CallOneArg(output.finish, buffer->obj);
  const Py_ssize_t count = buffer->len / output.codec->size;
  Ref tuple = Ref::steal(PyTuple_New(count));
  for (Py_ssize_t i = 0; tuple && i < count; ++i) {
    const char* element = static_cast<const char*>(buffer->buf) + i * output.codec->size;
    PyObject* item = decode(*output.codec, element, owner);
    if (!item) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
  }
  return tuple && output.finish ? PyObject_CallOneArg(output.finish, tuple.get()) : tuple.release();
}

PyObject* finish(const Candidate& candidate, PyObject* results, PyObject* const* args) {
  const Ref given = make_tuple(args, candidate.input_count);
  PyObject* const both[] = {results, given.get()};
  return given ? PyObject_Vectorcall(candidate.finish, both, 2, nullptr) : nullptr;
}

}  // namespace

namespace {

// An object that the call returned a reference to: an argument itself, if that is what C++ returned.
PyObject* decode_view(const Candidate& candidate, const Codec& codec, const char* slot, PyObject* const* args,
                      PyObject* owner) {
  char* const data = load<char*>(slot);
  for (int i = 0; data && i < candidate.input_count; ++i) {
    const bool itself = is_record_class(Py_TYPE(args[i])) && instance_data(*codec.element, args[i]) == data;
    if (itself && (codec.is_const || !is_const_object(args[i]))) return Py_NewRef(args[i]);
  }
  return decode(codec, slot, owner);
}

// Of the owners that Python gave with a conversion: the objects that C++ made by itself.
bool add_temporaries(PyObject* owners, PyObject* list) {
  if (!PyTuple_CheckExact(owners)) return true;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(owners); ++i) {
    PyObject* item = PyTuple_GET_ITEM(owners, i);
    if (is_record_class(Py_TYPE(item)) && PyList_Append(list, item) < 0) return false;
  }
  return true;
}

// An object that may refer to others of its own class keeps what those keep: passing them on makes no chain.
bool keep_of(PyObject* made, PyObject* argument, PyObject* list) {
  if (Py_TYPE(argument) != Py_TYPE(made)) return PyList_Append(list, argument) == 0;
  PyObject* kept = as_instance(argument)->owner;
  if (!kept) return true;
  if (!PyTuple_CheckExact(kept)) return PyList_Append(list, kept) == 0;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kept); ++i)
    if (PyList_Append(list, PyTuple_GET_ITEM(kept, i)) < 0) return false;
  return true;
}

// The memory of a call, if what it gives may refer to it; else null.
PyObject* used_memory(const Candidate& candidate, Memory* memory) {
  const bool used = candidate.refers || !memory->keep.empty();
  return used ? reinterpret_cast<PyObject*>(memory) : nullptr;
}

}  // namespace

bool keep_arguments(const Candidate& candidate, PyObject* const* args, PyObject* made, Memory* memory) {
  const Ref list = Ref::steal(PyList_New(0));
  if (!list || !memory->keep.each(add_temporaries, list.get())) return false;
  for (int i = 0; i < candidate.input_count; ++i) {
    if (!(candidate.inputs[i].flags & kKept) || args[i] == Py_None) continue;
    if (!keep_of(made, args[i], list.get())) return false;
  }
  PyObject* const used = used_memory(candidate, memory);
  if (used && PyList_Append(list.get(), used) < 0) return false;
  if (!PyList_GET_SIZE(list.get())) return true;
  PyObject* tuple = PyList_AsTuple(list.get());
  note_viewed(tuple);
  if (tuple) Py_XSETREF(as_instance(made)->owner, tuple);
  return tuple != nullptr;
}

PyObject* collect_results(const Candidate& candidate, const char* frame, PyObject* const* args,
                          Memory* memory, PyObject* made) {
  const int lead = candidate.result ? 1 : 0;
  const int total = lead + candidate.output_count;
  const auto codec_of = [&](int i) -> const Codec& {
    return i < lead ? *candidate.result : *candidate.outputs[i - lead].codec;
  };
  const auto slot = [&](int i) {
    return frame + (i < lead ? candidate.result_offset : candidate.outputs[i - lead].offset);
  };
  const auto drop_from = [&](int i) {
    for (; i < total; ++i)
      if (codec_of(i).kind == Kind::held) drop_held(codec_of(i), slot(i));
  };
  Ref owner;
  if (memory) {
    owner = owner_of_results(args, candidate.input_count, used_memory(candidate, memory));
    if (!owner) return drop_from(0), nullptr;
    if (owner.get() == Py_None) owner = Ref();
  }
  const auto item = [&](int i) {
    const Output* output = i < lead ? nullptr : &candidate.outputs[i - lead];
    const Codec& codec = codec_of(i);
    PyObject* const target = codec.has_pointers ? owner.get() : nullptr;
    if (!output && made) return Py_NewRef(made);
    if (codec.kind == Kind::view) return decode_view(candidate, codec, slot(i), args, owner.get());
    if (output && output->make) return decode_made(*output, frame, target);
    return decode(codec, slot(i), target);
  };
  if (!total && !candidate.finish) Py_RETURN_NONE;
  if (total == 1 && !candidate.packs && !candidate.finish) return item(0);
  Ref tuple = Ref::steal(PyTuple_New(total));
  for (int i = 0; tuple && i < total; ++i) {
    PyObject* decoded = item(i);
    if (!decoded) return drop_from(i + 1), nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, decoded);
  }
  if (!tuple) drop_from(0);
  return tuple && candidate.finish ? finish(candidate, tuple.get(), args) : tuple.release();
}

PyObject* raise_shim_error(const ShimError& error) {
  PyObject* const classes[] = {PyExc_RuntimeError, PyExc_ValueError,    PyExc_IndexError,
                               PyExc_MemoryError,  PyExc_OverflowError, PyExc_RuntimeError};
  const bool known = error.code > 0 && error.code < static_cast<int>(sizeof classes / sizeof *classes);
  const size_t length = strnlen(error.message, sizeof error.message);
  Ref message = Ref::steal(PyUnicode_DecodeUTF8(error.message, length, "replace"));
  if (message) PyErr_SetObject(classes[known ? error.code : 0], message.get());
  return nullptr;
}

Ref make_tuple(PyObject* const* items, Py_ssize_t count) {
  PyObject* tuple = PyTuple_New(count);
  for (Py_ssize_t i = 0; tuple && i < count; ++i) PyTuple_SET_ITEM(tuple, i, Py_NewRef(items[i]));
  return Ref::steal(tuple);
}

}  // namespace samebytes
