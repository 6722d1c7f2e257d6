// What a header's reader asks libclang again and again, asked natively: through ctypes a question costs ten
// times as much. The core does not link libclang: Python, which has loaded it, says where its functions are.
//
// A cursor and a type are what libclang's Python binding has for them, structures of ctypes, so that whatever
// is not asked here the binding asks. Structures and functions are those of clang-c, whose ABI does not
// change.
#include "clang/queries.hpp"

#include <climits>
#include <cstring>

#include "ref.hpp"

namespace samebytes {

namespace {

struct CXCursor {
  int kind, xdata;
  const void* data[3];
};

struct CXType {
  int kind;
  void* data[2];
};

struct CXString {
  const void* data;
  unsigned flags;
};

struct CXSourceLocation {
  const void* data[2];
  unsigned offset;
};

struct CXSourceRange {
  const void* data[2];
  unsigned begin, end;
};

constexpr int null_cursor = 70;  // CXCursor_InvalidFile
constexpr int go_on = 1, stop = 0;

// libclang's functions, each of them filled in before any is called.
const char* (*get_c_string)(CXString);
void (*dispose_string)(CXString);
unsigned (*visit_children)(CXCursor, int (*)(CXCursor, CXCursor, void*), void*);
unsigned (*visit_fields)(CXType, int (*)(CXCursor, void*), void*);
CXSourceLocation (*cursor_location)(CXCursor);
CXSourceRange (*cursor_extent)(CXCursor);
CXSourceLocation (*range_start)(CXSourceRange);
CXSourceLocation (*range_end)(CXSourceRange);
void (*instantiation_location)(CXSourceLocation, void**, unsigned*, unsigned*, unsigned*);
unsigned (*equal_cursors)(CXCursor, CXCursor);
int (*num_arguments)(CXCursor);
CXCursor (*argument)(CXCursor, unsigned);
int (*num_argument_types)(CXType);
CXType (*argument_type)(CXType, unsigned);
CXType (*template_argument_type)(CXType, unsigned);
int (*num_template_arguments)(CXType);
unsigned (*is_const_qualified)(CXType);
CXString (*cursor_spelling)(CXCursor);
CXString (*cursor_display_name)(CXCursor);
CXString (*cursor_mangling)(CXCursor);
CXString (*cursor_comment)(CXCursor);
CXString (*type_text)(CXType);
CXType (*cursor_type)(CXCursor);
CXType (*cursor_result_type)(CXCursor);
CXType (*typedef_type)(CXCursor);
CXType (*enum_type)(CXCursor);
CXCursor (*definition)(CXCursor);
CXCursor (*semantic_parent)(CXCursor);
CXCursor (*lexical_parent)(CXCursor);
CXCursor (*referenced)(CXCursor);
CXCursor (*canonical_cursor)(CXCursor);
CXCursor (*specialized_template)(CXCursor);
CXType (*canonical_type)(CXType);
CXType (*pointee_type)(CXType);
CXType (*result_type)(CXType);
CXType (*named_type)(CXType);
CXType (*element_type)(CXType);
CXCursor (*type_declaration)(CXType);
unsigned (*is_definition)(CXCursor);
unsigned (*is_scoped_enum)(CXCursor);
unsigned (*is_inline_namespace)(CXCursor);
int (*num_cursor_arguments)(CXCursor);
int (*access_of)(CXCursor);
unsigned (*num_overloaded)(CXCursor);
CXCursor (*overloaded)(CXCursor, unsigned);
unsigned (*hash_of)(CXCursor);
CXString (*file_name)(void*);
void (*visit_inclusions)(void*, void (*)(void*, CXSourceLocation*, unsigned, void*), void*);

#define FUNCTION(name, place) {name, reinterpret_cast<void**>(&place)}
const struct {
  const char* name;
  void** place;
} functions[] = {
    FUNCTION("clang_getCString", get_c_string),
    FUNCTION("clang_disposeString", dispose_string),
    FUNCTION("clang_visitChildren", visit_children),
    FUNCTION("clang_Type_visitFields", visit_fields),
    FUNCTION("clang_getCursorLocation", cursor_location),
    FUNCTION("clang_getCursorExtent", cursor_extent),
    FUNCTION("clang_getRangeStart", range_start),
    FUNCTION("clang_getRangeEnd", range_end),
    FUNCTION("clang_getInstantiationLocation", instantiation_location),
    FUNCTION("clang_equalCursors", equal_cursors),
    FUNCTION("clang_Cursor_getNumArguments", num_arguments),
    FUNCTION("clang_Cursor_getArgument", argument),
    FUNCTION("clang_getNumArgTypes", num_argument_types),
    FUNCTION("clang_getArgType", argument_type),
    FUNCTION("clang_Type_getTemplateArgumentAsType", template_argument_type),
    FUNCTION("clang_Type_getNumTemplateArguments", num_template_arguments),
    FUNCTION("clang_isConstQualifiedType", is_const_qualified),
    FUNCTION("clang_getCursorSpelling", cursor_spelling),
    FUNCTION("clang_getCursorDisplayName", cursor_display_name),
    FUNCTION("clang_Cursor_getMangling", cursor_mangling),
    FUNCTION("clang_Cursor_getRawCommentText", cursor_comment),
    FUNCTION("clang_getTypeSpelling", type_text),
    FUNCTION("clang_getCursorType", cursor_type),
    FUNCTION("clang_getCursorResultType", cursor_result_type),
    FUNCTION("clang_getTypedefDeclUnderlyingType", typedef_type),
    FUNCTION("clang_getEnumDeclIntegerType", enum_type),
    FUNCTION("clang_getCursorDefinition", definition),
    FUNCTION("clang_getCursorSemanticParent", semantic_parent),
    FUNCTION("clang_getCursorLexicalParent", lexical_parent),
    FUNCTION("clang_getCursorReferenced", referenced),
    FUNCTION("clang_getCanonicalCursor", canonical_cursor),
    FUNCTION("clang_getSpecializedCursorTemplate", specialized_template),
    FUNCTION("clang_getCanonicalType", canonical_type),
    FUNCTION("clang_getPointeeType", pointee_type),
    FUNCTION("clang_getResultType", result_type),
    FUNCTION("clang_Type_getNamedType", named_type),
    FUNCTION("clang_getElementType", element_type),
    FUNCTION("clang_getTypeDeclaration", type_declaration),
    FUNCTION("clang_isCursorDefinition", is_definition),
    FUNCTION("clang_EnumDecl_isScoped", is_scoped_enum),
    FUNCTION("clang_Cursor_isInlineNamespace", is_inline_namespace),
    FUNCTION("clang_Cursor_getNumTemplateArguments", num_cursor_arguments),
    FUNCTION("clang_getCXXAccessSpecifier", access_of),
    FUNCTION("clang_getNumOverloadedDecls", num_overloaded),
    FUNCTION("clang_getOverloadedDecl", overloaded),
    FUNCTION("clang_hashCursor", hash_of),
    FUNCTION("clang_getFileName", file_name),
    FUNCTION("clang_getInclusions", visit_inclusions),
};
#undef FUNCTION

PyObject *cursor_class, *type_class;  // of Python, as long as the process lives
PyObject* unit_name;                  // "_tu": the unit, which each of their objects keeps

// The bytes of a ctypes structure, if it has just those.
template <class Struct>
bool read(PyObject* object, Struct& into) {
  Py_buffer view;
  if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0) return false;
  const bool right = view.len == Py_ssize_t{sizeof into};
  if (right) std::memcpy(&into, view.buf, sizeof into);
  PyBuffer_Release(&view);
  if (!right) PyErr_SetString(PyExc_TypeError, "clang's cursor or type is expected, and not the other");
  return right;
}

template <class Struct>
PyObject* made(PyObject* of, const Struct& value, PyObject* unit) {
  Ref object = Ref::steal(PyObject_CallNoArgs(of));
  Py_buffer view;
  if (!object || PyObject_GetBuffer(object.get(), &view, PyBUF_WRITABLE) < 0) return nullptr;
  const bool right = view.len == Py_ssize_t{sizeof value};
  if (right) std::memcpy(view.buf, &value, sizeof value);
  PyBuffer_Release(&view);
  if (!right) return PyErr_SetString(PyExc_TypeError, "clang's binding has other structures"), nullptr;
  return PyObject_SetAttr(object.get(), unit_name, unit) < 0 ? nullptr : object.release();
}

bool is_null(const CXCursor& value) {
  const void* const* data = value.data;
  return value.kind == null_cursor && !value.xdata && !data[0] && !data[1] && !data[2];
}

PyObject* python(const CXCursor& value, PyObject* unit) {
  return is_null(value) ? Py_NewRef(Py_None) : made(cursor_class, value, unit);
}

PyObject* python(const CXType& value, PyObject* unit) { return made(type_class, value, unit); }

PyObject* python(CXString value, PyObject*) {
  const char* const text = get_c_string(value);
  PyObject* const found = text ? PyUnicode_FromString(text) : Py_NewRef(Py_None);
  dispose_string(value);
  return found;
}

PyObject* python(unsigned value, PyObject*) { return PyBool_FromLong(value != 0); }

PyObject* python(int value, PyObject*) { return PyLong_FromLong(value); }

template <auto& asked, class From>
PyObject* answer(PyObject*, PyObject* object) {
  From from;
  if (!read(object, from)) return nullptr;
  const Ref unit = Ref::steal(PyObject_GetAttr(object, unit_name));
  return unit ? python(asked(from), unit.get()) : nullptr;
}

template <auto& asked, class From>
PyObject* property(PyObject* object, void*) {
  return answer<asked, From>(nullptr, object);
}

template <auto& asked, class From>
PyObject* method(PyObject* object, PyObject*) {
  return answer<asked, From>(nullptr, object);
}

struct Visit {
  PyObject *found, *unit;
  int first = 0, last = INT_MAX;
  bool between = true, failed = false;

