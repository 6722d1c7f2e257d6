// Calls of our own Python functions, apart from torch.compile: Dynamo would trace their frames, with tensors
// that have no memory.
#pragma once
#include <Python.h>

namespace samebytes {

// As PyObject_Vectorcall without keywords. Where torch._dynamo is not imported, it is just that.
PyObject* call_aside(PyObject* function, PyObject* const* args, size_t count);

template <class... Args>
PyObject* ask_python(PyObject* function, Args*... args) {
  PyObject* const all[] = {args...};
  return call_aside(function, all, sizeof...(args));
}

}  // namespace samebytes
