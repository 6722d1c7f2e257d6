// C++ exceptions as Python's: those of calls, and those that leave a destructor, where nobody can catch them.
#include "call/thrown.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "call/pending.hpp"

namespace samebytes {

namespace {

// By samebytes_cause.
PyObject* const* classes(Py_ssize_t& count) {
  static PyObject* const all[] = {PyExc_RuntimeError,  PyExc_ValueError,    PyExc_IndexError,
                                  PyExc_MemoryError,   PyExc_OverflowError, PyExc_RuntimeError,
                                  PyExc_StopIteration, PyExc_OSError};
  static_assert(samebytes_invalid_argument == 1 && samebytes_out_of_range == 2 && samebytes_bad_alloc == 3 &&
                samebytes_overflow_error == 4 && samebytes_other == 5 && samebytes_end == 6 &&
                samebytes_os_error == 7 && sizeof all / sizeof *all == 8);
  return count = sizeof all / sizeof *all, all;
}

PyObject* class_of(int code) {
  Py_ssize_t count;
  PyObject* const* const all = classes(count);
  return all[code > 0 && code < count ? code : 0];
}

// As other text of C++'s: bytes that are no UTF-8 can be written as they were. Where there was no room for
// all of it, a character may be cut in two.
Ref message_of(const char* text, size_t length) {
  const bool whole = length < sizeof(ShimError::samebytes_message);
  return Ref::steal(
      PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(length), whole ? "surrogateescape" : "replace"));
}

void raise(int code, const char* text, size_t length) {
  if (code == samebytes_end) return PyErr_SetNone(PyExc_StopIteration);
  const Ref message = message_of(text, length);
  if (message) PyErr_SetObject(class_of(code), message.get());
}

size_t length_of(const ShimError& error) {
  return strnlen(error.samebytes_message, sizeof error.samebytes_message);
}

// What GCC's library of C++ calls its own inside, and what programs write.
constexpr const char* kWritten[][2] = {
    {"std::__ios_failure", "std::ios_base::failure"}, {"__cxx11::", ""}, {"[abi:cxx11]", ""}};

// The name of a type as a program writes it, and not as the library of C++ has it inside.
Ref as_written(std::string_view name) {
  constexpr std::string_view nested = "std::_Nested_exception<", text = "std::__cxx11::basic_string<char,";
  if (name.substr(0, nested.size()) == nested) {
    name = name.substr(nested.size(), name.size() - nested.size() - 1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  }
  if (name.substr(0, text.size()) == text) name = "std::string";
  Ref written =
      Ref::steal(PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "replace"));
  for (const auto& [inside, outside] : kWritten)
    if (written) written = Ref::steal(PyObject_CallMethod(written.get(), "replace", "ss", inside, outside));
  return written;
}

// The exception that a record has a share in. The destructor gives that back with the GIL: to ask for it
// there could end the thread in the middle of a destructor. Who may hold the last share drops it without.
class Share {
 public:
  explicit Share(ShimError& error) {
    if (error.samebytes_code < 0 || !(error.samebytes_code & samebytes_caught)) return;
    holding_ = error.samebytes_code & samebytes_holding;
    coded_ = error.samebytes_code & samebytes_coded;
    error.samebytes_code &= ~samebytes_bits;
    asked_ = error.samebytes_asked;
    thrown_ = error.samebytes_thrown;
  }
  Share(Share& other) : asked_(other.asked_) { asked_->samebytes_copy(&other.thrown_, &thrown_); }
  Share& operator=(const Share&) = delete;
  ~Share() {
    if (asked_) asked_->samebytes_drop(&thrown_);
  }

  // The object's destructor may wait for another thread of Python's.
  void drop_without_gil() {
    const samebytes_asking* const asked = std::exchange(asked_, nullptr);
    without_gil([&] { asked->samebytes_drop(&thrown_); });
  }

