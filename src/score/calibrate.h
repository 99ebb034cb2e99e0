// The unit in which hone's networks speak. A loss that ranks teaches them an order on any scale; what
// is to be averaged with other models must be in one unit.
#pragma once
#include <span>
#include <vector>

#include "score/tensors.h"

namespace hone::score {

struct Calibration {
  double scale = 1, shift = 0;  // measured = scale * said + shift
};

// By least squares. Where that would turn the order around, nothing is changed.
Calibration fit_calibration(std::span<const double> said, std::span<const double> measured);

// Lets the heads of the members of hone's model speak so.
void apply(const Calibration& calibration, std::vector<NamedTensor>& tensors);

}  // namespace hone::score
