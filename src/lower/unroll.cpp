// Loops marked for unrolling, register tiles, and short innermost loops become straight lines of code.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "lower/passes.h"
#include "lower/rewriter.h"
#include "lower/update.h"

namespace hone::lower {
namespace {

using ir::Expr;

class Unroll : public Rewriter {
 public:
  Unroll(const ir::Program& program, const target::Target& target)
      : Rewriter(program), registers_(target.vector_registers), held_(max_held_vectors(target)) {
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
      active_ ^= std::hash<const void*>()(loop->var.get());
      for (std::int64_t i = 0; i < *extent; ++i) {
        values_[loop->var.get()] = *first + i;
        ranges[loop->var.get()] = {*first + i, *first + i};
        body_of(at);
      }
      values_.erase(loop->var.get());
      ranges.erase(loop->var.get());
      active_ ^= std::hash<const void*>()(loop->var.get());
      return;
    }
    enter(ir::Stmt::Kind(header));
    if (header.kind == ir::LoopKind::Unrolled) header.kind = ir::LoopKind::Serial;
    const std::int32_t opened = writer.open(header);
    body_of(at);
    writer.close(opened);
  }

  Expr map(const Expr& e) override {
    if (values_.empty() && copies_.empty()) return e;
    bool has_values = false;  // outside of indices
    const Expr mapped = with_indices(e, has_values);
    return has_values ? ir::simplify(mapped, ranges) : mapped;
  }

