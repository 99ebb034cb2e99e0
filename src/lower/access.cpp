#include "lower/access.h"

#include <algorithm>

#include "lower/condition.h"

namespace hone::lower {

bool is_same(const Access& a, const Access& b) {
  return a.buffer == b.buffer && a.first == b.first && a.lanes == b.lanes && equal(a.base, b.base);
}

std::optional<Access> access(const ir::Buffer& buffer, const ir::Expr& index, bool is_store,
                             const ir::Ranges& ranges) {
  const auto* ramp = index.as<ir::Ramp>();
  if (index.type().lanes > 1 && !(ramp && ir::is_int(ramp->stride, 1))) return std::nullopt;
  Access found{buffer, ir::linear(ramp ? ramp->base : index, ranges), 0, index.type().lanes, is_store};
  std::swap(found.first, found.base.constant);
  return found;
}

const std::optional<Access>& AccessCache::operator()(const ir::Buffer& buffer, const ir::Expr& index,
                                                     bool is_store, const ir::Ranges& ranges) {
  const auto [entry, is_new] = known_.try_emplace(index.get());
  std::optional<Access>& found = entry->second.second;
  if (is_new) {
    entry->second.first = index;  // keeps the node, which is the key, alive
    found = shifted(index, ranges);
    if (!found) found = access(buffer, index, is_store, ranges);
  }
  if (found) {
    found->buffer = buffer;
    found->is_store = is_store;
  }
  return found;
}

// base + constant, the form that unrolling gives, from what is known of the base.
std::optional<Access> AccessCache::shifted(const ir::Expr& index, const ir::Ranges& ranges) {
  const auto* ramp = index.as<ir::Ramp>();
  if (index.type().lanes > 1 && !(ramp && ir::is_int(ramp->stride, 1))) return std::nullopt;
  const ir::Expr& first = ramp ? ramp->base : index;
  const auto* sum = first.as<ir::Binary>();
  const auto constant = sum && sum->op == ir::BinaryOp::Add ? ir::as_int(sum->b) : std::nullopt;
  if (!constant) return std::nullopt;
  const auto [entry, is_new] = bases_.try_emplace(sum->a.get());
  if (is_new) entry->second = {sum->a, ir::linear(sum->a, ranges)};
  Access found{nullptr, entry->second.second, *constant, index.type().lanes, false};
  found.first += std::exchange(found.base.constant, 0);
  return found;
}

int Groups::find(std::int64_t first, std::int32_t lanes) const {
  const auto at = std::lower_bound(groups.begin(), groups.end(), first,
                                   [](const Group& g, std::int64_t value) { return g.first < value; });
  if (at == groups.end() || at->first != first || at->lanes != lanes) return -1;
  return static_cast<int>(at - groups.begin());
}

std::optional<Groups> disjoint_groups(const std::vector<Access>& accesses) {
  Groups found;
  for (const Access& a : accesses) {
    if (!equal(a.base, accesses.front().base)) return std::nullopt;
    found.groups.push_back({a.first, a.lanes});
  }
  std::vector<Groups::Group>& groups = found.groups;
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.lanes < b.lanes;
  });
  groups.erase(std::unique(groups.begin(), groups.end(),
                           [](const auto& a, const auto& b) {
                             return a.first == b.first && a.lanes == b.lanes;
                           }),
               groups.end());
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (groups[i - 1].first + groups[i - 1].lanes > groups[i].first) return std::nullopt;
  }
  return found;
}

}  // namespace hone::lower
