#include "feature/lane_step.h"

#include <algorithm>
#include <optional>

namespace hone::feature {
namespace {

using schedule::Digit;
using schedule::Sum;
using schedule::Var;
using schedule::Vars;

// Coefficients of one loop in the indices of an access, while it makes `lanes` turns from a multiple of
// them on.
class Linear {
 public:
  Linear(const Vars& vars, Var var, std::int64_t lanes) : vars_(vars), var_(var), lanes_(lanes) {}

  // Nothing when the sum is no line along the lanes.
  std::optional<std::int64_t> of(const Sum& sum) const {
    std::int64_t step = 0;
    for (const Digit& digit : sum.digits) {
      const std::optional<std::int64_t> one = digit.var == var_ ? of_loop(digit) : of_inner(digit);
      if (!one) return std::nullopt;
      step += *one * digit.scale;
    }
    return step;
  }

 private:
  // (var mod upper) div lower.
  std::optional<std::int64_t> of_loop(const Digit& digit) const {
    if (digit.lower % lanes_ == 0) return 0;
    const bool is_whole =
        digit.upper == 0 || digit.upper % lanes_ == 0 || digit.upper >= vars_.extent(var_);
    return digit.lower == 1 && is_whole ? std::optional<std::int64_t>(1) : std::nullopt;
  }

  // The same of a sum that the loop is a part of.
  std::optional<std::int64_t> of_inner(const Digit& digit) const {
    const Sum* const sum = vars_.sum_of(digit.var);
    if (sum == nullptr) return 0;
    const std::optional<std::int64_t> step = of(*sum);
    if (!step || *step == 0) return step;
    if (digit.upper != 0 || *step % digit.lower != 0) return std::nullopt;
    return *step / digit.lower;
  }

  const Vars& vars_;
  Var var_;
  std::int64_t lanes_;
};

}  // namespace

std::int64_t lane_step(const Vars& vars, const Access& access, const std::vector<std::int64_t>& shape,
                       Var var, std::int64_t lanes) {
  const Linear linear(vars, var, lanes);
  std::int64_t all = 0;
  for (std::size_t i = 0; i < access.indices.size(); ++i) {
    const Index& index = access.indices[i];
    std::int64_t row = 1, step = 0;
    for (std::size_t d = index.size(); d-- > 0; row *= shape[d]) {
      const std::optional<std::int64_t> one = linear.of(index[d]);
      if (!one) return kFarApart;
      step += *one * row;
    }
    if (i > 0 && step != all) return kFarApart;
    all = step;
  }
  return all;
}

bool is_line(const Vars& vars, const Access& access, Var var, std::int64_t turns) {
  const Linear linear(vars, var, turns);
  return std::ranges::all_of(access.indices, [&](const Index& index) {
    return std::ranges::all_of(index, [&](const Sum& sum) { return linear.of(sum).has_value(); });
  });
}

}  // namespace hone::feature
