// Accesses to flat buffers as symbolic base + constant, the form in which elements are told apart.
#pragma once
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "ir/simplify.h"

namespace hone::lower {

// Elements [base + first, base + first + lanes) of a buffer.
struct Access {
  ir::Buffer buffer;
  ir::Linear base;  // without constant
  std::int64_t first = 0;
  std::int32_t lanes = 1;
  bool is_store = false;
};

// The same elements, whoever loads or stores them.
bool is_same(const Access& a, const Access& b);

// Empty when the elements do not lie side by side (gathers, strided vectors).
std::optional<Access> access(const ir::Buffer& buffer, const ir::Expr& index, bool is_store,
                             const ir::Ranges& ranges);
// The same, remembering what it found: passes ask again and again about the expressions of one program.
class AccessCache {
 public:
  const std::optional<Access>& operator()(const ir::Buffer& buffer, const ir::Expr& index,
                                          bool is_store, const ir::Ranges& ranges);

 private:
  std::optional<Access> shifted(const ir::Expr& index, const ir::Ranges& ranges);

  std::unordered_map<const ir::Node*, std::pair<ir::Expr, std::optional<Access>>> known_;
  std::unordered_map<const ir::Node*, std::pair<ir::Expr, ir::Linear>> bases_;
};
// The distinct element groups that a buffer's accesses fall into, when any two of them are the same
// group or do not overlap and all have one base.
struct Groups {
  struct Group {
    std::int64_t first;
    std::int32_t lanes;
  };
  std::vector<Group> groups;                               // ascending
  int find(std::int64_t first, std::int32_t lanes) const;  // -1 when absent
};
std::optional<Groups> disjoint_groups(const std::vector<Access>& accesses);

}  // namespace hone::lower
