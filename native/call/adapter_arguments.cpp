// What stands for an address during a call: numbers where an adapter is due, lists, single values, memory of
// any device. The call keeps what is made of them; a field of a record could not, so encode_pointer() does
// not take them.
#include <cstring>

#include "array/array.hpp"
#include "call/launch.hpp"
#include "call/tier3_general.hpp"
#include "call/unlocked.hpp"
#include "callback/callback.hpp"
#include "object/addresses.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

Match give(const Codec& codec, void* found, void*& address) {
  address = found;
  return found || codec.nullable ? Match::yes : Match::no;
}

// The array that a pointer knows: raw bytes are what an allocation gave, of which nobody said what they are.
Match take_shown(const Codec& codec, PyObject* object, void*& address, CallResources& resources) {
  if (is_opaque(codec)) return Match::no;
  Ref array = Ref::borrow(as_shown(object)->array);
  if (!array) {
    if (drops_const(codec, object)) return Match::no;
    if (!pointer_address(object, address, resources)) return Match::error;
    return give(codec, address, address);
  }
  const View& view = *as_view(array.get());
  ArrayRef found;
  bool written = false;  // match_view() notes it by itself
  if (codec.adapts && view.elements->dl == ElementType{1, 8, 1} && view.elements->itemsize == 1) {
    if (!view.c_order || (view.readonly && !codec.is_const)) return Match::no;
    if (codec.element && codec.element->kind == Kind::structure)
      return Match::no;  // Python asks how much is there
    found.data = view.data;
    written = !codec.is_const;
  } else {
    if (!codec.reads_arrays) return Match::no;
    const Match match = match_view(codec.array, array.get(), kNoRoute, found, resources);
    if (match != Match::yes) return match;
  }
  PyObject* const shown = array.get();
  if (!resources.hold(array.release()) || !note_source(shown, written, resources)) return Match::error;
  return give(codec, found.data, address);
}

bool is_no_place(const Codec& codec, const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  return at && at < kFirstPage && codec.element && is_number(codec.element->kind);
}

Match take_number(const Codec& codec, PyObject* object, void*& address) {
  if (!int_address(object, address) || is_no_place(codec, address)) return Match::no;
  return give(codec, address, address);
}

// Of NumPy's, or a member of an enumeration where anything may lie: elsewhere an enumerator is no address.
bool take_integer(const Codec& codec, PyObject* object, void*& address) {
  if (PyLong_Check(object) && !codec.array.anything) return false;
  uint64_t bits;
  bool negative;
  if (!other_int(object, bits, negative) || negative) return false;
  if (is_no_place(codec, reinterpret_cast<void*>(bits))) return false;
  return give(codec, reinterpret_cast<void*>(bits), address) == Match::yes;
}

// --- lists, as C arrays of what the adapter says ---

Match put_pointer(const Codec& element, PyObject* item, char* out, CallResources& resources) {
  void* address = nullptr;
  if (is_pointer_class(Py_TYPE(item))) {
    if (drops_const(element, item)) return Match::no;
    PyObject* const owner = as_pointer(item)->owner;
    if (!pointer_address(item, address, resources) || (owner && !note_source(owner, true, resources)))
      return Match::error;
  } else if (item != Py_None && !(PyLong_CheckExact(item) && int_address(item, address))) {
    return Match::no;
  }
  return store(out, address);
}

// The adapter says what items are; the parameter, what C++ may write to behind addresses.
Match put_item(const Codec& codec, PyObject* item, char* out, CallResources& resources) {
  const Codec& items = *codec.items;
  if (items.kind == Kind::pointer)
    return put_pointer(codec.element && codec.element->kind == Kind::pointer ? *codec.element : items, item,
                       out, resources);
  if (items.kind != Kind::string)
    return PyLong_CheckExact(item) ? encode_number(items.kind, nullptr, item, out) : Match::no;
  if (item == Py_None) return store<char*>(out, nullptr);
  return PyBytes_CheckExact(item) ? store(out, PyBytes_AS_STRING(item)) : Match::no;
}

