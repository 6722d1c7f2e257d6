// A fixed number of C functions. Each hands the registers in which its caller passes arguments, and its own
// number, to one function, which looks up whose callback that is (System V ABI, AMD64, 3.2.3).
#include "callback/closure.hpp"

#include <cstring>

#include "call/pending.hpp"
#include "call/scope.hpp"
#include "call/writes.hpp"
#include "callback/leaving.hpp"
#include "codec/scalar.hpp"

#define SAMEBYTES_THUNKS 4096

namespace samebytes {

namespace {

constexpr int kGeneralRegisters = 6, kRealRegisters = 8;
struct Registers {
  uint64_t integer[kGeneralRegisters];
  double sse[kRealRegisters];
  union {
    uint64_t integer_result[2];
    void* thrown[2];  // where an exception leaves: a std::exception_ptr or null
  };
  double sse_result[2];
};
// Words: integer registers, SSE registers, then the stack's.
constexpr int kSse = kGeneralRegisters, kStack = kSse + kRealRegisters;

constexpr int kLeastRest = 256;  // at rest, where no others are left

struct Slot {
  Callback* callback;  // borrowed: it ends the slot's use; null: it has ended
  CallbackPlan* plan;  // strong
  PyObject* name;      // of the callable that ended, strong
  int next;            // among those that ended
};

Slot slots[SAMEBYTES_THUNKS];
int fresh = 0, resting = 0, oldest = -1, latest = -1;

int take_slot() {
  const bool unused = fresh < SAMEBYTES_THUNKS;
  if (resting < kClosuresAtRest && unused) return fresh++;
  if (resting < kLeastRest) return -1;
  const int slot = oldest;
  oldest = slots[slot].next;
  --resting;
  return slot;
}

void rest(int slot) {
  slots[slot].next = -1;
  (resting ? slots[latest].next : oldest) = slot;
  latest = slot;
  ++resting;
}

Ref name_of(PyObject* callable) {
  static PyObject* const attribute = PyUnicode_InternFromString("__name__");
  static PyObject* const unknown = PyUnicode_InternFromString("?");
  Ref name = Ref::steal(PyObject_GetAttr(callable, attribute));
  if (name && PyUnicode_Check(name.get())) return name;
  PyErr_Clear();
  name = Ref::steal(PyType_GetName(Py_TYPE(callable)));
  if (!name) PyErr_Clear();
  return name ? std::move(name) : Ref::borrow(unknown);
}

const char* word(const Registers& registers, const char* stack, int number) {
  if (number < kSse) return reinterpret_cast<const char*>(registers.integer + number);
  if (number < kStack) return reinterpret_cast<const char*>(registers.sse + number - kSse);
  return stack + sizeof(uint64_t) * (number - kStack);
}

// A callee extends what is narrower than an int; C++ compilers rely on it.
void widen(const CallbackPlan& plan, char* out) {
  if (!plan.result) return;
  switch (plan.result->kind == Kind::enumeration ? plan.result->element->kind : plan.result->kind) {
    case Kind::int8:
      return (void)store(out, static_cast<int64_t>(load<int8_t>(out)));
    case Kind::int16:
      return (void)store(out, static_cast<int64_t>(load<int16_t>(out)));
    case Kind::int32:
      return (void)store(out, static_cast<int64_t>(load<int32_t>(out)));
    default:
      return;
  }
}

void give(const CallbackPlan& plan, const char* out, Registers& registers) {
  int integers = 0, reals = 0;
  for (int i = 0; i < plan.result_count; ++i) {
    void* const to = plan.result_words[i] == WordClass::sse
                         ? static_cast<void*>(registers.sse_result + reals++)
                         : registers.integer_result + integers++;
    std::memcpy(to, out + sizeof(uint64_t) * i, sizeof(uint64_t));
  }
}

// The arguments' places; a value in registers of both classes is put together first.
bool run(const Callback& callback, const Registers& registers, const char* stack, char* out) {
  const CallbackPlan& plan = *callback.plan;
  const char* places[kMostCallbackArguments];
  char together[kMostCallbackArguments][2 * sizeof(uint64_t)];
  for (int i = 0; i < plan.count; ++i) {
    const CallbackArgument& argument = plan.arguments[i];
    places[i] = word(registers, stack, argument.words[0]);
    if (likely(argument.word_count == 1)) continue;
    std::memcpy(together[i], places[i], sizeof(uint64_t));
    std::memcpy(together[i] + sizeof(uint64_t), word(registers, stack, argument.words[1]), sizeof(uint64_t));
    places[i] = together[i];
  }
  Ref result_owner;  // C's by now, or kept by who wrote it
  return run_callback(callback, places, out, result_owner);
}

// The callable has raised. False: what it raised leaves as an exception.
bool run_otherwise(const Callback& callback, char* out, size_t room, void** slot) {
  *slot = nullptr;
  if (leave(*callback.plan, callback.callable, callback.errors, Thrower::common, Caller::pointer, slot) !=
      callable_end::reported)
    return false;
  Ref result_owner;
  std::memset(out, 0, room);
  if (!run_on_error(callback, out, result_owner)) std::memset(out, 0, room);
  return true;
}

// As above: the C function has ended, and says so.
bool run_ended(const Slot& slot, void** thrown) {
  // While the callable is asked for its name, there is none.
  const Ref name = slot.name ? Ref::borrow(slot.name) : Ref::steal(PyUnicode_FromString("?"));
  *thrown = nullptr;
  if (name && Ref::steal(PyObject_CallOneArg(slot.plan->gone, name.get()))) return true;
  return leave(*slot.plan, name.get(), Py_None, Thrower::common, Caller::pointer, thrown) ==
         callable_end::reported;
}

}  // namespace

#if defined(__x86_64__) && defined(__linux__) && !defined(__ILP32__)

extern "C" {
extern char samebytes_thunks[] __attribute__((visibility("hidden")));
// Whether an exception leaves it, which is thrown from here: its frame is C++'s own by then, without Python.
__attribute__((visibility("hidden"), used)) bool samebytes_run_thunk(Registers*, const char*, unsigned);
[[noreturn]] __attribute__((visibility("hidden"), used)) void samebytes_throw(void** slot);
}

static_assert(sizeof(Registers) == 144, "as the code below lays it out");
#define SAMEBYTES_TEXT_OF(number) #number
#define SAMEBYTES_TEXT(number) SAMEBYTES_TEXT_OF(number)

// endbr64 lets a function be reached by an indirect call where the processor insists on that.
asm(R"(
.pushsection .text
.p2align 4
.type samebytes_enter, @function
samebytes_enter:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset 6, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register 6
  subq $144, %rsp
  movq %rdi, 0(%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movsd %xmm0, 48(%rsp)
  movsd %xmm1, 56(%rsp)
  movsd %xmm2, 64(%rsp)
  movsd %xmm3, 72(%rsp)
  movsd %xmm4, 80(%rsp)
  movsd %xmm5, 88(%rsp)
  movsd %xmm6, 96(%rsp)
  movsd %xmm7, 104(%rsp)
  movq %rsp, %rdi
  leaq 16(%rbp), %rsi
  movl %r11d, %edx
  call samebytes_run_thunk
  testb %al, %al
  jne .Lsamebytes_leave
  movq 112(%rsp), %rax
  movq 120(%rsp), %rdx
  movsd 128(%rsp), %xmm0
  movsd 136(%rsp), %xmm1
  .cfi_remember_state
  leave
  .cfi_def_cfa 7, 8
  ret
.Lsamebytes_leave:
  .cfi_restore_state
  leaq 112(%rsp), %rdi
  call samebytes_throw
  ud2
  .cfi_endproc
.size samebytes_enter, . - samebytes_enter
.p2align 4
.globl samebytes_thunks
.hidden samebytes_thunks
.type samebytes_thunks, @function
samebytes_thunks:
  .cfi_startproc
.set samebytes_thunk, 0
.rept )" SAMEBYTES_TEXT(SAMEBYTES_THUNKS) R"(
  endbr64
  movl $samebytes_thunk, %r11d
  jmp samebytes_enter
  .p2align 4
.set samebytes_thunk, samebytes_thunk + 1
.endr
  .cfi_endproc
.size samebytes_thunks, . - samebytes_thunks
.popsection
)");

constexpr size_t kThunk = 16;  // bytes

// Zero for the caller: no thread may ask for the GIL any more.
void run_after_python(const CallbackPlan& plan, Registers& registers) {
  tell_of_late_call();
  if (plan.in_memory) std::memset(reinterpret_cast<void*>(registers.integer[0]), 0, plan.size);
  registers.integer_result[0] = plan.in_memory ? registers.integer[0] : 0;
  registers.integer_result[1] = 0;
  registers.sse_result[0] = registers.sse_result[1] = 0;
}

void samebytes_throw(void** slot) { throw_on(slot); }

bool samebytes_run_thunk(Registers* registers, const char* stack, unsigned number) {
  bool leaves = false;
  const bool ran = in_python([&] {
    const PendingException pending;
    const Slot& slot = slots[number];
    const CallbackPlan& plan = *slot.plan;
    const Ref held = Ref::borrow(reinterpret_cast<PyObject*>(slot.plan));
    char bytes[2 * sizeof(uint64_t)] = {};
    char* const out = plan.in_memory ? reinterpret_cast<char*>(registers->integer[0]) : bytes;
    if (plan.in_memory) std::memset(out, 0, plan.size);
    const Ref callback = Ref::borrow(reinterpret_cast<PyObject*>(slot.callback));
    if (likely(static_cast<bool>(callback))) {
      const Callback& own = *as_callback(callback.get());
      if (unlikely(!run(own, *registers, stack, out)))
        leaves = !run_otherwise(own, out, plan.in_memory ? plan.size : sizeof bytes, registers->thrown);
    } else {
      leaves = !run_ended(slot, registers->thrown);
    }
    back_in_cxx();
    if (unlikely(leaves)) return;
    if (plan.in_memory) {
      registers->integer_result[0] = registers->integer[0];
    } else {
      widen(plan, out);
      give(plan, out, *registers);
    }
  });
  if (unlikely(!ran)) run_after_python(*slots[number].plan, *registers);
  return leaves;
}

bool has_closures() { return true; }
int closure_count() { return SAMEBYTES_THUNKS; }

void* c_function(Callback* callback) {
  if (callback->slot < 0) {
    callback->slot = take_slot();
    if (callback->slot < 0) return nullptr;
    Slot& slot = slots[callback->slot];
    const Ref plan = Ref::steal(reinterpret_cast<PyObject*>(slot.plan));
    const Ref name = Ref::steal(slot.name);
    Py_INCREF(callback->plan);
    slot = {callback, callback->plan, nullptr, -1};
  }
  return samebytes_thunks + kThunk * callback->slot;
}

Callback* callback_of(const void* function) {
  const auto at = reinterpret_cast<uintptr_t>(function) - reinterpret_cast<uintptr_t>(samebytes_thunks);
  return at < kThunk * SAMEBYTES_THUNKS && at % kThunk == 0 ? slots[at / kThunk].callback : nullptr;
}

#else

bool has_closures() { return false; }
int closure_count() { return 0; }
void* c_function(Callback*) { return nullptr; }
Callback* callback_of(const void*) { return nullptr; }

#endif

ClosureRegisters closure_registers() { return {kGeneralRegisters, kRealRegisters}; }

void end_closure(Callback* callback) {
  Slot& slot = slots[callback->slot];
  slot.callback = nullptr;
  const PendingException pending;
  slot.name = name_of(callback->callable).release();
  rest(callback->slot);
}

}  // namespace samebytes
