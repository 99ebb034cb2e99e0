#include "task/define/define.h"

#include "base/error.h"

namespace hone::task::define {
namespace {

void define(Scope&, const graph::Node&, const graph::TopK&) { fail("TopK has no tensor expression"); }
void define(Scope&, const graph::Node&, const graph::Loop&) { fail("a loop has no tensor expression"); }

}  // namespace

void define(Scope& scope, const graph::Node& node) {
  std::visit([&](const auto& op) { define(scope, node, op); }, node.op);
}

}  // namespace hone::task::define
