// Finds the running torch's C shim and the places in a tensor that the shim has no function for. Nothing is
// compiled against torch.
//
// Device, layout, conjugate and negative bits and transforms all show in one word of a tensor, its dispatch
// keys, and Python can ask for that word; the tensor's address, rank and extents can be asked for too. So
// their places are found by comparing memory with the answers on tensors of every sort, and are used only if
// exactly one place fits.
#include "array/torch_shim.hpp"

#include <dlfcn.h>
#include <malloc.h>

#include <bitset>
#include <memory>
#include <new>
#include <string>

#include "ref.hpp"

namespace samebytes {

namespace {

using Word = uint64_t;

struct KnownType {
  const char* getter;
  TypeCode code;
  uint8_t bits;
};

constexpr KnownType kTypes[] = {
    {"aoti_torch_dtype_bool", TypeCode::boolean, 8},
    {"aoti_torch_dtype_int8", TypeCode::integer, 8},
    {"aoti_torch_dtype_int16", TypeCode::integer, 16},
    {"aoti_torch_dtype_int32", TypeCode::integer, 32},
    {"aoti_torch_dtype_int64", TypeCode::integer, 64},
    {"aoti_torch_dtype_uint8", TypeCode::unsigned_integer, 8},
    {"aoti_torch_dtype_uint16", TypeCode::unsigned_integer, 16},
    {"aoti_torch_dtype_uint32", TypeCode::unsigned_integer, 32},
    {"aoti_torch_dtype_uint64", TypeCode::unsigned_integer, 64},
    {"aoti_torch_dtype_float16", TypeCode::floating, 16},
    {"aoti_torch_dtype_float32", TypeCode::floating, 32},
    {"aoti_torch_dtype_float64", TypeCode::floating, 64},
    {"aoti_torch_dtype_bfloat16", TypeCode::bfloat, 16},
    {"aoti_torch_dtype_complex32", TypeCode::complex, 32},
    {"aoti_torch_dtype_complex64", TypeCode::complex, 64},
    {"aoti_torch_dtype_complex128", TypeCode::complex, 128},
    {"aoti_torch_dtype_float8_e4m3fn", TypeCode::float8_e4m3fn, 8},
    {"aoti_torch_dtype_float8_e4m3fnuz", TypeCode::float8_e4m3fnuz, 8},
    {"aoti_torch_dtype_float8_e5m2", TypeCode::float8_e5m2, 8},
    {"aoti_torch_dtype_float8_e5m2fnuz", TypeCode::float8_e5m2fnuz, 8},
};

// The tensors that places are checked on. Whatever device or mode is the default, a plain one must be what it
// says.
struct Probe {
  const char* expression;
  const char* keys;  // the names of a plain tensor's dispatch keys; null: not plain
};

constexpr const char* kThreadKeys =
    "_ZN3c104impl26raw_local_dispatch_key_setE";  // the included ones come first
constexpr const char* kPlain = "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)";
constexpr const char* kInference = "DispatchKeySet(CPU, AutocastCPU)";

constexpr Probe kProbes[] = {
    {"zeros(4, 6)[1:, ::2]", kPlain},
    {"torch.inference_mode()(lambda: zeros(2, 2))()", kInference},
    {"zeros((), dtype=torch.bool)", kPlain},
    {"zeros(3, requires_grad=True)", kPlain},
    {"torch.nn.Parameter(zeros(7, 0, dtype=torch.bfloat16), requires_grad=False)", kPlain},
    {"zeros(5, 4, 3, dtype=torch.float64).transpose(0, 2)", kPlain},
    {"zeros(2, 3, 4, 5, dtype=torch.int8)", kPlain},
    {"zeros(5, 4, 3, 2, 2, dtype=torch.uint8)[::2, :, 1:]", kPlain},
    {"zeros(2, 3, 4, 5, 6, 7)", kPlain},
    {"torch.frombuffer(bytearray(77), dtype=torch.uint8)", kPlain},
    {"zeros(3, dtype=torch.complex64).conj()", nullptr},
    {"torch._neg_view(zeros(3))", nullptr},
    {"zeros(3, dtype=torch.complex64).conj().imag", nullptr},
    {"zeros(3, 3).to_sparse()", nullptr},
    {"torch.zeros(3, device='meta')", nullptr},
};
constexpr size_t kCount = sizeof kProbes / sizeof *kProbes;

// The value of an expression in which `torch`, `x` and `zeros`, made on the CPU, are defined.
Ref evaluate(const char* expression, PyObject* x = Py_None) {
  const Ref torch = Ref::steal(PyImport_ImportModule("torch"));
  const Ref names = Ref::steal(
      torch ? Py_BuildValue("{sOsOsO}", "__builtins__", PyEval_GetBuiltins(), "torch", torch.get(), "x", x)
            : nullptr);
  if (!names) return {};
  const Ref made =
      Ref::steal(PyRun_String("zeros = lambda *shape, **rest: torch.zeros(*shape, device='cpu', **rest)",
                              Py_single_input, names.get(), names.get()));
  return Ref::steal(made ? PyRun_String(expression, Py_eval_input, names.get(), names.get()) : nullptr);
}

// Narrows down where in an object a value lies: wherever every check so far found it.
template <class T>
class Location {
 public:
  void check(const void* object, size_t bytes, T value) {
    std::bitset<kMost> here;
    for (size_t i = 0; i < kMost && (i + 1) * sizeof(T) <= bytes; ++i)
      here[i] = TorchShim::at<T>(object, i * sizeof(T)) == value;
    possible_ &= here;
  }
  bool find(size_t* place) const {
    for (size_t i = 0; i < kMost; ++i)
      if (possible_[i]) *place = i * sizeof(T);
    return possible_.count() == 1;
  }

