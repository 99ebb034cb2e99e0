#include "space/factors.h"

namespace hone::space {
namespace {

class Search {
 public:
  explicit Search(std::int64_t extent) {
    for (std::int64_t d = 1; d * d <= extent; ++d) {
      if (extent % d == 0) divisors_.push_back(d);
    }
    for (std::size_t i = divisors_.size(); i-- > 0;) {
      if (divisors_[i] * divisors_[i] != extent) divisors_.push_back(extent / divisors_[i]);
    }
  }

  // Adds each way to finish the prefix with `missing` lengths whose product divides `rest`.
  void finish(std::int64_t rest, int missing) {
    if (missing == 0) {
      found.push_back(prefix_);
      return;
    }
    for (const std::int64_t length : divisors_) {
      if (length > rest || (missing == 1 && length > kMaxInnermost)) break;
      if (rest % length != 0) continue;
      prefix_.push_back(length);
      finish(rest / length, missing - 1);
      prefix_.pop_back();
    }
  }

  std::vector<Lengths> found;

 private:
  std::vector<std::int64_t> divisors_;
  Lengths prefix_;
};

}  // namespace

std::int64_t least_prime_factor(std::int64_t n) {
  for (std::int64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return d;
  }
  return n;
}

std::vector<Lengths> factorings(std::int64_t extent, int count) {
  Search search(extent);
  search.finish(extent, count);
  return std::move(search.found);
}

Factorings::List Factorings::of(std::int64_t extent, int count) {
  List& list = lists_[{extent, count}];
  if (!list) list = std::make_shared<const std::vector<Lengths>>(factorings(extent, count));
  return list;
}

}  // namespace hone::space
