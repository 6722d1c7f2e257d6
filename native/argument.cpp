// What a call does besides its fast path: converting, constants, outputs, errors.
#include <cstring>

#include "call.hpp"
#include "instance.hpp"
#include "scalar.hpp"
#include "take.hpp"

namespace samebytes {

Match take_address(Input& input, PyObject* object, void*& where, Keep& keep) {
  const Codec& codec = *input.codec;
  if (input.kind == Kind::structure) {
    PyTypeObject* type = Py_TYPE(object);
    if (!accepts(codec, type) || !(codec.is_const ? is_instance_class(type) : is_record_class(type)))
      return Match::no;
    where = instance_data(codec, object);
    return where ? Match::yes : Match::no;
  }
  const Match match = encode_pointer(codec, object, &where, input.route, keep);
  return match == Match::yes && !where ? Match::no : match;
}

namespace {

// Words the error of an argument that does not fit. Always false.
bool refuse(Plan& plan, const Candidate& candidate, PyObject* const* args) {
  Ref all = make_tuple(args, candidate.input_count);
  Ref none = Ref::steal(PyDict_New());
  if (!all || !none) return false;
  if (Ref result = Ref::steal(explain(plan, all.get(), none.get(), candidate.index)))
    PyErr_Format(PyExc_SystemError, "%U(): a call failed and could not be explained", plan.name);
  return false;
}

}  // namespace

bool convert_argument(Plan& plan, const Candidate& candidate, int index, PyObject* const* args, char* slot,
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

void call_without_gil(Shim shim, void** argv) {
  PyThreadState* thread = PyEval_SaveThread();
  shim(argv);
  PyEval_RestoreThread(thread);
}

void prepare_extras(const Candidate& candidate, char* frame, void** argv) {
  if (candidate.given != candidate.argc) std::memset(argv, 0, candidate.argc * sizeof *argv);
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
  // What C++ constructs there leaves padding as it was, and the bytes become visible.
  if (candidate.result) std::memset(frame + candidate.result_offset, 0, candidate.result->size);
}

PyObject* decode_result(const Codec& codec, const char* data, const Candidate& candidate,
                        PyObject* const* args) {
  if (!codec.has_pointers || !candidate.input_count) return decode(codec, data, nullptr);
  Ref owner = make_tuple(args, candidate.input_count);
  return owner ? decode(codec, data, owner.get()) : nullptr;
}

PyObject* collect_results(const Candidate& candidate, const char* frame, PyObject* const* args) {
  const int lead = candidate.result ? 1 : 0;
  const int total = lead + candidate.output_count;
  if (total == 1) {
    const Output& output = candidate.outputs[0];
    return decode_result(*output.codec, frame + output.offset, candidate, args);
  }
  Ref tuple = Ref::steal(PyTuple_New(total));
  for (int i = 0; tuple && i < total; ++i) {
    const bool result = i < lead;
    const Codec& codec = result ? *candidate.result : *candidate.outputs[i - lead].codec;
    const uint32_t offset = result ? candidate.result_offset : candidate.outputs[i - lead].offset;
    PyObject* item = decode_result(codec, frame + offset, candidate, args);
    if (!item) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
  }
  return tuple.release();
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