// Of a list a copy is kept, for its items: it may change while the call runs.
Match take_list(const Codec& codec, PyObject* object, void*& address, CallResources& resources) {
  const Codec& items = *codec.items;
  PyObject* const all = PySequence_Tuple(object);
  if (!all || !resources.hold(all)) return Match::error;
  const Py_ssize_t count = PyTuple_GET_SIZE(all);
  if (count > PY_SSIZE_T_MAX / 16) return Match::no;
  // One more than there are: C reads many a list up to its null.
  char* const block = scratch((count + 1) * items.size, resources);
  if (!block) return Match::error;
  std::memset(block + count * items.size, 0, items.size);
  for (Py_ssize_t i = 0; i < count; ++i) {
    const Match match = put_item(codec, PyTuple_GET_ITEM(all, i), block + i * items.size, resources);
    if (match != Match::yes) return match;
  }
  return address = block, Match::yes;
}

// --- one value for a pointer to const ---

bool is_real(Kind kind) { return kind >= Kind::float16 && kind <= Kind::complex128; }

// An int is an address where an adapter is due, whatever the pointer is to.
Match take_value(const Codec& codec, PyObject* object, void*& address, CallResources& resources) {
  const Codec& element = *codec.element;
  if (codec.adapts && !is_real(element.kind)) return Match::no;
  char bytes[16];
  const Match match = encode_number(element.kind, element.scalar, object, bytes);
  if (match != Match::yes) return match;
  char* const place = scratch(element.size, resources);
  if (!place) return Match::error;
  std::memcpy(place, bytes, element.size);
  return address = place, Match::yes;
}

// An object of ctypes of a class that Python has converted before: an adapter takes the address of its bytes.
Match take_locked(PyObject* object, void*& address, CallResources& resources) {
  Py_buffer* buffer;
  const Match match = resources.lock(object, PyBUF_WRITABLE, &buffer);
  if (match == Match::yes) address = buffer->buf;
  return match;
}

// What ctypes.byref() gives (CPython's ctypes.h, PyCArgObject); codec_accept_address() has checked that it
// lies so.
Match take_reference(const Codec& codec, PyObject* object, void*& address, CallResources& resources) {
  const auto& reference = *reinterpret_cast<const Reference*>(object);
  if (reference.tag != 'P') return Match::no;
  if (!resources.hold(Py_NewRef(object))) return Match::error;
  return give(codec, reference.value, address);
}

// An object of a class that Python has taken for an address before.
Match take_known(const Codec& codec, const AcceptedType& known, PyObject* object, void*& address,
                 CallResources& resources) {
  if (known.holds == Holds::bytes) return codec.adapts ? take_locked(object, address, resources) : Match::no;
  if (known.holds == Holds::reference) return take_reference(codec, object, address, resources);
  Py_buffer* buffer;
  const Match match = resources.lock(object, PyBUF_SIMPLE, &buffer);
  if (match != Match::yes) return match;
  if (buffer->len != sizeof address) return Match::no;
  return give(codec, load<void*>(static_cast<const char*>(buffer->buf)), address);
}

}  // namespace

Match take_adapter_argument(const Codec& codec, PyObject* object, void*& address, CallResources& resources) {
  PyTypeObject* type = Py_TYPE(object);
  if (codec.callbacks) {
    const Match match = take_callable(codec, object, address, resources);
    if (match != Match::no) return match;
  }
  if (codec.adapts && PyLong_CheckExact(object)) return take_number(codec, object, address);
  if (is_counted(codec)) return Match::no;  // Python counts
  if (is_shown_class(type)) return take_shown(codec, object, address, resources);
  if (PyList_CheckExact(object) || PyTuple_CheckExact(object)) {
    if (codec.items)
      return codec.is_const ? take_list(codec, object, address, resources)
                            : Match::no;  // see call/write_back.cpp
    if (codec.launch == Launch::none) return Match::no;
    return take_launch(codec.launch == Launch::extra, object, address, resources);
  }
  if (codec.adapts && take_integer(codec, object, address)) return Match::yes;
  const AcceptedType* const known = find_accepted(codec, type);
  if (known && !is_pointer_class(type) && !is_instance_class(type)) {
    const Match match = take_known(codec, *known, object, address, resources);
    if (match != Match::no) return match;
  }
  if (codec.is_const && codec.element && is_number(codec.element->kind))
    return take_value(codec, object, address, resources);
  return Match::no;
}

}  // namespace samebytes
