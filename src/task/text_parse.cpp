// Reads tasks in TVM's syntax.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "ir/parse_expr.h"
#include "task/cut_body.h"
#include "task/key.h"
#include "task/shape.h"
#include "task/text.h"
#include "task/text_facts.h"
#include "task/text_line.h"
#include "task/text_reads.h"

namespace hone::task {
namespace {

// More than any network needs, and little enough that no text exhausts memory or the stack.
constexpr std::size_t kMaxLines = 1024, kMaxLineLength = 16384, kMaxRank = 32;
constexpr std::size_t kLongLine = 1024;  // printed with all brackets it may pass the limit
constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

struct Line {
  std::string text;
  int number;
};

// After "[": the numbers up to "]".
std::vector<std::int64_t> number_list(ir::Lexer& lexer, std::int64_t least) {
  std::vector<std::int64_t> numbers;
  if (lexer.accept("]")) return numbers;
  do {
    const ir::Token where = lexer.peek();
    numbers.push_back(ir::parse_int(lexer));
    if (numbers.back() < least || numbers.back() > kMaxElements || numbers.size() > kMaxRank) {
      ir::Lexer::fail(where, "expected a size that fits into memory");
    }
  } while (lexer.accept(","));
  lexer.expect("]");
  return numbers;
}

// One op, from one line or, with two outputs, from two. Its computed buffers have no shape yet: extents
// are 0.
class OpParser {
 public:
  OpParser(const Line& line, ReadResolver& resolver, const OpFacts* facts)
      : line_(line), lexer_(line.text, line.number), resolver_(resolver), facts_(facts) {}

  Op run() {
    const ir::Token where = lexer_.peek();
    name_ = lexer_.expect_name("the name of an op");
    if (facts_ && facts_->name != name_)
      ir::Lexer::fail(where, fmt::format("expected the op {}", facts_->name));
    if (lexer_.accept("=")) {
      placeholder(where);
    } else {
      computed();
    }
    if (lexer_.peek().kind != ir::Token::Kind::End) lexer_.fail("expected the end of the line");
    return std::move(op_);
  }

  // The line of the second output that must follow; empty when there is only one.
  const std::string& second_line() const { return second_line_; }

 private:
  void placeholder(const ir::Token& where) {
    lexer_.expect("PLACEHOLDER");
    lexer_.expect("[");
    std::vector<std::int64_t> shape = number_list(lexer_, 1);
    if (facts_ && facts_->shape != shape) ir::Lexer::fail(where, "the context gives another shape");
    ir::Type type = ir::kF32;
    if (lexer_.peek().kind == ir::Token::Kind::Name && lexer_.peek().text != "strides") {
      const auto given = ir::parse_type(lexer_.peek().text);
      if (!given || given->lanes != 1) lexer_.fail("expected the type of an element");
      type = *given;
      lexer_.next();
    }
    std::vector<std::int64_t> strides = strides_of(shape.size());
    op_.outputs = {
        ir::make_buffer(name_, type, std::move(shape), ir::Scope::Global, std::move(strides))};
  }

  std::vector<std::int64_t> strides_of(std::size_t rank) {
    if (!lexer_.accept("strides")) return {};
    lexer_.expect("[");
    std::vector<std::int64_t> strides = number_list(lexer_, 0);
    if (strides.size() != rank) lexer_.fail(fmt::format("expected {} strides before this", rank));
    return strides;
  }

  void computed() {
    axes();
    const bool has_two_outputs = lexer_.accept(".");
    if (has_two_outputs) lexer_.expect("v0");
    const std::vector<std::int64_t> strides = strides_of(op_.axes.size());
    sign(has_two_outputs);
    if (facts_ && op_.reducer != Reducer::None) {
      for (const auto& [name, extent] : facts_->reduce)
        op_.reduce_axes.push_back({ir::variable(name), extent});
    }
    body(has_two_outputs);
    if (op_.reducer != Reducer::None && op_.reduce_axes.empty())
      lexer_.fail("expected a body with a reduce axis");
    for (std::size_t i = 0; i < op_.body.size(); ++i) {
      const ir::Type type = op_.body[i].type();
      if (type.lanes != 1) lexer_.fail("expected one element, not a vector, before this");
      std::string name = has_two_outputs ? fmt::format("{}.v{}", name_, i) : name_;
      op_.outputs.push_back(ir::make_buffer(std::move(name), type,
                                            std::vector<std::int64_t>(op_.axes.size(), 0),
                                            ir::Scope::Global, strides));
    }
  }