  explicit operator bool() const { return asked_; }
  const void* thrown() const { return thrown_; }
  void copy_to(void** slot) { asked_->samebytes_copy(&thrown_, slot); }
  Ref type() {
    char* const name = asked_->samebytes_type(&thrown_);
    Ref text = name ? as_written(name) : Ref();
    std::free(name);
    return text;
  }
  void tell_parts(void (*tell)(void*, const char*, void*), void* to) {
    asked_->samebytes_parts(&thrown_, tell, to);
  }
  bool has_code(samebytes_error_code& code) {
    if (coded_) asked_->samebytes_code_of(&thrown_, &code);
    return coded_ && code.samebytes_category;
  }
  bool holds(ShimError& inner) {
    if (!holding_) return false;
    asked_->samebytes_nested(&thrown_, &inner);
    return inner.samebytes_code;
  }

 private:
  const samebytes_asking* asked_ = nullptr;
  bool holding_ = false, coded_ = false;
  void* thrown_ = nullptr;
};

constexpr const char* kShare = "samebytes.share";
Share* share_of(PyObject* capsule) { return static_cast<Share*>(PyCapsule_GetPointer(capsule, kShare)); }
void end_share(PyObject* capsule) {
  Share* const share = share_of(capsule);
  share->drop_without_gil();
  delete share;
}

using Parts = std::vector<std::pair<std::string, void*>>;

// Called by what may not throw: nothing of Python's, whose end may end this thread in any call. What is left
// out, for want of memory, is of no class that Python knows.
void add_part(void* parts, const char* name, void* address) try {
  static_cast<Parts*>(parts)->emplace_back(name, address);
} catch (const std::bad_alloc&) {
}

// [(name, address), ...]; null: exception set.
Ref listed(const Parts& parts) {
  Ref list = Ref::steal(PyList_New(0));
  for (const auto& [name, address] : parts) {
    const Ref text =
        Ref::steal(PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "replace"));
    const Ref number = Ref::steal(PyLong_FromVoidPtr(address));
    if (!list || !text || !number) return {};
    const Ref part = Ref::steal(PyTuple_Pack(2, text.get(), number.get()));
    if (!part || PyList_Append(list.get(), part.get()) < 0) return {};
  }
  return list;
}

// The exception of a library's class, which keeps C++'s object; None: it is of none. Null: exception set.
Ref of_class(const ShimError& error, Share& share, PyObject* built_in) {
  Parts found;
  share.tell_parts(add_part, &found);
  if (found.empty()) return Ref::borrow(Py_None);
  const Ref parts = listed(found);
  if (!parts) return {};
  auto* const shared = new (std::nothrow) Share(share);
  if (!shared) return PyErr_NoMemory(), Ref();
  const Ref owner = Ref::steal(PyCapsule_New(shared, kShare, end_share));
  if (!owner) return delete shared, Ref();
  return Ref::steal(PyObject_CallFunctionObjArgs(static_cast<PyObject*>(error.samebytes_classes), built_in,
                                                 parts.get(), owner.get(), nullptr));
}

// OSError(number, words[, file, None[, file]]), of which Python makes a FileNotFoundError and its like.
Ref os_error(const samebytes_error_code& code, PyObject* message) {
  const Ref number = Ref::steal(PyLong_FromLong(code.samebytes_value));
  Ref paths[2];
  for (int i = 0; i < 2; ++i) {
    const char* const path = code.samebytes_paths[i];
    paths[i] = path ? Ref::steal(PyUnicode_DecodeFSDefault(path)) : Ref::borrow(Py_None);
    if (!paths[i]) return {};
  }
  if (!number) return {};
  if (!code.samebytes_paths[0])
    return Ref::steal(PyObject_CallFunctionObjArgs(PyExc_OSError, number.get(), message, nullptr));
  return Ref::steal(PyObject_CallFunctionObjArgs(PyExc_OSError, number.get(), message, paths[0].get(),
                                                 Py_None, paths[1].get(), nullptr));
}

bool set_code(PyObject* made, const samebytes_error_code& code) {
  const Ref number = Ref::steal(PyLong_FromLong(code.samebytes_value));
  const char* const name = code.samebytes_category;
  const Ref category =
      Ref::steal(PyUnicode_DecodeUTF8(name, static_cast<Py_ssize_t>(std::strlen(name)), "replace"));
  return number && category && PyObject_SetAttrString(made, "cxx_code", number.get()) == 0 &&
         PyObject_SetAttrString(made, "cxx_category", category.get()) == 0;
}

