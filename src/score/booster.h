// Gradient boosting as XGBoost's C interface offers it, owned and checked. XGBoost stays behind this
// file.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hone::score {

// A table of numbers, row after row.
struct Table {
  std::vector<float> values;
  std::size_t columns = 0;

  std::size_t n_rows() const { return columns == 0 ? 0 : values.size() / columns; }
};

// A table prepared for training.
class TrainingTable {
 public:
  explicit TrainingTable(const Table& table);
  ~TrainingTable();
  TrainingTable(const TrainingTable&) = delete;
  TrainingTable& operator=(const TrainingTable&) = delete;
  void* handle() const { return handle_; }
  std::size_t columns() const { return columns_; }

 private:
  void* handle_ = nullptr;
  std::size_t columns_;
};

inline constexpr int kAllColumns = 1 << 30;

struct BoosterOptions {
  int max_depth = 5;
  double learning_rate = 0.3;
  int tree_columns = 24;        // that a tree may look at, drawn at random
  double row_share = 1;         // of the rows that a tree learns from, drawn at random
  int bins = 16;                // into which the values of a column are sorted
  double gamma = 0.001;         // that a split must gain
  double min_child_weight = 0;  // curvature that a leaf must have; labels as weights may be small
  int threads = 1;              // of training; with one the result does not depend on the machine
  std::uint64_t seed = 0;
};

// A sum of trees over rows.
class Booster {
 public:
  Booster(const TrainingTable& table, const BoosterOptions& options);
  explicit Booster(std::string_view bytes);  // what `bytes` gave; UserError when it is damaged
  ~Booster();
  Booster(Booster&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Booster& operator=(Booster&&) = delete;

  // Adds a tree that lowers a loss with these derivatives with respect to each row's value.
  void boost(const TrainingTable& table, std::vector<float>& gradient, std::vector<float>& curvature);
  std::vector<float> values(const TrainingTable& table) const;  // quick: they are kept while training
  std::vector<float> values(const Table& table) const;
  std::string bytes() const;
  std::string json() const;  // for whoever wants to see the trees

 private:
  void* handle_ = nullptr;
};

}  // namespace hone::score