 private:
  static constexpr size_t kMost = 256;
  std::bitset<kMost> possible_ = std::bitset<kMost>().set();
};

struct Answers {
  Ref tensor;
  bool plain;
  Word address, keys, rank, data, storage, base, bytes, sizes[8], strides[8];
};

bool ask(const Probe& probe, Answers* a) {
  constexpr const char* kQuestion =
      "(x._cdata, torch._C._dispatch_keys(x).raw_repr(), x.ndim, x.data_ptr(), x.untyped_storage()._cdata, "
      "x.untyped_storage().data_ptr(), x.untyped_storage().nbytes(), *x.shape, *x.stride())";
  constexpr const char* kShortQuestion = "(x._cdata, torch._C._dispatch_keys(x).raw_repr(), x.ndim)";
  constexpr const char* kWhat =
      "repr(torch._C._dispatch_keys(x)) if type(x) in (torch.Tensor, torch.nn.Parameter) and x.device.type "
      "== 'cpu' "
      "and x.layout is torch.strided else ''";
  a->tensor = evaluate(probe.expression);
  const Ref what = a->tensor ? evaluate(kWhat, a->tensor.get()) : Ref();
  a->plain = probe.keys;
  if (!what || (a->plain && PyUnicode_CompareWithASCIIString(what.get(), probe.keys) != 0)) return false;
  const Ref said = evaluate(a->plain ? kQuestion : kShortQuestion, a->tensor.get());
  const Py_ssize_t count = said ? PyTuple_GET_SIZE(said.get()) : 0;
  Word words[20] = {};
  if (count > 20) return false;
  for (Py_ssize_t i = 0; i < count; ++i)
    words[i] = PyLong_AsUnsignedLongLongMask(PyTuple_GET_ITEM(said.get(), i));
  a->address = words[0];
  a->keys = words[1];
  a->rank = words[2];
  a->data = words[3];
  a->storage = words[4];
  a->base = words[5];
  a->bytes = words[6];
  for (Word d = 0; a->plain && d < a->rank; ++d) {
    a->sizes[d] = words[7 + d];
    a->strides[d] = words[7 + a->rank + d];
  }
  return a->address && !PyErr_Occurred();
}

bool find_words(TorchShim* shim, const Answers (&all)[kCount]) {
  Location<Word> handle, keys, rank;
  Location<uint16_t> dtype;
  for (const Answers& a : all)
    handle.check(a.tensor.get(), static_cast<size_t>(Py_TYPE(a.tensor.get())->tp_basicsize), a.address);
  if (!handle.find(&shim->handle_at)) return false;
  for (const Answers& a : all) {
    void* memory = reinterpret_cast<void*>(static_cast<uintptr_t>(a.address));
    const size_t bytes = malloc_usable_size(memory);
    int32_t number;
    if (shim->dtype(shim->handle(a.tensor.get()), &number)) return false;
    keys.check(memory, bytes, a.keys);
    rank.check(memory, bytes, a.rank);
    dtype.check(memory, bytes, static_cast<uint16_t>(number));
  }
  shim->plain_keys = all[0].keys;
  shim->inference_keys = all[1].keys;
  return keys.find(&shim->keys_at) && rank.find(&shim->rank_at) && dtype.find(&shim->dtype_at);
}

bool find_storage(TorchShim* shim, const Answers (&all)[kCount]) {
  Location<Word> storage, base, bytes;
  for (const Answers& a : all) {
    if (!a.plain) continue;
    void* tensor = reinterpret_cast<void*>(static_cast<uintptr_t>(a.address));
    void* memory = reinterpret_cast<void*>(static_cast<uintptr_t>(a.storage));
    storage.check(tensor, malloc_usable_size(tensor), a.storage);
    base.check(memory, malloc_usable_size(memory), a.base);
    bytes.check(memory, malloc_usable_size(memory), a.bytes);
  }
  return storage.find(&shim->storage_at) && base.find(&shim->base_at) && bytes.find(&shim->bytes_at);
}

// The keys of the modes in which torch asks Python about every operator, or traces, or transforms; and that
// the thread's word is where it is looked for.
bool find_modes(TorchShim* shim) {
  shim->tracing_keys = 0;
  for (const char* name : {"Python", "Tracer", "FuncTorchDynamicLayerFrontMode", "Functionalize"}) {
    const std::string key = std::string("torch._C._parse_dispatch_key('") + name + "')";
    const Ref bits = evaluate(("torch._C.DispatchKeySet(" + key + ").raw_repr()").c_str());
    const Word mask = bits ? PyLong_AsUnsignedLongLongMask(bits.get()) : 0;
    const Ref guard = evaluate(("torch._C._IncludeDispatchKeyGuard(" + key + ")").c_str());
    if (!mask || !guard || *shim->thread_keys() & mask) return false;
    const Ref entered = Ref::steal(PyObject_CallMethod(guard.get(), "__enter__", nullptr));
    const bool shown = (*shim->thread_keys() & mask) == mask;
    const Ref left =
        Ref::steal(PyObject_CallMethod(guard.get(), "__exit__", "OOO", Py_None, Py_None, Py_None));
    if (!entered || !left || !shown || *shim->thread_keys() & mask) return false;
    shim->tracing_keys |= mask;
  }
  return true;
}

// The shim's functions say of this tensor what Python says, and its extents lie where they should.
bool agrees(const TorchShim& shim, const Answers& a) {
  const bool plain = a.keys == shim.plain_keys || a.keys == shim.inference_keys;
  if (plain != a.plain) return false;
  if (!plain) return true;
  void* data;
  int64_t rank;
  const int64_t *sizes, *strides;
  TensorHandle handle = shim.handle(a.tensor.get());
  if (shim.data(handle, &data) || shim.rank(handle, &rank) || shim.sizes(handle, &sizes) ||
      shim.strides(handle, &strides))
    return false;
  if (reinterpret_cast<uintptr_t>(data) != a.data || static_cast<Word>(rank) != a.rank) return false;
  for (int64_t d = 0; d < rank; ++d)
    if (static_cast<Word>(sizes[d]) != a.sizes[d] || static_cast<Word>(strides[d]) != a.strides[d])
      return false;
  const char* tensor = *static_cast<char**>(handle);
  const Ref grad = evaluate("x.requires_grad", a.tensor.get());
  if (!grad || shim.is_plain(handle) != (grad.get() == Py_False)) return false;
  return rank > TorchShim::kInlineRank ||
         (reinterpret_cast<const char*>(sizes) == tensor + shim.sizes_at &&
          reinterpret_cast<const char*>(strides) == tensor + shim.strides_at);
}

bool find_places(TorchShim* shim) {
  Answers all[kCount];
  for (size_t i = 0; i < kCount; ++i)
    if (!ask(kProbes[i], &all[i])) return false;
  if (!find_words(shim, all) || !find_storage(shim, all) || !find_modes(shim)) return false;
  const int64_t *sizes, *strides;
  TensorHandle first = shim->handle(all[0].tensor.get());
  if (shim->sizes(first, &sizes) || shim->strides(first, &strides)) return false;
  shim->sizes_at = reinterpret_cast<uintptr_t>(sizes) - all[0].address;
  shim->strides_at = reinterpret_cast<uintptr_t>(strides) - all[0].address;
  for (size_t i = 0; i < kCount; ++i)
    if (!agrees(*shim, all[i])) return false;
  return true;
}

template <class Function>
bool load(void* library, const char* name, Function* out) {
  *out = reinterpret_cast<Function>(dlsym(library, name));
  return *out != nullptr;
}

bool load_functions(TorchShim* shim) {
  void* cpu = dlopen("libtorch_cpu.so", RTLD_LAZY | RTLD_NOLOAD);
  void* c10 = dlopen("libc10.so", RTLD_LAZY | RTLD_NOLOAD);
  if (!cpu || !c10) return false;
  for (const KnownType& known : kTypes) {
    int32_t (*getter)();
    if (!load(cpu, known.getter, &getter)) continue;
    const int32_t number = getter();
    if (number >= 0 && number < TorchShim::kDtypes)
      shim->types[number] = {static_cast<uint8_t>(known.code), known.bits, 1};
  }
  return load(cpu, "aoti_torch_get_data_ptr", &shim->data) && load(cpu, "aoti_torch_get_dim", &shim->rank) &&
         load(cpu, "aoti_torch_get_sizes", &shim->sizes) &&
         load(cpu, "aoti_torch_get_strides", &shim->strides) &&
         load(cpu, "aoti_torch_get_dtype", &shim->dtype) &&
         load(c10, "_ZNK3c1010TensorImpl13requires_gradEv", &shim->requires_grad) &&
         load(c10, "_ZNK3c1010TensorImpl8_fw_gradEmRKN2at10TensorBaseE", &shim->tangent) &&
         load(c10, "_ZN3c1019UndefinedTensorImpl10_singletonE", &shim->undefined) &&
         load(cpu, "_ZN5torch8autograd4impl12bump_versionERKN2at6TensorE", &shim->raise_version) &&
         dlsym(c10, kThreadKeys);
}

}  // namespace

// A thread's own word stays where it is while the thread lives.
const uint64_t* TorchShim::thread_keys() {
  __attribute__((tls_model("initial-exec"))) static thread_local const uint64_t* known = nullptr;
  if (unlikely(!known)) {
    void* const c10 = dlopen("libc10.so", RTLD_LAZY | RTLD_NOLOAD);
    known = static_cast<const uint64_t*>(dlsym(c10, kThreadKeys));
    dlclose(c10);
  }
  return known;
}

// No lock is held meanwhile: Python code runs here. Two threads may both search; the first to end wins.
const TorchShim* torch_shim() {
  static std::atomic<const TorchShim*> known{nullptr};
  const TorchShim* earlier = known.load(std::memory_order_acquire);
  if (earlier) return earlier;
  std::unique_ptr<TorchShim> made(new (std::nothrow) TorchShim());
  if (!made || !load_functions(made.get()) || !find_places(made.get())) {
    PyErr_Clear();
    return nullptr;
  }
  if (!known.compare_exchange_strong(earlier, made.get(), std::memory_order_acq_rel)) return earlier;
  return made.release();
}

}  // namespace samebytes
