// Builds one candidate of a plan and checks it: no offset outside the frame, no C++ parameter without a
// value.
#include "call/candidate.hpp"

#include <memory>
#include <new>

#include "call/candidate_description.hpp"
#include "object/handle.hpp"

namespace samebytes {

namespace {

class Builder : CandidateDescription {
 public:
  Builder(Candidate& candidate, PyObject* description) : CandidateDescription(description), c_(candidate) {}

  bool build() {
    if (!PyDict_Check(description_)) return fail("a candidate is a dict");
    return sizes() && names() && inputs() && replaced() && elements() && keeps() && outputs() && result() &&
           survey();
  }

 private:
  bool sizes() {
    unsigned long long address = 0, argc = 0, size = 0, align = 0;
    if (!get_number("address", UINTPTR_MAX, address) || !get_number("argv", kMaxArguments, argc) ||
        !get_number("frame_size", kMaxFrame, size) || !get_number("frame_align", kMaxAlign, align))
      return false;
    PyObject* const later = PyDict_GetItemString(description_, "later");
    if (later && later != Py_None) c_.later = Py_NewRef(later);
    if (!address && !c_.later) return fail("a shim's address is not null");
    if (!align || (align & (align - 1))) return fail("an alignment is a power of two");
    PyObject* nogil = get("nogil");
    if (!nogil) return false;
    PyObject* builds = PyDict_GetItemString(description_, "builds");
    c_.result.is_new_object = builds == Py_True;
    c_.result.is_first_argument = PyDict_GetItemString(description_, "in_place") == Py_True;
    c_.shim = reinterpret_cast<Shim>(address);
    c_.argc = static_cast<int>(argc);
    c_.frame.size = static_cast<uint32_t>(size);
    c_.frame.align = static_cast<uint32_t>(align);
    c_.code.releases_gil = nogil == Py_True;
    c_.code.calls_back = PyDict_GetItemString(description_, "calls_back") == Py_True;
    c_.code.is_exclusive = PyDict_GetItemString(description_, "exclusive") == Py_True;
    c_.lifetime.is_member = PyDict_GetItemString(description_, "holds") == Py_True;
    c_.code.throws_nothing = PyDict_GetItemString(description_, "nothrow") == Py_True;
    c_.result.is_tuple = PyDict_GetItemString(description_, "packs") == Py_True;
    c_.result.is_const = PyDict_GetItemString(description_, "const_result") == Py_True;
    PyObject* const finish = PyDict_GetItemString(description_, "finish");
    if (finish && finish != Py_None) c_.result.finish = Py_NewRef(finish);
    c_.code.begins_iteration = PyDict_GetItemString(description_, "begins") == Py_True;
    c_.code.steps_iteration = PyDict_GetItemString(description_, "steps") == Py_True;
    c_.lifetime.ends_first = PyDict_GetItemString(description_, "ends") == Py_True;
    c_.lifetime.takes_over = c_.lifetime.ends_first;
    PyObject* const taker = PyDict_GetItemString(description_, "taker");
    if (taker && taker != Py_None) c_.lifetime.taker = Py_NewRef(taker);
    c_.result.is_status = PyDict_GetItemString(description_, "checks") == Py_True;
    c_.frame.on_stack = size <= kStackFrame && align <= kStackAlign && argc + 2 <= kStackArguments;
    given_.reset(new (std::nothrow) bool[argc + 1]());
    return given_ ? true : (PyErr_NoMemory(), false);
  }

  static Passing passing_of(const Codec& codec, bool indirect) {
    if (indirect) return Passing::address;
    if (is_number(codec.kind)) return Passing::number;
    // With pointers a struct is copied, so that they are the ones whose targets the call holds.
    if (codec.kind == Kind::structure) return codec.has_pointers ? Passing::other : Passing::structure;
    const bool aligned = codec.align >= static_cast<Py_ssize_t>(alignof(void*));
    if (!codec.reads_arrays || !aligned || codec.array.order > Order::c) return Passing::other;
    if (codec.count && codec.kind == Kind::pointer)
      return Passing::other;  // as many elements as are declared
    return codec.kind == Kind::pointer ? Passing::pointer : Passing::array;
  }

