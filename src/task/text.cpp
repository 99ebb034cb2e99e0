#include "task/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "base/error.h"
#include "ir/notation.h"
#include "ir/print.h"
#include "task/text_facts.h"
#include "task/text_line.h"

namespace hone::task {
namespace {

constexpr std::size_t kWidestLine = 256;

ir::Expr with_six_digits(const ir::Expr& e) {
  return ir::rewrite(e, [](const ir::Expr& part) {
    const auto* number = part.as<ir::FloatImm>();
    if (!number) return part;
    return ir::float_imm(std::strtod(fmt::format("{:.6g}", number->value).c_str(), nullptr),
                         part.type());
  });
}

// TVM calls a function Op(tir.exp) where it names it without arguments.
std::string function_of(const ir::Expr& body) {
  const auto* selection = body.as<ir::Select>();
  if (selection && selection->lazy) return "Op(tir.if_then_else)";
  const auto* call = body.as<ir::Call>();
  return call ? fmt::format("Op({}{})", ir::kFunctionPrefix, ir::name_of(call->function)) : "";
}

std::string body_text(const ir::Expr& body, Form form) {
  return ir::print(form == Form::Exact ? body : with_six_digits(body));
}

std::string strides_text(const ir::BufferNode& buffer) {
  const bool is_dense =
      ir::strides_of(buffer) == ir::strides_of({"", buffer.type, buffer.shape, {}, buffer.scope});
  return is_dense ? "" : fmt::format(" strides [{}]", fmt::join(buffer.strides, ", "));
}

std::string placeholder_line(const Op& op, Form form) {
  const ir::BufferNode& buffer = *op.output();
  std::string line = buffer.name + " = PLACEHOLDER ";
  if (form != Form::Simple) line += fmt::format("[{}]", fmt::join(buffer.shape, ", "));
  if (form == Form::Exact && buffer.type != ir::kF32) line += " " + ir::to_string(buffer.type);
  if (form == Form::Exact) line += strides_text(buffer);
  return line + '\n';
}

// "name(i, j)", or "name(i, j).v0" for one of two outputs.
std::string head_text(const Op& op, std::size_t output) {
  std::vector<std::string_view> axes;
  for (const Axis& axis : op.axes) axes.push_back(ir::name_of(axis.var));
  return fmt::format("{}({}){}", text_name(op), fmt::join(axes, ", "),
                     op.outputs.size() > 1 ? fmt::format(".v{}", output) : "");
}

std::string value_text(const Op& op, std::size_t output, Form form) {
  if (op.outputs.size() > 1) {
    return fmt::format("({},{})", body_text(op.body[0], form), body_text(op.body[1], form));
  }
  const std::string function = form == Form::Simple ? function_of(op.body[output]) : "";
  return function.empty() || op.reducer != Reducer::None ? body_text(op.body[output], form) : function;
}

}  // namespace

std::string text_name(const Op& op) {
  if (op.outputs.size() == 1) return op.name();
  check(op.name().ends_with(".v0"), "outputs of an op with two are named name.v0 and name.v1");
  return op.name().substr(0, op.name().size() - 3);
}

std::string reduction_sign(const Op& op, std::size_t output) {
  switch (op.reducer) {
    case Reducer::None:
      return "=";
    case Reducer::Sum:
      return "+=";
    case Reducer::Max:
      return "max=";
    case Reducer::Min:
      return "min=";
    case Reducer::Prod:
      return "prod=";
    case Reducer::ArgMax:
    case Reducer::ArgMin:
      break;
  }
  std::vector<ir::Expr> left, right;
  for (std::size_t i = 0; i < 2; ++i) {
    left.push_back(ir::variable(fmt::format("lhs_{}", i)));
    right.push_back(ir::variable(fmt::format("rhs_{}", i)));
  }
  return ir::print(combine(op.reducer, left, right)[output]) + '=';
}

std::string lines_of(const Op& op, Form form) {
  if (op.is_placeholder()) return placeholder_line(op, form);
  std::string lines;
  for (std::size_t output = 0; output < op.outputs.size(); ++output) {
    lines += head_text(op, output);
    if (form == Form::Exact) lines += strides_text(*op.outputs[output]);
    if (form == Form::Simple && op.reducer == Reducer::Prod) {
      lines += "reduce(x*y)\n";  // TVM knows no sign for it and leaves out what is multiplied
    } else {
      lines += fmt::format(" {} {}\n", reduction_sign(op, output), value_text(op, output, form));
    }
  }
  return lines;
}

std::string cut(std::string_view line) {
  if (line.size() <= kWidestLine) return std::string(line);
  constexpr std::size_t kSide = kWidestLine / 2;
  return fmt::format("{}{}{}", line.substr(0, kSide), kOmitted, line.substr(line.size() - kSide));
}

std::string print(const Task& task) {
  std::string text;
  for (const Op& op : task.ops) text += lines_of(op, Form::Exact);
  return text;
}

std::string print_as_tvm(const Task& task) {
  std::string text;
  for (const Op& op : task.ops) {
    std::string_view rest;
    const std::string lines = lines_of(op, Form::SixDigits);
    for (rest = lines; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1)) {
      text += cut(rest.substr(0, rest.find('\n'))) + '\n';
    }
  }
  return text;
}

std::string print_whole(const Task& task) { return print(task) + print_facts(task); }

ParseContext context_of(const Task& task) {
  ParseContext context{task.workload_key, {}};
  for (const Op& op : task.ops) {
    OpFacts facts{text_name(op), op.output()->shape, {}};
    for (const Axis& axis : op.reduce_axes)
      facts.reduce.emplace_back(ir::name_of(axis.var), axis.extent);
    context.ops.push_back(std::move(facts));
  }
  return context;
}

}  // namespace hone::task
