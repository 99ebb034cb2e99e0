// Loop variables by the names TVM gives them: "i_outer_j_outer_fused", "blockIdx_x".
#pragma once
#include <string>

#include "schedule/state.h"

namespace hone::schedule {

class VarNames {
 public:
  explicit VarNames(const State& state) : state_(state) {}  // the state must outlive the names
  std::string name(int stage, int loop) const;
  std::string print(const Sum& sum) const;

 private:
  std::string print_var(Var var) const;
  std::string print_digit(const Digit& digit) const;
  const State& state_;
};

}  // namespace hone::schedule
