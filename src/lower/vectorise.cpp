// Vectorised loops become vector statements: native vectors first, then a tail of shorter ones.
#include <algorithm>
#include <bit>

#include "lower/passes.h"
#include "lower/rewriter.h"

namespace hone::lower {
namespace {

using ir::Expr;

// Rewrites expressions for `lanes` consecutive values of a variable, the first being `first`.
class Widen {
 public:
  Widen(const Expr& var, Expr first, int lanes, const ir::Ranges& ranges)
      : var_(var), first_(std::move(first)), lanes_(lanes), ranges_(ranges) {}

  // A vector where the value changes with the variable, a scalar where it does not. Empty when the
  // lanes cannot be computed side by side: a lazy choice that differs between them.
  std::optional<Expr> operator()(const Expr& e) const {
    if (!ir::uses(e, var_)) return e;
    return ir::match(
        e, [&](const ir::IntImm&) { return std::optional(e); },
        [&](const ir::FloatImm&) { return std::optional(e); },
        [&](const ir::Variable&) { return std::optional(ir::ramp(first_, ir::int_imm(1), lanes_)); },
        [&](const ir::Not& n) { return apply({n.a}, [](auto a) { return ir::logical_not(a[0]); }); },
        [&](const ir::Binary& n) {
          return apply({n.a, n.b}, [&](auto a) { return ir::binary(n.op, a[0], a[1]); });
        },
        [&](const ir::Select& n) -> std::optional<Expr> {
          if (!ir::uses(n.condition, var_)) {
            return apply({n.then_value, n.else_value},
                         [&](auto a) { return ir::select(n.condition, a[0], a[1], n.lazy); });
          }
          if (n.lazy && reads_memory(e)) return std::nullopt;
          return apply({n.condition, n.then_value, n.else_value},
                       [&](auto a) { return ir::select(a[0], a[1], a[2]); });
        },
        [&](const ir::Call& n) {
          return apply(n.args, [&](auto a) {
            return ir::make(e.type().with_lanes(lanes_), ir::Call{n.function, a});
          });
        },
        [&](const ir::Cast& n) {
          return apply({n.value}, [&](auto a) { return ir::cast(e.type().with_lanes(lanes_), a[0]); });
        },
        [&](const ir::Load& n) -> std::optional<Expr> {
          const std::optional<Expr> index = offset(n.index[0]);
          if (!index) return std::nullopt;
          return ir::load(n.buffer, {*index});
        },
        [&](const ir::Ramp&) -> std::optional<Expr> { return std::nullopt; },
        [&](const ir::Broadcast&) -> std::optional<Expr> { return std::nullopt; });
  }

  // An element offset: a ramp where it is linear in the variable, else a vector of offsets.
  std::optional<Expr> offset(const Expr& index) const {
    const ir::Linear sum = ir::linear(index, ranges_);
    std::int64_t stride = 0;
    bool is_linear = true;
    for (const ir::Linear::Term& term : sum.terms) {
      if (term.atom.same(var_)) {
        stride = term.coefficient;
      } else {
        is_linear &= !ir::uses(term.atom, var_);
      }
    }
    if (!is_linear) return (*this)(index);
    const Expr base = ir::simplify(ir::substitute(index, {{var_.get(), first_}}), ranges_);
    return stride == 0 ? base : ir::ramp(base, Expr(stride), lanes_);
  }

 private:
  static bool reads_memory(const Expr& e) {
    bool found = false;
    ir::visit(e, [&](const Expr& part) { found |= part.as<ir::Load>() != nullptr; });
    return found;
  }

  template <class Make>
  std::optional<Expr> apply(const std::vector<Expr>& parts, const Make& make) const {
    std::vector<Expr> wide;
    for (const Expr& part : parts) {
      const std::optional<Expr> value = (*this)(part);
      if (!value) return std::nullopt;
      wide.push_back(value->type().lanes == 1 ? ir::broadcast(*value, lanes_) : *value);
    }
    return make(std::move(wide));
  }

  const Expr& var_;
  Expr first_;
  int lanes_;
  const ir::Ranges& ranges_;
};

class Vectorise : public Rewriter {
 public:
  Vectorise(const ir::Program& program, const target::Target& target)
      : Rewriter(program), target_(target) {}