  int take(const CXCursor& cursor) {
    if ((first <= cursor.kind && cursor.kind <= last) != between) return go_on;
    const Ref object = Ref::steal(python(cursor, unit));
    failed = !object || PyList_Append(found, object.get()) < 0;
    return failed ? stop : go_on;
  }
};

// The children of a cursor whose kinds lie between two, or do not.
PyObject* visited(PyObject* object, int first, int last, bool between) {
  CXCursor cursor;
  if (!read(object, cursor)) return nullptr;
  const Ref unit = Ref::steal(PyObject_GetAttr(object, unit_name));
  Ref found = Ref::steal(unit ? PyList_New(0) : nullptr);
  if (!found) return nullptr;
  Visit visit{found.get(), unit.get(), first, last, between};
  visit_children(
      cursor, [](CXCursor child, CXCursor, void* to) { return static_cast<Visit*>(to)->take(child); },
      &visit);
  return visit.failed ? nullptr : found.release();
}

PyObject* children(PyObject*, PyObject* object) { return visited(object, 0, INT_MAX, true); }

template <bool between>
PyObject* children_by_kind(PyObject*, PyObject* args) {
  PyObject* object;
  int first, last;
  if (!PyArg_ParseTuple(args, "Oii", &object, &first, &last)) return nullptr;
  return visited(object, first, last, between);
}

// The declarations in one: of the kinds for which `kinds` has a byte, in the files for which `files` has a
// name. Where there are `words`, only what is called by one of them, and all whose kind has a 2.
struct Declarations {
  PyObject *found, *unit, *files, *words;
  const char* kinds;
  Py_ssize_t length;
  void* file = nullptr;  // the one before: most of a file's declarations follow each other
  Ref name = Ref::steal(nullptr);
  bool failed = false;

