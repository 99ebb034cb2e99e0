#include "task/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

#include "base/error.h"

namespace hone::task {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::Function;

// What is left of a whole number in an integer type; other types keep the value.
double wrap(double value, ir::Scalar scalar) {
  if (scalar == ir::Scalar::Bool) return value != 0 ? 1 : 0;
  if (!ir::is_int(scalar)) return value;
  const double span = std::ldexp(1, ir::bits(scalar));
  const double lowest = ir::is_signed_int(scalar) ? -span / 2 : 0;
  return value - std::floor((value - lowest) / span) * span;
}

double floor_mod(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double apply(BinaryOp op, double a, double b, bool integers) {
  if (integers && op >= BinaryOp::Div && op <= BinaryOp::FloorMod)
    check(b != 0, "a divisor is not zero");
  switch (op) {
    case BinaryOp::Add:
      return a + b;
    case BinaryOp::Sub:
      return a - b;
    case BinaryOp::Mul:
      return a * b;
    case BinaryOp::Div:
      return integers ? std::trunc(a / b) : a / b;
    case BinaryOp::Mod:
      return std::fmod(a, b);
    case BinaryOp::FloorDiv:
      return std::floor(a / b);
    case BinaryOp::FloorMod:
      return floor_mod(a, b);
    case BinaryOp::Min:
      return std::min(a, b);
    case BinaryOp::Max:
      return std::max(a, b);
    case BinaryOp::Eq:
      return a == b;
    case BinaryOp::Ne:
      return a != b;
    case BinaryOp::Lt:
      return a < b;
    case BinaryOp::Le:
      return a <= b;
    case BinaryOp::Gt:
      return a > b;
    case BinaryOp::Ge:
      return a >= b;
    case BinaryOp::And:
      return a != 0 && b != 0;
    case BinaryOp::Or:
      return a != 0 || b != 0;
  }
  fail("an operation of the enum");
}

double call(Function function, const std::vector<double>& x) {
  switch (function) {
    case Function::Exp:
      return std::exp(x[0]);
    case Function::Log:
      return std::log(x[0]);
    case Function::Erf:
      return std::erf(x[0]);
    case Function::Tanh:
      return std::tanh(x[0]);
    case Function::Sqrt:
      return std::sqrt(x[0]);
    case Function::Rsqrt:
      return 1 / std::sqrt(x[0]);
    case Function::Pow:
      return std::pow(x[0], x[1]);
    case Function::Sigmoid:
      return 1 / (1 + std::exp(-x[0]));
    case Function::Floor:
      return std::floor(x[0]);
    case Function::Ceil:
      return std::ceil(x[0]);
    case Function::Round:
      return std::nearbyint(x[0]);
    case Function::Abs:
      return std::fabs(x[0]);
    case Function::ShiftLeft:
      return std::ldexp(x[0], static_cast<int>(x[1]));
    case Function::ShiftRight:
      return std::floor(std::ldexp(x[0], -static_cast<int>(x[1])));
    case Function::Fma:
      return x[0] * x[1] + x[2];
    case Function::Reinterpret:
      fail("the bits of a value are not known here");
  }
  fail("a function of the enum");
}

double start_of(Reducer reducer) {
  switch (reducer) {
    case Reducer::Prod:
      return 1;
    case Reducer::Max:
    case Reducer::ArgMax:
      return -std::numeric_limits<double>::infinity();
    case Reducer::Min:
    case Reducer::ArgMin:
      return std::numeric_limits<double>::infinity();
    default:
      return 0;
  }
}

double combine(Reducer reducer, double a, double b) {
  switch (reducer) {
    case Reducer::None:
      return b;
    case Reducer::Sum:
      return a + b;
    case Reducer::Prod:
      return a * b;
    case Reducer::Max:
      return std::max(a, b);
    case Reducer::Min:
      return std::min(a, b);
    default:
      fail("arg-max and arg-min combine two values at once");
  }
}

class Evaluation {
 public:
  void set(const ir::Buffer& buffer, std::vector<double> values) {
    const auto expected = static_cast<std::size_t>(elements_of(*buffer));
    check(values.size() == expected, "a tensor has one value an element");
    tensors_[buffer.get()] = std::move(values);
  }
  const std::vector<double>& get(const ir::Buffer& buffer) const { return tensors_.at(buffer.get()); }

  void compute(const Op& op) {
    std::vector<std::vector<double>> results(op.outputs.size());
    for_each(op.axes, 0, [&] {
      const std::vector<double> element = reduce(op);
      for (std::size_t o = 0; o < results.size(); ++o) {
        results[o].push_back(wrap(element[o], op.outputs[o]->type.scalar));
      }
    });
    for (std::size_t o = 0; o < results.size(); ++o) set(op.outputs[o], std::move(results[o]));
  }

 private:
  static std::int64_t elements_of(const ir::BufferNode& buffer) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : buffer.shape) elements *= extent;
    return elements;
  }

