// Pattern matching over a std::variant: one lambda a kind, a forgotten kind does not compile.
#pragma once
#include <utility>
#include <variant>

namespace hone {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

template <class Variant, class... Cases>
decltype(auto) match(Variant&& value, Cases&&... cases) {
  return std::visit(Overloaded<std::decay_t<Cases>...>{std::forward<Cases>(cases)...},
                    std::forward<Variant>(value));
}

}  // namespace hone