  // What an assignment to a member ends is found by what reads the member.
  bool replaced() {
    PyObject* const item = PyDict_GetItemString(description_, "replaces");
    if (!item || item == Py_None) return true;
    unsigned long long address;
    PyObject* codec;
    if (!parse(item, "KO!", &address, codec_type, &codec)) return false;
    if (!address || as_codec(codec)->kind != Kind::view) return fail("a shim reads the member as a view");
    c_.lifetime.member_reader = reinterpret_cast<Shim>(address);
    c_.lifetime.member = reinterpret_cast<Codec*>(Py_NewRef(codec));
    return true;
  }

  // An assignment to a container ends the objects in it, or moves others into their places.
  bool elements() {
    PyObject* const item = PyDict_GetItemString(description_, "elements");
    if (!item || item == Py_None) return true;
    if (!PyTuple_CheckExact(item)) return fail("the classes of elements are a tuple");
    c_.lifetime.elements = Py_NewRef(item);
    return true;
  }

  // Which arguments come to refer to which others.
  bool keeps() {
    PyObject* const items = PyDict_GetItemString(description_, "keeps");
    if (!items || items == Py_None) return true;
    if (!PyTuple_CheckExact(items)) return fail("what keeps what is a tuple");
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); ++i) {
      int keeper, target;
      if (!parse(PyTuple_GET_ITEM(items, i), "ii", &keeper, &target)) return false;
      const auto is_input = [&](int index) { return index >= 0 && index < c_.input_count; };
      if (!is_input(keeper) || !is_input(target) || keeper == target)
        return fail("one argument keeps another one");
    }
    if (PyTuple_GET_SIZE(items)) c_.lifetime.pairs = Py_NewRef(items);
    return true;
  }

