// Splits the program where the remainder of a sum decides which part of a register tile is computed, as
// of a transposed convolution a tap meets every other row: each remainder of the loops around the tile
// gets a copy in which constants say which rows those are.
#include <algorithm>

#include "ir/arithmetic.h"
#include "lower/condition.h"
#include "lower/form.h"
#include "lower/passes.h"
#include "lower/rewriter.h"
#include "lower/tile_loops.h"
#include "lower/update.h"

namespace hone::lower {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::Linear;

constexpr std::int64_t kMaxModulus = 4;  // copies of one body
constexpr std::int64_t kMaxStatements =
    448;  // of that body, once unrolled; each copy has a part of them

// The condition form % modulus == remainder; the form has no constant, and no coefficient is a multiple
// of the modulus.
struct Congruence {
  Linear form;
  std::int64_t modulus, remainder;
};

std::optional<Congruence> congruence_of(const Expr& condition, const ir::Ranges& ranges) {
  const auto* equals = condition.as<ir::Binary>();
  if (!equals || equals->op != BinaryOp::Eq) return std::nullopt;
  const auto* value = equals->a.as<ir::Binary>();
  if (!value || value->op != BinaryOp::FloorMod || value->a.type() != ir::kIndex) return std::nullopt;
  const auto modulus = ir::as_int(value->b);
  const auto remainder = ir::as_int(equals->b);
  if (!modulus || *modulus < 2 || !remainder) return std::nullopt;
  const Linear sum = ir::linear(value->a, ranges);
  Congruence out{{}, *modulus, ir::floor_mod(*remainder - sum.constant, *modulus)};
  for (const Linear::Term& term : sum.terms) {
    const std::int64_t coefficient = ir::floor_mod(term.coefficient, *modulus);
    if (coefficient != 0) out.form.terms.push_back({term.atom, coefficient});
  }
  return out;
}

Expr remainder_of(const Congruence& congruence) {
  return ir::floor_mod(ir::to_expr(congruence.form), Expr(congruence.modulus));
}

class Remainders : public Rewriter {
 public:
  explicit Remainders(const ir::Program& program)
      : Rewriter(program), is_straight_(straight_loops(program)) {}

 protected:
  void statement(std::int32_t at) override {
    const auto* loop = stmt(at).as<ir::For>();
    if (!loop || is_straight_[static_cast<std::size_t>(at)]) return copy(at);
    enter(stmt(at).kind);
    const std::int32_t opened = writer.open(*loop);
    copies(at, asked_inside(at), 0);
    writer.close(opened);
  }

  Expr map(const Expr& e) override {
    if (facts_.empty()) return e;
    return ir::rewrite(e, [&](const Expr& part) {
      const auto congruence = congruence_of(part, ranges);
      return congruence ? with_facts(part, *congruence) : part;
    });
  }

 private:
  // Writes the body once for each remainder of the questions from `next` on.
  void copies(std::int32_t at, const std::vector<Congruence>& questions, std::size_t next) {
    if (next == questions.size()) return body_of(at);
    copies_from(0, at, questions, next);
  }

  void copies_from(std::int64_t remainder, std::int32_t at, const std::vector<Congruence>& questions,
                   std::size_t next) {
    Congruence fact = questions[next];
    fact.remainder = remainder;
    const auto copy_with = [&] {
      facts_.push_back(fact);
      copies(at, questions, next + 1);
      facts_.pop_back();
    };
    if (remainder + 1 == fact.modulus) return copy_with();
    const std::int32_t then_part =
        writer.open(ir::If{ir::eq(remainder_of(fact), Expr(fact.remainder))});
    copy_with();
    writer.close(then_part);
    const std::int32_t else_part = writer.open(ir::Else{});
    copies_from(remainder + 1, at, questions, next);
    writer.close(else_part);
  }

  // The condition with known sums replaced by their remainders, unless nothing is left to ask then:
  // what no tile takes part in is moved outwards by `clip`.
  Expr with_facts(const Expr& condition, Congruence congruence) const {
    bool is_changed = false;
    for (const Congruence& fact : facts_) {
      if (fact.modulus != congruence.modulus) continue;
      const std::optional<Seen> seen = see(congruence.form, fact.form);
      if (!seen || seen->rest.terms.empty()) continue;
      congruence.form = seen->rest;
      congruence.remainder =
          ir::floor_mod(congruence.remainder - seen->scale * fact.remainder, congruence.modulus);
      is_changed = true;
    }
    return is_changed ? ir::eq(remainder_of(congruence), Expr(congruence.remainder)) : condition;
  }

  // The sums of loops that are open at `at` on whose remainder it depends which part of a tile below is
  // computed.
  std::vector<Congruence> asked_inside(std::int32_t at) const {
    std::vector<Congruence> questions;
    std::vector<std::int32_t> open;
    ir::Ranges inner_ranges = ranges;
    for (std::int32_t i = at + 1; i < stmt(at).end; ++i) {
      while (!open.empty() && stmt(open.back()).end <= i) open.pop_back();
      if (const auto* loop = stmt(i).as<ir::For>()) {
        open.push_back(i);
        inner_ranges[loop->var.get()] = loop_range(*loop, inner_ranges);
      }
      const auto* guard = stmt(i).as<ir::If>();
      if (!guard || !has_update(in, i)) continue;
      for (const Conjunct& conjunct : conjuncts(guard->condition, inner_ranges)) {
        if (!conjunct.opaque) continue;
        const auto congruence = congruence_of(conjunct.opaque, inner_ranges);
        if (!congruence) continue;
        const auto question = outer_part(*congruence, open);
        if (question && !is_answered(*question, questions)) questions.push_back(*question);
      }
    }
    if (!questions.empty() && straight_size(in, at, is_straight_) > kMaxStatements) return {};
    return questions;
  }

  // The congruence without what straight lines decide; nothing where they decide all of it or have no
  // say, or when a loop inside has one.
  std::optional<Congruence> outer_part(const Congruence& congruence,
                                       const std::vector<std::int32_t>& open) const {
    if (congruence.modulus > kMaxModulus) return std::nullopt;
    Congruence outer{{}, congruence.modulus, 0};
    for (const Linear::Term& term : congruence.form.terms) {
      bool is_straight = false;
      for (const std::int32_t l : open) {
        if (!ir::uses(term.atom, stmt(l).as<ir::For>()->var)) continue;
        if (!is_straight_[static_cast<std::size_t>(l)]) return std::nullopt;
        is_straight = true;
      }
      if (!is_straight) outer.form.terms.push_back(term);
    }
    const bool is_mixed =
        !outer.form.terms.empty() && outer.form.terms.size() < congruence.form.terms.size();
    return is_mixed ? std::optional(std::move(outer)) : std::nullopt;
  }

  bool is_answered(const Congruence& question, const std::vector<Congruence>& questions) const {
    const auto is_same = [&](const Congruence& other) {
      return other.modulus == question.modulus && equal(other.form, question.form);
    };
    return std::ranges::any_of(facts_, is_same) || std::ranges::any_of(questions, is_same);
  }

  std::vector<bool> is_straight_;
  std::vector<Congruence> facts_;  // what is known inside the copy being written
};

}  // namespace

ir::Program remainders(ir::Program program, const target::Target&) { return Remainders(program).run(); }

}  // namespace hone::lower
