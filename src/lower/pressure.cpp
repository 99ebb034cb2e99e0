#include "lower/pressure.h"

#include <algorithm>

namespace hone::lower {

std::vector<int> LoadNumbers::of(const ir::Expr& value, const ir::Buffer& skipped) {
  std::vector<int> found;
  ir::visit(value, [&](const ir::Expr& e) {
    const auto* load = e.as<ir::Load>();
    if (!load || load->buffer == skipped || load->buffer->scope == ir::Scope::Register) return;
    const int number = numbers_.try_emplace(e, static_cast<int>(numbers_.size())).first->second;
    if (std::find(found.begin(), found.end(), number) == found.end()) found.push_back(number);
  });
  return found;
}

std::size_t peak_loads(const std::vector<std::vector<int>>& loads, const std::vector<int>& order,
                       std::size_t n_loads) {
  std::vector<int> uses_left(n_loads, 0);
  std::vector<bool> is_live(n_loads, false);
  for (const std::vector<int>& each : loads) {
    for (const int load : each) ++uses_left[static_cast<std::size_t>(load)];
  }
  std::size_t live = 0, most = 0;
  for (const int index : order) {
    const std::vector<int>& used = loads[static_cast<std::size_t>(index)];
    for (const int load : used) {
      if (!is_live[static_cast<std::size_t>(load)])
        ++live, is_live[static_cast<std::size_t>(load)] = true;
    }
    most = std::max(most, live);
    for (const int load : used) {
      if (--uses_left[static_cast<std::size_t>(load)] == 0) --live;
    }
  }
  return most;
}

}  // namespace hone::lower
