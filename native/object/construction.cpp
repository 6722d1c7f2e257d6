// Makes values and records: of their fields, by the constructors of C++, of bytes, or as views of memory.
#include "object/construction.hpp"

#include <memory>
#include <new>

#include "array/aside.hpp"
#include "call/running.hpp"
#include "codec/pointee_owners.hpp"
#include "object/handle.hpp"
#include "object/method.hpp"

namespace samebytes {

namespace {

// All fields by position, each one recognised; or, for a record, nothing at all.
Match fill_by_position(Instance* self, const Codec& codec, PyObject* args) {
  const Py_ssize_t count = PyTuple_GET_SIZE(args);
  if (!count && is_record_class(Py_TYPE(self))) return Match::yes;
  if (count != codec.field_count || !codec.disjoint) return Match::no;
  for (Py_ssize_t i = 0; i < count; ++i) {
    const Match match = encode_with_owners(self, codec.fields[i], PyTuple_GET_ITEM(args, i));
    if (match != Match::yes) return match;
  }
  return Match::yes;
}

// All fields, the last ones by their names, each one recognised; C++'s and Python's names of them are the
// same.
Match fill_by_name(Instance* self, const Codec& codec, PyObject* args, PyObject* kwargs) {
  const Py_ssize_t count = PyTuple_GET_SIZE(args);
  if (!is_record_class(Py_TYPE(self))) return Match::no;
  if (count + PyDict_GET_SIZE(kwargs) != codec.field_count || !codec.disjoint) return Match::no;
  for (Py_ssize_t i = 0; i < codec.field_count; ++i) {
    PyObject* const given =
        i < count ? PyTuple_GET_ITEM(args, i) : PyDict_GetItemWithError(kwargs, codec.fields[i].name);
    if (!given) return PyErr_Occurred() ? Match::error : Match::no;
    const Match match = encode_with_owners(self, codec.fields[i], given);
    if (match != Match::yes) return match;
  }
  return Match::yes;
}

// What making objects needs of a class, as of one of its versions: it names the class and its state for ever.
struct Known {
  PyTypeObject* type;
  unsigned version;
  bool blank;
  PyObject* constructor;  // borrowed, as the codec: the class has them while it is of that version
  Codec* codec;
};
Known recent[64];

Known& place_of(PyTypeObject* type, bool blank) {
  return recent[(reinterpret_cast<uintptr_t>(type) >> 6 ^ blank) % 64];
}

bool has_version(PyTypeObject* type) { return PyType_HasFeature(type, Py_TPFLAGS_VALID_VERSION_TAG); }

// Null without an exception: the class has no constructors of C++.
Ref constructor_of(PyTypeObject* type, bool blank) {
  static PyObject* const any = PyUnicode_InternFromString("__samebytes_new__");
  static PyObject* const none = PyUnicode_InternFromString("__samebytes_blank__");
  if (!is_record_class(type)) return Ref();
  // None keeps a class without constructors from those of its base.
  const auto found = [type](PyObject* name) {
    PyObject* const constructor = _PyType_Lookup(type, name);
    return Ref::borrow(constructor == Py_None ? nullptr : constructor);
  };
  Ref constructor = found(any);
  if (blank && !constructor) return found(none);
  return constructor;
}

// Has C++ fill a new object: constructor(self, *args, **kwargs).
PyObject* construct(Ref self, PyObject* constructor, PyObject* args, PyObject* kwargs) {
  const Py_ssize_t count = PyTuple_GET_SIZE(args);
  const Py_ssize_t named = kwargs ? PyDict_GET_SIZE(kwargs) : 0;
  constexpr Py_ssize_t kFew = 8;
  PyObject* few[kFew];
  std::unique_ptr<PyObject*[]> many;
  PyObject** all = few;
  if (count + named + 1 > kFew) {
    many.reset(new (std::nothrow) PyObject*[count + named + 1]);
    if (!(all = many.get())) return PyErr_NoMemory();
  }
  all[0] = self.get();
  for (Py_ssize_t i = 0; i < count; ++i) all[i + 1] = PyTuple_GET_ITEM(args, i);
  Ref names = named ? Ref::steal(PyTuple_New(named)) : Ref();
  if (named && !names) return nullptr;
  PyObject *key, *value;
  for (Py_ssize_t at = 0, i = 0; named && PyDict_Next(kwargs, &at, &key, &value); ++i) {
    PyTuple_SET_ITEM(names.get(), i, Py_NewRef(key));
    all[count + 1 + i] = value;
  }
  const Ref done = Ref::steal(PyObject_Vectorcall(constructor, all, count + 1, names.get()));
  return done ? self.release() : nullptr;
}

// Whether an __init__ of Python's has C++'s constructor run: see values/constructing.py.
bool is_deferred(PyTypeObject* type) {
  static PyObject* const name = PyUnicode_InternFromString("__samebytes_deferred__");
  return _PyType_Lookup(type, name) == Py_True;
}

// Python words why a class makes no object of such arguments.
PyObject* refuse_arguments(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static PyObject* const name = PyUnicode_InternFromString("__samebytes_convert__");
  const Ref given = kwargs ? Ref::borrow(kwargs) : Ref::steal(PyDict_New());
  if (!given) return nullptr;
  const Ref convert = Ref::steal(PyObject_GetAttr(reinterpret_cast<PyObject*>(type), name));
  return convert ? ask_python(convert.get(), args, given.get()) : nullptr;
}

// What `super().__init__(...)` does for such an object; `__samebytes_made__` of its class is told of it.
int make_now(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyTypeObject* const type = Py_TYPE(self);
  if (as_handle(self)->data) return type_error("super().__init__() runs already for this object"), -1;
  static PyObject* const told = PyUnicode_InternFromString("__samebytes_made__");
  const Ref codec = class_codec(type);
  if (!codec) return -1;
  const bool blank = !PyTuple_GET_SIZE(args) && !(kwargs && PyDict_GET_SIZE(kwargs));
  const Ref constructor = constructor_of(type, blank);
  if (!constructor) {
    Ref::steal(refuse_arguments(type, args, kwargs));
    if (!PyErr_Occurred()) type_error("this class has no constructor that Python could call");
    return -1;
  }
  if (!give_room(self, codec_of(codec))) return take_room(self), -1;
  const Ref done = Ref::steal(construct(Ref::borrow(self), constructor.get(), args, kwargs));
  if (!done || as_handle(self)->unmade) {
    if (done) type_error("C++'s constructor has made no object");
    return take_room(self), -1;
  }
  PyObject* const tell = _PyType_Lookup(type, told);
  if (!tell) return 0;
  const Ref heard = Ref::steal(PyObject_CallOneArg(tell, self));
  return heard ? 0 : -1;
}

// As CPython calls any class.
PyObject* call_usually(PyObject* cls, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  const Ref given = make_tuple(args, count);
  const Ref named = names ? Ref::steal(PyDict_New()) : Ref();
  if (!given || (names && !named)) return nullptr;
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i)
    if (PyDict_SetItem(named.get(), PyTuple_GET_ITEM(names, i), args[count + i]) < 0) return nullptr;
  Ref made = Ref::steal(PyType_Type.tp_call(cls, given.get(), named.get()));
  if (made && unlikely(is_handle_class(Py_TYPE(made.get())) && as_handle(made.get())->unmade))
    return PyErr_Format(PyExc_TypeError,
                        "%s.__init__() has not called super().__init__(), or that of each base of C++'s, "
                        "which makes the object",
                        reinterpret_cast<PyTypeObject*>(cls)->tp_name);
  return made.release();
}

// An object that C++ has still to fill, if its class has constructors.
Ref blank_object(PyTypeObject* type, const Codec& codec) {
  const bool handle = codec.kind == Kind::handle;
  return Ref::steal(handle ? new_handle(type, codec) : new_instance(type, codec, nullptr, nullptr));
}

// What instance_new made last of arguments: the call of its class hands them to __init__, too, next of all.
PyObject* fresh = nullptr;

PyObject* make_instance(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  Ref codec = class_codec(type);
  if (!codec) return nullptr;
  const Codec& description = codec_of(codec);
  const bool handle = description.kind == Kind::handle;
  if (handle && is_deferred(type)) return new_unmade(type, description);
  Ref self = blank_object(type, description);
  if (!self) return nullptr;
  const bool blank = !PyTuple_GET_SIZE(args) && !(kwargs && PyDict_GET_SIZE(kwargs));
  const Ref constructor = constructor_of(type, blank);
  if (constructor) return construct(std::move(self), constructor.get(), args, kwargs);
  Instance* instance = as_instance(self.get());
  const bool named = kwargs && PyDict_GET_SIZE(kwargs);
  const Match match = handle  ? Match::no
                      : named ? fill_by_name(instance, description, args, kwargs)
                              : fill_by_position(instance, description, args);
  if (match == Match::yes) return self.release();
  if (match == Match::error) return nullptr;
  Ref converted = Ref::steal(refuse_arguments(type, args, kwargs));
  Py_CLEAR(instance->pointee_owners);
  // Of a struct whose arrays are in a device's memory: the object of a class of its own.
  if (converted && PyObject_TypeCheck(converted.get(), type)) return converted.release();
  if (!converted || !copy_converted(instance, instance->data, description.size, converted.get()))
    return nullptr;
  return self.release();
}

}  // namespace

