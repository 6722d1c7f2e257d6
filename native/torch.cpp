// Reads torch tensors through torch's stable C shim, found in the running process: nothing is compiled
// against torch.
//
// A plain tensor is on the CPU, strided, and neither conjugate, negative nor wrapped by a transform. Torch
// writes all of that into one word of the tensor, its dispatch keys, which Python can ask for; so the word's
// place is found by comparing, and a call compares one word. Every place is checked on tensors of each sort
// before it is used.
#include "torch.hpp"

#include <dlfcn.h>
#include <malloc.h>

#include <cstring>
#include <initializer_list>

#include "dlpack.hpp"
#include "extents.hpp"

namespace samebytes {

namespace {

using Handle = void*;  // the address of the at::Tensor inside the Python object
using Word = uint64_t;
constexpr int kDtypes = 64;

struct Shim {
  int (*data)(Handle, void**);
  int (*rank)(Handle, int64_t*);
  int (*sizes)(Handle, int64_t**);
  int (*strides)(Handle, int64_t**);
  int (*dtype)(Handle, int32_t*);
  bool (*requires_grad)(const void* tensor);
  size_t handle_offset;  // bytes into the Python object
  size_t keys_offset;    // bytes into the tensor
  Word plain;            // the dispatch keys of a plain tensor, and ...
  Word inference;        // ... of one made in inference mode
  ElementType types[kDtypes];
} shim;

struct Known {
  const char* getter;
  ElementType type;
};

constexpr Known kTypes[] = {
    {"aoti_torch_dtype_bool", {6, 8, 1}},           {"aoti_torch_dtype_int8", {0, 8, 1}},
    {"aoti_torch_dtype_int16", {0, 16, 1}},         {"aoti_torch_dtype_int32", {0, 32, 1}},
    {"aoti_torch_dtype_int64", {0, 64, 1}},         {"aoti_torch_dtype_uint8", {1, 8, 1}},
    {"aoti_torch_dtype_uint16", {1, 16, 1}},        {"aoti_torch_dtype_uint32", {1, 32, 1}},
    {"aoti_torch_dtype_uint64", {1, 64, 1}},        {"aoti_torch_dtype_float16", {2, 16, 1}},
    {"aoti_torch_dtype_float32", {2, 32, 1}},       {"aoti_torch_dtype_float64", {2, 64, 1}},
    {"aoti_torch_dtype_bfloat16", {4, 16, 1}},      {"aoti_torch_dtype_complex32", {5, 32, 1}},
    {"aoti_torch_dtype_complex64", {5, 64, 1}},     {"aoti_torch_dtype_complex128", {5, 128, 1}},
    {"aoti_torch_dtype_float8_e4m3fn", {10, 8, 1}}, {"aoti_torch_dtype_float8_e4m3fnuz", {11, 8, 1}},
    {"aoti_torch_dtype_float8_e5m2", {12, 8, 1}},   {"aoti_torch_dtype_float8_e5m2fnuz", {13, 8, 1}},
};

// Tensors that the places are checked on. `plain` ones must share one key word, the others must differ from
// it.
struct Probe {
  const char* expression;
  bool plain;
};

constexpr Probe kProbes[] = {
    {"torch.zeros(4, 5)", true},
    {"torch.zeros(2, 3, 4, 5, 6, 7, dtype=torch.float64)[::2, :, 1:].transpose(0, 1)", true},
    {"torch.ones((), dtype=torch.bool)", true},
    {"torch.zeros(3, requires_grad=True)", true},
    {"torch.nn.Parameter(torch.zeros(7, 0, dtype=torch.bfloat16), requires_grad=False)", true},
    {"torch.zeros(3, dtype=torch.complex64).conj()", false},
    {"torch._neg_view(torch.zeros(3))", false},
    {"torch.zeros(3, dtype=torch.complex64).conj().imag", false},
    {"torch.zeros(3, 3).to_sparse()", false},
    {"torch.zeros(3, device='meta')", false},
};
constexpr const char* kInference = "torch.inference_mode()(lambda: torch.zeros(2, 2))()";

PyObject* torch_module() { return PyImport_ImportModule("torch"); }

// The value of an expression in which `torch` and, when given, `x` are defined.
PyObject* evaluate(const char* expression, PyObject* x = nullptr) {
  PyObject* names = PyDict_New();
  PyObject* torch = torch_module();
  PyObject* value = nullptr;
  if (names && torch && PyDict_SetItemString(names, "__builtins__", PyEval_GetBuiltins()) == 0 &&
      PyDict_SetItemString(names, "torch", torch) == 0 && (!x || PyDict_SetItemString(names, "x", x) == 0))
    value = PyRun_String(expression, Py_eval_input, names, names);
  Py_XDECREF(torch);
  Py_XDECREF(names);
  return value;
}

bool number(const char* expression, PyObject* x, Word* out) {
  PyObject* value = evaluate(expression, x);
  if (!value) return false;
  *out = PyLong_AsUnsignedLongLongMask(value);
  Py_DECREF(value);
  return !PyErr_Occurred();
}

Word word_at(const void* base, size_t offset) {
  Word word;
  std::memcpy(&word, static_cast<const char*>(base) + offset, sizeof word);
  return word;
}

// Narrows `offset` to the one place where every probe so far held its value.
class Place {
 public:
  void check(const void* base, size_t bytes, Word value) {
    if (bytes / sizeof(Word) < words_) words_ = bytes / sizeof(Word);
    uint64_t here = 0;
    for (size_t i = 0; i < words_; ++i) here |= Word{word_at(base, i * sizeof(Word)) == value} << i;
    possible_ &= here;
  }
  bool found(size_t* offset) const {
    *offset = sizeof(Word) * static_cast<size_t>(__builtin_ctzll(possible_ | 1ull << 63));
    return possible_ && !(possible_ & (possible_ - 1));
  }

