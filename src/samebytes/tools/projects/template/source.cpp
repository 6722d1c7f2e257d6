#include <algorithm>
#include <stdexcept>
#include <utility>

#include "NAME.hpp"

Summary summary(samebytes::array<const float, 1> numbers) {
  if (numbers.shape[0] == 0) throw std::invalid_argument("no numbers");
  Summary found{0, numbers(0)};
  for (std::size_t i = 0; i < numbers.shape[0]; ++i) {
    found.mean += numbers(i);
    found.largest = std::max(found.largest, numbers(i));
  }
  found.mean /= numbers.shape[0];
  return found;
}

Tally::Tally(std::string name) : name_(std::move(name)) {}

Tally& Tally::operator+=(long n) {
  total_ += n;
  return *this;
}

long Tally::total() const { return total_; }

std::string Tally::text() const { return name_ + ": " + std::to_string(total_); }
