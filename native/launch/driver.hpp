// The functions of a device's driver, CUDA's or HIP's, by their addresses in the library that Python has
// opened, and one launch by them.
#pragma once
#include <Python.h>

#include <cstdint>

namespace samebytes {

using Result = int;  // CUresult, hipError_t
constexpr int kStepBits = 16;
enum Step : int32_t { kEnter = 1, kLaunch = 2, kWait = 3, kRecord = 4, kAsk = 5, kAwait = 6 };

// CUlaunchConfig (cuda.h), and the same of HIP.
struct Config;

// In the order of CALLED in launch/drivers.py.
struct Driver {
  // Of CUDA, the context that is current; of HIP, which has no such stack, the number of the device.
  Result (*get_current)(void*);
  Result (*set_current)(void*);
  Result (*set_device)(int);
  Result (*pop_current)(void**);
  Result (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void**);
  Result (*wait)(void*);
  Result (*make_event)(void**, unsigned);
  Result (*record)(void*, void*);
  Result (*ask)(void*);
  Result (*await_event)(void*);
  Result (*drop_event)(void*);
  Result (*is_capturing)(void*, int*);
  Result (*launch_as)(const Config*, void*, void**, void**);
};
constexpr int kDriverFunctions = sizeof(Driver) / sizeof(void*);

// From one tuple of addresses; of a driver that has not all of them (0), what it has in their stead is there.
// False: ValueError is set.
bool driver_functions(PyObject* items, Driver& driver);

// While it lives, a context is the thread's current one, or a device's.
class Entered {
 public:
  Entered(const Driver& driver, void* context) : driver_(driver), status_(enter(context)) {}
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  ~Entered() { leave(); }
  Result status() const { return status_; }
  Result leave() {
    if (!entered_) return 0;
    entered_ = false;
    return driver_.pop_current ? driver_.pop_current(&before_) : driver_.set_device(number_);
  }

 private:
  Result enter(void* context) {
    if (!driver_.pop_current) {
      const int wanted = static_cast<int>(reinterpret_cast<intptr_t>(context));
      if (const Result code = driver_.get_current(&number_)) return code;
      if (number_ == wanted) return 0;
      const Result code = driver_.set_device(wanted);
      return entered_ = !code, code;
    }
    if (const Result code = driver_.get_current(&before_)) return code;
    if (before_ == context) return 0;
    const Result code = driver_.set_current(context);
    return entered_ = !code, code;
  }

  const Driver& driver_;
  void* before_ = nullptr;
  int number_ = 0;
  bool entered_ = false;
  Result status_;
};

struct DeviceLaunch {
  Driver driver;
  void *function, *context, *stream;
  unsigned grid[3], block[3], shared;  // shared: bytes
  int count;                           // parameters of the kernel
  int given;                           // those that a call gives
  void* const* defaults;               // where the values of the rest lie
  int waits;                           // until it has run
  unsigned cluster[3];                 // blocks; 0: none
  int cooperative;
};

// The status of a launch with arguments at these addresses: of which step, and the driver's; 0: it went well.
int32_t launched(const DeviceLaunch& launch, void** parameters);
inline int32_t launched_at_once(const DeviceLaunch& launch, void** parameters);
inline int32_t status_of(Result code, Step step) { return code ? code | step << kStepBits : 0; }

// The same of a launch that is given all its arguments: the commonest asks the driver no more than it must.
inline int32_t launched_at_once(const DeviceLaunch& l, void** parameters) {
  void* current = nullptr;
  const bool plain = l.driver.pop_current && l.grid[0] && !l.cluster[0] && !l.cooperative && !l.waits;
  if (!plain || l.driver.get_current(&current) || current != l.context) return launched(l, parameters);
  const Result code = l.driver.launch(l.function, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1],
                                      l.block[2], l.shared, l.stream, parameters, nullptr);
  return status_of(code, kLaunch);
}

}  // namespace samebytes