PyObject* instance_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  return fresh = make_instance(type, args, kwargs);
}

// Whether no __init__ of Python's hands on arguments; that of a class from which others derive beside more of
// C++'s hands on its own.
bool is_usual_init(PyTypeObject* type) {
  if (likely(type->tp_init == record_init)) return true;
  static PyObject* const init = PyUnicode_InternFromString("__init__");
  static PyObject* const mark = PyUnicode_InternFromString("__samebytes_of__");
  PyObject* const found = _PyType_Lookup(type, init);
  const Ref held = Ref::borrow(found);
  return found && PyObject_HasAttr(found, mark);
}

// The object is there: C++'s constructor got the arguments of the call. Those of an __init__ of Python's that
// hands on others, or of one that is called again, would be ignored. What __new__ a class of Python's has may
// have made it of others.
int record_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  if (unlikely(is_handle_class(Py_TYPE(self)) && as_handle(self)->unmade))
    return make_now(self, args, kwargs);
  const bool none = !PyTuple_GET_SIZE(args) && !(kwargs && PyDict_GET_SIZE(kwargs));
  const bool made_now = self == fresh || Py_TYPE(self)->tp_new != instance_new;
  fresh = nullptr;
  if (likely(none || (made_now && is_usual_init(Py_TYPE(self))))) return 0;
  static PyObject* const name = PyUnicode_InternFromString("__samebytes_there__");
  const Ref words = Ref::steal(PyObject_GetAttr(reinterpret_cast<PyObject*>(Py_TYPE(self)), name));
  const Ref never = Ref::steal(words ? PyObject_CallNoArgs(words.get()) : nullptr);
  return never ? 0 : -1;
}