  int take(const CXCursor& cursor) {
    const char taken = 0 <= cursor.kind && cursor.kind < length ? kinds[cursor.kind] : '\0';
    if (!taken || !stands_in_one(cursor)) return failed ? stop : go_on;
    const Ref spelling = Ref::steal(python(cursor_spelling(cursor), unit));
    if (!spelling) return fail();
    if (words != Py_None && taken == 1) {
      const int wanted = PySequence_Contains(words, spelling.get());
      if (wanted <= 0) return wanted < 0 ? fail() : go_on;
    }
    const CXCursor parent = semantic_parent(cursor);
    const bool at_home = is_null(parent) || equal_cursors(parent, lexical_parent(cursor));
    const Ref object = Ref::steal(python(cursor, unit));
    const Ref row = Ref::steal(object ? Py_BuildValue("iOOOOiI", cursor.kind, object.get(), spelling.get(),
                                                      name.get(), at_home ? Py_True : Py_False,
                                                      access_of(cursor), hash_of(canonical_cursor(cursor)))
                                      : nullptr);
    return row && PyList_Append(found, row.get()) == 0 ? go_on : fail();
  }

  bool stands_in_one(const CXCursor& cursor) {
    if (files == Py_None) return true;
    void* at = nullptr;
    unsigned line, column, offset;
    instantiation_location(cursor_location(cursor), &at, &line, &column, &offset);
    if (!at) return false;  // the compiler's own
    if (at != file) {
      const Ref number = Ref::steal(PyLong_FromVoidPtr(at));
      name = Ref::steal(number ? PyObject_GetItem(files, number.get()) : nullptr);
      file = at;
    }
    failed = !name;
    return name && name.get() != Py_None;
  }

