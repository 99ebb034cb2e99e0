// Which arguments the steps of a kind have.
#pragma once
#include <string_view>

#include "feature/primitive.h"

namespace hone::feature {

// Letters are roles: s stage, i iterator, t step, n number, w word. Any number of `repeated` stands
// between the two ends.
struct Signature {
  std::string_view before;
  char repeated = 0;
  std::string_view after;

  bool fits(std::size_t count) const;                   // whether there may be so many
  char letter(std::size_t i, std::size_t count) const;  // of argument `i`; `count` fits
};
const Signature& signature_of(PrimitiveKind kind);  // one that never fits for what is no step

Argument::Role role_of(char letter);

}  // namespace hone::feature
