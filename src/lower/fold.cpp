// Reductions over the elements of one vector become trees: each level combines two halves.
#include <bit>

#include "lower/passes.h"
#include "lower/rewriter.h"
#include "lower/update.h"

namespace hone::lower {
namespace {

using ir::BinaryOp;
using ir::Expr;

// `result[index] = result[index] op source[first + v]` for v in [0, extent).
struct Reduction {
  const ir::Store* store;
  BinaryOp op;
  ir::Buffer source;
  Expr first;
  std::int64_t extent;
};

bool is_associative(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Mul || op == BinaryOp::Min || op == BinaryOp::Max;
}

class Fold : public Rewriter {
 public:
  Fold(const ir::Program& program, const target::Target& target) : Rewriter(program), target_(target) {}

 protected:
  void statement(std::int32_t at) override {
    const auto* loop = stmt(at).as<ir::For>();
    const bool outer = in_vector_;
    in_vector_ |= loop && loop->kind == ir::LoopKind::Vectorized;
    const std::optional<Reduction> found = in_vector_ ? std::nullopt : reduction_at(at);
    found ? tree(*found) : copy(at);
    in_vector_ = outer;
  }

 private:
  std::optional<Reduction> reduction_at(std::int32_t at) const {
    const auto* loop = stmt(at).as<ir::For>();
    if (!loop || stmt(at).end != at + 2) return std::nullopt;
    const bool is_plain = loop->kind == ir::LoopKind::Serial || loop->kind == ir::LoopKind::Unrolled;
    const auto* store = stmt(at + 1).as<ir::Store>();
    const ir::Binary* update = store ? update_of(*store) : nullptr;
    const auto* load = update ? update->b.as<ir::Load>() : nullptr;
    if (!is_plain || !load || load->buffer == store->buffer || !is_associative(update->op))
      return std::nullopt;
    const auto min = ir::as_int(loop->min), extent = ir::as_int(loop->extent);
    const int lanes = target_.lanes(ir::bits(load->buffer->type.scalar));
    const bool is_vector = min && extent && *extent >= 4 && *extent <= lanes &&
                           std::has_single_bit(static_cast<std::uint64_t>(*extent));
    if (!is_vector || ir::uses(store->index[0], loop->var)) return std::nullopt;
    const Expr first = at_value(load->index[0], loop->var, *min);
    const Expr second = at_value(load->index[0], loop->var, *min + 1);
    if (!ir::is_int(ir::simplify(second - first, ranges), 1)) return std::nullopt;
    if (ir::uses(ir::simplify(load->index[0] - loop->var, ranges), loop->var)) return std::nullopt;
    return Reduction{store, update->op, load->buffer, first, *extent};
  }

  Expr at_value(const Expr& index, const Expr& var, std::int64_t value) const {
    return ir::simplify(ir::substitute(index, {{var.get(), Expr(value)}}), ranges);
  }

  void tree(const Reduction& r) {
    const ir::Buffer halves = ir::make_buffer(r.source->name + ".half", r.source->type, {r.extent / 2});
    const std::int32_t opened = writer.open(ir::Alloc{halves});
    level(r, halves, r.source, r.first, r.extent / 2);
    for (std::int64_t width = r.extent / 4; width > 1; width /= 2)
      level(r, halves, halves, ir::int_imm(0), width);
    const Expr last =
        ir::binary(r.op, ir::load(halves, {ir::int_imm(0)}), ir::load(halves, {ir::int_imm(1)}));
    const Expr old = ir::load(r.store->buffer, r.store->index);
    writer.store(r.store->buffer, r.store->index, ir::binary(r.op, old, last));
    writer.close(opened);
  }

  // halves[v] = from[first + v] op from[first + width + v] for v in [0, width).
  void level(const Reduction& r, const ir::Buffer& halves, const ir::Buffer& from, const Expr& first,
             std::int64_t width) {
    const Expr v = ir::variable("v");
    const auto part = [&](std::int64_t offset) {
      return ir::load(from, {ir::simplify(first + Expr(offset) + v, ranges)});
    };
    const std::int32_t loop =
        writer.open(ir::For{v, ir::int_imm(0), Expr(width), ir::LoopKind::Vectorized});
    writer.store(halves, {v}, ir::binary(r.op, part(0), part(width)));
    writer.close(loop);
  }

  const target::Target& target_;
  bool in_vector_ = false;  // inside a vectorised loop, whose iterations are the lanes
};

}  // namespace

ir::Program fold(ir::Program program, const target::Target& target) {
  return Fold(program, target).run();
}

}  // namespace hone::lower
