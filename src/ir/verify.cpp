#include "ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "ir/arithmetic.h"
#include "ir/lexer.h"
#include "ir/print.h"

namespace hone::ir {
namespace {

// What a load gives and a store takes.
Type accessed_type(const BufferNode& buffer, const std::vector<Expr>& index) {
  const int lanes = index.empty() || !index.back() ? 1 : index.back().type().lanes;
  return lanes > 1 ? buffer.type.with_lanes(lanes) : buffer.type;
}

// Whether the node's type is the one that its operands give; the makers see to it, `make` does not.
bool has_consistent_type(const Expr& e) {
  const Type type = e.type();
  return match(
      e,
      [&](const IntImm& n) {
        return !is_float(type.scalar) && type.lanes == 1 && n.value == wrap_to(type.scalar, n.value);
      },
      [&](const FloatImm&) { return is_float(type.scalar) && type.lanes == 1; },
      [&](const Variable&) { return true; },
      [&](const Not& n) { return type.scalar == Scalar::Bool && n.a.type() == type; },
      [&](const Binary& n) {
        const bool is_logic = n.op == BinaryOp::And || n.op == BinaryOp::Or;
        const Type result = compares(n.op) ? Type{Scalar::Bool, n.a.type().lanes} : n.a.type();
        return n.a.type() == n.b.type() && type == result && (!is_logic || type.scalar == Scalar::Bool);
      },
      [&](const Select& n) {
        const Type condition = n.condition.type();
        return condition.scalar == Scalar::Bool &&
               (condition.lanes == 1 || condition.lanes == type.lanes) && n.then_value.type() == type &&
               n.else_value.type() == type;
      },
      [&](const Call& n) {
        if (n.function == Function::Reinterpret) {
          return n.args.size() == 1 && bits(n.args[0].type().scalar) == bits(type.scalar) &&
                 n.args[0].type().lanes == type.lanes;
        }
        return !n.args.empty() &&
               std::ranges::all_of(n.args, [&](const Expr& arg) { return arg.type() == type; });
      },
      [&](const Cast& n) { return n.value.type().lanes == type.lanes; },
      [&](const Load& n) { return type == accessed_type(*n.buffer, n.index); },
      [&](const Ramp& n) {
        return type.lanes > 1 && is_int(type.scalar) && n.base.type() == type.element() &&
               n.stride.type() == type.element();
      },
      [&](const Broadcast& n) { return type.lanes > 1 && n.value.type() == type.element(); });
}

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  std::vector<std::string> run() {
    for (const Buffer& param : program_.params) {
      if (!param) {
        problems_.emplace_back("a parameter is missing");
      } else if (declare_buffer(param) && param->scope != Scope::Global) {
        report(fmt::format("parameter {} is not global", param->name));
      }
    }
    const auto count = static_cast<std::int32_t>(program_.stmts.size());
    for (position_ = 0; position_ < count; ++position_) {
      close_bodies();
      const Stmt& stmt = program_.stmts[static_cast<std::size_t>(position_)];
      if (!check_body(stmt)) return std::move(problems_);
      checked_.clear();
      hone::match(stmt.kind, [&](const auto& kind) { check_stmt(kind); });
      open_.push_back(&stmt);
      last_closed_ = nullptr;
    }
    return std::move(problems_);
  }

 private:
  void report(const std::string& what) {
    problems_.push_back(fmt::format("statement {}: {}", position_, what));
  }
  void require(bool ok, std::string_view what) {
    if (!ok) report(std::string(what));
  }

  void close_bodies() {
    while (!open_.empty() && open_.back()->end <= position_) {
      last_closed_ = open_.back();
      if (const auto* loop = last_closed_->as<For>()) in_scope_.erase(loop->var.get());
      if (const auto* let = last_closed_->as<Let>()) in_scope_.erase(let->var.get());
      if (const auto* alloc = last_closed_->as<Alloc>()) in_scope_.erase(alloc->buffer.get());
      open_.pop_back();
    }
  }

