#include "lower/form.h"

#include <algorithm>
#include <numeric>

namespace hone::lower {

using ir::Linear;

std::int64_t make_primitive(Linear& form) {
  std::int64_t divisor = 0;
  for (const Linear::Term& term : form.terms) divisor = std::gcd(divisor, term.coefficient);
  if (!form.terms.empty() && form.terms.front().coefficient < 0) divisor = -divisor;
  for (Linear::Term& term : form.terms) term.coefficient /= divisor;
  return divisor;
}

std::optional<Seen> see(const Linear& whole, const Linear& part) {
  Seen seen{0, whole};
  for (const Linear::Term& term : part.terms) {
    const auto found =
        std::find_if(seen.rest.terms.begin(), seen.rest.terms.end(),
                     [&](const Linear::Term& t) { return ir::equal(t.atom, term.atom); });
    if (found == seen.rest.terms.end() || found->coefficient % term.coefficient != 0)
      return std::nullopt;
    const std::int64_t scale = found->coefficient / term.coefficient;
    if (seen.scale != 0 && seen.scale != scale) return std::nullopt;
    seen.scale = scale;
    seen.rest.terms.erase(found);
  }
  return seen.scale == 0 ? std::nullopt : std::optional(seen);
}

}  // namespace hone::lower
