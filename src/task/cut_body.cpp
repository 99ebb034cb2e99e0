#include "task/cut_body.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/error.h"
#include "ir/lexer.h"
#include "task/text_line.h"
#include "task/winograd.h"

namespace hone::task {
namespace {

// What stands before the cut: "name(ax0, ax1) = (source[ax0, ax1]...", and the whole numbers in it.
struct Head {
  std::string name;
  std::vector<Axis> axes;
  std::string source;  // the first tensor read; empty when there is none
  std::vector<std::int64_t> numbers;
};

Head head_of(std::string_view text, int line_number) {
  Head head;
  ir::Lexer lexer(text, line_number);
  head.name = lexer.expect_name("the name of an op");
  lexer.expect("(");
  do head.axes.push_back({ir::variable(std::string(lexer.expect_name("the name of an axis"))), 0});
  while (lexer.accept(","));
  lexer.expect(")");
  ir::Token before;
  for (ir::Token token = lexer.next(); token.kind != ir::Token::Kind::End; token = lexer.next()) {
    if (token.text == "[" && before.kind == ir::Token::Kind::Name && head.source.empty())
      head.source = before.text;
    if (token.kind == ir::Token::Kind::Number && token.text.size() < 5 &&
        token.text.find_first_not_of("0123456789") == std::string_view::npos) {
      head.numbers.push_back(std::stoll(std::string(token.text)));
    }
    before = token;
  }
  return head;
}

ir::Expr source_at_axes(const Head& head) {
  std::vector<ir::Expr> index;
  for (const Axis& axis : head.axes) index.push_back(axis.var);
  return ir::load(ir::make_buffer(head.source, ir::kF32, {}), index);
}

// "A(i, j) = select(((floormod(i, 6) == 5) && (floormod(j, 4) == 3)), ...": 6 points for tiles of 4 (A)
// or for kernels of 4 (G); B is square. Which of them it is only the name tells.
std::optional<ir::Expr> winograd_matrix(const Head& head) {
  if (head.axes.size() != 2 || head.numbers.size() < 3 || !head.source.empty()) return std::nullopt;
  const std::int64_t points = head.numbers[0], columns = head.numbers[2];
  if (columns < 1 || columns > points || points > kMaxWinogradRows) return std::nullopt;
  const int other = static_cast<int>(points - columns + 1);
  const auto body = [&](const Matrix& matrix) {
    return look_up(matrix, head.axes[0].var, head.axes[1].var, ir::kF32);
  };
  if (head.name == "A") return body(winograd_matrices(static_cast<int>(columns), other).a);
  if (head.name == "G") return body(winograd_matrices(other, static_cast<int>(columns)).g);
  if (head.name == "B" && other == 1) return body(winograd_matrices(1, static_cast<int>(points)).b);
  return std::nullopt;
}

// exp(x) as 2^n times a polynomial of the rest, by Cephes.
std::optional<ir::Expr> fast_exp(const Head& head) {
  if (head.source.empty()) return std::nullopt;
  constexpr std::array<double, 6> kPolynomial = {1.9875691500E-4, 1.3981999507E-3, 8.3334519073E-3,
                                                 4.1665795894E-2, 1.6666665459E-1, 5.0000001201E-1};
  constexpr double kHighest = 88.3762626647950, kLog2E = 1.44269504088896341, kLn2 = 0.6931471805599453;
  const auto number = [](double value) { return ir::float_imm(value); };
  const ir::Type i32{ir::Scalar::I32, 1};
  const ir::Expr given = source_at_axes(head);
  const ir::Expr x = ir::max(ir::min(given, number(kHighest)), number(-kHighest));
  const ir::Expr n = ir::call(ir::Function::Floor, {x * number(kLog2E) + number(0.5)});
  const ir::Expr rest = x - n * number(kLn2);
  ir::Expr y = number(kPolynomial[0]);
  for (std::size_t i = 1; i < kPolynomial.size(); ++i) y = y * rest + number(kPolynomial[i]);
  y = y * rest * rest + rest + number(1);
  const ir::Expr exponent =
      ir::call(ir::Function::ShiftLeft, {ir::cast(i32, n + number(127)), ir::int_imm(23, i32)});
  const ir::Expr power = ir::make(ir::kF32, ir::Call{ir::Function::Reinterpret, {exponent}});
  return ir::max(power * y, given);
}

// tanh(x) as a quotient of polynomials, by Eigen; x lies within -9 and 9.
std::optional<ir::Expr> fast_tanh(const Head& head) {
  if (head.source.empty()) return std::nullopt;
  constexpr std::array<double, 7> kUpper = {
      -2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-08,
      1.48572235717979e-05,  6.37261928875436e-04, 4.89352455891786e-03};
  constexpr std::array<double, 4> kLower = {1.19825839466702e-06, 1.18534705686654e-04,
                                            2.26843463243900e-03, 4.89352518554385e-03};
  const ir::Expr x = source_at_axes(head);
  const auto polynomial = [&](const auto& coefficients) {
    ir::Expr sum = ir::float_imm(coefficients[0]);
    for (std::size_t i = 1; i < coefficients.size(); ++i)
      sum = x * x * sum + ir::float_imm(coefficients[i]);
    return sum;
  };
  return x * polynomial(kUpper) / polynomial(kLower);
}

// The sum reads in[.., start(ax) + window, ..]; what it is divided by is start(ax + 1) - start(ax) in
// every such dimension, where a start that does not divide is rounded up.
std::optional<ir::Expr> adaptive_average(const Head& head, const std::vector<Op>& earlier) {
  const Op* sum = nullptr;
  for (const Op& op : earlier) {
    if (op.name() == head.source && op.axes.size() == head.axes.size()) sum = &op;
  }
  const auto* read = sum && !sum->is_placeholder() ? sum->body.front().as<ir::Load>() : nullptr;
  if (!read || sum->reducer != Reducer::Sum) return std::nullopt;
  ir::Expr divisor;
  for (const ir::Expr& index : read->index) {
    const auto* window = index.as<ir::Binary>();
    if (!window || window->op != ir::BinaryOp::Add) continue;
    for (std::size_t d = 0; d < head.axes.size(); ++d) {
      if (!ir::uses(window->a, sum->axes[d].var)) continue;
      const ir::Expr axis = head.axes[d].var;
      const ir::Expr start = ir::substitute(window->a, {{sum->axes[d].var.get(), axis}});
      const ir::Expr end = ir::substitute(window->a, {{sum->axes[d].var.get(), axis + 1}});
      const auto* quotient = end.as<ir::Binary>();
      const bool may_round = quotient && quotient->op == ir::BinaryOp::FloorDiv;
      const ir::Expr is_exact =
          may_round ? ir::eq(ir::floor_mod(quotient->a, quotient->b), 0) : ir::bool_imm(true);
      const ir::Expr size = ir::cast(ir::kF32, ir::select(is_exact, end, end + 1) - start);
      divisor = divisor ? divisor * size : size;
    }
  }
  if (!divisor) return std::nullopt;
  return source_at_axes(head) / divisor;
}

}  // namespace

bool is_cut(std::string_view line) { return line.find(kOmitted) != std::string_view::npos; }

std::string restore_cut_line(std::string_view line, int line_number, const std::vector<Op>& earlier) {
  const Head head = head_of(line.substr(0, line.find(kOmitted)), line_number);
  for (const auto& body :
       {winograd_matrix(head), adaptive_average(head, earlier), fast_exp(head), fast_tanh(head)}) {
    if (!body) continue;
    Op op;
    op.outputs = {ir::make_buffer(head.name, ir::kF32, {})};
    op.axes = head.axes;
    op.body = {*body};
    std::string as_tvm = lines_of(op, Form::SixDigits);
    as_tvm.pop_back();
    if (cut(as_tvm) == line) return lines_of(op, Form::Exact);
  }
  throw UserError(
      fmt::format("line {}: the body of {} is cut in the middle, and it is none of those known to hone",
                  line_number, head.name),
      "print the task without TVM's limit on the length of a line");
}

}  // namespace hone::task
