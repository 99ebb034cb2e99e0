// Moves conditions out of inner loops: into the bounds of the loop they depend on, or in front of it.
#include <algorithm>

#include "lower/condition.h"
#include "lower/passes.h"
#include "lower/rewriter.h"
#include "lower/tile_loops.h"

namespace hone::lower {
namespace {

using ir::Expr;

bool contains(const std::vector<Conjunct>& list, const Conjunct& conjunct) {
  return std::any_of(list.begin(), list.end(), [&](const Conjunct& c) { return equal(c, conjunct); });
}

class Clip : public Rewriter {
 public:
  explicit Clip(const ir::Program& program)
      : Rewriter(program), is_tile_(tile_loops(program)), guards_(program.stmts.size()) {
    collect(0, static_cast<std::int32_t>(program.stmts.size()));
  }

 protected:
  void statement(std::int32_t at) override {
    if (is_empty(at)) return;
    if (stmt(at).as<ir::If>() && !has_else(at)) return guarded(at);
    // What guards both parts of a choice is written around it by whoever has it in a list, if at all.
    if (stmt(at).as<ir::If>() || stmt(at).as<ir::Else>()) return inside(at);
    if (const std::int32_t choice = choice_inside(at); choice >= 0) return hoist(at, choice);
    const std::size_t before = holds_.size();
    std::vector<Conjunct> fresh;
    for (const Conjunct& conjunct : guards_[static_cast<std::size_t>(at)]) {
      if (!contains(holds_, conjunct)) fresh.push_back(conjunct);
    }
    if (fresh.empty()) return inside(at);
    holds_.insert(holds_.end(), fresh.begin(), fresh.end());
    const std::int32_t opened = writer.open(ir::If{to_condition(fresh)});
    inside(at);
    writer.close(opened);
    holds_.resize(before);
  }

 private:
  // A body that partition left nothing in.
  bool is_empty(std::int32_t at) const {
    const ir::Stmt& here = stmt(at);
    const bool may_go =
        here.as<ir::For>() || here.as<ir::Alloc>() || (here.as<ir::If>() && !has_else(at));
    return may_go && here.end == at + 1;
  }

  // The If, with an Else, that is all there is inside the loops from `at` on and that none of them
  // decides; -1 when there is none.
  std::int32_t choice_inside(std::int32_t at) const {
    std::vector<Expr> vars;
    std::int32_t inner = at;
    for (const ir::For* loop; (loop = stmt(inner).as<ir::For>()) != nullptr; ++inner) {
      if (loop->kind >= ir::LoopKind::Parallel || stmt(inner).end == inner + 1) return -1;
      const bool is_only = stmt(inner + 1).end == stmt(inner).end;
      if (!is_only && !stmt(inner + 1).as<ir::If>()) return -1;
      vars.push_back(loop->var);
    }
    if (vars.empty() || !has_else(inner, stmt(at).end)) return -1;
    if (stmt(stmt(inner).end).end != stmt(at).end) return -1;
    const Expr& condition = stmt(inner).as<ir::If>()->condition;
    const auto decides = [&](const Expr& var) { return ir::uses(condition, var); };
    return std::any_of(vars.begin(), vars.end(), decides) ? -1 : inner;
  }

  // The loops [at, choice) once inside each part of the choice.
  void hoist(std::int32_t at, std::int32_t choice) {
    for (const std::int32_t part : {choice, stmt(choice).end}) {
      const std::int32_t opened = writer.open(stmt(part).kind);
      std::vector<std::int32_t> loops;
      for (std::int32_t i = at; i < choice; ++i) {
        enter(stmt(i).kind);
        loops.push_back(writer.open(stmt(i).kind));
      }
      body_of(part);
      for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) writer.close(*loop);
      writer.close(opened);
    }
  }

  // Fills guards_: the conditions that guard everything in a statement; returns those common to a list.
  std::vector<Conjunct> collect(std::int32_t begin, std::int32_t end) {
    std::vector<Conjunct> common;
    for (std::int32_t at = begin; at < end; at = stmt(at).end) {
      const std::vector<Conjunct>& own = guards_[static_cast<std::size_t>(at)] = guards_of(at, end);
      if (at == begin) {
        common = own;
      } else {
        std::erase_if(common, [&](const Conjunct& c) { return !contains(own, c); });
      }
    }
    return common;
  }

  std::vector<Conjunct> guards_of(std::int32_t at, std::int32_t list_end) {
    const ir::Stmt& here = stmt(at);
    enter(here.kind);
    std::vector<Conjunct> guards = collect(at + 1, here.end);
    const auto* guard = here.as<ir::If>();
    if (guard && !has_else(at, list_end)) {
      for (const Conjunct& conjunct : conjuncts(guard->condition, ranges)) {
        if (!contains(guards, conjunct)) guards.push_back(conjunct);
      }
    }
    const Expr* var = nullptr;
    if (const auto* loop = here.as<ir::For>()) var = &loop->var;
    if (const auto* let = here.as<ir::Let>()) var = &let->var;
    if (const auto* alloc = here.as<ir::Alloc>()) {
      std::erase_if(guards, [&](const Conjunct& c) { return reads(c, alloc->buffer); });
    }
    if (var) std::erase_if(guards, [&](const Conjunct& c) { return uses(c, *var); });
    return guards;
  }

