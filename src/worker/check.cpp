#include "worker/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "worker/element.h"

namespace hone::worker {
namespace {

class MeanSquare {
 public:
  void add(double value) {
    if (!std::isfinite(value)) return;
    sum_ += value * value;
    ++count_;
  }
  double root() const { return count_ == 0 ? 0 : std::sqrt(sum_ / static_cast<double>(count_)); }

 private:
  double sum_ = 0;
  std::int64_t count_ = 0;
};

bool is_right(double actual, double expected, double scale, double tolerance) {
  if (actual == expected) return true;
  if (!std::isfinite(expected)) return std::isnan(expected) && std::isnan(actual);
  // An actual value that is no number fails this too.
  return std::abs(actual - expected) <= tolerance * std::max(std::abs(expected), scale);
}

// Samples are worked out in double precision; past the range of the elements they are infinite.
double in_range(ir::Scalar type, double value) {
  if (!ir::is_float(type)) return value;
  const double stored =
      with_element(type, [&](auto element) { return static_cast<double>(decltype(element)(value)); });
  return std::isinf(stored) ? stored : value;
}

std::string fault(const BufferSpec& spec, std::int64_t element, double actual, double expected) {
  return fmt::format("{}[{}] is {}, not {}", spec.name, element, actual, expected);
}

}  // namespace

std::string compare_samples(const BufferSpec& spec, const std::byte* actual,
                            std::span<const Sample> samples, double tolerance) {
  MeanSquare square;
  for (const Sample& sample : samples) square.add(in_range(spec.type, sample.expected));
  const double scale = square.root();
  for (const Sample& sample : samples) {
    const double value = load_element(spec.type, actual, sample.element);
    const double expected = in_range(spec.type, sample.expected);
    if (!is_right(value, expected, scale, tolerance)) {
      return fault(spec, sample.element, value, expected);
    }
  }
  return {};
}

std::string compare_all(const BufferSpec& spec, const std::byte* actual, const std::byte* expected,
                        double tolerance) {
  return with_element(spec.type, [&](auto element) -> std::string {
    const auto load = [&](const std::byte* data, std::int64_t i) {
      std::memcpy(&element, data + i * static_cast<std::int64_t>(sizeof element), sizeof element);
      return static_cast<double>(element);
    };
    MeanSquare square;
    for (std::int64_t i = 0; i < spec.elements; ++i) square.add(load(expected, i));
    const double scale = square.root();
    for (std::int64_t i = 0; i < spec.elements; ++i) {
      const double value = load(actual, i), wanted = load(expected, i);
      if (!is_right(value, wanted, scale, tolerance)) return fault(spec, i, value, wanted);
    }
    return {};
  });
}

}  // namespace hone::worker
