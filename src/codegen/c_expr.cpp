// Expressions as C.
#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "codegen/c_emit.h"
#include "ir/number.h"

namespace hone::codegen {

using ir::BinaryOp;
using ir::Function;
using ir::Scalar;

namespace {

// Empty for operators that C has not.
std::string_view c_operator(BinaryOp op, bool is_float) {
  switch (op) {
    case BinaryOp::Add:
      return "+";
    case BinaryOp::Sub:
      return "-";
    case BinaryOp::Mul:
      return "*";
    case BinaryOp::Div:
      return "/";
    case BinaryOp::Mod:
      return is_float ? "" : "%";
    case BinaryOp::Eq:
      return "==";
    case BinaryOp::Ne:
      return "!=";
    case BinaryOp::Lt:
      return "<";
    case BinaryOp::Le:
      return "<=";
    case BinaryOp::Gt:
      return ">";
    case BinaryOp::Ge:
      return ">=";
    case BinaryOp::And:
      return "&";
    case BinaryOp::Or:
      return "|";
    default:
      return "";
  }
}

bool is_compare(BinaryOp op) { return op >= BinaryOp::Eq && op <= BinaryOp::Ge; }

bool has_load(const ir::Expr& e) {
  bool found = false;
  ir::visit(e, [&](const ir::Expr& part) { found |= part.as<ir::Load>() != nullptr; });
  return found;
}

bool is_plain(ir::Type type) {  // the same in memory as in a value
  return type.lanes == 1 && type.scalar != Scalar::Bool && !is_small_float(type);
}

std::string int_literal(std::int64_t value, ir::Type type) {
  if (type.scalar == Scalar::Bool || type == ir::kIndex) return fmt::format("{}", value);
  if (type.scalar == Scalar::U64) return fmt::format("{}u", static_cast<std::uint64_t>(value));
  return fmt::format("({}){}", memory_type(type.scalar), value);
}

}  // namespace

// Without the parentheses around the whole.
std::string_view bare(std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')')) return text;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text;  // the first one closes before the end
  }
  return text.substr(1, text.size() - 2);
}

void CEmitter::begin_statement(std::initializer_list<ir::Expr> roots) {
  uses_.clear();
  computed_.clear();
  alive_.clear();
  for (const ir::Expr& root : roots) count_uses(root);
}

void CEmitter::count_uses(const ir::Expr& e) {
  if (++uses_[e.get()] > 1) return;
  ir::map_children(e, [&](const ir::Expr& child) {
    count_uses(child);
    return child;
  });
}

// What a statement uses more than once gets a name before it, unless it is computed only when chosen.
std::string CEmitter::value(const ir::Expr& e) {
  if (const auto* imm = e.as<ir::IntImm>()) return int_literal(imm->value, e.type());
  if (const auto* imm = e.as<ir::FloatImm>()) return float_literal(imm->value, e.type().scalar);
  if (e.as<ir::Variable>()) {
    const auto found = names_.find(e.get());
    if (found == names_.end()) fail(fmt::format("variable {} is not defined here", ir::name_of(e)));
    return found->second;
  }
  const auto known = computed_.find(e.get());
  if (known != computed_.end()) return known->second;
  std::string text = fresh_value(e);
  const auto uses = uses_.find(e.get());
  if (lazy_depth_ > 0 || uses == uses_.end() || uses->second < 2) return text;
  const std::string name = unit_.fresh_name("t");
  line(fmt::format("const {} {} = {};", unit_.type(e.type()), name, bare(text)));
  computed_[e.get()] = name;
  return name;
}

std::string CEmitter::fresh_value(const ir::Expr& e) {
  return ir::match(
      e, [&](const ir::IntImm&) { return value(e); }, [&](const ir::FloatImm&) { return value(e); },
      [&](const ir::Variable&) { return value(e); },
      [&](const ir::Not& n) { return fmt::format("{}{}", e.type().lanes > 1 ? '~' : '!', value(n.a)); },
      [&](const ir::Binary& n) { return binary_value(e, n); },
      [&](const ir::Select& n) { return select_value(e, n); },
      [&](const ir::Call& n) { return call_value(e, n); },
      [&](const ir::Cast& n) { return cast_value(e, n); },
      [&](const ir::Load& n) { return load_value(e, n); },
      [&](const ir::Ramp&) {
        return vector_of(e.type(), [&](int lane) { return value(lane_expr(e, lane)); });
      },
      [&](const ir::Broadcast& n) {
        return fmt::format("{}({})", unit_.splat(e.type()), value(n.value));
      });
}

