// From a loop program to the functions of a C file.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/access.h"
#include "codegen/c_unit.h"
#include "codegen/capture.h"
#include "codegen/plan.h"
#include "ir/program.h"
#include "ir/simplify.h"

namespace hone::codegen {

// An expression without parentheses around the whole.
std::string_view bare(std::string_view text);

// Emits statements into one function, line by line.
class CEmitter {
 public:
  CEmitter(CUnit& unit, const ir::Program& program, const MemoryPlan& plan)
      : unit_(unit), program_(program), plan_(plan) {}

  // The whole program, with the function `head` that it is called by.
  void entry(const std::string& head);

 private:
  // c_stmt.cpp
  void statements(std::int32_t begin, std::int32_t end);
  void statement(const ir::Stmt& stmt, std::int32_t position);
  void loop(const ir::For& n, std::int32_t body, std::int32_t end);
  void parallel_loop(const ir::For& n, std::int32_t body, std::int32_t end);
  void store(const ir::Store& n);
  void alloc(const ir::BufferNode& buffer);
  void intrinsic(const ir::Intrinsic& n);
  std::string parameter(const ir::BufferNode& buffer);  // its declaration
  void line(const std::string& text);
  void block(const std::string& head, const std::function<void()>& body);

  // c_expr.cpp
  std::string value(const ir::Expr& e);
  std::string fresh_value(const ir::Expr& e);
  std::string binary_value(const ir::Expr& e, const ir::Binary& n);
  std::string select_value(const ir::Expr& e, const ir::Select& n);
  std::string call_value(const ir::Expr& e, const ir::Call& n);
  std::string cast_value(const ir::Expr& e, const ir::Cast& n);
  std::string load_value(const ir::Expr& e, const ir::Load& n);
  std::string lane_by_lane(const ir::Expr& e);
  std::string vector_of(ir::Type type, const std::function<std::string(int lane)>& element);
  std::string offset(const ir::Linear& linear);
  std::string place(const ir::BufferNode& buffer, const ir::Linear& linear);  // X[i * 4 + 1]
  std::string load_at(const ir::BufferNode& buffer, const ir::Linear& linear, ir::Type type);
  void store_at(const ir::BufferNode& buffer, const ir::Linear& linear, ir::Type type,
                const std::string& stored);
  std::string register_name(const ir::BufferNode& buffer, const std::vector<ir::Expr>& index);
  ir::Expr lane_expr(const ir::Expr& e, int lane);
  void count_uses(const ir::Expr& e);
  void begin_statement(std::initializer_list<ir::Expr> roots);

  CUnit& unit_;
  const ir::Program& program_;
  const MemoryPlan& plan_;
  std::string text_;
  int indent_ = 1;
  bool in_parallel_ = false;
  int lazy_depth_ = 0;  // inside values that are computed only when they are chosen
  ir::Ranges ranges_;
  std::unordered_map<const void*, std::string> names_;  // of variables and buffers
  // Names of the elements of register buffers.
  std::unordered_map<const ir::BufferNode*, std::vector<std::string>> registers_;
  // Within a statement: how often each expression is used, and the names of those computed before it.
  std::unordered_map<const ir::Node*, int> uses_;
  std::unordered_map<const ir::Node*, std::string> computed_;
  std::vector<ir::Expr> alive_;  // keeps addresses of expressions their own
};

}  // namespace hone::codegen
