// A C file in the making: the types and helper functions that its code turned out to need, then the
// code.
//
// Values are held as in arith.h: float16 and bfloat16 as float, rounded to their type. A vector of
// bools is a vector of int8 with all bits of a lane set or none. Helpers are named after what they do
// and the type: exp_f32x16, load_f32x16.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "ir/expr.h"

namespace hone::codegen {

// "f32", "f32x16".
std::string short_name(ir::Type type);
std::string float_literal(double value, ir::Scalar scalar);
// The C type of an element in memory.
std::string memory_type(ir::Scalar scalar);
bool is_small_float(ir::Type type);  // float16 or bfloat16
// What values of the type are computed in: float for the small floats.
ir::Type computed_type(ir::Type type);
// The signed integers of the same shape.
ir::Type bits_type(ir::Type type);

class CUnit {
 public:
  // The C type of a value.
  std::string type(ir::Type type);

  // Names of helpers, which are defined once they are asked for.
  std::string load(ir::Type type);                     // (pointer)
  std::string store(ir::Type type);                    // (pointer, value)
  std::string splat(ir::Type type);                    // (scalar)
  std::string select(ir::Type type);                   // (mask, then, else), of vectors
  std::string round(ir::Type type);                    // (float), to float16 or bfloat16
  std::string binary(ir::BinaryOp op, ir::Type type);  // (x, y), for what C has no operator
  std::string call(ir::Function function, ir::Type type);
  std::string cast(ir::Type to, ir::Type from);         // (x)
  std::string reinterpret(ir::Type to, ir::Type from);  // (x)

  // A name that C takes and that was not given before.
  std::string fresh_name(std::string_view wish);
  void release(const std::string& name) { names_.erase(name); }  // its block has ended
  void add_code(std::string_view text) { code_ += text; }
  std::string text(std::string_view title) const;

 private:
  // `static inline RESULT NAME(PARAMS) BODY`, where the body's text is made only once.
  std::string define(const std::string& name, const std::string& result, const std::string& params,
                     const std::function<std::string()>& body);
  std::string lane_loop(ir::Type type, const std::string& lane);
  std::string small_bits(ir::Type type);   // (float), the nearest float16 or bfloat16, as in memory
  std::string small_value(ir::Type type);  // (those bits)
  std::string formula_body(ir::Function function, ir::Type type);

  std::map<std::string, std::string> typedefs_;
  std::set<std::string> defined_;
  std::string helpers_;
  std::string code_;
  std::set<std::string> names_;
};

}  // namespace hone::codegen
