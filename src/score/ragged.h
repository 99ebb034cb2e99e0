// Programs of different lengths, their rows each kept once, and what is said of rows brought together
// for programs.
#pragma once
#include <span>
#include <vector>

#include "score/distinct_rows.h"

namespace hone::score {

class Ragged {
 public:
  explicit Ragged(std::size_t columns) : rows_(columns) {}

  void begin_program() { offsets_.push_back(numbers_.size()); }
  void add(std::span<const float> row) { numbers_.push_back(rows_.add(row)); }

  std::size_t n_programs() const { return offsets_.size(); }
  // Numbers of a program's rows among the distinct ones.
  std::span<const std::size_t> rows_of(std::size_t program) const {
    const std::size_t begin = offsets_[program];
    const std::size_t end = program + 1 < n_programs() ? offsets_[program + 1] : numbers_.size();
    return std::span(numbers_).subspan(begin, end - begin);
  }
  std::size_t n_distinct() const { return rows_.size(); }
  std::span<const float> distinct() const { return rows_.values(); }

  // Of `width` values a distinct row, the sum and the maximum over the rows of each program; a program
  // without rows has zeros.
  std::vector<float> sums(std::span<const float> of_rows, std::size_t width) const;
  std::vector<float> maxima(std::span<const float> of_rows, std::size_t width) const;

 private:
  template <class Combine>
  std::vector<float> combine(std::span<const float> of_rows, std::size_t width,
                             const Combine& combine) const;

  DistinctRows rows_;
  std::vector<std::size_t> numbers_;  // of the rows of all programs
  std::vector<std::size_t> offsets_;  // into them, where each program begins
};

}  // namespace hone::score
