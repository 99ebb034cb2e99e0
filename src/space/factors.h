// Ways to write an extent as a product of tile sizes.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace hone::space {

// The lengths of a split, outer to inner without the outermost.
using Lengths = std::vector<std::int64_t>;

// Ansor's limit for the innermost length.
inline constexpr std::int64_t kMaxInnermost = 64;

std::int64_t least_prime_factor(std::int64_t n);  // n itself when it is prime or 1

// Every list of `count` lengths whose product divides the extent and whose last is at most
// kMaxInnermost, in lexicographic order.
std::vector<Lengths> factorings(std::int64_t extent, int count);

// Each list once, however many splits of however many sketches draw from it.
class Factorings {
 public:
  using List = std::shared_ptr<const std::vector<Lengths>>;
  List of(std::int64_t extent, int count);

 private:
  std::map<std::pair<std::int64_t, int>, List> lists_;
};

}  // namespace hone::space