// One exception of Python's for one of C++'s, with the name of its type. Null: exception set.
Ref made_of(const ShimError& error, Share& share) {
  const Ref message = message_of(error.samebytes_message, length_of(error));
  if (!message) return {};
  samebytes_error_code code{};
  const bool coded = share.has_code(code);
  Ref made = coded && error.samebytes_code == samebytes_os_error
                 ? os_error(code, message.get())
                 : Ref::steal(PyObject_CallOneArg(class_of(error.samebytes_code), message.get()));
  if (!made) return {};
  if (error.samebytes_classes) {
    Ref own = of_class(error, share, made.get());
    if (!own) return {};
    if (own.get() != Py_None) made = std::move(own);
  }
  if (coded && !set_code(made.get(), code)) return {};
  const Ref type = share.type();
  if (!type) return PyErr_Occurred() ? Ref() : std::move(made);
  return PyObject_SetAttrString(made.get(), "cxx_type", type.get()) < 0 ? Ref() : std::move(made);
}

// Where C++ has the object for which `flown` stands.
thread_local const void* flown_at = nullptr;

constexpr int kDeepest = 100;  // causes: each has a record on the stack, as it had in C++

// The exception, and as its cause the one that it holds, and so on. Null: exception set.
Ref caught(ShimError& error, Share& share, int depth) {
  if (flown && share.thrown() == flown_at) return Ref::borrow(flown);
  Ref made = made_of(error, share);
  ShimError inner;
  if (!made || depth == kDeepest || !share.holds(inner)) return made;
  Share held(inner);
  if (!held) return made;
  Ref cause = caught(inner, held, depth + 1);
  if (!cause) return {};
  PyException_SetCause(made.get(), cause.release());
  return made;
}

// In any thread, with or without the GIL. Told as Python tells what a __del__ raises.
void unraised(int code, const char* where, const char* message) {
  if (python_is_over()) {
    std::fprintf(stderr, "Exception ignored in %s: %s\n", where, message);
    return;
  }
  in_python([&] {
    const PendingException pending;
    const Ref place =
        Ref::steal(PyUnicode_DecodeUTF8(where, static_cast<Py_ssize_t>(std::strlen(where)), "replace"));
    if (!place) PyErr_Clear();
    raise(code, message, std::strlen(message));
    PyErr_WriteUnraisable(place.get());
  });
}

}  // namespace

PyObject* raise_shim_error(ShimError& error, bool nogil) {
  Share share(error);
  if (!share) return raise(error.samebytes_code, error.samebytes_message, length_of(error)), nullptr;
  const Ref made = caught(error, share, 0);
  if (made) PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.get())), made.get());
  if (nogil) share.drop_without_gil();
  return nullptr;
}

__thread PyObject* flown = nullptr;

bool fly(void** slot) {
  Ref error = take_raised();
  const Ref owner = Ref::steal(PyObject_GetAttrString(error.get(), "__samebytes_share__"));
  if (!owner) PyErr_Clear();
  if (!owner || !PyCapsule_IsValid(owner.get(), kShare)) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.get())), error.get());
    return false;
  }
  Share& share = *share_of(owner.get());
  share.copy_to(slot);
  flown_at = share.thrown();
  const Ref before = Ref::steal(std::exchange(flown, error.release()));
  return true;
}

void land() { const Ref before = Ref::steal(std::exchange(flown, nullptr)); }

void drop_shim_error(ShimError& error) { const Share share(error); }

Ref exceptions_by_code() {
  Py_ssize_t count;
  PyObject* const* const all = classes(count);
  Ref found = Ref::steal(PyTuple_New(count));
  for (Py_ssize_t i = 0; found && i < count; ++i) PyTuple_SET_ITEM(found.get(), i, Py_NewRef(all[i]));
  return found;
}

int add_unraised(PyObject* module) {
  const Ref address = Ref::steal(PyLong_FromVoidPtr(reinterpret_cast<void*>(unraised)));
  return address ? PyModule_AddObjectRef(module, "UNRAISED", address.get()) : -1;
}

}  // namespace samebytes
