// How many loaded values straight-line code holds at once.
#pragma once
#include <unordered_map>
#include <vector>

#include "ir/expr_hash.h"

namespace hone::lower {

// Numbers for the distinct loads of memory in some statements.
class LoadNumbers {
 public:
  // Of one value, each once, in order of appearance; what it loads of `skipped` has none.
  std::vector<int> of(const ir::Expr& value, const ir::Buffer& skipped = {});
  std::size_t size() const { return numbers_.size(); }

 private:
  std::unordered_map<ir::Expr, int, ir::ExprHash, ir::ExprEqual> numbers_;
};

// The most loaded values alive at once when statements, of which `loads` has the numbers of what they
// load, run in this order, and each value is loaded at its first use.
std::size_t peak_loads(const std::vector<std::vector<int>>& loads, const std::vector<int>& order,
                       std::size_t n_loads);

}  // namespace hone::lower