 private:
  size_t words_ = 63;
  uint64_t possible_ = ~0ull;
};

bool probe(const char* expression, Place& handle, Place& keys, Word* key_word) {
  PyObject* tensor = evaluate(expression);
  Word address = 0;
  const bool read = tensor && number("x._cdata", tensor, &address) &&
                    number("torch._C._dispatch_keys(x).raw_repr()", tensor, key_word) && address;
  if (read) {
    handle.check(tensor, static_cast<size_t>(Py_TYPE(tensor)->tp_basicsize), address);
    void* memory = reinterpret_cast<void*>(static_cast<uintptr_t>(address));
    keys.check(memory, malloc_usable_size(memory), *key_word);
  }
  Py_XDECREF(tensor);
  return read;
}

// Finds the handle and the key word and checks them on every probe.
bool find_places() {
  Place handle, keys;
  Word word;
  if (!probe(kInference, handle, keys, &shim.inference)) return false;
  for (const Probe& p : kProbes) {
    if (!probe(p.expression, handle, keys, &word)) return false;
    if (&p == kProbes) shim.plain = word;
    if ((word == shim.plain) != p.plain || (word == shim.inference && !p.plain)) return false;
  }
  return handle.found(&shim.handle_offset) && keys.found(&shim.keys_offset);
}

template <class Function>
bool load(void* library, const char* name, Function* out) {
  *out = reinterpret_cast<Function>(dlsym(library, name));
  return *out != nullptr;
}

bool load_functions() {
  void* cpu = dlopen("libtorch_cpu.so", RTLD_LAZY | RTLD_NOLOAD);
  void* c10 = dlopen("libc10.so", RTLD_LAZY | RTLD_NOLOAD);
  if (!cpu || !c10) return false;
  for (const Known& known : kTypes) {
    int32_t (*getter)();
    if (!load(cpu, known.getter, &getter)) continue;
    const int32_t number = getter();
    if (number >= 0 && number < kDtypes) shim.types[number] = known.type;
  }
  return load(cpu, "aoti_torch_get_data_ptr", &shim.data) && load(cpu, "aoti_torch_get_dim", &shim.rank) &&
         load(cpu, "aoti_torch_get_sizes", &shim.sizes) &&
         load(cpu, "aoti_torch_get_strides", &shim.strides) &&
         load(cpu, "aoti_torch_get_dtype", &shim.dtype) &&
         load(c10, "_ZNK3c1010TensorImpl13requires_gradEv", &shim.requires_grad);
}

Handle handle_of(PyObject* object) { return reinterpret_cast<char*>(object) + shim.handle_offset; }

bool is_plain(const void* tensor) {
  const Word keys = word_at(tensor, shim.keys_offset);
  return (keys == shim.plain || keys == shim.inference) && !shim.requires_grad(tensor);
}

// What Python says of one tensor is what the shim says, and the gate refuses what must be refused.
bool shim_agrees() {
  PyObject* said =
      evaluate("(lambda x: (x, x.data_ptr(), x.ndim, *x.shape, *x.stride()))(torch.zeros(4, 6)[1:, ::2])");
  PyObject* grad = said ? evaluate("torch.zeros(2, requires_grad=True)") : nullptr;
  bool agrees = false;
  if (grad && PyTuple_GET_SIZE(said) == 7) {
    PyObject* x = PyTuple_GET_ITEM(said, 0);
    void* data;
    int64_t rank, *sizes, *strides;
    int32_t dtype;
    Handle handle = handle_of(x);
    agrees = shim.data(handle, &data) == 0 && shim.rank(handle, &rank) == 0 && rank == 2 &&
             shim.sizes(handle, &sizes) == 0 && shim.strides(handle, &strides) == 0 &&
             shim.dtype(handle, &dtype) == 0 && dtype >= 0 && dtype < kDtypes &&
             shim.types[dtype] == ElementType{2, 32, 1};
    if (agrees) {
      const Word found[] = {reinterpret_cast<uintptr_t>(data), 2,
                            static_cast<Word>(sizes[0]),       static_cast<Word>(sizes[1]),
                            static_cast<Word>(strides[0]),     static_cast<Word>(strides[1])};
      for (int i = 0; i < 6; ++i)
        agrees = agrees && PyLong_AsUnsignedLongLongMask(PyTuple_GET_ITEM(said, i + 1)) == found[i];
      agrees = agrees && is_plain(*static_cast<void**>(handle)) &&
               !is_plain(*static_cast<void**>(handle_of(grad)));
    }
  }
  Py_XDECREF(said);
  Py_XDECREF(grad);
  return agrees;
}

// Once per process, with the GIL held throughout.
bool shim_ready() {
  static const bool ready = [] {
    const bool fits = load_functions() && find_places() && shim_agrees();
    PyErr_Clear();
    return fits;
  }();
  return ready;
}

int guard_by_word(PyObject* object) { return is_plain(*static_cast<void**>(handle_of(object))); }

// Asks the tensor itself, where the shim is not to be trusted.
int guard_by_question(PyObject* object) {
  for (const char* question : {"requires_grad", "is_conj", "is_neg"}) {
    PyObject* answer = PyObject_GetAttrString(object, question);
    if (answer && PyCallable_Check(answer)) Py_SETREF(answer, PyObject_CallNoArgs(answer));
    const int truth = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    if (truth != 0) return truth < 0 ? -1 : 0;
  }
  return 1;
}

bool is_torch_type(PyTypeObject* type) {
  PyObject* types = evaluate("(torch.Tensor, torch.nn.Parameter)");
  const int found = types ? PySequence_Contains(types, reinterpret_cast<PyObject*>(type)) : -1;
  Py_XDECREF(types);
  if (found == 0)
    PyErr_Format(PyExc_ValueError, "%s is neither torch.Tensor nor torch.nn.Parameter", type->tp_name);
  return found == 1;
}

}  // namespace

bool setup_torch(Route& route) {
  if (!is_torch_type(route.type)) return false;
  const bool shimmed = shim_ready();
  const DLPackExchangeAPI* api = find_exchange(route.type);
  if (!api && !shimmed) return false;
  PyErr_Clear();
  route.exchange.store(api, std::memory_order_release);
  route.guard.store(shimmed ? guard_by_word : guard_by_question, std::memory_order_release);
  route.match.store(shimmed ? match_torch : match_exchange, std::memory_order_release);
  return true;
}

Match match_torch(const ArraySpec& spec, PyObject* object, const Route& route, ArrayRef& out, Keep&) {
  Handle handle = handle_of(object);
  const void* tensor = *static_cast<void**>(handle);
  if (!tensor || !is_plain(tensor) || spec.dl.bits == 0) return Match::no;
  if (spec.writable && route.readonly.load(std::memory_order_relaxed)) return Match::no;
  int32_t dtype;
  int64_t rank, *sizes, *strides;
  void* data;
  if (shim.dtype(handle, &dtype) || static_cast<uint32_t>(dtype) >= kDtypes ||
      !(shim.types[dtype] == spec.dl))
    return Match::no;
  if (shim.rank(handle, &rank) || !rank_fits(spec, rank)) return Match::no;
  if (shim.sizes(handle, &sizes) || shim.strides(handle, &strides) || shim.data(handle, &data))
    return Match::no;
  if (!is_aligned(spec, data) || (!data && !is_empty(rank, sizes))) return Match::no;
  if (spec.contiguous && !is_c_contiguous(rank, sizes, strides, 1)) return Match::no;
  put_element_strides(rank, sizes, strides, out);
  out.data = data;
  return Match::yes;
}

}  // namespace samebytes
