// What a call gives back: its result and outputs as Python objects, what these keep alive, and its errors.
#include <cstring>

#include "array/aside.hpp"
#include "call/pending.hpp"
#include "call/seen.hpp"
#include "call/tier3_general.hpp"
#include "codec/pointee_owners.hpp"
#include "codec/scalar.hpp"
#include "object/dependents.hpp"
#include "object/handle.hpp"
#include "object/ledger.hpp"
#include "object/owner_set.hpp"
#include "object/result_owner.hpp"
#include "object/smart_pointer.hpp"

namespace samebytes {

namespace {

PyObject* decode_made(const Output& output, const char* frame, PyObject* owner) {
  const auto* buffer = load<const Py_buffer*>(frame + output.offset);
  if (output.whole && !output.finish) return Py_NewRef(buffer->obj);
  if (output.whole) return ask_python(output.finish, buffer->obj);
  const Py_ssize_t count = buffer->len / output.codec->size;
  Ref tuple = Ref::steal(PyTuple_New(count));
  for (Py_ssize_t i = 0; tuple && i < count; ++i) {
    const char* element = static_cast<const char*>(buffer->buf) + i * output.codec->size;
    PyObject* item = decode(*output.codec, element, owner);
    if (!item) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
  }
  return tuple && output.finish ? ask_python(output.finish, tuple.get()) : tuple.release();
}

PyObject* finish(const Candidate& candidate, PyObject* results, PyObject* const* args, bool& reached) {
  const Ref given = make_tuple(args, candidate.input_count);
  PyObject* const both[] = {results, given.get()};
  return (reached = static_cast<bool>(given)) ? PyObject_Vectorcall(candidate.result.finish, both, 2, nullptr)
                                              : nullptr;
}

}  // namespace

namespace {

// Where an argument has the part that a result of some class may refer to: it, or a base of it. Null:
// nowhere.
char* part_of(const Input& input, const Codec& element, PyObject* object) {
  if (!is_record_class(Py_TYPE(object))) return nullptr;
  if (char* const data = instance_data(element, object)) return data;
  // Which classes derive from it, the codec of a pointer to it knows by itself.
  const Codec& given = *input.codec;
  if (given.kind != Kind::pointer || !given.element || given.element->python != element.python)
    return nullptr;
  const AcceptedType* const known = find_accepted(given, Py_TYPE(object));
  return known ? accepted_data(*known, object, element.size) : nullptr;
}

// An object that the call returned a reference to: an argument itself, if that is what C++ returned, and as
// const as it is.
PyObject* decode_view(const Candidate& candidate, const Codec& codec, const char* slot, PyObject* const* args,
                      PyObject* owner) {
  char* const data = load<char*>(slot);
  for (int i = 0; data && i < candidate.input_count; ++i) {
    const bool itself = part_of(candidate.inputs[i], *codec.element, args[i]) == data;
    if (itself && codec.is_const == is_const_object(args[i])) return Py_NewRef(args[i]);
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

// What refers to the same as an argument does keeps what that keeps: passing them on makes no chain.
bool add_owners_of(PyObject* argument, bool copied, PyObject* list) {
  // A plain value, a tuple say, has what the pointers in it point to: the core made bytes of it by itself.
  if (!copied || !is_record_class(Py_TYPE(argument))) return PyList_Append(list, argument) == 0;
  if (ledger_in_use) {
    const Ref targets = targets_now(as_instance(argument));
    const Ref kept = Ref::steal(targets ? PyDict_Values(targets.get()) : nullptr);
    for (Py_ssize_t i = 0; kept && i < PyList_GET_SIZE(kept.get()); ++i)
      if (PyList_Append(list, PyList_GET_ITEM(kept.get(), i)) < 0) return false;
    if (!kept) return false;
  }
  PyObject* owner = as_instance(argument)->owner;
  if (!owner) return true;
  if (!PyTuple_CheckExact(owner)) return PyList_Append(list, owner) == 0;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(owner); ++i)
    if (PyList_Append(list, PyTuple_GET_ITEM(owner, i)) < 0) return false;
  return true;
}

// Of a status.
bool is_zero(const Codec& codec, const char* slot) {
  uint64_t bits = 0;
  std::memcpy(&bits, slot, codec.size);
  return !bits;
}

// The memory of a call, if what it gives may refer to it; else null.
PyObject* used_memory(const Candidate& candidate, Memory* memory) {
  const bool used = candidate.lifetime.frame_is_referred || !memory->resources.empty();
  return used ? reinterpret_cast<PyObject*>(memory) : nullptr;
}

}  // namespace

namespace {

// What the objects that a call makes may refer to; null without an exception: nothing.
Ref retained(const Candidate& candidate, PyObject* const* args, Memory* memory) {
  const Ref list = Ref::steal(PyList_New(0));
  OwnerSet remains;
  if (!list || !remains || !memory->resources.each(add_temporaries, list.get())) return Ref();
  for (int i = 0; i < candidate.input_count; ++i) {
    const int flags = candidate.inputs[i].flags;
    if (!(flags & (kRetained | kCarries)) || args[i] == Py_None) continue;
    if (!add_owners_of(args[i], (flags & kCarries) != 0, list.get())) return Ref();
  }
  if (!add_remains(args, candidate.input_count, remains)) return Ref();
  const Ref left = remains.count() ? remains.tuple() : Ref();
  for (Py_ssize_t i = 0; left && i < PyTuple_GET_SIZE(left.get()); ++i)
    if (PyList_Append(list.get(), PyTuple_GET_ITEM(left.get(), i)) < 0) return Ref();
  PyObject* const used = used_memory(candidate, memory);
  if (used && PyList_Append(list.get(), used) < 0) return Ref();
  return PyList_GET_SIZE(list.get()) ? Ref::steal(PyList_AsTuple(list.get())) : Ref();
}

}  // namespace

bool retain_arguments(const Candidate& candidate, PyObject* const* args, PyObject* made, Memory* memory) {
  const Ref owners = retained(candidate, args, memory);
  if (!owners) return !PyErr_Occurred();
  keep_owners(as_instance(made), owners.get());
  return true;
}

namespace {

// What the objects in a container refer to; `whole`: the objects themselves, too, to which C++ may have
// pointers.
bool add_items(PyObject* value, bool whole, PyObject* list) {
  if (PyDict_Check(value)) {
    PyObject *key, *item;
    for (Py_ssize_t i = 0; PyDict_Next(value, &i, &key, &item);)
      if (!add_items(key, whole, list) || !add_items(item, whole, list)) return false;
    return true;
  }
  if (PyList_Check(value) || PyTuple_Check(value)) {
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i)
      if (!add_items(PySequence_Fast_GET_ITEM(value, i), whole, list)) return false;
    return true;
  }
  if (PyAnySet_Check(value)) {
    const Ref items = Ref::steal(PySequence_List(value));
    return items && add_items(items.get(), whole, list);
  }
  if (PyUnicode_Check(value) || PyLong_Check(value) || PyFloat_Check(value) || value == Py_None) return true;
  if (whole && PyList_Append(list, value) < 0) return false;
  return !is_record_class(Py_TYPE(value)) || add_owners_of(value, true, list);
}

}  // namespace

bool retain_value(const Candidate& candidate, PyObject* const* args, const char* slot, Memory* memory) {
  const Ref list = Ref::steal(PyList_New(0));
  const bool whole = (candidate.inputs[1].flags & kRetained) != 0;
  if (!list || !add_items(args[1], whole, list.get())) return false;
  // What the shim was given instead of the user's objects is there for pointers alone.
  PyObject* const used = whole ? used_memory(candidate, memory) : nullptr;
  if (used && PyList_Append(list.get(), used) < 0) return false;
  const Ref owners = Ref::steal(PyList_AsTuple(list.get()));
  return owners && hold_targets(as_instance(args[0]), load<const char*>(slot), owners.get());
}

namespace {

bool keep_pair(PyObject* keeper, PyObject* target, const Candidate& candidate, Memory* memory) {
  if (!is_record_class(Py_TYPE(keeper)) || target == Py_None) return true;
  const Ref list = Ref::steal(PyList_New(0));
  if (!list || !memory->resources.each(add_temporaries, list.get())) return false;
  if (PyList_Append(list.get(), target) < 0 || !add_items(target, true, list.get())) return false;
  PyObject* const used = used_memory(candidate, memory);
  if (used && PyList_Append(list.get(), used) < 0) return false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.get()); ++i)
    if (!add_target(as_instance(keeper), PyList_GET_ITEM(list.get(), i))) return false;
  return true;
}

}  // namespace

