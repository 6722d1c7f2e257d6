// The Python types Value (immutable) and Record (mutable, or a view): objects that are their C++ bytes.
#include <cstring>
#include <memory>
#include <new>

#include "handle.hpp"
#include "kept.hpp"
#include "letters.hpp"
#include "owned.hpp"
#include "structmember.h"

namespace samebytes {

PyTypeObject* value_type;
PyTypeObject* record_type;

namespace {

constexpr Py_ssize_t kFreeAlignment = 16;  // bytes; what CPython's allocator gives
static_assert(sizeof(Instance) % kFreeAlignment == 0, "an inline payload begins right after the struct");

// Uninitialised but for the head; `extra` bytes follow it.
Instance* allocate(PyTypeObject* type, Py_ssize_t extra) {
  if (unlikely(type->tp_basicsize != sizeof(Instance) || type->tp_dictoffset)) {
    PyErr_Format(PyExc_TypeError, "class %s needs __slots__ = (): its instances are bytes", type->tp_name);
    return nullptr;
  }
  return PyObject_GC_NewVar(Instance, type, extra);
}

PyObject* finish(Instance* self, Py_ssize_t size, char* data, PyObject* owner) {
  Py_SET_SIZE(self, size);
  self->data = data;
  self->owner = Py_XNewRef(owner);
  self->kept = nullptr;
  PyObject_GC_Track(self);
  return reinterpret_cast<PyObject*>(self);
}

const Codec& codec_of(const Ref& codec) { return *reinterpret_cast<Codec*>(codec.get()); }

// All fields by position, each one recognised; or, for a record, nothing at all.
Match fill_by_position(Instance* self, const Codec& codec, PyObject* args) {
  const Py_ssize_t count = PyTuple_GET_SIZE(args);
  if (!count && is_record_class(Py_TYPE(self))) return Match::yes;
  if (count != codec.field_count || !codec.disjoint) return Match::no;
  for (Py_ssize_t i = 0; i < count; ++i) {
    const Match match = encode_kept(self, codec.fields[i], PyTuple_GET_ITEM(args, i));
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
    const Match match = encode_kept(self, codec.fields[i], given);
    if (match != Match::yes) return match;
  }
  return Match::yes;
}

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

// An object that C++ has still to fill, if its class has constructors.
Ref blank_object(PyTypeObject* type, const Codec& codec) {
  const bool handle = codec.kind == Kind::handle;
  return Ref::steal(handle ? new_handle(type, codec) : new_instance(type, codec, nullptr, nullptr));
}

PyObject* instance_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  Ref codec = class_codec(type);
  if (!codec) return nullptr;
  const Codec& description = codec_of(codec);
  const bool handle = description.kind == Kind::handle;
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
  static PyObject* const name = PyUnicode_InternFromString("__samebytes_convert__");
  Ref empty = kwargs ? Ref::borrow(kwargs) : Ref::steal(PyDict_New());
  if (!empty) return nullptr;
  Ref converted = Ref::steal(
      PyObject_CallMethodObjArgs(reinterpret_cast<PyObject*>(type), name, args, empty.get(), nullptr));
  Py_CLEAR(instance->kept);
  if (!converted || !copy_converted(instance, instance->data, description.size, converted.get()))
    return nullptr;
  return self.release();
}

PyObject* instance_from_buffer(PyObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"buffer", "offset", nullptr};
  Py_buffer buffer;
  Py_ssize_t offset = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y*|n:_from_buffer", const_cast<char**>(names), &buffer,
                                   &offset))
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
  if (!PyArg_ParseTuple(args, "OO:_construct", &constructor, &value)) return nullptr;
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
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO:_view", const_cast<char**>(names), &address, &owner))
    return nullptr;
  Ref number = Ref::steal(PyNumber_Index(address));
  if (!number) return nullptr;
  auto* data = reinterpret_cast<char*>(PyLong_AsUnsignedLongLong(number.get()));
  if (PyErr_Occurred()) return nullptr;
  if (!data) return PyErr_SetString(PyExc_ValueError, "a record cannot view the null address"), nullptr;
  Ref codec = class_codec(reinterpret_cast<PyTypeObject*>(type));
  if (!codec) return nullptr;
  return view_instance(reinterpret_cast<PyTypeObject*>(type), codec_of(codec).size, data,
                       owner == Py_None ? nullptr : owner);
}

int instance_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_instance(self)->owner);
  Py_VISIT(as_instance(self)->kept);
  return 0;
}

