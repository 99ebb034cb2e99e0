// The base of passes over loop programs: copies statement by statement, tracking what variables can be.
#pragma once
#include <utility>

#include "ir/program.h"
#include "ir/simplify.h"

namespace hone::lower {

// Copies `in` to `out`. A pass overrides `statement` for the kinds it changes and calls `copy` for the
// rest. `ranges` holds the values that the variables of the enclosing loops and lets can take.
class Rewriter {
 public:
  explicit Rewriter(const ir::Program& program) : in(program), writer(out) {
    out.name = in.name;
    out.params = in.params;
  }
  virtual ~Rewriter() = default;

  ir::Program run() {
    body(0, static_cast<std::int32_t>(in.stmts.size()));
    return std::move(out);
  }

 protected:
  virtual void statement(std::int32_t at) { copy(at); }
  virtual ir::Expr map(const ir::Expr& e) { return e; }

  // The statements of [begin, end) that are no part of one another's bodies.
  void body(std::int32_t begin, std::int32_t end) {
    const std::int32_t outer_end = std::exchange(block_end_, end);
    for (std::int32_t at = begin; at < end; at = stmt(at).end) statement(at);
    block_end_ = outer_end;
  }
  void body_of(std::int32_t at) { body(at + 1, stmt(at).end); }
  // The statement with mapped expressions, and its body.
  void copy(std::int32_t at);
  // Notes what the variable of a For or Let can be; both call it before they go into the body.
  void enter(const ir::Stmt::Kind& kind);

  const ir::Stmt& stmt(std::int32_t at) const { return in.stmts[static_cast<std::size_t>(at)]; }
  // Whether an Else belongs to the If at `at`, a statement of the list that ends at `list_end`. (The
  // Else behind the last If of a list belongs to an If around it.)
  bool has_else(std::int32_t at, std::int32_t list_end) const {
    return stmt(at).as<ir::If>() && stmt(at).end < list_end && stmt(stmt(at).end).as<ir::Else>();
  }
  bool has_else(std::int32_t at) const { return has_else(at, block_end_); }

  const ir::Program& in;
  ir::Program out;
  ir::ProgramWriter writer;
  ir::Ranges ranges;

 private:
  std::int32_t block_end_ = 0;  // of the list whose statement is being written
};

// Values of a loop variable, from those of its bounds.
ir::Interval loop_range(const ir::For& loop, const ir::Ranges& ranges);

}  // namespace hone::lower
