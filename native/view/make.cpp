// view(): any array object as a view, by the route of its exact type; else Python describes it.
#include "array/array.hpp"
#include "array/aside.hpp"
#include "object/instance.hpp"
#include "ref.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

PyObject* arbiter;  // the Python function

const Route* route_of(PyTypeObject* type) {
  static RouteCache cache;
  const Route* route = cache.last.load(std::memory_order_acquire);
  if (likely(route->type == type)) return route;
  route = find_route(type);
  if (route) cache.last.store(route, std::memory_order_release);
  return route;
}

const Showing* showing_of(PyTypeObject* type, const Route*& route) {
  route = route_of(type);
  return route ? route->showing.load(std::memory_order_acquire) : nullptr;
}

// Python's description; what it says of the elements serves the next object, natively.
PyObject* described(PyObject* object) {
  PyObject* made = ask_python(arbiter, object);
  const Route* route;
  const Showing* showing = made && is_view(made) ? showing_of(Py_TYPE(object), route) : nullptr;
  if (showing && showing->learn) showing->learn(object, *as_view(made));
  return made;
}

// Every protocol may serve C++: to name that dialect asks for nothing else.
bool asks_for_cxx(PyObject* name, PyObject* value) {
  return PyUnicode_CompareWithASCIIString(name, "dialect") == 0 && PyUnicode_CheckExact(value) &&
         PyUnicode_CompareWithASCIIString(value, "cxx") == 0;
}

bool is_plain(PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (likely(count == 1 && !names)) return true;
  return count == 1 && PyTuple_GET_SIZE(names) == 1 && asks_for_cxx(PyTuple_GET_ITEM(names, 0), args[1]);
}

PyObject* view(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (unlikely(!is_plain(args, count, names)))
    return PyObject_Vectorcall(arbiter, args, static_cast<size_t>(count), names);
  PyObject* object = args[0];
  const Route* route;
  if (const Showing* showing = showing_of(Py_TYPE(object), route)) {
    PyObject* made = showing->make(object, *route);
    if (likely(made != nullptr)) return made;
    if (unlikely(PyErr_Occurred() != nullptr)) return nullptr;
  }
  return described(object);
}

PyObject* make_itself(PyObject* object, const Route&) { return Py_NewRef(object); }

}  // namespace

PyObject* show(PyObject* object) { return view(nullptr, &object, 1, nullptr); }

// What waits for a stream goes to Python, which orders it.
Match match_shown(const ArraySpec& spec, PyObject* object, const Route& route, ArrayRef& out,
                  CallResources& resources) {
  resources.stir();
  Ref made = Ref::steal(route.showing.load(std::memory_order_acquire)->make(object, route));
  if (!made) return PyErr_Occurred() ? Match::error : Match::no;
  if (as_view(made.get())->stream) return Match::no;
  const Match match = match_view(spec, made.get(), route, out, resources);
  return match != Match::yes || resources.hold(made.release()) ? match : Match::error;
}

// Of a pointer that knows its array: that is asked, whatever its protocols say. Those would lend the memory
// by way of objects that do not tell whose it is, and so not whether it was moved.
Match match_known(const ArraySpec& spec, PyObject* object, const Route& route, ArrayRef& out,
                  CallResources& resources) {
  Ref known = Ref::borrow(as_shown(object)->array);
  if (!known || as_view(known.get())->stream) return Match::no;
  const Match match = match_view(spec, known.get(), route, out, resources);
  return match != Match::yes || resources.hold(known.release()) ? match : Match::error;
}

PyObject* give_up() {
  if (!is_overwhelmed()) PyErr_Clear();
  return nullptr;
}

const Showing kShowView = {make_itself, nullptr};

PyObject* describes(PyObject*, PyObject* function) {
  static PyMethodDef method = {"view", nullptr, METH_FASTCALL | METH_KEYWORDS, nullptr};
  static PyObject* words;  // what `method` points into
  Ref doc = Ref::steal(PyObject_GetAttrString(function, "__doc__"));
  Ref module = Ref::steal(doc ? PyObject_GetAttrString(function, "__module__") : nullptr);
  if (!module) return nullptr;
  Ref text = Ref::steal(PyUnicode_FromFormat("view(obj, *, stream=None, dialect=None)\n--\n\n%U", doc.get()));
  if (!text || !(method.ml_doc = PyUnicode_AsUTF8(text.get()))) return nullptr;
  method.ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(view));
  Py_XSETREF(words, text.release());
  Py_XSETREF(arbiter, Py_NewRef(function));
  return PyCFunction_NewEx(&method, nullptr, module.get());
}

}  // namespace samebytes
