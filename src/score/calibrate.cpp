#include "score/calibrate.h"

#include "base/error.h"

namespace hone::score {
namespace {

bool is_head(const NamedTensor& tensor, std::string_view part) {
  return tensor.name.starts_with("member") && tensor.name.ends_with(part);
}

}  // namespace

Calibration fit_calibration(std::span<const double> said, std::span<const double> measured) {
  check(said.size() == measured.size(), "what was said was measured, too");
  const auto n = static_cast<double>(said.size());
  double said_mean = 0, measured_mean = 0, squares = 0, products = 0;
  for (std::size_t i = 0; i < said.size(); ++i) {
    said_mean += said[i] / n;
    measured_mean += measured[i] / n;
  }
  for (std::size_t i = 0; i < said.size(); ++i) {
    squares += (said[i] - said_mean) * (said[i] - said_mean);
    products += (said[i] - said_mean) * (measured[i] - measured_mean);
  }
  if (!(products > 0)) return {};
  const double scale = products / squares;
  return {scale, measured_mean - scale * said_mean};
}

void apply(const Calibration& calibration, std::vector<NamedTensor>& tensors) {
  for (NamedTensor& tensor : tensors) {
    const bool is_weight = is_head(tensor, ".heads.weight"), is_bias = is_head(tensor, ".heads.bias");
    if ((!is_weight && !is_bias) || tensor.shape.empty() || tensor.shape[0] == 0) continue;
    // Of two outputs the first is the latency.
    const std::size_t of_output = tensor.values.size() / static_cast<std::size_t>(tensor.shape[0]);
    for (float& value : std::span(tensor.values).first(of_output))
      value = static_cast<float>(calibration.scale * value + (is_bias ? calibration.shift : 0));
  }
}

}  // namespace hone::score
