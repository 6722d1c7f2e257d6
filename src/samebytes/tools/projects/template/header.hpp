#pragma once
#include <cstddef>
#include <samebytes/array.hpp>
#include <string>

/// What is known of some numbers.
struct Summary {
  double mean;
  float largest;
};

/// Mean and largest of the numbers; no copy of them is made.
Summary summary(samebytes::array<const float, 1> numbers);

/// Counts things of one kind.
class Tally {
  std::string name_;
  long total_ = 0;

 public:
  explicit Tally(std::string name);
  Tally& operator+=(long n);
  long total() const;
  std::string text() const;
};