  int fail() {
    failed = true;
    return stop;
  }
};

PyObject* declarations(PyObject*, PyObject* args) {
  PyObject *object, *kinds, *files, *words;
  CXCursor cursor;
  if (!PyArg_ParseTuple(args, "OSOO", &object, &kinds, &files, &words) || !read(object, cursor))
    return nullptr;
  const Ref unit = Ref::steal(PyObject_GetAttr(object, unit_name));
  Ref found = Ref::steal(unit ? PyList_New(0) : nullptr);
  if (!found) return nullptr;
  Declarations visit{
      found.get(), unit.get(), files, words, PyBytes_AS_STRING(kinds), PyBytes_GET_SIZE(kinds)};
  if (files == Py_None) visit.name = Ref::steal(Py_NewRef(Py_None));
  visit_children(
      cursor, [](CXCursor child, CXCursor, void* to) { return static_cast<Declarations*>(to)->take(child); },
      &visit);
  return visit.failed ? nullptr : found.release();
}

// The names of the files that a unit, which its address says, includes, in order, each as often as it does.
PyObject* inclusions(PyObject*, PyObject* address) {
  struct Names {
    PyObject* found;
    bool failed = false;
  };
  void* const unit = PyLong_AsVoidPtr(address);
  Ref found = Ref::steal(PyErr_Occurred() ? nullptr : PyList_New(0));
  if (!found) return nullptr;
  Names names{found.get()};
  visit_inclusions(
      unit,
      [](void* file, CXSourceLocation*, unsigned depth, void* to) {
        auto& [found, failed] = *static_cast<Names*>(to);
        if (failed || depth == 0) return;  // the main file
        const Ref name = Ref::steal(python(file_name(file), nullptr));
        failed = !name || PyList_Append(found, name.get()) < 0;
      },
      &names);
  return names.failed ? nullptr : found.release();
}

PyObject* canonical_hash(PyObject*, PyObject* object) {
  CXCursor cursor;
  return read(object, cursor) ? PyLong_FromUnsignedLong(hash_of(canonical_cursor(cursor))) : nullptr;
}

PyObject* fields(PyObject* object, PyObject*) {
  CXType type;
  if (!read(object, type)) return nullptr;
  const Ref unit = Ref::steal(PyObject_GetAttr(object, unit_name));
  Ref found = Ref::steal(unit ? PyList_New(0) : nullptr);
  if (!found) return nullptr;
  Visit visit{found.get(), unit.get()};
  visit_fields(type, [](CXCursor field, void* to) { return static_cast<Visit*>(to)->take(field); }, &visit);
  return visit.failed ? nullptr : found.release();
}

template <auto& count, auto& item, class From>
PyObject* list(PyObject*, PyObject* object) {
  From from;
  if (!read(object, from)) return nullptr;
  const Ref unit = Ref::steal(PyObject_GetAttr(object, unit_name));
  Ref found = Ref::steal(unit ? PyList_New(0) : nullptr);
  if (!found) return nullptr;
  const int length = int(count(from));  // negative where there are none
  for (int i = 0; i < length; ++i) {
    const Ref object = Ref::steal(python(item(from, unsigned(i)), unit.get()));
    if (!object || PyList_Append(found.get(), object.get()) < 0) return nullptr;
  }
  return found.release();
}

PyObject* arguments(PyObject* object, PyObject*) {
  return list<num_arguments, argument, CXCursor>(nullptr, object);
}

PyObject* template_argument(PyObject* object, PyObject* number) {
  CXType type;
  const long index = PyLong_AsLong(number);
  if ((index == -1 && PyErr_Occurred()) || !read(object, type)) return nullptr;
  const Ref unit = Ref::steal(PyObject_GetAttr(object, unit_name));
  return unit ? python(template_argument_type(type, unsigned(index)), unit.get()) : nullptr;
}

PyObject* template_arguments(PyObject* object, PyObject*) {
  CXType type;
  return read(object, type) ? PyLong_FromLong(num_template_arguments(type)) : nullptr;
}

PyObject* is_const(PyObject* object, PyObject*) {
  CXType type;
  return read(object, type) ? PyBool_FromLong(is_const_qualified(type) != 0) : nullptr;
}

PyObject* compared(PyObject* object, PyObject* other, bool equal) {
  if (!PyObject_CheckBuffer(other)) Py_RETURN_NOTIMPLEMENTED;
  CXCursor one, two;
  if (!read(object, one) || !read(other, two)) return nullptr;
  return PyBool_FromLong((equal_cursors(one, two) != 0) == equal);
}

PyObject* equals(PyObject* object, PyObject* other) { return compared(object, other, true); }
PyObject* differs(PyObject* object, PyObject* other) { return compared(object, other, false); }

PyObject* file_number(void* file) { return file ? PyLong_FromVoidPtr(file) : Py_NewRef(Py_None); }

PyObject* place(PyObject*, PyObject* object) {
  CXCursor cursor;
  if (!read(object, cursor)) return nullptr;
  void* file = nullptr;
  unsigned line = 0, column = 0, offset = 0;
  instantiation_location(cursor_location(cursor), &file, &line, &column, &offset);
  return Py_BuildValue("NIII", file_number(file), line, column, offset);
}

PyObject* extent(PyObject*, PyObject* object) {
  CXCursor cursor;
  if (!read(object, cursor)) return nullptr;
  const CXSourceRange range = cursor_extent(cursor);
  void *file = nullptr, *other = nullptr;
  unsigned line, column, begin = 0, end = 0;
  instantiation_location(range_start(range), &file, &line, &column, &begin);
  instantiation_location(range_end(range), &other, &line, &column, &end);
  return Py_BuildValue("NII", file_number(file), begin, end);
}

#define PROPERTY(name, asked, From) {name, property<asked, From>, nullptr, nullptr, nullptr}
#define METHOD(name, asked, From) {name, method<asked, From>, METH_NOARGS, nullptr}
#define QUERY(name, asked, From) {name, answer<asked, From>, METH_O, nullptr}

PyGetSetDef cursor_properties[] = {
    PROPERTY("spelling", cursor_spelling, CXCursor),
    PROPERTY("displayname", cursor_display_name, CXCursor),
    PROPERTY("mangled_name", cursor_mangling, CXCursor),
    PROPERTY("raw_comment", cursor_comment, CXCursor),
    PROPERTY("type", cursor_type, CXCursor),
    PROPERTY("result_type", cursor_result_type, CXCursor),
    PROPERTY("underlying_typedef_type", typedef_type, CXCursor),
    PROPERTY("enum_type", enum_type, CXCursor),
    PROPERTY("semantic_parent", semantic_parent, CXCursor),
    PROPERTY("lexical_parent", lexical_parent, CXCursor),
    PROPERTY("referenced", referenced, CXCursor),
    PROPERTY("canonical", canonical_cursor, CXCursor),
    {},
};
PyMethodDef cursor_methods[] = {
    METHOD("get_definition", definition, CXCursor),
    METHOD("is_definition", is_definition, CXCursor),
    METHOD("is_scoped_enum", is_scoped_enum, CXCursor),
    METHOD("get_num_template_arguments", num_cursor_arguments, CXCursor),
    {"get_arguments", arguments, METH_NOARGS, nullptr},
    {"__eq__", equals, METH_O, nullptr},
    {"__ne__", differs, METH_O, nullptr},
    {},
};
PyGetSetDef type_properties[] = {PROPERTY("spelling", type_text, CXType), {}};
PyMethodDef type_methods[] = {
    METHOD("get_canonical", canonical_type, CXType),
    METHOD("get_pointee", pointee_type, CXType),
    METHOD("get_result", result_type, CXType),
    METHOD("get_named_type", named_type, CXType),
    METHOD("get_declaration", type_declaration, CXType),
    {"get_fields", fields, METH_NOARGS, nullptr},
    {"get_template_argument_type", template_argument, METH_O, nullptr},
    {"get_num_template_arguments", template_arguments, METH_NOARGS, nullptr},
    {"is_const_qualified", is_const, METH_NOARGS, nullptr},
    {},
};
// What is asked of the binding's own objects, too.
PyMethodDef queries[] = {
    {"children", children, METH_O, nullptr},
    {"children_between", children_by_kind<true>, METH_VARARGS, nullptr},
    {"children_beside", children_by_kind<false>, METH_VARARGS, nullptr},
    {"declarations", declarations, METH_VARARGS, nullptr},
    {"inclusions", inclusions, METH_O, nullptr},
    {"canonical_hash", canonical_hash, METH_O, nullptr},
    {"place", place, METH_O, nullptr},
    {"extent", extent, METH_O, nullptr},
    {"overloaded", list<num_overloaded, overloaded, CXCursor>, METH_O, nullptr},
    {"argument_types", list<num_argument_types, argument_type, CXType>, METH_O, nullptr},
    QUERY("element_type", element_type, CXType),
    QUERY("specialized_template", specialized_template, CXCursor),
    QUERY("is_inline_namespace", is_inline_namespace, CXCursor),
    QUERY("access", access_of, CXCursor),
    {},
};

#undef PROPERTY
#undef METHOD
#undef QUERY

bool add(PyObject* to, PyGetSetDef* properties, PyMethodDef* methods) {
  auto* const type = reinterpret_cast<PyTypeObject*>(to);
  for (; properties->name; ++properties) {
    const Ref made = Ref::steal(PyDescr_NewGetSet(type, properties));
    if (!made || PyObject_SetAttrString(to, properties->name, made.get()) < 0) return false;
  }
  for (; methods->ml_name; ++methods) {
    const Ref made = Ref::steal(PyDescr_NewMethod(type, methods));
    if (!made || PyObject_SetAttrString(to, methods->ml_name, made.get()) < 0) return false;
  }
  return true;
}

PyObject* clang_queries(PyObject*, PyObject* args) {
  PyObject *address_of, *cursors, *types;
  if (!PyArg_ParseTuple(args, "OO!O!:clang_queries", &address_of, &PyType_Type, &cursors, &PyType_Type,
                        &types))
    return nullptr;
  for (const auto& [name, place] : functions) {
    const Ref address = Ref::steal(PyObject_CallFunction(address_of, "s", name));
    void* const found = address ? PyLong_AsVoidPtr(address.get()) : nullptr;
    if (PyErr_Occurred()) return nullptr;
    if (!found) return PyErr_Format(PyExc_ValueError, "%s has no address", name);
    *place = found;
  }
  Py_XSETREF(cursor_class, Py_NewRef(cursors));
  Py_XSETREF(type_class, Py_NewRef(types));
  if (!add(cursors, cursor_properties, cursor_methods) || !add(types, type_properties, type_methods))
    return nullptr;
  Ref found = Ref::steal(PyDict_New());
  for (PyMethodDef* query = queries; found && query->ml_name; ++query) {
    const Ref made = Ref::steal(PyCFunction_New(query, nullptr));
    if (!made || PyDict_SetItemString(found.get(), query->ml_name, made.get()) < 0) return nullptr;
  }
  return found.release();
}

PyMethodDef module_functions[] = {{"clang_queries", clang_queries, METH_VARARGS,
                                   "clang_queries(address_of, cursors, types, /)\n--\n\nHave classes of "
                                   "libclang's cursors and types ask it "
                                   "natively, and give what else is asked natively, by name."},
                                  {}};

}  // namespace

int add_clang_queries(PyObject* module) {
  unit_name = PyUnicode_InternFromString("_tu");
  return unit_name ? PyModule_AddFunctions(module, module_functions) : -1;
}

}  // namespace samebytes
