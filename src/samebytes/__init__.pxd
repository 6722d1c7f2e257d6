# The class Pointer for Cython: cimport it, derive from it. Needs samebytes' include directory on the include path.
from cpython.object cimport PyObject

cdef extern from "samebytes/pointer.h":
    ctypedef class samebytes._native.Pointer [object samebytes_Pointer, check_size warn]:
        cdef void* address
        cdef PyObject* owner
