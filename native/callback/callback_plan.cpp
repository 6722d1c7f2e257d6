// The type CallbackPlan: how calls of one function type pass from C++ to a Python callable.
#include "callback/callback.hpp"

namespace samebytes {

PyTypeObject* callback_plan_type;

namespace {

bool take_words(CallbackArgument& argument, PyObject* words) {
  if (!PyTuple_Check(words) || PyTuple_GET_SIZE(words) < 1 || PyTuple_GET_SIZE(words) > 2)
    return value_error("an argument has one or two places");
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(words); ++i) {
    const long number = PyLong_AsLong(PyTuple_GET_ITEM(words, i));
    if (number < 0 || number > UINT16_MAX) return !PyErr_Occurred() && value_error("no argument lies there");
    argument.words[i] = static_cast<uint16_t>(number);
  }
  argument.word_count = static_cast<uint8_t>(PyTuple_GET_SIZE(words));
  return true;
}

bool take_places(CallbackPlan& plan, PyObject* words, PyObject* result_words) {
  if (!PyTuple_Check(words) || PyTuple_GET_SIZE(words) != plan.count)
    return value_error("each argument has its place");
  for (int i = 0; i < plan.count; ++i)
    if (!take_words(plan.arguments[i], PyTuple_GET_ITEM(words, i))) return false;
  if (!PyTuple_Check(result_words) || PyTuple_GET_SIZE(result_words) > 2)
    return value_error("a result has two registers at most");
  plan.result_count = static_cast<uint8_t>(PyTuple_GET_SIZE(result_words));
  for (int i = 0; i < plan.result_count; ++i)
    plan.result_words[i] =
        PyObject_IsTrue(PyTuple_GET_ITEM(result_words, i)) > 0 ? WordClass::sse : WordClass::integer;
  plan.in_memory = plan.size && !plan.result_count;
  if (!plan.in_memory && plan.size > 8 * plan.result_count)
    return value_error("a result fits into its registers");
  return plan.is_function = !PyErr_Occurred();
}

PyObject* plan_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"readers", "size",         "write",   "gone", "frames", "result",
                                "words",   "result_words", "arrange", "lent", nullptr};
  PyObject *readers, *write, *gone, *frames, *result = Py_None, *words = Py_None, *result_words = Py_None,
                                             *arrange = Py_None, *lent = nullptr;
  Py_ssize_t size;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!nOOO|$OOOOO!:CallbackPlan", const_cast<char**>(names),
                                   &PyTuple_Type, &readers, &size, &write, &gone, &frames, &result, &words,
                                   &result_words, &arrange, &PyTuple_Type, &lent))
    return nullptr;
  const Py_ssize_t count = PyTuple_GET_SIZE(readers);
  if (count > kMostCallbackArguments) return value_error("too many arguments for a callback"), nullptr;
  if (result != Py_None && (!is_codec(result) || as_codec(result)->size != size))
    return value_error("the codec of the result has its size"), nullptr;
  const Ref self = Ref::steal(type->tp_alloc(type, 0));
  if (!self) return nullptr;
  CallbackPlan& plan = *as_callback_plan(self.get());
  for (; plan.count < count; ++plan.count)
    plan.arguments[plan.count].reader = Py_NewRef(PyTuple_GET_ITEM(readers, plan.count));
  plan.size = size;
  plan.write = Py_NewRef(write);
  plan.gone = Py_NewRef(gone);
  plan.frames = Py_NewRef(frames);
  if (result != Py_None) plan.result = as_codec(Py_NewRef(result));
  if (arrange != Py_None) plan.arrange = Py_NewRef(arrange);
  for (Py_ssize_t i = 0; lent && i < PyTuple_GET_SIZE(lent); ++i) {
    const long argument = PyLong_AsLong(PyTuple_GET_ITEM(lent, i));
    if (argument < 0 || argument >= count)
      return PyErr_Occurred() || value_error("no such argument"), nullptr;
    plan.arguments[argument].lent = plan.lends = true;
  }
  if (words != Py_None && !take_places(plan, words, result_words)) return nullptr;
  return Py_NewRef(self.get());
}

int plan_traverse(PyObject* self, visitproc visit, void* arg) {
  CallbackPlan& plan = *as_callback_plan(self);
  Py_VISIT(Py_TYPE(self));
  for (int i = 0; i < plan.count; ++i) Py_VISIT(plan.arguments[i].reader);
  Py_VISIT(const_cast<Codec*>(plan.result));
  Py_VISIT(plan.write);
  Py_VISIT(plan.arrange);
  Py_VISIT(plan.gone);
  Py_VISIT(plan.frames);
  return 0;
}

// There is no tp_clear: what it refers to never changes, so that a cycle passes through something that has
// one.
void plan_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  CallbackPlan& plan = *as_callback_plan(self);
  for (int i = 0; i < plan.count; ++i) Py_XDECREF(plan.arguments[i].reader);
  Py_XDECREF(const_cast<Codec*>(plan.result));
  Py_XDECREF(plan.write);
  Py_XDECREF(plan.arrange);
  Py_XDECREF(plan.gone);
  Py_XDECREF(plan.frames);
  type->tp_free(self);
  Py_DECREF(type);
}

PyType_Slot plan_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(plan_new)},
    {Py_tp_traverse, reinterpret_cast<void*>(plan_traverse)},
    {Py_tp_dealloc, reinterpret_cast<void*>(plan_dealloc)},
    {Py_tp_doc, const_cast<char*>("How calls of one function type pass from C++ to a Python callable.")},
    {}};
PyType_Spec plan_spec = {"samebytes._native.CallbackPlan", sizeof(CallbackPlan), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, plan_slots};

// --- the type of callbacks ---

}  // namespace

int add_callback_plan_type(PyObject* module) {
  callback_plan_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&plan_spec));
  if (!callback_plan_type) return -1;
  return PyModule_AddObjectRef(module, "CallbackPlan", reinterpret_cast<PyObject*>(callback_plan_type));
}

}  // namespace samebytes