  bool names() {
    PyObject* names = get_tuple("names");
    if (!names) return false;
    const Py_ssize_t count = PyTuple_GET_SIZE(names);
    c_.names = PyTuple_New(count);
    if (!c_.names) return false;
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyObject* name = PyTuple_GET_ITEM(names, i);
      if (!PyUnicode_CheckExact(name)) return fail("a parameter's name is a str");
      Py_INCREF(name);
      PyUnicode_InternInPlace(&name);
      PyTuple_SET_ITEM(c_.names, i, name);
    }
    return true;
  }

  bool claim(Py_ssize_t argv) {
    if (argv < 0 || argv >= c_.argc || given_[argv])
      return fail("an argument is given twice, or to no C++ parameter");
    ++c_.given;
    return given_[argv] = true;
  }

  bool place(const Codec& codec, Py_ssize_t offset) {
    if (offset < 0 || offset > c_.frame.size - codec.size) return fail("a slot lies outside the frame");
    if (offset % codec.align || codec.align > c_.frame.align) return fail("a slot is not aligned");
    return true;
  }

  static bool can_be_indirect(const Codec& codec) {
    return codec.kind == Kind::pointer || codec.kind == Kind::structure || codec.kind == Kind::handle;
  }

  static bool is_object(const Codec& codec) {
    return codec.kind == Kind::structure || codec.kind == Kind::handle;
  }

  bool inputs() {
    PyObject* items = get_tuple("inputs");
    if (!items) return false;
    const Py_ssize_t count = PyTuple_GET_SIZE(items);
    if (count != PyTuple_GET_SIZE(c_.names)) return fail("each visible parameter has one input");
    c_.inputs = static_cast<Input*>(PyMem_Calloc(count + 1, sizeof(Input)));
    if (!c_.inputs) return PyErr_NoMemory(), false;
    for (Py_ssize_t i = 0; i < count; ++i) {
      Py_ssize_t argv, offset;
      PyObject* object;
      int flags;
      if (!parse(PyTuple_GET_ITEM(items, i), "nO!ni", &argv, codec_type, &object, &offset, &flags))
        return false;
      const Codec& codec = *reinterpret_cast<Codec*>(object);
      const bool made = c_.result.is_new_object && !i;
      if (made ? argv != c_.argc || !is_object(codec) || !codec.python : !claim(argv))
        return fail("a constructor fills an object in the place of the result");
      const bool indirect = flags & kIndirect;
      if (indirect && !can_be_indirect(codec)) return fail("only pointers and structs are passed indirectly");
      if (!indirect && !place(codec, offset)) return false;
      Input& input = c_.inputs[i];
      new (&input.route) RouteCache();
      input.codec = &codec;
      input.scalar = codec.scalar;
      input.python = codec.python;
      input.passing = made ? Passing::made : passing_of(codec, indirect);
      input.kind = codec.kind;
      input.flags = static_cast<uint8_t>(flags);
      input.offset = static_cast<uint32_t>(indirect ? 0 : offset);
      const Codec& target = codec.kind == Kind::pointer && codec.element ? *codec.element : codec;
      input.size = target.size;
      input.holds = target.has_pointers;
      const bool writes = codec.kind == Kind::pointer ? !codec.is_const : (flags & kCopy) != 0;
      input.writes = writes && !c_.code.begins_iteration;
      input.guards = !input.python || !writes || !is_record_class(input.python) ? Guards::none
                     : is_handle_class(input.python)                            ? Guards::handle
                                                                                : Guards::record;
      c_.lifetime.object_refers |= (flags & (kRetained | kCarries)) != 0;
      c_.code.wants_own_bytes |= (flags & kOwnBytes) != 0;
      c_.lifetime.takes_over |= (flags & (kTakes | kMoves)) != 0;
      c_.outputs.has_lists |=
          codec.kind == Kind::pointer && !codec.is_const && (codec.adapts || holds_addresses(codec.element));
      input.align_mask = static_cast<uint32_t>(codec.align - 1);
      input.argv = static_cast<uint16_t>(argv);
      c_.lifetime.frame_is_referred |= (flags & kReference) != 0;
      Py_INCREF(object);
      ++c_.input_count;
    }
    return true;
  }

  bool outputs() {
    PyObject* items = get_tuple("outputs");
    if (!items) return false;
    c_.outputs.items = static_cast<Output*>(PyMem_Calloc(PyTuple_GET_SIZE(items) + 1, sizeof(Output)));
    if (!c_.outputs.items) return PyErr_NoMemory(), false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); ++i) {
      Py_ssize_t argv, offset;
      PyObject *object, *make = Py_None, *takes = nullptr, *finish = Py_None;
      PyObject* overrun = nullptr;
      int whole = 0;
      if (!parse(PyTuple_GET_ITEM(items, i), "nO!n|OO!OpO", &argv, codec_type, &object, &offset, &make,
                 &PyTuple_Type, &takes, &finish, &whole, &overrun))
        return false;
      const Codec& codec = *reinterpret_cast<Codec*>(object);
      const bool makes = make != Py_None;
      if (!claim(argv) || !(makes ? place_handle(offset) && check_takes(takes) : place(codec, offset)))
        return false;
      Output& output = c_.outputs.items[c_.outputs.count++];
      output = {&codec, static_cast<uint32_t>(offset), static_cast<uint16_t>(argv), whole != 0};
      Py_INCREF(object);
      if (overrun) {
        if (makes) return fail("storage that Python makes has a guard of its own");
        output.overrun = Py_NewRef(overrun);
        c_.outputs.has_guesses = true;
      }
      if (!makes) continue;
      c_.outputs.has_buffers = true;
      output.make = Py_NewRef(make);
      output.takes = Py_NewRef(takes);
      if (finish != Py_None) output.finish = Py_NewRef(finish);
    }
    return true;
  }

  bool place_handle(Py_ssize_t offset) {
    const auto size = static_cast<Py_ssize_t>(sizeof(void*));
    if (offset < 0 || offset > c_.frame.size - size || offset % size || c_.frame.align < size)
      return fail("a slot lies outside the frame");
    return true;
  }

  bool check_takes(PyObject* takes) {
    for (Py_ssize_t k = 0; takes && k < PyTuple_GET_SIZE(takes); ++k) {
      const Py_ssize_t index = PyLong_AsSsize_t(PyTuple_GET_ITEM(takes, k));
      if (index < 0 || index >= c_.input_count) return fail("a length is one of the inputs");
    }
    return takes ? true : fail("storage that is made says of which inputs");
  }

  bool result() {
    PyObject* item = get("result");
    if (!item || item == Py_None) return item != nullptr;
    Py_ssize_t offset;
    PyObject* object;
    if (!parse(item, "O!n", codec_type, &object, &offset)) return false;
    const Codec& codec = *reinterpret_cast<Codec*>(object);
    // An object that is no bytes is made in its own place.
    if (codec.kind != Kind::handle && !place(codec, offset)) return false;
    c_.result.codec = reinterpret_cast<Codec*>(Py_NewRef(object));
    c_.result.offset = static_cast<uint32_t>(offset);
    c_.result.is_status &=
        c_.result.finish && (codec.kind == Kind::enumeration || codec.kind <= Kind::uint64);
    return true;
  }

  // Text is read before the call ends.
  static bool holds_addresses(const Codec* codec) {
    return codec && (codec->kind == Kind::pointer || codec->kind == Kind::string);
  }

  static bool points(const Codec& codec) { return codec.has_pointers && codec.kind != Kind::string; }

  bool survey() {
    const bool padded = c_.result.codec && !is_number(c_.result.codec->kind);
    c_.outputs.has_extras = c_.given != c_.argc || c_.outputs.count || padded;
    c_.lifetime.result_refers = c_.result.codec && points(*c_.result.codec) && !c_.result.is_first_argument;
    for (int i = 0; i < c_.outputs.count; ++i)
      c_.lifetime.result_refers |= points(*c_.outputs.items[i].codec);
    c_.lifetime.result_has_pointers = c_.lifetime.result_refers;
    // An object keeps them itself; of what is none, the parts do.
    c_.lifetime.result_refers |= c_.lifetime.object_refers && c_.result.codec && !c_.result.codec->python;
    choose_run(c_);
    return true;
  }

  Candidate& c_;
  std::unique_ptr<bool[]> given_;
};

