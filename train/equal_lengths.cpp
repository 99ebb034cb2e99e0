#include "train/equal_lengths.h"

#include <map>

namespace hone::train {

std::vector<EqualLength> by_length(const View& view) {
  struct Numbers {
    std::vector<std::int64_t> programs, rows;
  };
  std::map<std::int64_t, Numbers> found;
  std::int64_t row = 0;
  for (std::int64_t program = 0; program < view.n; ++program) {
    const std::int64_t length = view.lengths[static_cast<std::size_t>(program)];
    if (length == 0) continue;
    Numbers& numbers = found[length];
    numbers.programs.push_back(program);
    for (std::int64_t i = 0; i < length; ++i) numbers.rows.push_back(row++);
  }
  std::vector<EqualLength> out;
  for (const auto& [length, numbers] : found)
    out.push_back({length, numbers_on(view.rows.device(), numbers.programs),
                   numbers_on(view.rows.device(), numbers.rows)});
  return out;
}

}  // namespace hone::train