 protected:
  void statement(std::int32_t at) override {
    const auto* loop = stmt(at).as<ir::For>();
    if (!loop || loop->kind != ir::LoopKind::Vectorized) return copy(at);
    const auto first = ir::as_int(loop->min), extent = ir::as_int(loop->extent);
    ranges[loop->var.get()] = loop_range(*loop, ranges);
    if (!first || !extent || !can_widen(at, *loop)) return as_serial(at, *loop);
    const int native = lanes_for(at);
    const std::int64_t n_vectors = *extent / native;
    const bool is_long = n_vectors > target_.vector_registers;
    if (is_long) vectors_in_turn(at, *loop, *first, n_vectors, native);
    for (std::int64_t done = is_long ? n_vectors * native : 0; done < *extent;) {
      const std::int64_t left = *extent - done;
      const int lanes =
          left >= native ? native : static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(left)));
      chunk(at, *loop, Expr(*first + done), lanes);
      done += lanes;
    }
  }

 private:
  // Lanes of a native vector for the widest element stored under the loop.
  int lanes_for(std::int32_t at) const {
    int widest = 8;
    for (std::int32_t i = at; i < stmt(at).end; ++i) {
      if (const auto* store = stmt(i).as<ir::Store>())
        widest = std::max(widest, ir::bits(store->buffer->type.scalar));
    }
    return std::max(1, target_.lanes(widest));
  }

  // Whether the body is made of stores to distinct elements a lane, under conditions the lanes share.
  bool can_widen(std::int32_t at, const ir::For& loop) const {
    const Widen widen(loop.var, loop.min, 2, ranges);
    for (std::int32_t i = at + 1; i < stmt(at).end; ++i) {
      if (const auto* guard = stmt(i).as<ir::If>()) {
        if (ir::uses(guard->condition, loop.var)) return false;
      } else if (const auto* store = stmt(i).as<ir::Store>()) {
        const std::optional<Expr> index = widen.offset(store->index[0]);
        if (!index || index->type().lanes == 1 || !widen(store->value)) return false;
      } else if (!stmt(i).as<ir::Else>()) {
        return false;
      }
    }
    return true;
  }

  // More vectors than registers gain nothing from being written out, and a whole matrix that is copied
  // as one vector compiles for seconds.
  void vectors_in_turn(std::int32_t at, const ir::For& loop, std::int64_t first, std::int64_t n_vectors,
                       int lanes) {
    const Expr vector = ir::variable(loop.var.as<ir::Variable>()->name + ".vector");
    const ir::For turns{vector, ir::int_imm(0), Expr(n_vectors)};
    ranges[vector.get()] = loop_range(turns, ranges);
    const std::int32_t opened = writer.open(turns);
    chunk(at, loop, ir::simplify(Expr(first) + vector * Expr(lanes), ranges), lanes);
    writer.close(opened);
  }

  void chunk(std::int32_t at, const ir::For& loop, const Expr& first, int lanes) {
    for (std::int32_t i = at + 1; i < stmt(at).end; i = stmt(i).end) part(i, loop, first, lanes);
  }

  void part(std::int32_t at, const ir::For& loop, const Expr& first, int lanes) {
    const auto* store = stmt(at).as<ir::Store>();
    if (!store) {
      const std::int32_t opened = writer.open(stmt(at).kind);
      for (std::int32_t i = at + 1; i < stmt(at).end; i = stmt(i).end) part(i, loop, first, lanes);
      return writer.close(opened);
    }
    if (lanes == 1) {
      const auto at_first = [&](const Expr& e) {
        return ir::simplify(ir::substitute(e, {{loop.var.get(), first}}), ranges);
      };
      return writer.store(store->buffer, {at_first(store->index[0])}, at_first(store->value));
    }
    const Widen widen(loop.var, first, lanes, ranges);
    Expr value = *widen(store->value);
    if (value.type().lanes == 1) value = ir::broadcast(value, lanes);
    writer.store(store->buffer, {*widen.offset(store->index[0])}, value);
  }

  void as_serial(std::int32_t at, const ir::For& loop) {
    ir::For serial = loop;
    serial.kind = ir::LoopKind::Serial;
    const std::int32_t opened = writer.open(serial);
    body_of(at);
    writer.close(opened);
  }

  const target::Target& target_;
};

}  // namespace

ir::Program vectorise(ir::Program program, const target::Target& target) {
  return Vectorise(program, target).run();
}

}  // namespace hone::lower
