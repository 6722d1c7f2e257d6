// OpenCV's Mat: rows and columns, and the channels as the last axis; the descriptor's element is OpenCV's
// depth.
#pragma once
#include <opencv2/core/mat.hpp>

#include "ndarray.hpp"

namespace samebytes {

// A type's number as OpenCV's macros make it, which shims do not see: the depth, and the channels but one
// above it.
inline int cv_type(const nd_wire& from) {
  constexpr int depth_bits = 3, most_channels = 512;
  const std::int64_t channels = from.rank == 3 ? from.shape[2] : 1;
  matrix_fits(from.rank >= 2 && from.rank <= 3 && channels >= 1 && channels <= most_channels);
  matrix_fits(from.shape[0] <= 0x7fffffff && from.shape[1] <= 0x7fffffff);
  return static_cast<int>(from.element) + ((static_cast<int>(channels) - 1) << depth_bits);
}

template <class M>
struct crossing_cv {
  using wire = nd_wire;
  static M in(const wire& from) {
    cv::Mat made(static_cast<int>(from.shape[0]), static_cast<int>(from.shape[1]), cv_type(from));
    nd_copy(made.data, from, made.elemSize1());
    return made;
  }
  // The elements where they are; the rules of the type in Python have asked for neighbouring elements.
  static M show(const wire& from) {
    const int type = cv_type(from);
    const bool strided = from.shape[0] > 1;
    return cv::Mat(static_cast<int>(from.shape[0]), static_cast<int>(from.shape[1]), type,
                   const_cast<void*>(from.data),
                   strided ? static_cast<std::size_t>(from.strides[0]) : cv::Mat::AUTO_STEP);
  }
  static bool finish(const cv::Mat& shown, const wire& from) {
    const bool lies = shown.data == from.data || nd_count(from) == 0;
    return lies && shown.dims == 2 && shown.type() == cv_type(from) && shown.rows == from.shape[0] &&
           shown.cols == from.shape[1];
  }
  static void out(wire* to, const cv::Mat& value, arena& memory) {
    const int channels = value.channels(), dims = value.empty() ? 2 : value.dims;
    nd_describe(to, value.data, dims + (channels > 1), value.depth());
    for (int i = 0; i < dims; ++i) {
      to->shape[i] = value.dims == dims ? value.size[i] : 0;
      to->strides[i] = value.dims == dims ? static_cast<std::int64_t>(value.step[i]) : 0;
    }
    if (channels > 1) {
      to->shape[dims] = channels;
      to->strides[dims] = static_cast<std::int64_t>(value.elemSize1());
    }
    nd_measure(to, value.elemSize1());
    // Elements that others may see or free, too, are copied.
    if (to->size && (!value.u || value.u->refcount > 1)) {
      const std::int64_t count = nd_count(*to) * static_cast<std::int64_t>(value.elemSize1());
      unsigned char* const copy = memory.take<unsigned char>(static_cast<std::size_t>(count));
      nd_copy(copy, *to, value.elemSize1());
      to->data = copy;
      std::int64_t step = static_cast<std::int64_t>(value.elemSize1());
      for (std::int64_t i = to->rank; i-- > 0; step *= to->shape[i]) to->strides[i] = step;
      nd_measure(to, value.elemSize1());
    }
  }
};
// What stands for any array gives the matrix that it shows.
template <>
struct holder<cv::Mat> {
  explicit holder(const cv::Mat& from) : value(from) {}
  explicit holder(cv::Mat&& from) : value(static_cast<cv::Mat&&>(from)) {}
  explicit holder(const cv::_InputArray& from) : value(from.getMat()) {}
  cv::Mat value;
  arena memory;
};

template <>
struct crossing<cv::Mat, void> : crossing_cv<cv::Mat> {};
template <class T>
struct crossing<cv::Mat_<T>, void> : crossing_cv<cv::Mat_<T>> {};

}  // namespace samebytes