std::string CEmitter::vector_of(ir::Type type, const std::function<std::string(int)>& element) {
  std::string lanes;
  for (int lane = 0; lane < type.lanes; ++lane) {
    lanes += fmt::format("{}{}{}", lane == 0 ? "" : ", ", type.scalar == Scalar::Bool ? "-" : "",
                         element(lane));
  }
  return fmt::format("({}){{{}}}", unit_.type(type), lanes);
}

std::string CEmitter::binary_value(const ir::Expr& e, const ir::Binary& n) {
  const ir::Type type = n.a.type();
  const std::string x = value(n.a), y = value(n.b);
  std::string_view sign = c_operator(n.op, ir::is_float(type.scalar));
  const bool floors = n.op == BinaryOp::FloorDiv || n.op == BinaryOp::FloorMod;
  if (floors && type == ir::kIndex && ir::as_int(n.b).value_or(0) > 0 &&
      ir::bounds(n.a, ranges_).min >= 0) {
    sign = n.op == BinaryOp::FloorDiv ? "/" : "%";
  }
  const bool is_exact = n.op >= BinaryOp::Min;  // gives one of its operands, or a bool
  std::string result;
  if (sign.empty()) {
    result = fmt::format("{}({}, {})", unit_.binary(n.op, type), x, y);
  } else {
    result = fmt::format("({} {} {})", x, sign, y);
    if (is_compare(n.op) && type.lanes > 1) {
      result = fmt::format("__builtin_convertvector({}, {})", result, unit_.type(e.type()));
    }
    // C computes small integers in int.
    if (ir::is_int(e.type().scalar) && ir::bits(type.scalar) < 32 && type.lanes == 1) {
      result = fmt::format("({}){}", memory_type(type.scalar), result);
    }
  }
  return is_small_float(type) && !is_exact ? fmt::format("{}({})", unit_.round(type), result) : result;
}

std::string CEmitter::select_value(const ir::Expr& e, const ir::Select& n) {
  const bool by_lane = n.condition.type().lanes > 1;
  if (by_lane && n.lazy && (has_load(n.then_value) || has_load(n.else_value))) return lane_by_lane(e);
  const std::string condition = value(n.condition);
  lazy_depth_ += n.lazy ? 1 : 0;
  const std::string then_value = value(n.then_value), else_value = value(n.else_value);
  lazy_depth_ -= n.lazy ? 1 : 0;
  if (by_lane)
    return fmt::format("{}({}, {}, {})", unit_.select(e.type()), condition, then_value, else_value);
  return fmt::format("({} ? {} : {})", condition, then_value, else_value);
}

std::string CEmitter::call_value(const ir::Expr& e, const ir::Call& n) {
  std::vector<std::string> args;
  for (const ir::Expr& arg : n.args) args.push_back(value(arg));
  const ir::Type type = n.args.front().type();
  std::string result;
  switch (n.function) {
    case Function::Reinterpret:
      return fmt::format("{}({})", unit_.reinterpret(e.type(), type), args[0]);
    case Function::ShiftLeft:
    case Function::ShiftRight:
      result =
          fmt::format("({} {} {})", args[0], n.function == Function::ShiftLeft ? "<<" : ">>", args[1]);
      return type.lanes == 1 ? fmt::format("({}){}", memory_type(type.scalar), result) : result;
    case Function::Fma:
      result = fmt::format("({} * {} + {})", args[0], args[1], args[2]);
      break;
    case Function::Pow:
      result = fmt::format("{}({}, {})", unit_.call(n.function, type), args[0], args[1]);
      break;
    default:
      if (n.function == Function::Abs && ir::is_unsigned_int(type.scalar)) return args[0];
      result = fmt::format("{}({})", unit_.call(n.function, type), args[0]);
  }
  return is_small_float(type) ? fmt::format("{}({})", unit_.round(type), result) : result;
}

