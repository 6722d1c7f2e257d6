// The internal type Share: the smart pointer that owns a viewed object. And what shims ask of Python objects.
#include "object/smart_pointer.hpp"

#include <new>
#include <unordered_map>
#include <utility>

#include "../src/samebytes/include/samebytes/crossing/api.hpp"
#include "call/claim.hpp"
#include "call/pending.hpp"
#include "call/plan.hpp"
#include "call/running.hpp"
#include "call/scope.hpp"
#include "call/seen.hpp"
#include "call/writes.hpp"
#include "codec/scalar.hpp"
#include "object/gone.hpp"
#include "object/ledger.hpp"
#include "object/overriding.hpp"

namespace samebytes {

namespace {

PyTypeObject* share_type;

struct Share {
  PyObject_HEAD Box* box;
  PyObject* owner;  // of the box
  PyObject* seen;   // the handle that views the object, borrowed; null: none, or none any more
  void* listed;     // the address under which others find it; null: nobody does
  Range entries;    // of the ledger, in the object; those end with it
};

// By address. Never destroyed, as handles outlive what ends a process.
std::unordered_map<const void*, Share*>& owners() {
  static auto* const known = new std::unordered_map<const void*, Share*>;
  return *known;
}

PyObject* refuse_second;  // refuse_second(class) raises

void unlist_share(Share* share) {
  if (share->listed) owners().erase(std::exchange(share->listed, nullptr));
}

bool list_share(Share* share, void* address) try {
  owners().emplace(address, share);
  share->listed = address;
  return true;
} catch (const std::bad_alloc&) {
  return PyErr_NoMemory(), false;
}

// As for ResultOwner: what it holds never changes. It is hidden from the collector.
int share_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return 0;
}

void share_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  auto* const share = reinterpret_cast<Share*>(self);
  unlist_share(share);
  Py_XDECREF(share->owner);
  if (unlikely(share->entries.size)) forget_in_cxx(share->entries);
  type->tp_free(self);
  Py_DECREF(type);
}

constexpr owner_api kApi = {retain_object, release_object, take_claimed};

// --- how objects end ---

PyObject* own(PyObject*, PyObject* object) { return PyBool_FromLong(is_own(object)); }

bool may_end(PyObject* object) {
  return !is_taken(object) && !as_handle(object)->shares && is_own(object) && !in_use(object);
}

// Nobody finds the object any more when its destructor begins, which may wait for other threads.
PyObject* end(PyObject*, PyObject* object) {
  if (!is_handle_class(Py_TYPE(object))) return type_error("expected a handle"), nullptr;
  if (!may_end(object)) Py_RETURN_FALSE;
  if (!look(object)) return nullptr;  // runs Python code: so all is asked again
  if (is_seen(object) || !may_end(object)) Py_RETURN_FALSE;
  Handle* const handle = as_handle(object);
  Box* const box = box_of(object);
  const Ref same = Ref::borrow(object);
  unlist(object);
  forget_seen(object);
  forget_overriding(object);
  const bool is_loop = is_iterator(object);
  void* argv[] = {std::exchange(handle->data, nullptr)};
  const Shim destroy = std::exchange(handle->destroy, nullptr);
  const Ref owner = Ref::borrow(handle->owner);
  const Py_ssize_t size = Py_SIZE(handle);
  Py_SET_SIZE(handle, 0);
  if (is_loop) {
    destroy(argv);  // in a list that the GIL protects
  } else {
    const NoThrow nothrow;
    without_gil([&] {
      if (box)
        box->end(box->pointer);
      else
        destroy(argv);
    });
  }
  // What the C++ object could refer to is free now.
  forget_in_cxx({static_cast<const char*>(argv[0]), size});
  Py_CLEAR(handle->owner);
  Py_CLEAR(handle->pointee_owners);
  Py_RETURN_TRUE;
}

// --- what Python's conversion asks ---

PyObject* ownership(PyObject*, PyObject* object) {
  Box* const box = box_of(object);
  const Handle* handle = is_handle_class(Py_TYPE(object)) ? as_handle(object) : nullptr;
  const bool given = (box && box->forget) || (handle && handle->heap && handle->destroy);
  return Py_BuildValue("NOO", PyLong_FromVoidPtr(box && box->share ? box : nullptr),
                       given ? Py_True : Py_False, handle && handle->shares ? Py_True : Py_False);
}