  static bool reads(const Conjunct& conjunct, const ir::Buffer& buffer) {
    bool found = false;
    ir::visit(to_condition(conjunct), [&](const Expr& e) {
      const auto* load = e.as<ir::Load>();
      found |= load && load->buffer == buffer;
    });
    return found;
  }

  void guarded(std::int32_t at) {
    std::vector<Conjunct> fresh;
    for (const Conjunct& conjunct : conjuncts(stmt(at).as<ir::If>()->condition, ranges)) {
      if (!contains(holds_, conjunct)) fresh.push_back(conjunct);
    }
    const std::size_t before = holds_.size();
    holds_.insert(holds_.end(), fresh.begin(), fresh.end());
    const std::int32_t opened = fresh.empty() ? -1 : writer.open(ir::If{to_condition(fresh)});
    body_of(at);
    if (opened >= 0) writer.close(opened);
    holds_.resize(before);
  }

  void inside(std::int32_t at) {
    const auto* loop = stmt(at).as<ir::For>();
    if (!loop) return around_list(at);
    ir::For header = *loop;
    const std::size_t before = holds_.size();
    for (const Conjunct& conjunct : common_of_body(at)) {
      if (contains(holds_, conjunct) || !clip(header, conjunct, is_tile_[static_cast<std::size_t>(at)]))
        continue;
      holds_.push_back(conjunct);
    }
    header.min = ir::simplify(header.min, ranges);
    header.extent = ir::simplify(header.extent, ranges);
    enter(ir::Stmt::Kind(header));
    const std::int32_t opened = writer.open(header);
    body_of(at);
    writer.close(opened);
    holds_.resize(before);
  }

  // A statement that is no loop: a condition that all of its body shares is written once.
  void around_list(std::int32_t at) {
    const std::size_t before = holds_.size();
    for (const Conjunct& conjunct : common_of_body(at)) {
      if (!contains(holds_, conjunct)) holds_.push_back(conjunct);
    }
    const std::vector<Conjunct> fresh(holds_.begin() + static_cast<std::ptrdiff_t>(before),
                                      holds_.end());
    enter(stmt(at).kind);
    const std::int32_t opened = writer.open(stmt(at).kind);
    const std::int32_t guard = fresh.empty() ? -1 : writer.open(ir::If{to_condition(fresh)});
    body_of(at);
    if (guard >= 0) writer.close(guard);
    writer.close(opened);
    holds_.resize(before);
  }

  std::vector<Conjunct> common_of_body(std::int32_t at) const {
    const std::int32_t first = at + 1;
    if (first == stmt(at).end) return {};
    std::vector<Conjunct> common = guards_[static_cast<std::size_t>(first)];
    for (std::int32_t i = stmt(first).end; i < stmt(at).end; i = stmt(i).end) {
      const std::vector<Conjunct>& own = guards_[static_cast<std::size_t>(i)];
      std::erase_if(common, [&](const Conjunct& c) { return !contains(own, c); });
    }
    return common;
  }

  // Narrows the loop to the values for which the conjunct holds; false when that cannot be said so.
  static bool clip(ir::For& loop, const Conjunct& conjunct, bool must_stay_constant) {
    if (conjunct.opaque || loop.kind == ir::LoopKind::Parallel || loop.kind > ir::LoopKind::Parallel)
      return false;
    ir::Linear rest{{}, conjunct.form.constant};
    std::int64_t factor = 0;
    for (const ir::Linear::Term& term : conjunct.form.terms) {
      if (term.atom.same(loop.var)) {
        factor = term.coefficient;
      } else if (ir::uses(term.atom, loop.var)) {
        return false;
      } else {
        rest.terms.push_back(term);
      }
    }
    if (factor == 0 || (must_stay_constant && !rest.terms.empty())) return false;
    const Expr last = loop.min + loop.extent - 1;
    const Expr other = ir::to_expr(rest);
    if (factor > 0) {  // var >= ceil(-other / factor)
      const Expr least = ir::max(loop.min, ir::floor_div(Expr(factor - 1) - other, Expr(factor)));
      loop.extent = last - least + 1;
      loop.min = least;
    } else {  // var <= floor(other / -factor)
      loop.extent = ir::min(last, ir::floor_div(other, Expr(-factor))) - loop.min + 1;
    }
    return true;
  }

  std::vector<bool> is_tile_;
  std::vector<std::vector<Conjunct>> guards_;
  std::vector<Conjunct> holds_;  // conditions already established around the statement being written
};

}  // namespace

ir::Program clip(ir::Program program, const target::Target&) { return Clip(program).run(); }

}  // namespace hone::lower
