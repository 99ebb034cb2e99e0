// What one evaluation of a stage's body does: operations counted and reads collected, with inlined
// stages put in and everything left out that the loops' ranges decide, as TVM's simplifier would.
#pragma once
#include <vector>

#include "feature/facts.h"
#include "feature/loop_tree.h"

namespace hone::feature {

class ValueReader {
 public:
  // Tensors of a stage are numbered from first_tensor[stage] on.
  ValueReader(const schedule::State& state, schedule::Vars& vars, const Facts& facts,
              const std::vector<int>& first_tensor)
      : state_(state), vars_(vars), facts_(facts), first_tensor_(first_tensor) {}

  // Begins a store: its operations and accesses are added to by `read`.
  void begin(Store& store) { store_ = &store; }
  // Reads of this stage's own tensors are of single elements, numbered from `tensor` on: what one
  // thread has combined. -1 for none.
  void set_partial(int stage, int tensor) {
    partial_stage_ = stage;
    partial_tensor_ = tensor;
  }
  void read(const ir::Expr& value, const schedule::AxisValues& axes);
  void add_access(int tensor, AccessKind kind, Index index);
  void count_index(const schedule::Sum& sum, const schedule::Digit& around = {});

 private:
  void read_binary(const ir::Expr& e, const ir::Binary& n, const schedule::AxisValues& axes);
  void read_comparison(const ir::Binary& n, const schedule::AxisValues& axes);
  void read_select(const ir::Expr& e, const ir::Select& n, const schedule::AxisValues& axes);
  void read_load(const ir::Load& load, const schedule::AxisValues& axes);
  // The number that the expression stands for; constant matrices count as 1.
  std::optional<double> literal(const ir::Expr& e) const;
  bool is_neutral(const ir::Binary& n) const;
  schedule::Sum index_sum(const ir::Expr& e, const schedule::AxisValues& axes);
  Operations::Arithmetic& arithmetic(ir::Type type);

  const schedule::State& state_;
  schedule::Vars& vars_;
  const Facts& facts_;
  const std::vector<int>& first_tensor_;
  Store* store_ = nullptr;
  int partial_stage_ = -1, partial_tensor_ = -1;
};

}  // namespace hone::feature