  // Whether the statement's body lies inside the one around it; nothing after it makes sense otherwise.
  bool check_body(const Stmt& stmt) {
    const std::int32_t outer_end =
        open_.empty() ? static_cast<std::int32_t>(program_.stmts.size()) : open_.back()->end;
    const bool is_leaf = stmt.as<Store>() || stmt.as<Barrier>() || stmt.as<Intrinsic>();
    const bool nests =
        stmt.end > position_ && stmt.end <= outer_end && (!is_leaf || stmt.end == position_ + 1);
    require(nests, "its body does not end inside the body around it");
    return nests;
  }

  void check_stmt(const For& s) {
    if (!s.var || !s.var.as<Variable>() || !s.min || !s.extent)
      return report("a loop lacks its variable or bounds");
    require(s.var.type() == kIndex, "a loop variable is an index");
    check_index(s.min);
    check_index(s.extent);
    if (is_thread_loop(s.kind)) check_thread_loop(s);
    define(s.var);
  }

  void check_thread_loop(const For& s) {
    const auto extent = as_int(s.extent);
    require(is_int(s.min, 0) && extent && *extent > 0,
            "a thread loop runs from 0 to a positive constant");
    for (const Stmt* outer : open_) {
      const auto* loop = outer->as<For>();
      if (!loop) continue;
      require(is_thread_loop(loop->kind) || loop->kind == LoopKind::Serial ||
                  loop->kind == LoopKind::Unrolled,
              "a thread loop stands inside a parallel or vectorised loop");
      require(!is_block_loop(s.kind) || is_block_loop(loop->kind) || !is_thread_loop(loop->kind),
              "a block loop stands inside a thread loop");
    }
  }

  void check_stmt(const Store& s) {
    if (!s.buffer || !s.value) return report("a store lacks its buffer or value");
    check_access(s.buffer, s.index);
    check_expr(s.value);
    require(s.value.type() == accessed_type(*s.buffer, s.index),
            fmt::format("a {} is stored to {} of {}", to_string(s.value.type()), s.buffer->name,
                        to_string(s.buffer->type)));
  }

  void check_stmt(const Alloc& s) {
    if (!s.buffer) return report("an allocation lacks its buffer");
    declare_buffer(s.buffer);
    require(s.buffer->scope != Scope::Global || !inside_thread_loop(),
            "global memory is allocated by a thread");
  }

  void check_stmt(const If& s) { check_condition(s.condition); }

  void check_stmt(const Else&) {
    require(last_closed_ && last_closed_->as<If>() && last_closed_->end == position_,
            "an else does not follow its if");
  }

  void check_stmt(const Let& s) {
    if (!s.var || !s.var.as<Variable>() || !s.value) return report("a let lacks its variable or value");
    check_expr(s.value);
    require(s.var.type() == s.value.type(), "a let gives a value of another type");
    define(s.var);
  }

  void check_stmt(const Barrier& s) {
    require(s.scope == Scope::Shared, "a barrier is one of a block (shared)");
    require(inside_thread_loop(), "a barrier stands outside of thread loops");
  }

  void check_stmt(const Intrinsic& s) {
    require(is_name(s.name), "an intrinsic has a name");
    for (const Expr& arg : s.args) check_expr(arg);
    for (const auto* regions : {&s.reads, &s.writes}) {
      for (const Region& region : *regions) {
        if (!region.buffer) return report("a region lacks its buffer");
        check_use(region.buffer);
        require(region.min.size() == region.buffer->shape.size() &&
                    region.extent.size() == region.min.size(),
                fmt::format("a region has not the rank of {}", region.buffer->name));
        for (const Expr& e : region.min) check_index(e);
        for (const Expr& e : region.extent) check_index(e);
      }
    }
  }

