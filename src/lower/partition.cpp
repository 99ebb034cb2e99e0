// Splits the program where conditions inside register tiles change: interior tiles get a copy without
// the condition, tiles at a border or tail a copy of their own in which it is decided by constants.
#include <algorithm>
#include <unordered_map>

#include "lower/condition.h"
#include "lower/form.h"
#include "lower/passes.h"
#include "lower/rewriter.h"
#include "lower/tile_loops.h"
#include "lower/update.h"
#include "schedule/sum.h"

namespace hone::lower {
namespace {

using ir::Expr;
using ir::Interval;
using ir::Linear;

constexpr std::int64_t kMaxBorders = 4;        // copies for single tiles beside the interior one
constexpr std::int64_t kMaxUnrolledTaps = 16;  // reduction loops unrolled so that a border is static

// What is known of a combination of outer loop variables inside one copy.
struct Fact {
  Linear form;  // primitive: coefficients without common divisor, no constant
  Interval values;
};

// A combination of outer variables that conditions depend on.
struct Form {
  Linear sum;    // primitive
  bool in_tile;  // together with a register tile; else with reduction loops alone, which can be clipped
};

class Partition : public Rewriter {
 public:
  explicit Partition(const ir::Program& program)
      : Rewriter(program), is_tile_(tile_loops(program)), is_straight_(straight_loops(program)) {
    for (std::size_t at = 0; at < program.stmts.size(); ++at) {
      const auto* alloc = program.stmts[at].as<ir::Alloc>();
      if (alloc) allocated_at_[alloc->buffer.get()] = static_cast<std::int32_t>(at);
    }
  }

 protected:
  void statement(std::int32_t at) override {
    if (stmt(at).as<ir::Else>()) return;  // written with its If
    if (const auto* guard = stmt(at).as<ir::If>()) return conditional(at, *guard);
    const auto* loop = stmt(at).as<ir::For>();
    if (!loop) return copy(at);
    ir::For header = *loop;
    ranges[header.var.get()] = loop_range(header, ranges);
    loops_.push_back(at);
    const bool is_static = must_be_static(at);
    if (is_static) header.kind = ir::LoopKind::Unrolled;
    if ((is_static || is_tile_[static_cast<std::size_t>(at)]) && decides_lanes(at)) {
      pieces(at, header);
    } else {
      write_loop(at, header);
    }
    loops_.pop_back();
  }

 private:
  void write_loop(std::int32_t at, const ir::For& header) {
    const std::int32_t opened = writer.open(header);
    copies(at, forms_decided_by(at), 0);
    writer.close(opened);
  }

  // The loop as several: one over the values for which all lanes of the vectors inside are to be
  // computed, and one for every other value, where constants say which lanes are.
  void pieces(std::int32_t at, ir::For header) {
    const Interval all = ranges[header.var.get()];
    const Interval inside = interior(at, {{{header.var, 1}}, 0}, all);
    for (std::int64_t first = all.min; first <= all.max;) {
      const std::int64_t last = first == inside.min ? std::max(first, inside.max) : first;
      header.min = Expr(first);
      header.extent = Expr(last - first + 1);
      ranges[header.var.get()] = {first, last};
      write_loop(at, header);
      first = last + 1;
    }
    ranges[header.var.get()] = all;
  }

  // Whether the loop, which has few steps, has a say in which lanes of a vector inside it are computed,
  // and no loop outside of the tile has: lanes cannot branch.
  bool decides_lanes(std::int32_t at) const {
    const auto& loop = *stmt(at).as<ir::For>();
    const auto extent = ir::as_int(loop.extent);
    if (loop.kind == ir::LoopKind::Vectorized || !extent || *extent > kMaxUnrolledTaps) return false;
    if (!ir::as_int(loop.min)) return false;
    bool found = false;
    tile_conditions(at, [&](const Conjunct& conjunct, const std::vector<std::int32_t>& open,
                            std::int32_t guard, const ir::Ranges& inner) {
      if (!uses(conjunct, loop.var) || lower::bounds(conjunct.form, inner).min >= 0) return;
      const bool has_lanes = std::any_of(open.begin(), open.end(), [&](std::int32_t l) {
        const auto& other = *stmt(l).as<ir::For>();
        return other.kind == ir::LoopKind::Vectorized && uses(conjunct, other.var);
      });
      found |= has_lanes && outer_part(conjunct, open, guard).terms.empty();
    });
    return found;
  }

