// Arguments beside the fast path: objects by address, what Python converts. Outputs are in call/outputs.cpp.
#include <cstring>

#include "array/aside.hpp"
#include "call/claim.hpp"
#include "call/shim_call.hpp"
#include "call/tier3_general.hpp"
#include "call/unlocked.hpp"
#include "codec/pointee_owners.hpp"
#include "codec/scalar.hpp"
#include "object/handle.hpp"
#include "object/result_owner.hpp"
#include "object/shown_copy.hpp"
#include "object/smart_pointer.hpp"

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

// Whether an argument's owners are it alone: the call has it anyway, and must not seem to have it twice.
bool is_just(PyObject* owners, PyObject* object) {
  return PyTuple_CheckExact(owners) && PyTuple_GET_SIZE(owners) == 1 && PyTuple_GET_ITEM(owners, 0) == object;
}

}  // namespace

Match take_address(Input& input, PyObject* object, void*& where, CallResources& resources) {
  const Codec& codec = *input.codec;
  if (likely(Py_TYPE(object) == input.python) && is_record_class(input.python)) {
    if (unlikely(input.guards != Guards::none) && is_unwritable(object)) return Match::no;
    if (unlikely(input.holds) && !hold_pointee_owners(object, resources)) return Match::error;
    if (likely(Py_SIZE(object) == input.size)) return where = as_instance(object)->data, Match::yes;
  }
  if (input.kind == Kind::structure || input.kind == Kind::handle) {
    PyTypeObject* type = Py_TYPE(object);
    if (input.guards != Guards::none && is_unwritable(object)) return Match::no;
    if (!accepts(codec, type) || !(codec.is_const ? is_instance_class(type) : is_record_class(type)))
      return Match::no;
    if (codec.has_pointers && !hold_pointee_owners(object, resources)) return Match::error;
    where = instance_data(codec, object);
    return where ? Match::yes : Match::no;
  }
  const Match match = encode_pointer(codec, object, &where, input.route, resources);
  if (match != Match::yes) return match;
  return where && (!codec.count || counts(codec, object)) ? Match::yes : Match::no;
}

Match take_made(const Input& input, PyObject* object, void*& where) {
  if (unlikely(Py_TYPE(object) != input.python && !PyType_IsSubtype(Py_TYPE(object), input.python)))
    return Match::no;
  const bool handle = input.kind == Kind::handle;
  if (Py_SIZE(object) != input.size && !(handle && as_handle(object)->unmade)) return Match::no;
  if (handle) {
    const Handle* fresh = as_handle(object);
    if (fresh->owner || fresh->destroy != input.codec->unroom) return Match::no;
  }
  where = as_instance(object)->data;
  return Match::yes;
}

Match convert_argument(Plan& plan, const Candidate& candidate, int index, PyObject* object, char* slot,
                       void*& where, CallResources& resources, bool last) {
  const Input& input = candidate.inputs[index];
  const Ref which = Ref::steal(PyLong_FromLong(candidate.index)), place = Ref::steal(PyLong_FromLong(index));
  if (!which || !place) return Match::error;
  Ref converted = Ref::steal(last ? ask_python(plan.fallback, which.get(), place.get(), object, Py_True)
                                  : ask_python(plan.fallback, which.get(), place.get(), object));
  if (!converted) return Match::error;
  if (converted.get() == Py_False) return Match::later;
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
  } else if (input.passing != Passing::structure || !lend(input, object, slot, where)) {
    // A class that is accepted from now on is lent at once: C++ may know an object as one of a derived class.
    std::memcpy(slot, PyBytes_AS_STRING(bytes), size);
    where = slot;
  }
  const bool written =
      input.codec->kind == Kind::pointer ? !input.codec->is_const : input.codec->array.writable;
  if (!note_source(object, written, resources)) return Match::error;
  if (unlikely(tensors_are_met) && !shows_tensor(object) && !note_parts(owner, resources))
    return Match::error;
  if (input.flags & kTakes) note_claims(owner, index);
  if (input.flags & kMoves && is_just(owner, object)) return Match::yes;
  return resources.hold(Py_NewRef(owner)) ? Match::yes : Match::error;
}

void call_without_gil(Shim shim, void** argv) {
  without_gil([&] { shim(argv); });
}

}  // namespace samebytes