PyObject* instance_from_buffer(PyObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"buffer", "offset", nullptr};
  Py_buffer buffer;
  Py_ssize_t offset = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y*|n:__samebytes_from_buffer__", const_cast<char**>(names),
                                   &buffer, &offset))
    return nullptr;
  PyObject* self = nullptr;
  if (Ref codec = class_codec(reinterpret_cast<PyTypeObject*>(type))) {
    const Py_ssize_t size = codec_of(codec).size;
    if (offset >= 0 && offset <= buffer.len - size) {
      self = new_instance(reinterpret_cast<PyTypeObject*>(type), codec_of(codec),
                          static_cast<const char*>(buffer.buf) + offset, nullptr);
    } else {
      PyErr_Format(PyExc_ValueError, "%zd bytes at offset %zd exceed a buffer of %zd bytes", size, offset,
                   buffer.len);
    }
  }
  PyBuffer_Release(&buffer);
  return self;
}

PyObject* record_construct(PyObject* type, PyObject* args) {
  PyObject *constructor, *value;
  if (!PyArg_ParseTuple(args, "OO:__samebytes_construct__", &constructor, &value)) return nullptr;
  Ref codec = class_codec(reinterpret_cast<PyTypeObject*>(type));
  if (!codec) return nullptr;
  Ref self = blank_object(reinterpret_cast<PyTypeObject*>(type), codec_of(codec));
  const Ref rest = Ref::steal(PyTuple_Pack(1, value));
  return self && rest ? construct(std::move(self), constructor, rest.get(), nullptr) : nullptr;
}

PyObject* record_make(PyObject* type, PyObject* converted) {
  Ref codec = class_codec(reinterpret_cast<PyTypeObject*>(type));
  if (!codec) return nullptr;
  Ref self =
      Ref::steal(new_instance(reinterpret_cast<PyTypeObject*>(type), codec_of(codec), nullptr, nullptr));
  if (!self) return nullptr;
  Instance* instance = as_instance(self.get());
  return copy_converted(instance, instance->data, codec_of(codec).size, converted) ? self.release() : nullptr;
}

PyObject* record_view(PyObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"address", "owner", nullptr};
  PyObject *address, *owner;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO:__samebytes_view__", const_cast<char**>(names), &address,
                                   &owner))
    return nullptr;
  Ref number = Ref::steal(PyNumber_Index(address));
  if (!number) return nullptr;
  auto* data = reinterpret_cast<char*>(PyLong_AsUnsignedLongLong(number.get()));
  if (PyErr_Occurred()) return nullptr;
  if (!data) return PyErr_SetString(PyExc_ValueError, "a record cannot view the null address"), nullptr;
  Ref codec = class_codec(reinterpret_cast<PyTypeObject*>(type));
  if (!codec || !check_there(owner)) return nullptr;
  const Running running(&owner, 1, nullptr);  // the garbage collector may run Python code
  return view_instance(reinterpret_cast<PyTypeObject*>(type), codec_of(codec).size, data,
                       owner == Py_None ? nullptr : owner);
}

