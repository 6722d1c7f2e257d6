/* The Python type samebytes.Pointer for C, C++ and Cython: its object struct, and its functions by capsule.
 *
 *   const samebytes_PointerApi* api = samebytes_pointer_api();    NULL: a Python exception is set
 *   PyObject* pointer = api->from_object(object, 0);              whatever Pointer(object) takes
 *   void* address = ((samebytes_Pointer*)pointer)->address;
 *
 * The struct and the table only ever grow at their ends. All of it needs the GIL. */
#ifndef SAMEBYTES_POINTER_H
#define SAMEBYTES_POINTER_H

#include <Python.h>
#include <stdint.h>

#define SAMEBYTES_POINTER_API_NAME "samebytes._native.pointer_api"
#define SAMEBYTES_POINTER_API_VERSION 1

typedef struct {
  PyObject_HEAD
  void* address;
  PyObject* owner; /* what keeps the memory valid, or NULL; read-only for others */
  uint16_t made, held;   /* our own */
  uint32_t const_levels; /* bit 0: C++ gave what is there as const, so do not write to it */
  void* place[2];      /* our own */
} samebytes_Pointer;

typedef struct {
  int version;
  PyTypeObject* type; /* samebytes.Pointer */
  /* A new Pointer; owner may be NULL. NULL: exception set. */
  PyObject* (*make)(void* address, PyObject* owner);
  /* A new reference to the object, if it is a Pointer, else to Pointer(object, readonly=...). NULL: exception set,
     also for what C++ gave as const, where readonly is 0. */
  PyObject* (*from_object)(PyObject* object, int readonly);
  /* The address of a Pointer. -1: exception set. */
  int (*address)(PyObject* pointer, void** address);
} samebytes_PointerApi;

static inline const samebytes_PointerApi* samebytes_pointer_api(void) {
  const samebytes_PointerApi* api = (const samebytes_PointerApi*)PyCapsule_Import(SAMEBYTES_POINTER_API_NAME, 0);
  if (api && api->version < SAMEBYTES_POINTER_API_VERSION) {
    PyErr_SetString(PyExc_ImportError, "this samebytes is older than the samebytes/pointer.h compiled with");
    return NULL;
  }
  return api;
}

#endif
