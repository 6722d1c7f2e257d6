// Integers that are no plain ints: members of enumerations of ints, and NumPy's scalars.
#include "codec/integers.hpp"

#include "codec/scalar.hpp"
#include "object/classes.hpp"

namespace samebytes {

namespace {

// A class whose objects are integers of one format, which follow the object's head.
struct Integer {
  PyTypeObject* type;
  Kind kind;
};
ClassList<Integer, 16> integers;

template <class T>
bool widened(PyObject* object, uint64_t& out, bool& negative) {
  const T value = load<T>(scalar_payload(object));
  out = static_cast<uint64_t>(value);
  return negative = value < 0, true;
}

PyObject* set_integer(PyObject*, PyObject* args) {
  PyObject *type, *codec;
  if (!PyArg_ParseTuple(args, "O!O!:set_integer", &PyType_Type, &type, codec_type, &codec)) return nullptr;
  const Codec& format = *as_codec(codec);
  if (format.kind < Kind::int8 || format.kind > Kind::uint64 ||
      reinterpret_cast<PyTypeObject*>(type)->tp_basicsize <
          static_cast<Py_ssize_t>(sizeof(PyObject)) + format.size)
    return value_error("these objects have no integer of that format"), nullptr;
  if (!integers.add(reinterpret_cast<PyTypeObject*>(type), {nullptr, format.kind})) return nullptr;
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"set_integer", set_integer, METH_VARARGS,
                            "set_integer(type, codec, /)\n--\n\nObjects of this class are integers, which "
                            "follow the object's head in the codec's format."},
                           {}};

}  // namespace

bool other_int(PyObject* object, uint64_t& out, bool& negative) {
  if (PyLong_Check(object)) {
    if (PyBool_Check(object)) return false;
    const bool usual = Py_TYPE(object)->tp_as_number->nb_int == PyLong_Type.tp_as_number->nb_int;
    return usual && long_int(object, out, negative);
  }
  const Integer* const known = integers.find(Py_TYPE(object));
  if (!known) return false;
  switch (known->kind) {
    case Kind::int8:
      return widened<int8_t>(object, out, negative);
    case Kind::int16:
      return widened<int16_t>(object, out, negative);
    case Kind::int32:
      return widened<int32_t>(object, out, negative);
    case Kind::int64:
      return widened<int64_t>(object, out, negative);
    case Kind::uint8:
      return widened<uint8_t>(object, out, negative);
    case Kind::uint16:
      return widened<uint16_t>(object, out, negative);
    case Kind::uint32:
      return widened<uint32_t>(object, out, negative);
    default:
      return widened<uint64_t>(object, out, negative);
  }
}

int add_integer_functions(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace samebytes
