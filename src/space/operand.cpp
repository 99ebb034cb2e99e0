#include "space/operand.h"

#include <algorithm>
#include <cstdlib>

namespace hone::space {

std::vector<Operand> operands_of(const task::Op& op) {
  std::vector<Operand> operands;
  ir::visit(op.body.front(), [&](const ir::Expr& e) {
    const auto* load = e.as<ir::Load>();
    if (!load) return;
    Operand operand{load->buffer, {}, ir::strides_of(*load->buffer)};
    for (const ir::Expr& index : load->index) operand.index.push_back(ir::linear(index));
    for (std::int64_t& stride : operand.strides) stride *= ir::size_bytes(load->buffer->type.scalar);
    operands.push_back(std::move(operand));
  });
  return operands;
}

std::int64_t coefficient(const ir::Linear& sum, const ir::Expr& var) {
  std::int64_t found = 0;
  for (const ir::Linear::Term& term : sum.terms) {
    if (ir::uses(term.atom, var)) found += std::abs(term.coefficient);
  }
  return found;
}

bool uses(const Operand& operand, const ir::Expr& var) {
  return std::any_of(operand.index.begin(), operand.index.end(),
                     [&](const ir::Linear& sum) { return coefficient(sum, var) != 0; });
}

std::int64_t step_along(const task::Task& task, const std::vector<StageRole>& roles,
                        const Operand& operand, const ir::Expr& var) {
  const int producer = task.producer(operand.buffer);
  const bool is_inlined =
      producer >= 0 && roles[static_cast<std::size_t>(producer)].role == Role::Inline;
  std::int64_t step = 0;
  for (std::size_t d = 0; d < operand.index.size(); ++d) {
    const std::int64_t steps = coefficient(operand.index[d], var);
    if (steps == 0) continue;
    std::int64_t bytes = is_inlined ? 0 : operand.strides[d];
    if (is_inlined) {
      const task::Op& inlined = task.ops[static_cast<std::size_t>(producer)];
      for (const Operand& source : operands_of(inlined))
        bytes = std::max(bytes, step_along(task, roles, source, inlined.axes[d].var));
    }
    step += steps * bytes;
  }
  return step;
}

}  // namespace hone::space
