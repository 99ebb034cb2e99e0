// Boosted trees over rows, whichever library grows them.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "score/booster.h"

namespace hone::score {

class RowBooster {
 public:
  virtual ~RowBooster() = default;

  // Adds a tree that lowers a loss with these derivatives with respect to each training row's value.
  virtual void boost(std::vector<float>& gradient, std::vector<float>& curvature) = 0;
  virtual std::vector<float> training_values() const = 0;
  virtual std::vector<float> values(const Table& table) const = 0;
  virtual std::string bytes() const = 0;
};

using RowBoosterPointer = std::unique_ptr<RowBooster>;

// Both with TenSet's settings. UserError when the library is not there.
RowBoosterPointer make_xgboost(const Table& table, int threads);
RowBoosterPointer make_lightgbm(const Table& table, int threads);
// What `bytes` gave; it cannot be trained on. UserError when it is damaged.
RowBoosterPointer load_xgboost(std::string_view bytes);
RowBoosterPointer load_lightgbm(std::string_view bytes);

}  // namespace hone::score
