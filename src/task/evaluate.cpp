#include "task/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

#include "base/error.h"
#include "ir/arithmetic.h"

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
    case BinaryOp::And:
      return a != 0 && b != 0;
    case BinaryOp::Or:
      return a != 0 || b != 0;
    default:
      return ir::compare(op, a, b);
  }
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

std::int64_t elements_of(const ir::BufferNode& buffer) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : buffer.shape) elements *= extent;
  return elements;
}

// Computes an element when it is first asked for, and with it whatever it reads.
class Evaluation {
 public:
  Evaluation(const Task& task, const InputValue& input) : input_(input) {
    int placeholder = 0;
    for (const Op& op : task.ops) {
      // While an element of one op is computed, others of its producers are: each has its own axes.
      for (const std::vector<Axis>* axes : {&op.axes, &op.reduce_axes}) {
        for (const Axis& axis : *axes) {
          check(variables_.emplace(axis.var.get(), 0).second, "no two ops share an axis");
        }
      }
      for (const ir::Buffer& buffer : op.outputs) {
        Tensor tensor{&op, -1, {}, {}};
        if (op.is_placeholder()) {
          tensor.placeholder = placeholder++;
        } else {
          tensor.values.resize(static_cast<std::size_t>(elements_of(*buffer)));
          tensor.known.resize(tensor.values.size());
        }
        tensors_.emplace(buffer.get(), std::move(tensor));
      }
    }
  }

  double element(const ir::Buffer& buffer, std::int64_t offset) {
    const Tensor& tensor = tensors_.at(buffer.get());
    if (tensor.placeholder >= 0) return input_(tensor.placeholder, offset);
    const auto index = static_cast<std::size_t>(offset);
    check(index < tensor.values.size(), "an element lies in its tensor");
    if (!tensor.known[index]) compute(*tensor.op, offset);
    return tensor.values[index];
  }

 private:
  struct Tensor {
    const Op* op;
    int placeholder;  // its number among them, or -1
    std::vector<double> values;
    std::vector<bool> known;
  };

  void compute(const Op& op, std::int64_t offset) {
    std::int64_t rest = offset;
    for (std::size_t d = op.axes.size(); d-- > 0; rest /= op.axes[d].extent) {
      variables_[op.axes[d].var.get()] = static_cast<double>(rest % op.axes[d].extent);
    }
    const std::vector<double> results = reduce(op);
    for (std::size_t o = 0; o < results.size(); ++o) {
      Tensor& tensor = tensors_.at(op.outputs[o].get());
      tensor.values[static_cast<std::size_t>(offset)] = wrap(results[o], op.outputs[o]->type.scalar);
      tensor.known[static_cast<std::size_t>(offset)] = true;
    }
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
    return element(n.buffer, offset);
  }

  const InputValue& input_;
  std::unordered_map<const ir::Node*, double> variables_;
  std::unordered_map<const ir::BufferNode*, Tensor> tensors_;
};

std::vector<ir::Buffer> output_buffers(const Task& task) {
  std::vector<ir::Buffer> buffers;
  for (const int op : task.outputs()) {
    for (const ir::Buffer& buffer : task.ops[static_cast<std::size_t>(op)].outputs) {
      buffers.push_back(buffer);
    }
  }
  return buffers;
}

}  // namespace

std::vector<std::vector<double>> evaluate(const Task& task,
                                          const std::vector<std::vector<double>>& inputs) {
  const std::vector<int> placeholders = task.placeholders();
  check(inputs.size() == placeholders.size(), "every placeholder has its values");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Op& op = task.ops[static_cast<std::size_t>(placeholders[i])];
    check(static_cast<std::int64_t>(inputs[i].size()) == elements_of(*op.output()),
          "a tensor has one value an element");
  }
  const InputValue input = [&](int placeholder, std::int64_t element) {
    return inputs[static_cast<std::size_t>(placeholder)][static_cast<std::size_t>(element)];
  };
  Evaluation evaluation(task, input);
  std::vector<std::vector<double>> outputs;
  for (const ir::Buffer& buffer : output_buffers(task)) {
    std::vector<double>& values = outputs.emplace_back();
    for (std::int64_t i = 0; i < elements_of(*buffer); ++i)
      values.push_back(evaluation.element(buffer, i));
  }
  return outputs;
}

std::vector<double> evaluate_at(const Task& task, const InputValue& input, int output,
                                const std::vector<std::int64_t>& elements) {
  Evaluation evaluation(task, input);
  const ir::Buffer buffer = output_buffers(task).at(static_cast<std::size_t>(output));
  std::vector<double> values;
  for (const std::int64_t element : elements) values.push_back(evaluation.element(buffer, element));
  return values;
}

}  // namespace hone::task