PyObject* set_refuse_second(PyObject*, PyObject* function) {
  Py_XSETREF(refuse_second, Py_NewRef(function));
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"set_refuse_second", set_refuse_second, METH_O,
     "set_refuse_second(function, /)\n--\n\nfunction(object) raises where C++ hands over an object that "
     "Python owns already."},
    {"ownership", ownership, METH_O,
     "ownership(object, /)\n--\n\nThe box of the std::shared_ptr that owns it or 0, whether C++ could take "
     "it "
     "over, whether C++ shares it."},
    {"is_own", own, METH_O,
     "is_own(object, /)\n--\n\nWhether the C++ object of a handle, or a share of it, is Python's to end."},
    {"end", end, METH_O,
     "end(object, /)\n--\n\nEnd the C++ object of a handle, or Python's share of it; False: it is not "
     "Python's to end."},
    {}};

PyType_Slot share_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(share_dealloc)},
                             {Py_tp_traverse, reinterpret_cast<void*>(share_traverse)},
                             {Py_tp_doc, const_cast<char*>("The smart pointer that owns an object.")},
                             {}};
constexpr unsigned kFlags =
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION;
PyType_Spec share_spec = {"samebytes._native.Share", sizeof(Share), 0, kFlags, share_slots};

}  // namespace

// The box of the smart pointer that owns an object; null: none does.
Box* box_of(PyObject* object) {
  PyObject* owner = is_record_class(Py_TYPE(object)) ? as_instance(object)->owner : nullptr;
  return owner && Py_IS_TYPE(owner, share_type) ? reinterpret_cast<Share*>(owner)->box : nullptr;
}

bool is_own(PyObject* object) {
  return is_handle_class(Py_TYPE(object)) && (box_of(object) || as_handle(object)->destroy);
}

bool is_shared(PyObject* object) {
  const Box* const box = box_of(object);
  return box && box->share;
}

PyObject* sole_owner(const void* address, bool& there) {
  const auto found = owners().find(address);
  there = found != owners().end();
  return there ? found->second->seen : nullptr;
}

void unlist(PyObject* object) {
  if (box_of(object)) unlist_share(reinterpret_cast<Share*>(as_instance(object)->owner));
}

void list_again(PyObject* object) {
  const Box* const box = box_of(object);
  if (!box || !box->sole) return;
  auto* const share = reinterpret_cast<Share*>(as_instance(object)->owner);
  if (!list_share(share, as_instance(object)->data)) PyErr_Clear();
}

void forget_seen(PyObject* handle) {
  PyObject* const owner = as_handle(handle)->owner;
  if (!owner || !Py_IS_TYPE(owner, share_type)) return;
  auto* const share = reinterpret_cast<Share*>(owner);
  if (share->seen == handle) share->seen = nullptr;
}

// Others may share the object, and what lies inside of it keeps the smart pointer alone.
void leave_ledger(PyObject* view, bool ends) {
  const Instance* const instance = as_instance(view);
  if (!instance->data) return;
  const Range object{instance->data, Py_SIZE(view)};
  if (ends) return forget_in_cxx(object);
  PyObject* const owner = instance->owner;
  if (!owner || !instance->pointee_owners || !Py_IS_TYPE(owner, share_type)) return;
  auto* const share = reinterpret_cast<Share*>(owner);
  if (!share->box->share && Py_REFCNT(owner) == 1) return;
  const PendingException pending;
  if (!share->box->share) share->entries = object;
  if (!move_to_cxx(object, instance->pointee_owners, nullptr)) PyErr_WriteUnraisable(nullptr);
}

void disown(PyObject* object) {
  unlist(object);
  forget_seen(object);
  forget_overriding(object);
  if (Box* box = box_of(object)) box->lose(box->pointer);
  Handle* const handle = as_handle(object);
  handle->data = nullptr;
  handle->destroy = nullptr;
  handle->claimed = false;
}

