// A program as a cost model sees it: rows of numbers, nothing else.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace hone::score {

// Rows of one kind of feature, such as one a schedule step.
struct View {
  std::string name;
  std::size_t columns = 0;
  std::vector<float> values;  // row after row

  std::size_t n_rows() const { return columns == 0 ? 0 : values.size() / columns; }
};

// Views that are made when somebody asks for them, from any thread: most programs of a search are never
// shown to a network.
class LaterViews {
 public:
  explicit LaterViews(std::function<std::vector<View>()> make) : make_(std::move(make)) {}

  const std::vector<View>& get() const {
    std::call_once(once_, [this] {
      made_ = make_();
      make_ = nullptr;  // and what it holds
    });
    return made_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::function<std::vector<View>()> make_;
  mutable std::vector<View> made_;
};

// One row a statement. A program that has no rows cannot be built.
struct Sample {
  std::vector<float> values;     // row after row; every row of every sample has equally many columns
  std::vector<int> nodes;        // to which node of the computation each row belongs
  std::vector<View> views = {};  // what networks read
  std::shared_ptr<const LaterViews> later = {};  // more of it

  std::size_t n_rows() const { return nodes.size(); }
  std::span<const float> row(std::size_t i) const {
    const std::size_t columns = values.size() / nodes.size();
    return std::span(values).subspan(i * columns, columns);
  }
};

}  // namespace hone::score
