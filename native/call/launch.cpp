// The arguments of a kernel launch as its C function takes them: values where C++ has them, and a table that
// leads there. What launch_arguments.py would refuse, or what it alone knows how to lay out, is left to it.
#include "call/launch.hpp"

#include <cstring>
#include <new>

#include "array/array.hpp"
#include "call/unlocked.hpp"
#include "object/addresses.hpp"
#include "object/classes.hpp"

namespace samebytes {

namespace {

constexpr int kWidest = 16;  // bytes, of a number, and its alignment

// A class whose objects are numbers of one type.
struct Number {
  PyTypeObject* type;
  uint8_t size, align;  // bytes
  bool boxed;           // the value follows the object's head; else the object is a buffer
};
ClassList<Number, 64> numbers;

bool copy_number(const Number& number, PyObject* object, char* out) {
  if (number.boxed) return std::memcpy(out, scalar_payload(object), number.size), true;
  Py_buffer buffer;
  if (PyObject_GetBuffer(object, &buffer, PyBUF_SIMPLE) != 0) return PyErr_Clear(), false;
  const bool fits = buffer.len == number.size;
  if (fits) std::memcpy(out, buffer.buf, number.size);
  PyBuffer_Release(&buffer);
  return fits;
}

// Elements of any type, in memory of any device, which the kernel may write.
const ArraySpec& any_array() {
  static ArraySpec* const spec = [] {
    auto* made = new ArraySpec;
    made->ndim = -1;
    made->contiguous = made->anything = made->anywhere = true;
    made->prepare();
    return made;
  }();
  return *spec;
}

Match array_address(PyObject* object, void*& address, CallResources& resources) {
  const Route* route = find_route(Py_TYPE(object));
  const MatchFunction match = route ? route->match.load(std::memory_order_acquire) : match_nothing;
  if (match != match_ndarray && match != match_torch && match != match_view) return Match::no;
  if (match == match_ndarray && !array_fields(object)->nd) return Match::no;  // a value or its address?
  ArrayRef found;
  const Match matched = match(any_array(), object, *route, found, resources);
  address = found.data;
  return matched != Match::yes || note_source(object, true, resources) ? matched : Match::error;
}

Match address_of(PyObject* object, void*& address, CallResources& resources) {
  if (object == Py_None) return address = nullptr, Match::yes;
  if (is_pointer_class(Py_TYPE(object))) {
    PyObject* const owner = as_pointer(object)->owner;
    const bool found =
        pointer_address(object, address, resources) && (!owner || note_source(owner, true, resources));
    return found ? Match::yes : Match::error;
  }
  if (!PyLong_CheckExact(object)) return array_address(object, address, resources);
  return int_address(object, address) ? Match::yes : Match::no;
}

// The block of arguments, and where the next one may begin.
struct Block {
  char* bytes;
  Py_ssize_t end;

  char* next(Py_ssize_t size, Py_ssize_t align) {
    const Py_ssize_t offset = (end + align - 1) & ~(align - 1);
    end = offset + size;
    return bytes + offset;
  }
};

Match put(PyObject* object, Block& block, char*& place, CallResources& resources) {
  if (const Number* number = numbers.find(Py_TYPE(object))) {
    place = block.next(number->size, number->align);
    return copy_number(*number, object, place) ? Match::yes : Match::no;
  }
  void* address = nullptr;
  const Match match = address_of(object, address, resources);
  if (match != Match::yes) return match;
  place = block.next(sizeof address, alignof(void*));
  return store(place, address);
}

// hip_runtime_api.h: HIP_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE, _END.
struct Extra {
  uintptr_t pointer = 1;
  void* block;
  uintptr_t size_of = 2;
  const size_t* size_at;
  uintptr_t end = 3;
  size_t size;
};

}  // namespace

Match take_launch(bool extra, PyObject* object, void*& address, CallResources& resources) {
  PyObject* const all = PySequence_Tuple(object);  // a list may change while the call runs
  if (!all || !resources.hold(all)) return Match::error;
  const Py_ssize_t count = PyTuple_GET_SIZE(all);
  if (!count || count > kMaxArguments) return Match::no;
  const Py_ssize_t table = extra ? sizeof(Extra) : (count + 1) * sizeof(void*);
  const Py_ssize_t head = (table + kWidest - 1) & ~(kWidest - 1);
  char* const memory = scratch(head + 2 * kWidest * count, resources);
  if (!memory) return Match::error;
  std::memset(memory, 0, head + 2 * kWidest * count);
  Block block{memory + head, 0};
  for (Py_ssize_t i = 0; i < count; ++i) {
    char* place = nullptr;
    const Match match = put(PyTuple_GET_ITEM(all, i), block, place, resources);
    if (match != Match::yes) return match;
    if (!extra) store(memory + i * sizeof(void*), place);
  }
  if (extra) {
    auto* said = new (memory) Extra;
    said->block = block.bytes;
    said->size = static_cast<size_t>(block.end);
    said->size_at = &said->size;
  }
  return address = memory, Match::yes;
}

PyObject* set_launch_number(PyObject*, PyObject* args) {
  PyObject* type;
  Py_ssize_t size, align;
  int boxed;
  if (!PyArg_ParseTuple(args, "O!nnp:set_launch_number", &PyType_Type, &type, &size, &align, &boxed))
    return nullptr;
  if (size < 1 || size > kWidest || align < 1 || align > kWidest || (align & (align - 1)))
    return value_error("no number of a kernel has such a size or alignment"), nullptr;
  const Number facts = {nullptr, static_cast<uint8_t>(size), static_cast<uint8_t>(align), boxed != 0};
  if (!numbers.add(reinterpret_cast<PyTypeObject*>(type), facts)) return nullptr;
  Py_RETURN_NONE;
}

}  // namespace samebytes