  // A definition never hides another one. Bodies beside each other may define the same variable or
  // buffer: copies of one body, as unrolling makes them, do.
  void define(const Expr& var) {
    require(in_scope_.insert(var.get()).second, fmt::format("{} is defined twice", name_of(var)));
  }
  bool declare_buffer(const Buffer& buffer) {
    require(in_scope_.insert(buffer.get()).second, fmt::format("{} is allocated twice", buffer->name));
    bool is_sound = buffer->strides.empty() || buffer->strides.size() == buffer->shape.size();
    for (const std::int64_t extent : buffer->shape) is_sound &= extent > 0;
    require(is_sound,
            fmt::format("{} has a dimension that is not positive or no stride", buffer->name));
    require(buffer->type.lanes == 1 || buffer->scope == Scope::Register,
            fmt::format("{} holds vectors but is no register buffer", buffer->name));
    return is_sound;
  }
  void check_use(const Buffer& buffer) {
    require(in_scope_.contains(buffer.get()), fmt::format("{} is not allocated here", buffer->name));
  }

  void check_access(const Buffer& buffer, const std::vector<Expr>& index) {
    check_use(buffer);
    require(index.size() == buffer->shape.size(),
            fmt::format("{} has {} dimensions and {} indices", buffer->name, buffer->shape.size(),
                        index.size()));
    for (std::size_t d = 0; d < index.size(); ++d) {
      if (!index[d]) return report("an index is missing");
      check_expr(index[d]);
      const bool may_be_vector = d + 1 == index.size() && buffer->type.lanes == 1;
      require(index[d].type().scalar == Scalar::I64 && (may_be_vector || index[d].type().lanes == 1),
              fmt::format("{} is indexed by a {}", buffer->name, to_string(index[d].type())));
      require(buffer->scope != Scope::Register || index[d].as<IntImm>(),
              fmt::format("{} is a register buffer and indexed by no constant", buffer->name));
    }
  }

  void check_index(const Expr& e) {
    if (!e) return report("an index is missing");
    check_expr(e);
    require(e.type() == kIndex, "an index has another type");
  }
  void check_condition(const Expr& e) {
    if (!e) return report("a condition is missing");
    check_expr(e);
    require(e.type() == kBool, "a condition is no bool");
  }

  void check_expr(const Expr& e) {
    if (!e) return report("an operand is missing");
    if (!checked_.insert(e.get()).second) return;
    if (e.as<Variable>()) {
      require(in_scope_.contains(e.get()), fmt::format("{} is not defined here", name_of(e)));
      return;
    }
    bool is_whole = true;
    for_each_child(e, [&](const Expr& child) { is_whole &= static_cast<bool>(child); });
    if (!is_whole) return report("an operand is missing");
    if (const auto* n = e.as<Load>()) {
      if (!n->buffer) return report("a load lacks its buffer");
      check_access(n->buffer, n->index);
    } else {
      for_each_child(e, [&](const Expr& child) { check_expr(child); });
    }
    require(has_consistent_type(e), fmt::format("the types in {} do not agree", print(e)));
  }

  bool inside_thread_loop() const {
    for (const Stmt* outer : open_) {
      const auto* loop = outer->as<For>();
      if (loop && is_thread_loop(loop->kind)) return true;
    }
    return false;
  }

  const Program& program_;
  std::int32_t position_ = 0;
  std::vector<const Stmt*> open_;
  const Stmt* last_closed_ = nullptr;  // the body that ended just before this statement
  std::unordered_set<const void*> in_scope_;
  std::unordered_set<const Node*> checked_;  // in this statement
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verify(const Program& program) { return Verifier(program).run(); }

void check_valid(const Program& program) {
  const std::vector<std::string> problems = verify(program);
  if (problems.empty()) return;
  std::string what = "a loop program is not well formed:\n";
  for (const std::string& problem : problems) what += "  " + problem + "\n";
  fail(what + print(program));
}

}  // namespace hone::ir