namespace {

// Nothing that is made anew each time it is asked for.
void learn(Known& known, PyTypeObject* type, bool blank, PyObject* constructor, PyObject* codec) {
  static PyObject* const name = PyUnicode_InternFromString("__samebytes_codec__");
  if (_PyType_Lookup(type, name) != codec || !has_version(type)) return;
  known = {type, type->tp_version_tag, blank, constructor, as_codec(codec)};
}

// The call of a class whose objects C++ makes, without a tuple of its arguments.
PyObject* make_directly(PyObject* cls, PyObject* const* args, size_t nargsf, PyObject* names) {
  auto* const type = reinterpret_cast<PyTypeObject*>(cls);
  const Py_ssize_t count = PyVectorcall_NARGS(nargsf);
  const bool usual = type->tp_new == instance_new && type->tp_init == record_init;
  const bool room = nargsf & PY_VECTORCALL_ARGUMENTS_OFFSET;
  if (unlikely(!usual || !room)) return call_usually(cls, args, count, names);
  const bool blank = !count && !names;
  Known& known = place_of(type, blank);
  Ref constructor, codec;
  if (likely(known.type == type && known.blank == blank && known.version == type->tp_version_tag &&
             has_version(type))) {
    constructor = Ref::borrow(known.constructor);
    codec = Ref::borrow(reinterpret_cast<PyObject*>(known.codec));
  } else {
    constructor = constructor_of(type, blank);
    if (constructor) codec = class_codec(type);
    if (unlikely(!codec)) return PyErr_Occurred() ? nullptr : call_usually(cls, args, count, names);
    learn(known, type, blank, constructor.get(), codec.get());
  }
  Ref self = blank_object(type, codec_of(codec));
  if (!self) return nullptr;
  auto** const all = const_cast<PyObject**>(args) - 1;
  PyObject* const before = all[0];
  all[0] = self.get();
  const Ref done = Ref::steal(is_method(constructor.get())
                                  ? call_method(constructor.get(), all, count + 1, names)
                                  : PyObject_Vectorcall(constructor.get(), all, count + 1, names));
  all[0] = before;
  return done ? self.release() : nullptr;
}

}  // namespace

PyObject* construct_by(PyObject*, PyObject* args) {
  PyObject *cls, *constructor, *given, *named;
  if (!PyArg_ParseTuple(args, "O!OO!O!:construct_by", &PyType_Type, &cls, &constructor, &PyTuple_Type, &given,
                        &PyDict_Type, &named))
    return nullptr;
  auto* const type = reinterpret_cast<PyTypeObject*>(cls);
  if (!is_record_class(type)) return type_error("expected a class of records"), nullptr;
  const Ref codec = class_codec(type);
  Ref self = codec ? blank_object(type, codec_of(codec)) : Ref();
  return self ? construct(std::move(self), constructor, given, named) : nullptr;
}

PyObject* set_deferred(PyObject*, PyObject* args) {
  PyObject* cls;
  int deferred;
  if (!PyArg_ParseTuple(args, "O!p:set_deferred", &PyType_Type, &cls, &deferred)) return nullptr;
  auto* const type = reinterpret_cast<PyTypeObject*>(cls);
  if (!is_handle_class(type)) return type_error("expected a class of handles"), nullptr;
  static PyObject* const name = PyUnicode_InternFromString("__samebytes_deferred__");
  if (PyType_Type.tp_setattro(cls, name, deferred ? Py_True : Py_False) < 0) return nullptr;
  if (deferred) {
    Py_TYPE(cls)->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
    type->tp_vectorcall = make_directly;
  }
  Py_RETURN_NONE;
}

PyObject* set_direct(PyObject*, PyObject* cls) {
  if (!PyType_Check(cls) || !is_record_class(reinterpret_cast<PyTypeObject*>(cls)))
    return type_error("expected a class of records"), nullptr;
  PyTypeObject* const kind = Py_TYPE(cls);
  if (kind->tp_call != PyType_Type.tp_call || kind->tp_vectorcall_offset != PyType_Type.tp_vectorcall_offset)
    Py_RETURN_NONE;  // what a call of the class means is for another to say
  kind->tp_flags |=
      Py_TPFLAGS_HAVE_VECTORCALL;  // before Python 3.12 the classes of Python's classes do not inherit it
  reinterpret_cast<PyTypeObject*>(cls)->tp_vectorcall = make_directly;
  dies_directly(reinterpret_cast<PyTypeObject*>(cls));
  Py_RETURN_NONE;
}

}  // namespace samebytes