  // Writes the loop's body: one copy for each way in which the conditions that become decidable at this
  // loop can turn out; `first` is the next of the forms to branch on.
  void copies(std::int32_t at, const std::vector<Form>& forms, std::size_t first) {
    if (first == forms.size()) return body_of(at);
    const Linear& form = forms[first].sum;
    const Interval all = lower::bounds(form, ranges);
    const Interval inside = interior(at, form, all);
    const std::int64_t borders = (inside.min - all.min) + (all.max - inside.max);
    const auto copy_with = [&](Interval values) {
      facts_.push_back({form, values});
      copies(at, forms, first + 1);
      facts_.pop_back();
    };
    if (borders == 0) return copy_with(all);
    const bool empty_interior = inside.min > inside.max;
    const std::int64_t n_copies = empty_interior ? all.max - all.min + 1 : borders + 1;
    const bool is_static =
        n_copies <= kMaxBorders + 1 &&
        n_copies * n_copies_ * straight_size(in, at, is_straight_) <= kMaxSplitStatements;
    if (!is_static && (empty_interior || !forms[first].in_tile)) return copies(at, forms, first + 1);
    const std::int64_t outer_copies = std::exchange(n_copies_, n_copies_ * (is_static ? n_copies : 2));
    const Expr value = ir::to_expr(form);
    std::vector<std::int64_t> values;
    for (std::int64_t v = all.min; v <= all.max && is_static; ++v) {
      if (v < inside.min || v > inside.max) values.push_back(v);
    }
    if (empty_interior) {
      chain(value, values, 0, copy_with);
    } else {
      const Expr is_inside =
          ir::simplify(ir::logical_and(value >= Expr(inside.min), value <= Expr(inside.max)), ranges);
      const std::int32_t then_part = writer.open(ir::If{is_inside});
      copy_with(inside);
      writer.close(then_part);
      const std::int32_t else_part = writer.open(ir::Else{});
      if (is_static) {
        chain(value, values, 0, copy_with);
      } else {
        copies(at, forms, first + 1);  // one copy that still asks
      }
      writer.close(else_part);
    }
    n_copies_ = outer_copies;
  }

  // if (value == values[0]) {copy} else if ... else {copy of the last}
  template <class Copy>
  void chain(const Expr& value, const std::vector<std::int64_t>& values, std::size_t next,
             const Copy& copy_with) {
    const Interval point{values[next], values[next]};
    if (next + 1 == values.size()) return copy_with(point);
    const std::int32_t then_part = writer.open(ir::If{ir::eq(value, Expr(values[next]))});
    copy_with(point);
    writer.close(then_part);
    const std::int32_t else_part = writer.open(ir::Else{});
    chain(value, values, next + 1, copy_with);
    writer.close(else_part);
  }

  void conditional(std::int32_t at, const ir::If& guard) {
    const bool has_other = has_else(at);
    const std::int32_t end = stmt(at).end;
    std::vector<Conjunct> open;
    for (const Conjunct& conjunct : conjuncts(guard.condition, ranges)) {
      const Conjunct known = with_facts(conjunct);
      const std::optional<bool> decided = decide(known);
      if (decided == false) {
        if (has_other) body_of(end);
        return;
      }
      if (!decided) open.push_back(known);
    }
    if (open.empty()) return body_of(at);
    const std::int32_t opened = writer.open(ir::If{to_condition(open)});
    body_of(at);
    writer.close(opened);
    if (!has_other) return;
    const std::int32_t other = writer.open(ir::Else{});
    body_of(end);
    writer.close(other);
  }

