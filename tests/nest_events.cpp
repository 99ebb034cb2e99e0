#include "tests/nest_events.h"

#include <cmath>
#include <map>

#include "base/error.h"

namespace hone {
namespace {

// Expressions where the loops are at given values.
class IrEvaluator {
 public:
  explicit IrEvaluator(const std::map<const ir::Node*, std::int64_t>& env) : env_(env) {}

  double run(const ir::Expr& e) const {
    return ir::match(
        e, [](const ir::IntImm& n) { return static_cast<double>(n.value); },
        [](const ir::FloatImm& n) { return n.value; },
        [&](const ir::Variable&) { return static_cast<double>(env_.at(e.get())); },
        [&](const ir::Not& n) { return run(n.a) == 0 ? 1.0 : 0.0; },
        [&](const ir::Binary& n) { return binary(n.op, run(n.a), run(n.b)); },
        [&](const ir::Select& n) {
          return run(n.condition) != 0 ? run(n.then_value) : run(n.else_value);
        },
        [&](const ir::Call& n) { return call(n); }, [&](const ir::Cast& n) { return run(n.value); },
        [&](const ir::Load& n) { return element_value(n.buffer->name, index(n.index)); },
        [](const ir::Ramp&) -> double { fail("no vectors in a plain nest"); },
        [](const ir::Broadcast&) -> double { fail("no vectors in a plain nest"); });
  }
  std::vector<std::int64_t> index(const std::vector<ir::Expr>& list) const {
    std::vector<std::int64_t> values;
    for (const ir::Expr& e : list) values.push_back(std::llround(run(e)));
    return values;
  }

 private:
  static double binary(ir::BinaryOp op, double a, double b) {
    switch (op) {
      case ir::BinaryOp::Add:
        return a + b;
      case ir::BinaryOp::Sub:
        return a - b;
      case ir::BinaryOp::Mul:
        return a * b;
      case ir::BinaryOp::Div:
        return a / b;
      case ir::BinaryOp::FloorDiv:
        return std::floor(a / b);
      case ir::BinaryOp::FloorMod:
        return a - std::floor(a / b) * b;
      case ir::BinaryOp::Min:
        return std::min(a, b);
      case ir::BinaryOp::Max:
        return std::max(a, b);
      case ir::BinaryOp::Eq:
        return a == b;
      case ir::BinaryOp::Ne:
        return a != b;
      case ir::BinaryOp::Lt:
        return a < b;
      case ir::BinaryOp::Le:
        return a <= b;
      case ir::BinaryOp::Gt:
        return a > b;
      case ir::BinaryOp::Ge:
        return a >= b;
      case ir::BinaryOp::And:
        return a != 0 && b != 0;
      case ir::BinaryOp::Or:
        return a != 0 || b != 0;
      case ir::BinaryOp::Mod:
        break;
    }
    fail("an operator that no known nest has");
  }
  double call(const ir::Call& n) const {
    const double a = run(n.args.front());
    switch (n.function) {
      case ir::Function::Exp:
        return std::exp(a);
      case ir::Function::Erf:
        return std::erf(a);
      case ir::Function::Tanh:
        return std::tanh(a);
      case ir::Function::Sqrt:
        return std::sqrt(a);
      case ir::Function::Rsqrt:
        return 1 / std::sqrt(a);
      default:
        fail("a function that no known nest has");
    }
  }
  const std::map<const ir::Node*, std::int64_t>& env_;
};

}  // namespace

std::string common_name(const std::string& tensor) {
  const bool is_partial = tensor.ends_with(".partial") || tensor.starts_with("normal_reduce_temp") ||
                          tensor.starts_with("reduce_temp");
  return is_partial ? "partial" : tensor;
}

double element_value(const std::string& tensor, const std::vector<std::int64_t>& index) {
  std::uint64_t hash = std::hash<std::string>()(common_name(tensor));
  for (const std::int64_t i : index) {
    hash = (hash ^ static_cast<std::uint64_t>(i)) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  }
  return 0.5 + static_cast<double>(hash % 1000) / 1000;
}

std::vector<NestEvent> events_of(const ir::Program& program) {
  std::vector<NestEvent> events;
  std::vector<const ir::Stmt*> open;
  for (std::size_t at = 0; at < program.stmts.size(); ++at) {
    const ir::Stmt& stmt = program.stmts[at];
    while (!open.empty() && open.back()->end <= static_cast<std::int32_t>(at)) open.pop_back();
    NestEvent event;
    std::vector<ir::Expr> vars, guards;
    for (const ir::Stmt* outer : open) {
      if (const auto* guard = outer->as<ir::If>()) guards.push_back(guard->condition);
      const auto* loop = outer->as<ir::For>();
      if (loop == nullptr) continue;
      event.loops.push_back({loop->kind, *ir::as_int(loop->extent)});
      vars.push_back(loop->var);
    }
    if (const auto* alloc = stmt.as<ir::Alloc>()) {
      event.tensor = alloc->buffer->name;
      event.shape = alloc->buffer->shape;
      events.push_back(event);
    }
    if (const auto* store = stmt.as<ir::Store>()) {
      event.is_store = true;
      event.tensor = store->buffer->name;
      event.effect = [=, store = *store](const std::vector<std::int64_t>& values) {
        std::map<const ir::Node*, std::int64_t> env;
        for (std::size_t i = 0; i < vars.size(); ++i) env[vars[i].get()] = values[i];
        const IrEvaluator evaluator(env);
        NestEvent::Effect effect{true, evaluator.index(store.index), evaluator.run(store.value)};
        for (const ir::Expr& guard : guards) {
          effect.happens = effect.happens && evaluator.run(guard) != 0;
        }
        return effect;
      };
      events.push_back(event);
    }
    open.push_back(&stmt);
  }
  return events;
}

}  // namespace hone