// The owner stays: it never changes, so it closes no cycle by itself, and the bytes may be its own.
int instance_clear(PyObject* self) {
  Py_CLEAR(as_instance(self)->kept);
  return 0;
}

void instance_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_XDECREF(as_instance(self)->owner);
  Py_XDECREF(as_instance(self)->kept);
  type->tp_free(self);
  Py_DECREF(type);
}

// The format of a struct class, `T{...}`, where it has one: then its instances are one element of it, as
// NumPy's structured scalars are. -1 with an exception.
int struct_format(PyTypeObject* type, const char** format) {
  static PyObject* name = PyUnicode_InternFromString("__samebytes_format__");
  Ref found = Ref::steal(PyObject_GetAttr(reinterpret_cast<PyObject*>(type), name));
  if (!found) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
    PyErr_Clear();
    return 0;
  }
  if (PyBytes_Check(found.get())) *format = PyBytes_AS_STRING(found.get());  // the class keeps it
  return 0;
}

int export_struct(PyObject* self, Py_buffer* view, int flags, bool readonly) {
  const char* format = nullptr;
  if ((flags & PyBUF_FORMAT) == PyBUF_FORMAT && struct_format(Py_TYPE(self), &format) < 0) {
    view->obj = nullptr;
    return -1;
  }
  if (PyBuffer_FillInfo(view, self, as_instance(self)->data, Py_SIZE(self), readonly, flags) < 0) return -1;
  if (!format) return 0;
  view->format = const_cast<char*>(format);
  view->itemsize = Py_SIZE(self);
  view->ndim = 0;
  view->shape = view->strides = nullptr;
  return 0;
}

// A vector's buffer has its elements' format, so that NumPy reads numbers and not bytes.
int export_value(PyObject* self, Py_buffer* view, int flags) {
  static Py_ssize_t counts[] = {0, 1, 2, 3, 4};
  const char* letter = nullptr;
  Py_ssize_t itemsize = 1;
  if ((flags & PyBUF_FORMAT) == PyBUF_FORMAT) {
    Ref codec = class_codec(Py_TYPE(self));
    if (!codec) return -1;
    const ElementType type = codec_of(codec).array.dl;
    if (!type.bits) return export_struct(self, view, flags, true);
    itemsize = type.bits ? type.bits / 8 : 1;
    if (type.bits && Py_SIZE(self) <= 4 * itemsize && !(letter = format_letter(type))) {
      view->obj = nullptr;
      PyErr_Format(PyExc_BufferError,
                   "the buffer protocol has no format for %s; use bytes(v) or numpy.asarray(v)",
                   Py_TYPE(self)->tp_name);
      return -1;
    }
  }
  if (PyBuffer_FillInfo(view, self, as_instance(self)->data, Py_SIZE(self), 1, flags) < 0) return -1;
  if (!letter) return 0;
  view->format = const_cast<char*>(letter);
  view->itemsize = itemsize;
  if (view->shape) view->shape = &counts[Py_SIZE(self) / itemsize];
  return 0;
}

int export_record(PyObject* self, Py_buffer* view, int flags) {
  return export_struct(self, view, flags, false);
}

PyObject* instance_address(PyObject* self, void*) { return PyLong_FromVoidPtr(as_instance(self)->data); }
PyObject* instance_owner(PyObject* self, void*) {
  PyObject* owner = as_instance(self)->owner;
  return Py_NewRef(owner ? owner : Py_None);
}

PyObject* instance_kept(PyObject* self, void*) {
  PyObject* kept = as_instance(self)->kept;
  return kept ? PyDict_Copy(kept) : PyDict_New();
}

PyObject* instance_snapshot(PyObject* self, PyObject*) { return snapshot(as_instance(self)); }

PyGetSetDef instance_getset[] = {
    {"_address", instance_address, nullptr, "Where the bytes are, as an int.", nullptr},
    {"_owner", instance_owner, nullptr, "What a view views, or what a result points into; or None.", nullptr},
    {"_kept", instance_kept, nullptr,
     "A copy of: (address, size) of bytes with pointers -> what keeps their targets.", nullptr},
    {}};

