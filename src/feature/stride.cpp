#include "feature/stride.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "feature/index.h"

namespace hone::feature {
namespace {

using schedule::Digit;
using schedule::Sum;
using schedule::Var;
using schedule::Vars;

// TVM's guess at the coefficient of a variable: it walks the printed form of the index and remembers
// the last multiplier met after the variable, or 1 once a sum was met before any multiplier. The guess
// is part of the features' meaning, so it is made in the same way.
class Coefficient {
 public:
  Coefficient(const Vars& vars, Var var) : vars_(vars), var_(var) {}

  std::int64_t of(const Sum& sum) {
    visit(sum);
    return has_var_ && !has_mul_ && !has_add_ ? 1 : value_;
  }

 private:
  struct Term {
    std::int64_t scale;
    const Digit* digit;
  };

  // Terms stand by falling coefficient, then the constant, then what is subtracted.
  void visit(const Sum& sum, const Digit& around = {}) {
    std::vector<Term> terms;
    for (const Digit& digit : sum.digits) {
      const Term term{scale_inside(digit.scale, around), &digit};
      const auto falls = [](const Term& a, const Term& b) { return a.scale > b.scale; };
      terms.insert(std::upper_bound(terms.begin(), terms.end(), term, falls), term);
    }
    bool is_first = true;
    for (const Term& term : terms) {
      if (term.scale < 0) break;
      visit(term);
      if (!is_first) after_add();
      is_first = false;
    }
    if (sum.constant > 0 && !is_first) after_add();
    for (const Term& term : terms) {
      if (term.scale < 0) visit(term);
    }
  }

  void visit(const Term& term) {
    const Digit& digit = *term.digit;
    if (digit.var == var_) {
      has_var_ = true;
      value_ = 2;  // when nothing better is found
    } else if (const Sum* sum = vars_.sum_of(digit.var)) {
      visit(*sum, digit);
    }
    if (std::abs(term.scale) == 1 || !has_var_ || has_add_) return;
    has_mul_ = true;
    value_ = std::abs(term.scale);
  }

  void after_add() {
    if (!has_var_ || has_mul_) return;
    has_add_ = true;
    value_ = 1;
  }

  const Vars& vars_;
  Var var_;
  bool has_var_ = false, has_mul_ = false, has_add_ = false;
  std::int64_t value_ = 0;
};

}  // namespace

std::int64_t stride(const Vars& vars, const Access& access, const std::vector<std::int64_t>& shape,
                    Var var) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const Index& index : access.indices) {
    std::int64_t row = 1;
    for (std::size_t d = index.size(); d-- > 0; row *= shape[d]) {
      if (!mentions(vars, index[d], var)) continue;
      least = std::min(least, Coefficient(vars, var).of(index[d]) * row);
      break;
    }
  }
  return least == std::numeric_limits<std::int64_t>::max() ? 0 : least;
}

}  // namespace hone::feature