 private:
  struct Plan {
    std::int64_t limit = 0;  // statements that a block made by unrolling may have here
    std::int64_t size = 0;   // statements once everything inside is unrolled as planned
    std::int64_t code = 0;   // the same in instructions, where those are more
    bool only_moves = true;  // nothing is computed in here
    bool unrolled = false;
    bool keeps_loop = false;  // a loop stays in here
    bool asks = false;        // there is a condition in here, which unrolling repeats
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
            std::clamp<std::int64_t>(loop->auto_unroll_max_step, registers_, kMaxUnrolledStatements);
      }
      open.push_back(at);
    }
    for (std::size_t at = in.stmts.size(); at-- > 0;) plan(static_cast<std::int32_t>(at));
  }

  // The instructions of a statement that moves elements; 0 when it computes. Where lanes lie apart it
  // takes one a lane, unless they come from a buffer that registers will hold.
  std::int64_t moves(const ir::Stmt& s) const {
    const auto* store = s.as<ir::Store>();
    if (!store) return 0;
    const auto* lanes = store->value.as<ir::Broadcast>();
    const Expr& value = lanes ? lanes->value : store->value;
    const auto* load = value.as<ir::Load>();
    if (!load) return value.as<ir::FloatImm>() || value.as<ir::IntImm>() ? 1 : 0;
    const auto* ramp = store->index[0].as<ir::Ramp>();
    const bool is_apart = ramp && !ir::is_int(ramp->stride, 1);
    const bool is_held = ir::span_elements(*load->buffer) <= held_ * value.type().lanes;
    return is_apart && !is_held ? value.type().lanes : 1;
  }

  void plan(std::int32_t at) {
    Plan& here = plans_[static_cast<std::size_t>(at)];
    here.size = stmt(at).end == at + 1 ? 1 : 0;
    const std::int64_t moved = moves(stmt(at));
    here.code = std::max(here.size, moved);
    here.only_moves = here.size == 0 || moved > 0;
    for (std::int32_t i = at + 1; i < stmt(at).end; i = stmt(i).end) {
      const Plan& part = plans_[static_cast<std::size_t>(i)];
      here.size += part.size;
      here.code += part.code;
      here.only_moves &= part.only_moves;
      here.keeps_loop |= part.keeps_loop;
      here.asks |= part.asks;
    }
    here.asks |= stmt(at).as<ir::If>() != nullptr;
    const auto* loop = stmt(at).as<ir::For>();
    if (!loop) return;
    const auto extent = ir::as_int(loop->extent);
    const bool is_marked = loop->kind == ir::LoopKind::Unrolled;
    const bool is_plain = loop->kind == ir::LoopKind::Serial && !here.keeps_loop;
    const std::int64_t limit = is_marked         ? kMaxUnrolledStatements
                               : here.asks       ? registers_
                               : here.only_moves ? std::min(here.limit, held_)
                                                 : here.limit;
    const std::int64_t size = is_marked ? here.size : here.code;
    here.unrolled = extent && (is_marked || is_plain) && *extent <= limit && *extent * size <= limit;
    if (here.unrolled) here.size *= *extent, here.code *= *extent;
    here.keeps_loop |= !here.unrolled;
  }

  // The expression with the indices of its loads mapped; notes whether unrolled variables are left.
  Expr with_indices(const Expr& e, bool& has_values) {
    if (e.as<ir::Variable>()) has_values |= values_.contains(e.get());
    if (const auto* choice = e.as<ir::Select>()) {  // most often in a constant matrix
      if (const std::optional<bool> known = ir::decide(choice->condition, ranges)) {
        has_values = true;
        return with_indices(*known ? choice->then_value : choice->else_value, has_values);
      }
    }
    const auto* load = e.as<ir::Load>();
    if (!load)
      return ir::map_children(e, [&](const Expr& part) { return with_indices(part, has_values); });
    std::vector<Expr> index = load->index;
    for (Expr& i : index) i = at_values(i);
    return ir::load(current(load->buffer), std::move(index));
  }

  // An index for the current values of the unrolled variables: a part that all copies share, plus a
  // number.
  Expr at_values(const Expr& index) {
    if (values_.empty()) return index;
    if (const auto* ramp = index.as<ir::Ramp>()) {
      return ir::ramp(at_values(ramp->base), ramp->stride, index.type().lanes);
    }
    const auto [entry, is_new] = sums_.try_emplace({index.get(), active_});
    if (is_new) entry->second = split(index);
    const SplitSum& sum = entry->second;
    if (!sum.is_linear) return ir::simplify(index, ranges);
    std::int64_t constant = sum.constant;
    for (const auto& [var, coefficient] : sum.unrolled) constant += coefficient * values_.at(var);
    if (!sum.rest) return Expr(constant);
    return constant == 0 ? sum.rest : sum.rest + Expr(constant);
  }

  struct SplitSum {
    Expr source;  // keeps the key alive
    bool is_linear = true;
    Expr rest;  // what does not change between copies; empty when nothing is left
    std::int64_t constant = 0;
    std::vector<std::pair<const ir::Node*, std::int64_t>> unrolled;
  };

  SplitSum split(const Expr& index) const {
    SplitSum sum{index, true, {}, 0, {}};
    ir::Ranges shared = ranges;  // by all copies
    for (const auto& [var, value] : values_) shared.erase(var);
    ir::Linear all = ir::linear(index, shared), rest;
    sum.constant = all.constant;
    for (const ir::Linear::Term& term : all.terms) {
      if (values_.contains(term.atom.get())) {
        sum.unrolled.emplace_back(term.atom.get(), term.coefficient);
        continue;
      }
      for (const auto& [var, value] : values_) {
        ir::visit(term.atom, [&, v = var](const Expr& part) { sum.is_linear &= part.get() != v; });
      }
      rest.terms.push_back(term);
    }
    if (!rest.terms.empty()) sum.rest = ir::to_expr(rest);
    return sum;
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
    ir::Store unrolled{current(store.buffer), {at_values(store.index[0])}, map(store.value)};
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

  const std::int64_t registers_;
  const std::int64_t held_;  // moving more vectors than this in a row gains nothing
  std::vector<Plan> plans_;  // one a statement
  std::unordered_map<const ir::Node*, std::int64_t> values_;  // of the variables of unrolled loops
  std::size_t active_ = 0;                                    // tells sets of unrolled variables apart
  std::map<std::pair<const ir::Node*, std::size_t>, SplitSum> sums_;
  std::unordered_set<const ir::BufferNode*> allocated_;
  std::unordered_map<const ir::BufferNode*, ir::Buffer> copies_;  // of buffers allocated more than once
};

}  // namespace

ir::Program unroll(ir::Program program, const target::Target& target) {
  return Unroll(program, target).run();
}

}  // namespace hone::lower