PyCFunction with_keywords(PyObject* (*function)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

const char kSnapshot[] =
    "_snapshot($self, /)\n--\n\nA copy of the bytes, and {(offset, size): what their pointers point into}.";
const char kFromBuffer[] =
    "_from_buffer($type, buffer, offset=0)\n--\n\nA copy of the bytes that begin at `offset` (bytes).";

PyMethodDef value_methods[] = {{"_from_buffer", with_keywords(instance_from_buffer),
                                METH_VARARGS | METH_KEYWORDS | METH_CLASS, kFromBuffer},
                               {"_snapshot", instance_snapshot, METH_NOARGS, kSnapshot},
                               {}};

PyMethodDef record_methods[] = {
    {"_from_buffer", with_keywords(instance_from_buffer), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     kFromBuffer},
    {"_snapshot", instance_snapshot, METH_NOARGS, kSnapshot},
    {"_construct", record_construct, METH_VARARGS | METH_CLASS,
     "_construct($type, constructor, value, /)\n--\n\nAn object that one constructor of C++ makes of one "
     "value."},
    {"_make", record_make, METH_O | METH_CLASS,
     "_make($type, converted, /)\n--\n\nA record from its bytes, or (bytes, owner), without a constructor of "
     "C++."},
    {"_view", with_keywords(record_view), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "_view($type, address, owner)\n--\n\nA record that is the memory at `address`, which `owner` keeps "
     "alive."},
    {}};

#define SAMEBYTES_INSTANCE_SLOTS                                    \
  {Py_tp_new, reinterpret_cast<void*>(instance_new)},               \
      {Py_tp_dealloc, reinterpret_cast<void*>(instance_dealloc)},   \
      {Py_tp_traverse, reinterpret_cast<void*>(instance_traverse)}, \
      {Py_tp_clear, reinterpret_cast<void*>(instance_clear)}, {     \
    Py_tp_getset, instance_getset                                   \
  }

PyType_Slot value_slots[] = {
    SAMEBYTES_INSTANCE_SLOTS,
    {Py_tp_methods, value_methods},
    {Py_bf_getbuffer, reinterpret_cast<void*>(export_value)},
    {Py_tp_doc, const_cast<char*>("An immutable object that is its bytes; classes derive from it.")},
    {}};

PyType_Slot record_slots[] = {
    SAMEBYTES_INSTANCE_SLOTS,
    {Py_tp_methods, record_methods},
    {Py_tp_hash, reinterpret_cast<void*>(PyObject_HashNotImplemented)},
    {Py_bf_getbuffer, reinterpret_cast<void*>(export_record)},
    {Py_tp_doc,
     const_cast<char*>("A mutable object that is its bytes, or views others; classes derive from it.")},
    {}};

constexpr unsigned kFlags =
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE;
PyType_Spec value_spec = {"samebytes._native.Value", sizeof(Instance), 1, kFlags, value_slots};
PyType_Spec record_spec = {"samebytes._native.Record", sizeof(Instance), 1, kFlags, record_slots};

int add_type(PyObject* module, const char* name, PyType_Spec& spec, PyTypeObject*& type) {
  type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return type ? PyModule_AddObjectRef(module, name, reinterpret_cast<PyObject*>(type)) : -1;
}

}  // namespace

Ref class_codec(PyTypeObject* type) {
  static PyObject* const name = PyUnicode_InternFromString("__samebytes_codec__");
  Ref codec = Ref::steal(PyObject_GetAttr(reinterpret_cast<PyObject*>(type), name));
  if (!codec) return codec;
  const Kind kind = is_codec(codec.get()) ? reinterpret_cast<Codec*>(codec.get())->kind : Kind::boolean;
  if (kind == (is_handle_class(type) ? Kind::handle : Kind::structure)) return codec;
  PyErr_Format(PyExc_TypeError, "%s.__samebytes_codec__ is not a struct's Codec", type->tp_name);
  return Ref();
}

PyObject* new_instance(PyTypeObject* type, const Codec& codec, const char* from, PyObject* owner) {
  const bool wide = unlikely(codec.align > kFreeAlignment);
  Instance* self = allocate(type, wide ? codec.size + codec.align : codec.size);
  if (unlikely(!self)) return nullptr;
  const uintptr_t mask = wide ? codec.align - 1 : 0;
  char* data = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(self + 1) + mask) & ~mask);
  if (from) {
    std::memcpy(data, from, codec.size);
  } else {
    std::memset(data, 0, codec.size);
  }
  return finish(self, codec.size, data, owner);
}

PyObject* view_instance(PyTypeObject* type, Py_ssize_t size, char* data, PyObject* owner) {
  note_viewed(owner);
  Instance* self = allocate(type, 0);
  return self ? finish(self, size, data, owner) : nullptr;
}

int add_instance_types(PyObject* module) {
  if (add_type(module, "Value", value_spec, value_type) < 0) return -1;
  return add_type(module, "Record", record_spec, record_type);
}

}  // namespace samebytes
