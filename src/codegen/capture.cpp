#include "codegen/capture.h"

#include <unordered_set>

namespace hone::codegen {
namespace {

class Collector {
 public:
  void run(const ir::Stmt::Kind& kind) {
    if (const auto* loop = std::get_if<ir::For>(&kind)) known_.insert(loop->var.get());
    if (const auto* let = std::get_if<ir::Let>(&kind)) known_.insert(let->var.get());
    if (const auto* alloc = std::get_if<ir::Alloc>(&kind)) known_.insert(alloc->buffer.get());
    if (const auto* store = std::get_if<ir::Store>(&kind)) use(store->buffer);
    if (const auto* intrinsic = std::get_if<ir::Intrinsic>(&kind)) {
      for (const ir::Region& region : intrinsic->reads) use(region.buffer);
      for (const ir::Region& region : intrinsic->writes) use(region.buffer);
    }
    ir::map_exprs(kind, [&](const ir::Expr& e) {
      ir::visit(e, [&](const ir::Expr& part) { use_in(part); });
      return e;
    });
  }

  Capture result;

 private:
  void use(const ir::Buffer& buffer) {
    if (known_.insert(buffer.get()).second) result.buffers.push_back(buffer);
  }
  void use_in(const ir::Expr& part) {
    if (const auto* load = part.as<ir::Load>()) use(load->buffer);
    if (part.as<ir::Variable>() && known_.insert(part.get()).second) result.variables.push_back(part);
  }

  std::unordered_set<const void*> known_;  // defined inside, or already in the result
};

}  // namespace

Capture capture(const ir::Program& program, std::int32_t begin, std::int32_t end) {
  Collector collector;
  for (std::int32_t i = begin; i < end; ++i) {
    collector.run(program.stmts[static_cast<std::size_t>(i)].kind);
  }
  return std::move(collector.result);
}

}  // namespace hone::codegen