bool retain_object(void* object) {
  bool there = false;
  in_python([&] {
    auto* const python = static_cast<PyObject*>(object);
    const bool handle = is_handle_class(Py_TYPE(python));
    there = !handle || !is_taken(python);
    if (there) Py_INCREF(python);
    if (there && handle) ++as_handle(python)->shares;
  });
  return there;
}

void release_object(void* object) {
  if (python_is_over()) return;  // C++ outlives Python
  in_python([&] {
    auto* const python = static_cast<PyObject*>(object);
    if (is_handle_class(Py_TYPE(python))) --as_handle(python)->shares;
    Py_DECREF(python);
    back_in_cxx();
  });
}

namespace {

// What a view of a smart pointer's object becomes, that Python alone shall own. Of an object that it owns
// already there is no second owner: neither by the same deleter, which gives the first one, nor by another.
PyObject* settle(const Codec& codec, Share* share, Ref& view, void* object) {
  Box* const box = share->box;
  char* const data = as_instance(view.get())->data;
  const auto found = owners().find(data);
  if (found == owners().end()) {
    if (PyObject* const given = owned_argument(data)) {
      box->lose(box->pointer);
      Ref::steal(PyObject_CallOneArg(refuse_second, given));
      return nullptr;
    }
    return list_share(share, data) ? view.release() : nullptr;
  }
  Share* const first = found->second;
  box->lose(box->pointer);
  const Ref held = Ref::borrow(reinterpret_cast<PyObject*>(first));
  if (first->box->end != box->end) {
    Ref::steal(PyObject_CallOneArg(refuse_second, view.get()));
    return nullptr;
  }
  if (first->seen && Py_REFCNT(first->seen) > 0) return Py_NewRef(first->seen);
  Ref again = Ref::steal(view_object(*codec.element, static_cast<char*>(object), held.get(), codec.is_const));
  if (!again || !is_handle_class(Py_TYPE(again.get()))) return again.release();
  first->seen = again.get();
  as_handle(again.get())->viewed = true;  // what keeps the smart pointer came from a handle that is gone
  return again.release();
}

// An object of Python's class that C++ owned is Python's again, if that was by `delete`; what else owns it
// goes on owning it, or ends it.
PyObject* given_back(Box& box, Ref view) {
  if (box.forget) {
    box.forget(box.pointer);
    take_back_overriding(view.get());
  }
  return view.release();
}

}  // namespace

PyObject* decode_owner(const Codec& codec, const char* data, PyObject* owner) {
  const auto wire = load<OwnerWire>(data);
  if (!wire.object) Py_RETURN_NONE;
  // Lent to a callback: neither the smart pointer nor its box is there for longer.
  if (!owner) return view_object(*codec.element, static_cast<char*>(wire.object), nullptr, codec.is_const);
  auto* share = reinterpret_cast<Share*>(share_type->tp_alloc(share_type, 0));
  if (!share) return nullptr;
  share->box = static_cast<Box*>(wire.box);
  share->owner = Py_NewRef(owner);
  const Ref held = Ref::steal(reinterpret_cast<PyObject*>(share));
  Ref view =
      Ref::steal(view_object(*codec.element, static_cast<char*>(wire.object), held.get(), codec.is_const));
  if (view && is_handle_class(Py_TYPE(view.get()))) share->seen = view.get();
  if (view && is_given(view.get())) return given_back(*share->box, std::move(view));
  if (!view || !share->box->sole) return view.release();
  return settle(codec, share, view, wire.object);
}

bool is_share(PyTypeObject* type) { return type == share_type; }

PyObject* owner_of_share(PyObject* share) { return reinterpret_cast<Share*>(share)->owner; }

PyObject* handle_of_share(PyObject* share) { return reinterpret_cast<Share*>(share)->seen; }

int add_smart_pointer_type(PyObject* module) {
  share_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&share_spec));
  if (!share_type || PyModule_AddFunctions(module, functions) < 0) return -1;
  if (PyModule_AddObjectRef(module, "Share", reinterpret_cast<PyObject*>(share_type)) < 0) return -1;
  const Ref api = Ref::steal(PyLong_FromVoidPtr(const_cast<owner_api*>(&kApi)));
  return api ? PyModule_AddObjectRef(module, "OWNER_API", api.get()) : -1;
}

}  // namespace samebytes