  void axes() {
    lexer_.expect("(");
    if (!lexer_.accept(")")) {
      do {
        const ir::Token where = lexer_.peek();
        const std::string name(lexer_.expect_name("the name of an axis"));
        if (find_axis(name)) ir::Lexer::fail(where, "the axes of an op have different names");
        if (op_.axes.size() == kMaxRank) ir::Lexer::fail(where, "too many axes");
        op_.axes.push_back({ir::variable(name), 0});
      } while (lexer_.accept(","));
      lexer_.expect(")");
    }
    if (!facts_) return;
    if (facts_->shape.size() != op_.axes.size())
      lexer_.fail("the context gives another number of axes");
    for (std::size_t d = 0; d < op_.axes.size(); ++d) op_.axes[d].extent = facts_->shape[d];
  }

  // "=", "+=", "max=", ..., or the whole combiner of arg-max and arg-min.
  void sign(bool has_two_outputs) {
    const std::size_t at = static_cast<std::size_t>(lexer_.peek().text.data() - line_.text.data());
    const std::string_view rest = std::string_view(line_.text).substr(at);
    for (int i = 0; i <= static_cast<int>(Reducer::ArgMin); ++i) {
      op_.reducer = static_cast<Reducer>(i);
      if ((op_.reducer >= Reducer::ArgMax) != has_two_outputs) continue;
      const std::string text = reduction_sign(op_, 0);
      if (!rest.starts_with(text) || (rest.size() > text.size() && rest[text.size()] != ' ')) continue;
      body_ = rest.substr(text.size());
      while (lexer_.peek().text.data() < body_.data()) lexer_.next();
      if (has_two_outputs) second_line_ = second_output_line();
      return;
    }
    lexer_.fail(has_two_outputs ? "expected an arg-max or arg-min"
                                : "expected `=`, `+=`, `max=`, `min=` or `prod=`");
  }

  std::string second_output_line() const {
    std::vector<std::string_view> names;
    for (const Axis& axis : op_.axes) names.push_back(ir::name_of(axis.var));
    return fmt::format("{}({}).v1 {}{}", name_, fmt::join(names, ", "), reduction_sign(op_, 1), body_);
  }

  void body(bool has_two_outputs) {
    const std::vector<ir::Buffer> buffers = resolver_.resolve(reads_in(lexer_));
    std::size_t next = 0;
    const ir::ExprScope scope{[&](std::string_view name) { return variable(name); },
                              [&](std::string_view) { return buffers.at(next++); }};
    if (has_two_outputs) lexer_.expect("(");
    op_.body.push_back(ir::parse_expr(lexer_, scope));
    if (!has_two_outputs) return;
    lexer_.expect(",");
    op_.body.push_back(ir::parse_expr(lexer_, scope));
    lexer_.expect(")");
  }

  const Axis* find_axis(std::string_view name) const {
    for (const std::vector<Axis>* axes : {&op_.axes, &op_.reduce_axes}) {
      const auto found =
          std::ranges::find_if(*axes, [&](const Axis& axis) { return ir::name_of(axis.var) == name; });
      if (found != axes->end()) return &*found;
    }
    return nullptr;
  }

  // What is no axis of a reduction's output is a reduce axis.
  std::optional<ir::Expr> variable(std::string_view name) {
    if (const Axis* axis = find_axis(name)) return axis->var;
    if (op_.reducer == Reducer::None || facts_ || op_.reduce_axes.size() == kMaxRank)
      return std::nullopt;
    op_.reduce_axes.push_back({ir::variable(std::string(name)), 0});
    return op_.reduce_axes.back().var;
  }

  const Line& line_;
  ir::Lexer lexer_;
  ReadResolver& resolver_;
  const OpFacts* facts_;
  std::string name_;
  std::string_view body_;
  std::string second_line_;
  Op op_;
};

std::vector<Line> lines_in(std::string_view text) {
  std::vector<Line> lines;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (line.size() > kMaxLineLength || lines.size() == kMaxLines) {
      throw UserError(fmt::format("line {}: too long for a task", number));
    }
    lines.push_back({std::string(line), number});
  }
  return lines;
}

std::vector<Op> parse_ops(std::vector<Line> lines, const ParseContext& context) {
  std::vector<Op> ops;
  ReadResolver resolver;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Line& line = lines[i];
    if (is_cut(line.text)) line.text = restore_cut_line(line.text, line.number, ops);
    const bool has_facts = ops.size() < context.ops.size();
    OpParser parser(line, resolver, has_facts ? &context.ops[ops.size()] : nullptr);
    ops.push_back(parser.run());
    if (line.text.size() > kLongLine && lines_of(ops.back(), Form::Exact).size() > kMaxLineLength) {
      throw UserError(fmt::format("line {}: too long for a task", line.number));
    }
    resolver.add(ops.back());
    if (parser.second_line().empty()) continue;
    ++i;
    if (i == lines.size() || lines[i].text != parser.second_line()) {
      throw UserError(fmt::format("line {}: expected `{}`", line.number + 1, parser.second_line()));
    }
  }
  if (ops.empty() || ops.back().is_placeholder()) throw UserError("a task ends with a computed op");
  if (!context.ops.empty() && context.ops.size() != ops.size()) {
    throw UserError(fmt::format("the text has {} ops, the context {}", ops.size(), context.ops.size()));
  }
  for (const std::size_t op : resolver.unread()) {
    if (ops[op].is_placeholder())
      throw UserError(fmt::format("nobody reads the placeholder {}", ops[op].name()));
  }
  return ops;
}

