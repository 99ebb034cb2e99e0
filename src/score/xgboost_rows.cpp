// XGBoost with the settings TenSet published.
#include "base/error.h"
#include "score/row_booster.h"

namespace hone::score {
namespace {

class XgboostRows final : public RowBooster {
 public:
  XgboostRows(const Table& table, const BoosterOptions& options)
      : table_(std::make_unique<TrainingTable>(table)), booster_(*table_, options) {}
  explicit XgboostRows(std::string_view bytes) : booster_(bytes) {}

  void boost(std::vector<float>& gradient, std::vector<float>& curvature) override {
    check(table_ != nullptr, "what is trained has a table");
    booster_.boost(*table_, gradient, curvature);
  }
  std::vector<float> training_values() const override { return booster_.values(*table_); }
  std::vector<float> values(const Table& table) const override { return booster_.values(table); }
  std::string bytes() const override { return booster_.bytes(); }

 private:
  std::unique_ptr<TrainingTable> table_;
  Booster booster_;
};

}  // namespace

RowBoosterPointer make_xgboost(const Table& table, int threads) {
  return std::make_unique<XgboostRows>(table, BoosterOptions{.max_depth = 6,
                                                             .learning_rate = 0.2,
                                                             .tree_columns = kAllColumns,
                                                             .bins = 256,
                                                             .gamma = 0.003,
                                                             .min_child_weight = 2,
                                                             .threads = threads,
                                                             .seed = 43});
}

RowBoosterPointer load_xgboost(std::string_view bytes) { return std::make_unique<XgboostRows>(bytes); }

}  // namespace hone::score
