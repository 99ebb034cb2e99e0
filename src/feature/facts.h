// What holds where a statement runs: the loops' ranges and the guards around it.
#pragma once
#include <optional>
#include <vector>

#include "schedule/access.h"

namespace hone::feature {

class Facts {
 public:
  explicit Facts(schedule::Vars& vars) : vars_(vars) {}

  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  void clear();                                            // forgets all guards
  void assume_below(schedule::Sum sum, std::int64_t end);  // adds a guard unless it always holds
  void assume_not_negative(schedule::Sum sum);
  bool has_guards() const { return !guards_.empty(); }
  bool guards_mention(schedule::Var var) const;

  schedule::Limits limits(const schedule::Sum& sum) const;
  // The sum without quotients and remainders that the guards make trivial.
  schedule::Sum simplified(const schedule::Sum& sum) const;
  // Whether the condition holds for all values of the loops, or for none; empty when it depends.
  std::optional<bool> decide(const ir::Expr& condition, const schedule::AxisValues& axes) const;

 private:
  struct Guard {
    schedule::Sum sum;
    schedule::Limits limits;
  };
  void tighten(const Guard& guard);
  void tighten(const Guard& guard, schedule::Var var, const schedule::Sum& sum);
  std::int64_t max_of(const schedule::Sum& sum, const Guard& guard) const;
  std::int64_t max_of_product(const schedule::Sum& sum, const Guard& guard) const;
  schedule::Sum difference(schedule::Sum a, const schedule::Sum& b, std::int64_t factor) const;
  std::optional<bool> decide_comparison(const ir::Binary& n, const schedule::AxisValues& axes) const;

  schedule::Vars& vars_;
  std::vector<Guard> guards_;
  std::vector<std::pair<schedule::Var, schedule::Limits>> tightened_;  // with what held before
};

}  // namespace hone::feature