std::string CEmitter::cast_value(const ir::Expr& e, const ir::Cast& n) {
  const ir::Type from = n.value.type();
  const std::string x = value(n.value);
  const bool may_overflow = ir::is_float(from.scalar) && ir::is_int(e.type().scalar);
  if (is_plain(e.type()) && !may_overflow) return fmt::format("({}){}", unit_.type(e.type()), x);
  const std::string converted = fmt::format("{}({})", unit_.cast(e.type(), from), x);
  return is_small_float(e.type()) ? fmt::format("{}({})", unit_.round(e.type()), converted) : converted;
}

std::string CEmitter::offset(const ir::Linear& linear) {
  std::string sum;
  const auto add = [&](bool negative, const std::string& part) {
    if (sum.empty()) {
      sum = (negative ? "-" : "") + part;
    } else {
      sum += (negative ? " - " : " + ") + part;
    }
  };
  for (const ir::Linear::Term& term : linear.terms) {
    const std::string atom = value(term.atom);
    const std::int64_t factor = std::abs(term.coefficient);
    add(term.coefficient < 0, factor == 1 ? atom : fmt::format("{} * {}", atom, factor));
  }
  if (linear.constant != 0 || sum.empty()) {
    add(linear.constant < 0, fmt::format("{}", std::abs(linear.constant)));
  }
  return sum;
}

std::string CEmitter::place(const ir::BufferNode& buffer, const ir::Linear& linear) {
  const auto found = names_.find(&buffer);
  if (found == names_.end()) fail(fmt::format("buffer {} is not known here", buffer.name));
  return fmt::format("{}[{}]", found->second, offset(linear));
}

std::string CEmitter::load_at(const ir::BufferNode& buffer, const ir::Linear& linear, ir::Type type) {
  const std::string element = place(buffer, linear);
  return is_plain(type) ? element : fmt::format("{}(&{})", unit_.load(type), element);
}

void CEmitter::store_at(const ir::BufferNode& buffer, const ir::Linear& linear, ir::Type type,
                        const std::string& stored) {
  const std::string element = place(buffer, linear);
  line(is_plain(type) ? fmt::format("{} = {};", element, bare(stored))
                      : fmt::format("{}(&{}, {});", unit_.store(type), element, bare(stored)));
}

std::string CEmitter::register_name(const ir::BufferNode& buffer, const std::vector<ir::Expr>& index) {
  const auto access = find_access(buffer, index, ranges_);
  if (!access || !access->offset.terms.empty() || access->lane_stride != 0) {
    fail(fmt::format("register buffer {} is indexed by constants only", buffer.name));
  }
  return registers_.at(&buffer).at(static_cast<std::size_t>(access->offset.constant));
}

std::string CEmitter::load_value(const ir::Expr& e, const ir::Load& n) {
  const ir::BufferNode& buffer = *n.buffer;
  if (buffer.scope == ir::Scope::Register) return register_name(buffer, n.index);
  const auto access = find_access(buffer, n.index, ranges_);
  if (!access) return lane_by_lane(e);
  if (e.type().lanes == 1 || access->lane_stride == 1) return load_at(buffer, access->offset, e.type());
  if (access->lane_stride == 0) {
    return fmt::format("{}({})", unit_.splat(e.type()), load_at(buffer, access->offset, buffer.type));
  }
  return vector_of(e.type(), [&](int lane) {
    return load_at(buffer, shifted(access->offset, lane * access->lane_stride), buffer.type);
  });
}

ir::Expr CEmitter::lane_expr(const ir::Expr& e, int lane) {
  const Extract extract = [&](const ir::Expr& vector, int l) {
    ir::Expr name = ir::variable("lane", vector.type().element());
    const bool is_bool = vector.type().scalar == Scalar::Bool;
    names_[name.get()] = fmt::format("{}{}[{}]", is_bool ? "-" : "", value(vector), l);
    return name;
  };
  alive_.push_back(lane_of(e, lane, extract));
  return alive_.back();
}

std::string CEmitter::lane_by_lane(const ir::Expr& e) {
  return vector_of(e.type(), [&](int lane) { return value(lane_expr(e, lane)); });
}

}  // namespace hone::codegen
