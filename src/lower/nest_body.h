// Expressions of a nest: what a stage computes, in terms of the loops that are open.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "schedule/layout.h"
#include "schedule/values.h"

namespace hone::lower {

// Where the elements of an op's tensors are: whole for parameters, the computed region otherwise.
struct Storage {
  std::vector<ir::Buffer> buffers;  // one an output
  bool is_parameter = false;
  std::vector<schedule::Sum> base;             // subtracted from the index; empty for parameters
  std::optional<schedule::PackedRead> packed;  // a parameter in the schedule's own layout
};

class NestBody {
 public:
  NestBody(const schedule::State& state, schedule::Vars& vars);

  std::vector<Storage>& storage() { return storage_; }  // one a stage
  void set_loop(schedule::Var var, ir::Expr expr) {
    loops_[static_cast<std::size_t>(var)] = std::move(expr);
  }
  const ir::Expr& loop(schedule::Var var) const { return loops_[static_cast<std::size_t>(var)]; }

  schedule::Vars& vars() { return vars_; }
  bool is_below(const schedule::Sum& sum, std::int64_t end) const;  // whatever the loops are at

  ir::Expr to_expr(const schedule::Sum& sum) const;
  // The body's value, with inlined stages put in and every read at its element.
  ir::Expr value(const ir::Expr& body, const schedule::AxisValues& axes);
  // Where the stage writes, for the values of its axes.
  std::vector<ir::Expr> index(int stage, const std::vector<schedule::Sum>& values) const;

 private:
  ir::Expr to_expr(const schedule::Digit& digit) const;
  schedule::Sum sum(const ir::Expr& e, const schedule::AxisValues& axes);
  ir::Expr rebuilt(const ir::Expr& e, const schedule::AxisValues& axes);  // with its children lowered
  ir::Expr read(const ir::Load& load, const schedule::AxisValues& axes);

  const schedule::State& state_;
  schedule::Vars& vars_;
  std::vector<Storage> storage_;
  std::vector<ir::Expr> loops_;  // by variable
};

}  // namespace hone::lower