  std::optional<bool> decide(const Conjunct& conjunct) const {
    if (conjunct.opaque) return ir::decide(conjunct.opaque, ranges);
    const Interval values = lower::bounds(conjunct.form, ranges);
    if (values.min >= 0) return true;
    if (values.max < 0) return false;
    return std::nullopt;
  }

  // The conjunct with every known combination of variables replaced by its value, or decided by its
  // range.
  Conjunct with_facts(Conjunct conjunct) const {
    if (conjunct.opaque) return conjunct;
    for (const Fact& fact : facts_) {
      const std::optional<Seen> seen = see(conjunct.form, fact.form);
      if (!seen) continue;
      const Interval rest = lower::bounds(seen->rest, ranges);
      const std::int64_t low = seen->scale * (seen->scale > 0 ? fact.values.min : fact.values.max);
      const std::int64_t high = seen->scale * (seen->scale > 0 ? fact.values.max : fact.values.min);
      if (fact.values.is_point()) {
        conjunct.form = seen->rest;
        conjunct.form.constant += low;
      } else if (rest.min + low >= 0) {
        conjunct.form = {{}, 0};
      } else if (rest.max + high < 0) {
        conjunct.form = {{}, -1};
      }
    }
    return conjunct;
  }

  // Calls `each(conjunct, inner)` for the conjuncts below `at` that a tile loop takes part in; `inner`
  // says whether a variable belongs to the tile or to a reduction of the guarded store.
  template <class Each>
  void tile_conditions(std::int32_t at, const Each& each) const {
    std::vector<std::int32_t> open = loops_;
    ir::Ranges inner_ranges = ranges;
    for (std::int32_t i = at + 1; i < stmt(at).end; ++i) {
      while (open.size() > loops_.size() && stmt(open.back()).end <= i) open.pop_back();
      if (const auto* loop = stmt(i).as<ir::For>()) {
        open.push_back(i);
        inner_ranges[loop->var.get()] = loop_range(*loop, inner_ranges);
      }
      const auto* guard = stmt(i).as<ir::If>();
      if (!guard) continue;
      for (const Conjunct& conjunct : conjuncts(guard->condition, inner_ranges)) {
        if (conjunct.opaque) continue;
        const Conjunct known = with_facts(conjunct);
        const bool in_tile = std::any_of(open.begin(), open.end(), [&](std::int32_t l) {
          return is_straight_[static_cast<std::size_t>(l)] && uses(known, stmt(l).as<ir::For>()->var);
        });
        if (in_tile && !is_cheap(known, i, open)) each(known, open, i, inner_ranges);
      }
    }
  }

  // A condition around a store that happens once, not once a step of a reduction, costs one branch
  // beside all that computes the value: no copy is worth it. Lanes of a vector cannot branch.
  bool is_cheap(const Conjunct& conjunct, std::int32_t guard,
                const std::vector<std::int32_t>& open) const {
    if (has_update(in, guard)) return false;
    return std::none_of(open.begin(), open.end(), [&](std::int32_t l) {
      const auto& loop = *stmt(l).as<ir::For>();
      return loop.kind == ir::LoopKind::Vectorized && uses(conjunct, loop.var);
    });
  }

  // The part of a conjunct made of outer variables: neither of the tile nor reduced by the guarded
  // store.
  Linear outer_part(const Conjunct& conjunct, const std::vector<std::int32_t>& open,
                    std::int32_t guard) const {
    const ir::Store* store = nullptr;
    for (std::int32_t i = guard; i < stmt(guard).end && !store; ++i) store = stmt(i).as<ir::Store>();
    Linear outer;
    for (const Linear::Term& term : conjunct.form.terms) {
      const bool is_inner = std::any_of(open.begin(), open.end(), [&](std::int32_t l) {
        return ir::uses(term.atom, stmt(l).as<ir::For>()->var) &&
               (is_tile_[static_cast<std::size_t>(l)] || (store && is_reduced_by(*store, l)));
      });
      if (!is_inner) outer.terms.push_back(term);
    }
    return outer;
  }