  void for_each(const std::vector<Axis>& axes, std::size_t depth, const std::function<void()>& body) {
    if (depth == axes.size()) return body();
    double& value = variables_[axes[depth].var.get()];
    for (std::int64_t i = 0; i < axes[depth].extent; ++i) {
      value = static_cast<double>(i);
      for_each(axes, depth + 1, body);
    }
  }

  // The outputs' values at the current axes.
  std::vector<double> reduce(const Op& op) {
    const bool takes_arg = op.reducer == Reducer::ArgMax || op.reducer == Reducer::ArgMin;
    if (!takes_arg) {
      double total = start_of(op.reducer);
      for_each(op.reduce_axes, 0,
               [&] { total = combine(op.reducer, total, value_of(op.body.front())); });
      return {total};
    }
    std::vector<double> best = {0, start_of(op.reducer)};
    for_each(op.reduce_axes, 0, [&] {
      const double value = value_of(op.body[1]);
      if (op.reducer == Reducer::ArgMax ? value > best[1] : value < best[1]) {
        best = {value_of(op.body[0]), value};
      }
    });
    return best;
  }

  double value_of(const Expr& e) {
    return ir::match(
        e, [](const ir::IntImm& n) { return static_cast<double>(n.value); },
        [](const ir::FloatImm& n) { return n.value; },
        [&](const ir::Variable&) { return variables_.at(e.get()); },
        [&](const ir::Not& n) { return value_of(n.a) == 0 ? 1.0 : 0.0; },
        [&](const ir::Binary& n) {
          const bool integers = !ir::is_float(n.a.type().scalar);
          return wrap(apply(n.op, value_of(n.a), value_of(n.b), integers), e.type().scalar);
        },
        [&](const ir::Select& n) {
          const bool chosen = value_of(n.condition) != 0;
          if (!n.lazy) value_of(chosen ? n.else_value : n.then_value);  // its reads must be legal too
          return value_of(chosen ? n.then_value : n.else_value);
        },
        [&](const ir::Call& n) {
          std::vector<double> args;
          for (const Expr& arg : n.args) args.push_back(value_of(arg));
          return wrap(call(n.function, args), e.type().scalar);
        },
        [&](const ir::Cast& n) {
          const double value = value_of(n.value);
          return ir::is_int(e.type().scalar) ? wrap(std::trunc(value), e.type().scalar) : value;
        },
        [&](const ir::Load& n) { return load(n); },
        [](const ir::Ramp&) -> double { fail("a task has no vectors"); },
        [](const ir::Broadcast&) -> double { fail("a task has no vectors"); });
  }

  double load(const ir::Load& n) {
    const std::vector<std::int64_t>& shape = n.buffer->shape;
    check(shape.size() == n.index.size(), "a read has one index a dimension");
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const auto at = static_cast<std::int64_t>(value_of(n.index[d]));
      if (at < 0 || at >= shape[d]) {
        fail(fmt::format("{}: index {} of dimension {} is outside [0, {})", n.buffer->name, at, d,
                         shape[d]));
      }
      offset = offset * shape[d] + at;
    }
    return get(n.buffer)[static_cast<std::size_t>(offset)];
  }

  std::unordered_map<const ir::Node*, double> variables_;
  std::unordered_map<const ir::BufferNode*, std::vector<double>> tensors_;
};

}  // namespace

std::vector<std::vector<double>> evaluate(const Task& task,
                                          const std::vector<std::vector<double>>& inputs) {
  Evaluation evaluation;
  std::size_t next = 0;
  for (const Op& op : task.ops) {
    if (!op.is_placeholder()) {
      evaluation.compute(op);
      continue;
    }
    check(next < inputs.size(), "every placeholder has its values");
    evaluation.set(op.output(), inputs[next++]);
  }
  check(next == inputs.size(), "every input has a placeholder");
  std::vector<std::vector<double>> outputs;
  for (const int op : task.outputs()) {
    for (const ir::Buffer& buffer : task.ops[static_cast<std::size_t>(op)].outputs) {
      outputs.push_back(evaluation.get(buffer));
    }
  }
  return outputs;
}

}  // namespace hone::task
