// What kind of file system a file is on: Python's os.statvfs does not say it.
#include "file_system.hpp"

#include <sys/vfs.h>

namespace samebytes {

namespace {

// The kernel's number of the kind, for an open file.
PyObject* file_system(PyObject*, PyObject* descriptor) {
  const int opened = PyObject_AsFileDescriptor(descriptor);
  if (opened < 0) return nullptr;
  struct statfs found;
  if (fstatfs(opened, &found) < 0) return PyErr_SetFromErrno(PyExc_OSError);
  return PyLong_FromUnsignedLong(static_cast<unsigned long>(found.f_type) & 0xFFFFFFFFUL);
}

PyMethodDef functions[] = {{"file_system", file_system, METH_O, nullptr}, {nullptr, nullptr, 0, nullptr}};

}  // namespace

int add_file_system(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace samebytes
