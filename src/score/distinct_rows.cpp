#include "score/distinct_rows.h"

#include <cstring>
#include <string_view>

namespace hone::score {

std::size_t DistinctRows::add(std::span<const float> row) {
  const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size_bytes());
  const std::uint64_t hash = std::hash<std::string_view>()(bytes);
  for (auto [at, end] = numbers_.equal_range(hash); at != end; ++at)
    if (std::memcmp(&values_[at->second * columns_], row.data(), row.size_bytes()) == 0)
      return at->second;
  const std::size_t number = size();
  values_.insert(values_.end(), row.begin(), row.end());
  numbers_.emplace(hash, number);
  return number;
}

}  // namespace hone::score
