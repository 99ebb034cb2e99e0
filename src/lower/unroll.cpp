// Loops marked for unrolling, register tiles, and short innermost loops become straight lines of code.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lower/passes.h"
#include "lower/rewriter.h"
#include "lower/update.h"

namespace hone::lower {
namespace {

using ir::Expr;

constexpr std::int64_t kMaxStatements = 256;  // the largest block made from one nest of loops

class Unroll : public Rewriter {
 public:
  Unroll(const ir::Program& program, const target::Target& target)
      : Rewriter(program), registers_(target.vector_registers) {
    choose();
  }

 protected:
  void statement(std::int32_t at) override {
    const ir::Stmt& here = stmt(at);
    if (const auto* guard = here.as<ir::If>()) return conditional(at, *guard);
    if (here.as<ir::Else>()) return;  // written with its If
    if (const auto* store = here.as<ir::Store>()) return assign(*store);
    if (const auto* alloc = here.as<ir::Alloc>()) return allocate(at, *alloc);
    const auto* loop = here.as<ir::For>();
    if (!loop) return copy(at);
    ir::For header = *loop;
    header.min = map(loop->min);
    header.extent = map(loop->extent);
    const auto first = ir::as_int(header.min), extent = ir::as_int(header.extent);
    if (first && extent && plans_[static_cast<std::size_t>(at)].unrolled) {
      ++depth_;
      for (std::int64_t i = 0; i < *extent; ++i) {
        ranges[loop->var.get()] = {*first + i, *first + i};
        body_of(at);
      }
      --depth_;
      return;
    }
    enter(ir::Stmt::Kind(header));
    if (header.kind == ir::LoopKind::Unrolled) header.kind = ir::LoopKind::Serial;
    const std::int32_t opened = writer.open(header);
    body_of(at);
    writer.close(opened);
  }

  Expr map(const Expr& e) override {
    const Expr renamed = copies_.empty() ? e : ir::rewrite(e, [this](const Expr& part) {
      const auto* load = part.as<ir::Load>();
      return load && copies_.contains(load->buffer.get()) ? ir::load(current(load->buffer), load->index)
                                                          : part;
    });
    return depth_ == 0 ? renamed : ir::simplify(renamed, ranges);
  }

 private:
  struct Plan {
    std::int64_t limit = 0;  // statements that a block made by unrolling may have here
    std::int64_t size = 0;   // statements once everything inside is unrolled as planned
    bool unrolled = false;
    bool keeps_loop = false;  // a loop stays in here
  };

  // Which loops to unroll: limits from the outside in, sizes from the inside out.
  void choose() {
    plans_.resize(in.stmts.size());
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < in.stmts.size(); ++at) {
      while (!open.empty() && in.stmts[open.back()].end <= static_cast<std::int32_t>(at))
        open.pop_back();
      plans_[at].limit = open.empty() ? registers_ : plans_[open.back()].limit;
      const auto* loop = in.stmts[at].as<ir::For>();
      if (loop && loop->auto_unroll_max_step >= 0) {
        plans_[at].limit =
            std::clamp<std::int64_t>(loop->auto_unroll_max_step, registers_, kMaxStatements);
      }
      open.push_back(at);
    }
    for (std::size_t at = in.stmts.size(); at-- > 0;) plan(static_cast<std::int32_t>(at));
  }

  void plan(std::int32_t at) {
    Plan& here = plans_[static_cast<std::size_t>(at)];
    here.size = stmt(at).end == at + 1 ? 1 : 0;
    for (std::int32_t i = at + 1; i < stmt(at).end; i = stmt(i).end) {
      const Plan& part = plans_[static_cast<std::size_t>(i)];
      here.size += part.size;
      here.keeps_loop |= part.keeps_loop;
    }
    const auto* loop = stmt(at).as<ir::For>();
    if (!loop) return;
    const auto extent = ir::as_int(loop->extent);
    const bool is_marked = loop->kind == ir::LoopKind::Unrolled;
    const bool is_plain = loop->kind == ir::LoopKind::Serial && !here.keeps_loop;
    const std::int64_t limit = is_marked ? kMaxStatements : here.limit;
    here.unrolled =
        extent && (is_marked || is_plain) && *extent <= limit && *extent * here.size <= limit;
    if (here.unrolled) here.size *= *extent;
    here.keeps_loop |= !here.unrolled;
  }

  // Every copy of a body allocates a buffer of its own.
  void allocate(std::int32_t at, const ir::Alloc& alloc) {
    const ir::BufferNode& first = *alloc.buffer;
    if (!allocated_.insert(&first).second) {
      copies_[&first] =
          ir::make_buffer(first.name, first.type, first.shape, first.scope, first.strides);
    }
    const std::int32_t opened = writer.open(ir::Alloc{current(alloc.buffer)});
    body_of(at);
    writer.close(opened);
  }
  ir::Buffer current(const ir::Buffer& buffer) const {
    const auto copy = copies_.find(buffer.get());
    return copy == copies_.end() ? buffer : copy->second;
  }

  // Taps with a zero of a constant matrix show themselves once the loop variables are numbers.
  void assign(const ir::Store& store) {
    ir::Store unrolled{current(store.buffer), {map(store.index[0])}, map(store.value)};
    if (!changes_nothing(unrolled)) writer.add(std::move(unrolled));
  }

  void conditional(std::int32_t at, const ir::If& guard) {
    const Expr condition = map(guard.condition);
    const std::optional<bool> decided = ir::decide(condition, ranges);
    const std::int32_t end = stmt(at).end;
    const bool has_other = has_else(at);
    if (decided) {
      if (*decided) return body_of(at);
      if (has_other) body_of(end);
      return;
    }
    const std::int32_t opened = writer.open(ir::If{condition});
    body_of(at);
    writer.close(opened);
    if (!has_other) return;
    const std::int32_t other = writer.open(ir::Else{});
    body_of(end);
    writer.close(other);
  }

  std::int64_t registers_;
  std::vector<Plan> plans_;  // one a statement
  int depth_ = 0;            // of unrolled loops around the statement being written
  std::unordered_set<const ir::BufferNode*> allocated_;
  std::unordered_map<const ir::BufferNode*, ir::Buffer> copies_;  // of buffers allocated more than once
};

}  // namespace

ir::Program unroll(ir::Program program, const target::Target& target) {
  return Unroll(program, target).run();
}

}  // namespace hone::lower