  // Whether the loop runs over values that the store combines: it is inside the life of the buffer and
  // leaves the address fixed.
  bool is_reduced_by(const ir::Store& store, std::int32_t loop) const {
    const auto allocated = allocated_at_.find(store.buffer.get());
    if (allocated != allocated_at_.end() && loop < allocated->second) return false;
    const Expr& var = stmt(loop).as<ir::For>()->var;
    return std::none_of(store.index.begin(), store.index.end(),
                        [&](const Expr& index) { return ir::uses(index, var); });
  }

  // Forms over outer variables whose last variable is this loop's, in order of first appearance.
  std::vector<Form> forms_decided_by(std::int32_t at) const {
    std::vector<Form> forms;
    const Expr& var = stmt(at).as<ir::For>()->var;
    if (is_tile_[static_cast<std::size_t>(at)]) return forms;
    tile_conditions(at, [&](const Conjunct& conjunct, const std::vector<std::int32_t>& open,
                            std::int32_t guard, const ir::Ranges&) {
      Linear form = outer_part(conjunct, open, guard);
      if (form.terms.empty()) return;
      make_primitive(form);
      for (auto l = open.rbegin(); l != open.rend(); ++l) {
        if (!uses(Conjunct{form, {}}, stmt(*l).as<ir::For>()->var)) continue;
        if (!stmt(*l).as<ir::For>()->var.same(var)) return;
        break;
      }
      const bool in_tile = std::any_of(open.begin(), open.end(), [&](std::int32_t l) {
        return is_tile_[static_cast<std::size_t>(l)] && uses(conjunct, stmt(l).as<ir::For>()->var);
      });
      const auto known =
          std::find_if(forms.begin(), forms.end(), [&](const Form& f) { return equal(f.sum, form); });
      if (known == forms.end()) {
        forms.push_back({std::move(form), in_tile});
      } else {
        known->in_tile |= in_tile;
      }
    });
    return forms;
  }

  // The values of the form for which every condition on it holds whatever the inner variables are.
  Interval interior(std::int32_t at, const Linear& form, Interval all) const {
    tile_conditions(at, [&](const Conjunct& conjunct, const std::vector<std::int32_t>&, std::int32_t,
                            const ir::Ranges& inner) {
      const std::optional<Seen> seen = see(conjunct.form, form);
      if (!seen) return;
      const Interval rest = lower::bounds(seen->rest, inner);
      if (seen->scale > 0) all.min = std::max(all.min, -schedule::floor_div(rest.min, seen->scale));
      if (seen->scale < 0) all.max = std::min(all.max, schedule::floor_div(rest.min, -seen->scale));
    });
    return all;
  }

  // A reduction loop with few steps that decides, together with the tile, whether a tap is padding.
  bool must_be_static(std::int32_t at) const {
    const auto* loop = stmt(at).as<ir::For>();
    const auto extent = ir::as_int(loop->extent);
    if (is_tile_[static_cast<std::size_t>(at)] || loop->kind != ir::LoopKind::Serial || !extent)
      return false;
    if (*extent > kMaxUnrolledTaps) return false;
    bool decides = false;
    tile_conditions(at, [&](const Conjunct& conjunct, const std::vector<std::int32_t>& open,
                            std::int32_t guard, const ir::Ranges& inner) {
      if (!uses(conjunct, loop->var) || lower::bounds(conjunct.form, inner).min >= 0) return;
      decides |= outer_part(conjunct, open, guard).terms.empty();
    });
    return decides;
  }

  std::vector<bool> is_tile_;
  std::vector<bool> is_straight_;
  std::unordered_map<const ir::BufferNode*, std::int32_t> allocated_at_;
  std::vector<std::int32_t> loops_;  // enclosing loops of the statement being written
  std::vector<Fact> facts_;
  std::int64_t n_copies_ = 1;  // of the statement being written
};

}  // namespace

ir::Program partition(ir::Program program, const target::Target&) { return Partition(program).run(); }

}  // namespace hone::lower
