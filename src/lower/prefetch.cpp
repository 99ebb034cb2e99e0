// Loops that say so ask the caches for what later iterations load: one request a line, before the body.
// The last iterations ask for what lies behind, which no cache minds.
#include <algorithm>
#include <unordered_set>

#include "lower/passes.h"
#include "lower/rewriter.h"

namespace hone::lower {
namespace {

using ir::Expr;

constexpr std::int64_t kLineBytes = 64;

class Prefetch : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  void statement(std::int32_t at) override {
    const auto* loop = stmt(at).as<ir::For>();
    if (loop == nullptr || loop->ahead.empty()) return copy(at);
    ir::For plain = *loop;
    plain.ahead.clear();
    enter(plain);
    const std::int32_t opened = writer.open(std::move(plain));
    for (const ir::Ahead& ahead : loop->ahead) request(at, *loop, ahead);
    body_of(at);
    writer.close(opened);
  }

 private:
  // A place in a buffer: its first element, from which a load goes on without gaps.
  struct Place {
    ir::Buffer buffer;
    ir::Linear offset;
  };

  void request(std::int32_t at, const ir::For& loop, const ir::Ahead& ahead) {
    std::vector<Place> places;
    inner_.clear();
    for (std::int32_t i = at + 1; i < stmt(at).end; ++i) {
      if (const auto* inner = stmt(i).as<ir::For>()) inner_.insert(inner->var.get());
      if (const auto* let = stmt(i).as<ir::Let>()) inner_.insert(let->var.get());
      ir::map_exprs(stmt(i).kind, [&](const Expr& e) {
        ir::visit(e, [&](const Expr& part) { add(part, loop, ahead, places); });
        return e;
      });
    }
    for (const Place& place : places) {
      writer.add(ir::Intrinsic{
          "prefetch", {}, {{place.buffer, {ir::to_expr(place.offset)}, {ir::int_imm(1)}}}, {}});
    }
  }

  void add(const Expr& e, const ir::For& loop, const ir::Ahead& ahead, std::vector<Place>& places) {
    const auto* load = e.as<ir::Load>();
    if (load == nullptr || load->buffer->name != ahead.buffer) return;
    const auto* ramp = load->index.front().as<ir::Ramp>();
    const bool is_dense = ramp != nullptr && ir::as_int(ramp->stride) == 1;
    if (e.type().lanes > 1 && !is_dense) return;
    const Expr& first = is_dense ? ramp->base : load->index.front();
    if (!ir::uses(first, loop.var) || depends_on_inner(first)) return;
    ir::Substitution later;
    later[loop.var.get()] = loop.var + ir::int_imm(ahead.iterations);
    const ir::Linear offset = ir::linear(ir::substitute(first, later), ranges);
    const std::int64_t line = kLineBytes / ir::size_bytes(load->buffer->type.scalar);
    const bool is_near = std::ranges::any_of(places, [&](const Place& other) {
      const auto distance = distance_between(offset, other.offset);
      return distance && *distance >= 0 && *distance < line;
    });
    if (!is_near) places.push_back({load->buffer, offset});
  }

  bool depends_on_inner(const Expr& e) const {
    bool found = false;
    ir::visit(e, [&](const Expr& part) { found |= inner_.contains(part.get()); });
    return found;
  }

  // Elements from `b` to `a`, where that is a constant.
  static std::optional<std::int64_t> distance_between(const ir::Linear& a, const ir::Linear& b) {
    const auto same = [](const ir::Linear::Term& x, const ir::Linear::Term& y) {
      return x.coefficient == y.coefficient && ir::equal(x.atom, y.atom);
    };
    if (!std::ranges::is_permutation(a.terms, b.terms, same)) return std::nullopt;
    return a.constant - b.constant;
  }

  std::unordered_set<const ir::Node*> inner_;  // variables that the body defines
};

}  // namespace

ir::Program prefetch(ir::Program program, const target::Target&) { return Prefetch(program).run(); }

}  // namespace hone::lower