// Outputs have the last shapes of the key.
void use_key(Task& task) {
  const auto given = sizes_in_key(task.workload_key);
  if (!given) return;
  std::vector<std::int64_t> sizes = *given;
  const std::vector<int> outputs = task.outputs();
  for (auto output = outputs.rbegin(); output != outputs.rend(); ++output) {
    Op& op = task.ops[static_cast<std::size_t>(*output)];
    for (std::size_t copy = 0; copy < op.outputs.size(); ++copy) {
      if (sizes.size() < op.axes.size())
        throw UserError("the workload key has other outputs than the text");
      for (auto axis = op.axes.rbegin(); axis != op.axes.rend(); ++axis) {
        if (axis->extent != 0 && axis->extent != sizes.back()) {
          throw UserError(fmt::format("the workload key gives axis {} of {} the extent {}, not {}",
                                      ir::name_of(axis->var), op.name(), sizes.back(), axis->extent));
        }
        axis->extent = sizes.back();
        sizes.pop_back();
      }
    }
  }
  std::size_t n_input_sizes = 0;
  for (const int input : task.placeholders()) {
    n_input_sizes += task.ops[static_cast<std::size_t>(input)].output()->shape.size();
  }
  if (sizes.size() != n_input_sizes) throw UserError("the workload key has other inputs than the text");
}

// Buffers know their shape from their birth, so those of computed ops are made anew.
void give_buffers_shapes(std::vector<Op>& ops) {
  std::unordered_map<const ir::BufferNode*, ir::Buffer> shaped;
  for (Op& op : ops) {
    if (op.is_placeholder()) continue;
    for (ir::Expr& body : op.body) {
      body = ir::rewrite(body, [&](const ir::Expr& e) {
        const auto* load = e.as<ir::Load>();
        const auto found = load ? shaped.find(load->buffer.get()) : shaped.end();
        return found == shaped.end() ? e : ir::load(found->second, load->index);
      });
    }
    std::vector<std::int64_t> shape;
    std::int64_t elements = 1;
    for (const Axis& axis : op.axes) {
      shape.push_back(axis.extent);
      if (axis.extent > kMaxElements / elements)
        throw UserError(fmt::format("{} is too large", op.name()));
      elements *= axis.extent;
    }
    for (ir::Buffer& output : op.outputs) {
      ir::Buffer whole =
          ir::make_buffer(output->name, output->type, shape, output->scope, output->strides);
      shaped[output.get()] = whole;
      output = std::move(whole);
    }
  }
}

// Winograd's matrices are constants, and whoever sums over their rows or columns is to unroll these
// loops.
void find_hints(Task& task) {
  for (Op& op : task.ops) op.hints.const_matrix = constant_matrix_size(op).has_value();
  for (Op& op : task.ops) {
    std::vector<ir::Expr> indices;
    for (const ir::Expr& body : op.body) {
      ir::visit(body, [&](const ir::Expr& e) {
        const auto* load = e.as<ir::Load>();
        if (!load ||
            !task.ops[static_cast<std::size_t>(task.producer(load->buffer))].hints.const_matrix)
          return;
        indices.insert(indices.end(), load->index.begin(), load->index.end());
      });
    }
    if (op.reduce_axes.empty()) continue;
    for (const std::vector<Axis>* axes : {&op.axes, &op.reduce_axes}) {
      for (const Axis& axis : *axes) {
        const auto uses_axis = [&](const ir::Expr& index) { return ir::uses(index, axis.var); };
        if (std::ranges::none_of(indices, uses_axis)) continue;
        op.hints.simplify_const_tensor_indices.emplace_back(ir::name_of(axis.var));
      }
    }
  }
}

}  // namespace

Task parse(std::string_view text, const ParseContext& given) {
  ParseContext context = given;
  FactLines facts;
  std::vector<Line> lines = lines_in(text);
  std::erase_if(lines, [&](const Line& line) {
    const bool is_fact = is_fact_line(line.text);
    if (is_fact) read_fact_line(line.text, facts);
    return is_fact;
  });
  if (context.ops.empty()) context.ops = facts.ops;
  Task task;
  task.workload_key = context.workload_key;
  task.ops = parse_ops(lines, context);
  task.name = task.ops.back().name();
  use_key(task);
  infer_extents(task.ops);
  give_buffers_shapes(task.ops);
  find_hints(task);
  apply_hints(facts, task);
  task.ops = in_stage_order(std::move(task.ops));
  return task;
}

}  // namespace hone::task
