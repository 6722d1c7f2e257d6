// The call path: arguments into the frame, the shim, results out of it.
#include <cstring>
#include <memory>
#include <new>

#include "instance.hpp"
#include "plan.hpp"
#include "scalar.hpp"

namespace samebytes {

namespace {

// The parameter's own bytes: the object's, where the callee only reads them, else a copy in the frame.
inline Match take_structure(const Input& input, PyObject* object, char* slot, void*& where, Keep& keep) {
  const Codec& codec = *input.codec;
  if (likely(Py_TYPE(object) == input.python) ||
      (!PyTuple_CheckExact(object) && accepts(codec, Py_TYPE(object)))) {
    char* data = instance_data(codec, object);
    if (unlikely(!data)) return Match::no;
    if (likely(!(input.flags & kCopy) && !(reinterpret_cast<uintptr_t>(data) & input.align_mask))) {
      where = data;
    } else {
      std::memcpy(slot, data, codec.size);
    }
    return Match::yes;
  }
  return encode_structure(codec, object, slot, keep);
}

// The address that the object stands for; a reference has one.
Match take_address(const Input& input, PyObject* object, void*& where, RouteCache& route, Keep& keep) {
  const Codec& codec = *input.codec;
  if (input.kind == Kind::structure) {
    PyTypeObject* type = Py_TYPE(object);
    if (!accepts(codec, type) || !(codec.is_const ? is_instance_class(type) : is_record_class(type)))
      return Match::no;
    where = instance_data(codec, object);
    return where ? Match::yes : Match::no;
  }
  const Match match = encode_pointer(codec, object, &where, route, keep);
  return match == Match::yes && !where ? Match::no : match;
}

inline Match take(Input& input, PyObject* object, char* slot, void*& where, Keep& keep) {
  if (is_number(input.kind)) return encode_number(input.kind, input.scalar, object, slot);
  if (unlikely(input.flags & kIndirect)) return take_address(input, object, where, input.route, keep);
  if (input.kind == Kind::structure) return take_structure(input, object, slot, where, keep);
  return encode(*input.codec, object, slot, input.route, keep);
}

// Words the error of an argument that does not fit. Always false.
bool refuse(Plan& plan, const Candidate& candidate, PyObject* const* args) {
  Ref all = make_tuple(args, candidate.input_count);
  Ref none = Ref::steal(PyDict_New());
  if (!all || !none) return false;
  if (Ref result = Ref::steal(explain(plan, all.get(), none.get(), candidate.index)))
    PyErr_Format(PyExc_SystemError, "%U(): a call failed and could not be explained", plan.name);
  return false;
}

// Python converts what the core did not recognise, or words the error.
bool convert(Plan& plan, const Candidate& candidate, int index, PyObject* const* args, char* slot,
             void*& where, Keep& keep) {
  const Input& input = candidate.inputs[index];
  Ref converted =
      Ref::steal(PyObject_CallFunction(plan.fallback, "iiO", candidate.index, index, args[index]));
  if (!converted) return false;
  if (converted.get() == Py_None) return refuse(plan, candidate, args);
  const bool indirect = input.flags & kIndirect;
  const Py_ssize_t size = indirect ? static_cast<Py_ssize_t>(sizeof(void*)) : input.codec->size;
  PyObject* bytes;
  PyObject* owner;
  if (!PyTuple_Check(converted.get()) || !PyArg_ParseTuple(converted.get(), "SO", &bytes, &owner) ||
      PyBytes_GET_SIZE(bytes) != size) {
    PyErr_Clear();
    PyErr_Format(PyExc_SystemError, "%U(): converting argument %d did not give %zd bytes", plan.name,
                 index + 1, size);
    return false;
  }
  if (indirect) {
    where = load<void*>(PyBytes_AS_STRING(bytes));
  } else {
    std::memcpy(slot, PyBytes_AS_STRING(bytes), size);
    where = slot;
  }
  return keep.hold(Py_NewRef(owner));
}

PyObject* collect(const Candidate& candidate, const char* frame, PyObject* const* args);

inline PyObject* take_result(const Codec& codec, const char* data, const Candidate& candidate,
                             PyObject* const* args) {
  if (likely(is_number(codec.kind))) return decode_number(codec.kind, data);
  if (likely(!codec.has_pointers) || !candidate.input_count) return decode(codec, data, nullptr);
  Ref owner = make_tuple(args, candidate.input_count);
  return owner ? decode(codec, data, owner.get()) : nullptr;
}

inline PyObject* execute(Plan& plan, const Candidate& candidate, PyObject* const* args, char* frame,
                         void** argv) {
  Keep keep;
  const int count = candidate.input_count;
  if (unlikely(candidate.given != candidate.argc)) std::memset(argv, 0, candidate.argc * sizeof *argv);
  for (int i = 0; i < count; ++i) {
    Input& input = candidate.inputs[i];
    char* slot = frame + input.offset;
    void* where = slot;
    const Match match = take(input, args[i], slot, where, keep);
    if (unlikely(match != Match::yes)) {
      if (match == Match::error || !convert(plan, candidate, i, args, slot, where, keep)) return nullptr;
    }
    argv[input.argv] = where;
  }
  for (int i = 0; i < candidate.constant_count; ++i) {
    const Constant& constant = candidate.constants[i];
    char* slot = frame + constant.offset;
    std::memcpy(slot, PyBytes_AS_STRING(constant.bytes), PyBytes_GET_SIZE(constant.bytes));
    argv[constant.argv] = slot;
  }
  for (int i = 0; i < candidate.output_count; ++i) {
    const Output& output = candidate.outputs[i];
    char* slot = frame + output.offset;
    std::memset(slot, 0, output.codec->size);
    argv[output.argv] = slot;
  }
  ShimError error;
  error.code = 0;
  char* storage = candidate.result ? frame + candidate.result_offset : nullptr;
  // What C++ constructs there leaves padding as it was, and the bytes become visible.
  if (storage && !is_number(candidate.result->kind)) std::memset(storage, 0, candidate.result->size);
  argv[candidate.argc] = storage;
  argv[candidate.argc + 1] = &error;
  if (candidate.nogil) {
    PyThreadState* thread = PyEval_SaveThread();
    candidate.shim(argv);
    PyEval_RestoreThread(thread);
  } else {
    candidate.shim(argv);
  }
  if (unlikely(error.code)) return raise_shim_error(error);
  if (unlikely(candidate.output_count)) return collect(candidate, frame, args);
  return storage ? take_result(*candidate.result, storage, candidate, args) : Py_NewRef(Py_None);
}

// The result first, then the outputs; one alone is not wrapped.
PyObject* collect(const Candidate& candidate, const char* frame, PyObject* const* args) {
  const int lead = candidate.result ? 1 : 0;
  const int total = lead + candidate.output_count;
  if (total == 1) {
    const Output& output = candidate.outputs[0];
    return take_result(*output.codec, frame + output.offset, candidate, args);
  }
  Ref tuple = Ref::steal(PyTuple_New(total));
  for (int i = 0; tuple && i < total; ++i) {
    const bool result = i < lead;
    const Codec& codec = result ? *candidate.result : *candidate.outputs[i - lead].codec;
    const uint32_t offset = result ? candidate.result_offset : candidate.outputs[i - lead].offset;
    PyObject* item = take_result(codec, frame + offset, candidate, args);
    if (!item) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
  }
  return tuple.release();
}

__attribute__((noinline)) PyObject* execute_large(Plan& plan, const Candidate& candidate,
                                                  PyObject* const* args) {
  const size_t align = candidate.frame_align;
  const size_t pointers = sizeof(void*) * (candidate.argc + 2);
  std::unique_ptr<char[]> block(new (std::nothrow) char[pointers + align + candidate.frame_size]);
  if (!block) return PyErr_NoMemory();
  const uintptr_t frame = (reinterpret_cast<uintptr_t>(block.get()) + pointers + align - 1) & ~(align - 1);
  return execute(plan, candidate, args, reinterpret_cast<char*>(frame),
                 reinterpret_cast<void**>(block.get()));
}

inline PyObject* execute_on_stack(Plan& plan, const Candidate& candidate, PyObject* const* args) {
  alignas(64) char frame[kStackFrame];
  void* argv[kStackArguments];
  return execute(plan, candidate, args, frame, argv);
}

}  // namespace

PyObject* run(Plan& plan, const Candidate& candidate, PyObject* const* args) {
  return likely(!candidate.large) ? execute_on_stack(plan, candidate, args)
                                  : execute_large(plan, candidate, args);
}

PyObject* plan_call(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  Plan& plan = *reinterpret_cast<Plan*>(self);
  if (likely(!kwnames && nargs <= plan.max_arity)) {
    const Candidate* only = plan.arities[nargs].only;
    if (likely(only != nullptr)) return run(plan, *only, args);
  }
  return dispatch(plan, args, nargs, kwnames);
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