PyObject* object_of(const Codec* codec) { return reinterpret_cast<PyObject*>(const_cast<Codec*>(codec)); }

}  // namespace

bool build_candidate(Candidate& candidate, PyObject* description) {
  return Builder(candidate, description).build();
}

int visit_candidate(const Candidate& candidate, visitproc visit, void* arg) {
  for (int i = 0; i < candidate.input_count; ++i) Py_VISIT(object_of(candidate.inputs[i].codec));
  for (int i = 0; i < candidate.outputs.count; ++i) {
    const Output& output = candidate.outputs.items[i];
    Py_VISIT(object_of(output.codec));
    Py_VISIT(output.make);
    Py_VISIT(output.takes);
    Py_VISIT(output.finish);
    Py_VISIT(output.overrun);
  }
  Py_VISIT(object_of(candidate.result.codec));
  Py_VISIT(object_of(candidate.lifetime.member));
  Py_VISIT(candidate.lifetime.elements);
  Py_VISIT(candidate.lifetime.pairs);
  Py_VISIT(candidate.result.finish);
  Py_VISIT(candidate.later);
  return 0;
}

void free_candidate(Candidate& candidate) {
  for (int i = 0; i < candidate.input_count; ++i) Py_DECREF(object_of(candidate.inputs[i].codec));
  for (int i = 0; i < candidate.outputs.count; ++i) {
    const Output& output = candidate.outputs.items[i];
    Py_DECREF(object_of(output.codec));
    Py_XDECREF(output.make);
    Py_XDECREF(output.takes);
    Py_XDECREF(output.finish);
    Py_XDECREF(output.overrun);
  }
  Py_XDECREF(object_of(candidate.result.codec));
  Py_XDECREF(object_of(candidate.lifetime.member));
  Py_XDECREF(candidate.lifetime.elements);
  Py_XDECREF(candidate.lifetime.pairs);
  Py_XDECREF(candidate.result.finish);
  Py_XDECREF(candidate.later);
  Py_XDECREF(candidate.lifetime.taker);
  Py_XDECREF(candidate.names);
  PyMem_Free(candidate.inputs);
  PyMem_Free(candidate.outputs.items);
}

}  // namespace samebytes
