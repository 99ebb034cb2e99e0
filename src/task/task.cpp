#include "task/task.h"

#include <limits>

#include "base/error.h"

namespace hone::task {

std::vector<int> Task::placeholders() const {
  std::vector<int> found;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].is_placeholder()) found.push_back(static_cast<int>(i));
  }
  return found;
}

int Task::producer(const ir::Buffer& buffer) const {
  for (std::size_t i = 0; i < ops.size(); ++i) {
    for (const ir::Buffer& output : ops[i].outputs) {
      if (output == buffer) return static_cast<int>(i);
    }
  }
  return -1;
}

std::vector<int> Task::outputs() const {
  std::vector<bool> is_read(ops.size(), false);
  for (const Op& op : ops) {
    for (const ir::Expr& body : op.body) {
      ir::visit(body, [&](const ir::Expr& e) {
        const auto* load = e.as<ir::Load>();
        const int from = load ? producer(load->buffer) : -1;
        if (from >= 0) is_read[static_cast<std::size_t>(from)] = true;
      });
    }
  }
  std::vector<int> found;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (!is_read[i] && !ops[i].is_placeholder()) found.push_back(static_cast<int>(i));
  }
  return found;
}

}  // namespace hone::task
