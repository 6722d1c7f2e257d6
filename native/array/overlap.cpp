// Looks for two elements of one array that lie in the same bytes.
//
// Two elements differ by d[k] steps in dimension k, with |d[k]| < shape[k]. They share a byte where the sum
// of d[k] * strides[k] is less than one element. The search takes the longest strides first: what the shorter
// ones cannot reach back from is left out, so that arrays without an overlap are told apart in a few steps.
#include "array/overlap.hpp"

#include <algorithm>

namespace samebytes {

namespace {

using Wide = __int128;  // no sum of what fits 64 bits overflows

constexpr int kMostDimensions = 64;
constexpr int kMostSteps = 20000;  // some tens of microseconds

struct Dimension {
  int64_t extent, stride;  // the stride without its sign
};

Wide divided(Wide bound, int64_t by, bool up) {
  const Wide steps = bound / by;
  return steps + (up ? steps * by < bound : -(steps * by > bound));
}

class Search {
 public:
  Search(const Dimension* dims, int count, int64_t unit) : dims_(dims), count_(count) {
    reach_[count] = unit - 1;
    for (int k = count; k-- > 0;) reach_[k] = reach_[k + 1] + Wide{dims[k].extent - 1} * dims[k].stride;
  }

  Overlap run() {
    if (from(0, 0, false)) return Overlap::yes;
    return steps_ > kMostSteps ? Overlap::unknown : Overlap::no;
  }

 private:
  // Whether dimensions from k on can bring `sum` below one element. The first that is stepped in goes
  // forward.
  bool from(int k, Wide sum, bool moved) {
    if (k == count_) return moved;  // the last dimension's range left no other sums
    const Wide most = dims_[k].extent - 1, rest = reach_[k + 1];
    const auto stride = dims_[k].stride;
    Wide step = std::max(divided(-rest - sum, stride, true), moved ? -most : Wide{0});
    const Wide last = std::min(divided(rest - sum, stride, false), most);
    for (; step <= last; ++step)
      if (++steps_ > kMostSteps || from(k + 1, sum + step * stride, moved || step))
        return steps_ <= kMostSteps;
    return false;
  }

  const Dimension* dims_;
  int count_;
  Wide reach_[kMostDimensions + 1];
  int steps_ = 0;
};

}  // namespace

Overlap find_overlap(int64_t ndim, const int64_t* shape, const int64_t* strides, int64_t unit) {
  Dimension dims[kMostDimensions];
  int count = 0;
  bool same = false;
  for (int64_t d = 0; d < ndim; ++d) {
    if (shape[d] == 0) return Overlap::no;
    if (shape[d] == 1) continue;
    if (count == kMostDimensions || strides[d] == INT64_MIN) return Overlap::unknown;
    same |= strides[d] == 0;
    dims[count++] = {shape[d], strides[d] < 0 ? -strides[d] : strides[d]};
  }
  if (same || !unit) return same && unit ? Overlap::yes : Overlap::no;
  std::sort(dims, dims + count, [](const Dimension& a, const Dimension& b) { return a.stride > b.stride; });
  return Search(dims, count, unit).run();
}

}  // namespace samebytes
