// Makes views of lent objects views of copies: see callback/lent.hpp.
#include "callback/lent.hpp"

#include "call/pending.hpp"
#include "call/seen.hpp"
#include "object/dependents.hpp"

namespace samebytes {

void keep_lent(PyObject* view) {
  if (Py_REFCNT(view) == 1 || !is_const_object(view)) return;
  Handle* const lent = as_handle(view);
  if (lent->owner || !Py_SIZE(view)) return;
  const PendingException pending;
  Ref copy = Ref::steal(PyObject_CallMethod(view, "__copy__", nullptr));
  if (!copy) return PyErr_Clear();
  if (Py_TYPE(copy.get()) != Py_TYPE(view) || lent->owner) return;
  char* const there = as_handle(copy.get())->data;
  move_dependents(view, there - lent->data);
  lent->data = there;
  lent->owner = copy.release();
  enlist(as_instance(view));
  note_viewed(lent->owner);
}

}  // namespace samebytes