bool keep_arguments(const Candidate& candidate, PyObject* const* args, Memory* memory) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(candidate.lifetime.pairs); ++i) {
    PyObject* const pair = PyTuple_GET_ITEM(candidate.lifetime.pairs, i);
    const auto arg = [&](Py_ssize_t at) { return args[PyLong_AsLong(PyTuple_GET_ITEM(pair, at))]; };
    if (!keep_pair(arg(0), arg(1), candidate, memory)) return false;
  }
  return true;
}

namespace {

PyObject* collect(const Candidate& candidate, const char* frame, PyObject* const* args, Memory* memory,
                  PyObject* made, bool& reached) {
  const int lead = candidate.result.codec ? 1 : 0;
  const int total = lead + candidate.outputs.count;
  const auto codec_of = [&](int i) -> const Codec& {
    return i < lead ? *candidate.result.codec : *candidate.outputs.items[i - lead].codec;
  };
  const auto slot = [&](int i) {
    return frame + (i < lead ? candidate.result.offset : candidate.outputs.items[i - lead].offset);
  };
  // Ends what C++ made for results that nobody reads; those before have owners in Python.
  const auto drop_from = [&](int i) {
    for (; i < total; ++i)
      if (codec_of(i).kind == Kind::held) drop_owned_result(codec_of(i), slot(i));
  };
  Ref owner;
  if (memory) {
    owner = candidate.lifetime.result_has_pointers
                ? owner_of_results(args, candidate.input_count, used_memory(candidate, memory))
                : retained(candidate, args, memory);
    if (!owner && PyErr_Occurred()) return drop_from(0), nullptr;
    if (owner.get() == Py_None) owner = Ref();
  }
  const auto item = [&](int i) {
    const Output* output = i < lead ? nullptr : &candidate.outputs.items[i - lead];
    const Codec& codec = codec_of(i);
    PyObject* const target = codec.has_pointers || codec.hides ? owner.get() : nullptr;
    if (!output && made) return Py_NewRef(made);
    if (codec.kind == Kind::view) return decode_view(candidate, codec, slot(i), args, owner.get());
    if (output && output->make) return decode_made(*output, frame, target);
    return decode(codec, slot(i), target);
  };
  const bool success = lead && candidate.result.is_status && is_zero(*candidate.result.codec, slot(0));
  const bool finishes = candidate.result.finish && !success;
  const int first = success ? 1 : 0;
  if (total == first && !finishes) Py_RETURN_NONE;
  if (total == first + 1 && !(candidate.result.is_tuple && !success) && !finishes) return item(first);
  Ref tuple = Ref::steal(PyTuple_New(total - first));
  for (int i = first; tuple && i < total; ++i) {
    PyObject* decoded = item(i);
    if (!decoded) return drop_from(i + 1), nullptr;
    PyTuple_SET_ITEM(tuple.get(), i - first, decoded);
  }
  if (!tuple) drop_from(0);
  return tuple && finishes ? finish(candidate, tuple.get(), args, reached) : tuple.release();
}

bool holds_objects(const Candidate& candidate) {
  bool held = candidate.result.codec && candidate.result.codec->kind == Kind::held;
  for (int i = 0; i < candidate.outputs.count; ++i)
    held |= candidate.outputs.items[i].codec->kind == Kind::held;
  return held;
}

// Whether Python code ran that raised the exception.
bool has_traceback() {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  const bool found = traceback != nullptr;
  PyErr_Restore(type, value, traceback);
  return found;
}

}  // namespace

PyObject* collect_results(const Candidate& candidate, const char* frame, PyObject* const* args,
                          Memory* memory, PyObject* made) {
  bool reached = false;
  PyObject* const results = collect(candidate, frame, args, memory, made, reached);
  if (likely(results || !candidate.result.finish)) return results;
  if (!PyErr_ExceptionMatches(PyExc_MemoryError) || holds_objects(candidate)) return nullptr;
  if (reached && has_traceback()) return nullptr;
  // What C allocated has no owner yet: it is given one, which ends at once.
  const PendingException pending;
  Ref::steal(collect(candidate, frame, args, memory, made, reached));
  PyErr_Clear();
  return nullptr;
}

Ref make_tuple(PyObject* const* items, Py_ssize_t count) {
  PyObject* tuple = PyTuple_New(count);
  for (Py_ssize_t i = 0; tuple && i < count; ++i) PyTuple_SET_ITEM(tuple, i, Py_NewRef(items[i]));
  return Ref::steal(tuple);
}

}  // namespace samebytes
