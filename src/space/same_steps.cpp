#include "space/same_steps.h"

#include <algorithm>

namespace hone::space {
namespace {

schedule::Step without_sizes(schedule::Step step) {
  if (auto* split = std::get_if<schedule::Split>(&step)) {
    split->extent.reset();
    split->lengths.assign(split->lengths.size(), std::nullopt);
  }
  if (auto* prefetch = std::get_if<schedule::Prefetch>(&step)) prefetch->iter = 0;
  return step;
}

}  // namespace

bool is_same(const schedule::Step& a, const schedule::Step& b) {
  const auto* split_a = std::get_if<schedule::Split>(&a);
  const auto* split_b = std::get_if<schedule::Split>(&b);
  if (split_a == nullptr || split_b == nullptr) return a == b;
  return split_a->stage == split_b->stage && split_a->iter == split_b->iter &&
         split_a->lengths == split_b->lengths && split_a->inner_to_outer == split_b->inner_to_outer;
}

bool is_same(const schedule::Steps& a, const schedule::Steps& b) {
  return std::ranges::equal(
      a, b, [](const schedule::Step& one, const schedule::Step& other) { return is_same(one, other); });
}

bool is_alike(const schedule::Steps& a, const schedule::Steps& b) {
  return std::ranges::equal(a, b, {}, without_sizes, without_sizes);
}

}  // namespace hone::space
