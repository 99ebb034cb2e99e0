// The one order in which a step's arguments are read, by everything that codes steps as numbers.
#pragma once
#include "base/match.h"
#include "schedule/step.h"

namespace hone::feature {

// Calls stage, iterator, step, number or text of `to` with each argument from left to right; lists are
// spliced in.
template <class To>
void visit_arguments(const schedule::Step& step, To&& to) {
  const auto at = [&](const auto& s) {
    to.stage(s.stage);
    to.iterator(s.iter);
  };
  match(
      step,
      [&](const schedule::Annotate& s) {
        at(s);
        to.number(static_cast<int>(s.annotation));
      },
      [&](const schedule::Fuse& s) {
        to.stage(s.stage);
        for (const int iter : s.iters) to.iterator(iter);
      },
      [&](const schedule::Pragma& s) {
        at(s);
        to.text(s.text);
      },
      [&](const schedule::Reorder& s) {
        to.stage(s.stage);
        for (const int iter : s.order) to.iterator(iter);
      },
      [&](const schedule::Split& s) {
        at(s);
        to.number(s.extent.value_or(0));
        for (const auto& length : s.lengths) to.number(length.value_or(0));
        to.number(s.inner_to_outer);
      },
      [&](const schedule::FollowSplit& s) {
        at(s);
        to.step(s.source_step);
        to.number(s.n_split);
      },
      [&](const schedule::FollowFusedSplit& s) {
        at(s);
        for (const int source : s.source_steps) to.step(source);
        to.number(s.level);
        to.number(s.factor);
      },
      [&](const schedule::StorageAlign& s) {
        at(s);
        to.number(s.factor);
        to.number(s.offset);
      },
      [&](const schedule::ComputeAt& s) {
        to.stage(s.stage);
        to.stage(s.target_stage);
        to.iterator(s.target_iter);
      },
      [&](const schedule::ComputeInline& s) { to.stage(s.stage); },
      [&](const schedule::ComputeRoot& s) { to.stage(s.stage); },
      [&](const schedule::CacheRead& s) {
        to.stage(s.stage);
        to.text(s.scope);
        for (const int reader : s.readers) to.stage(reader);
      },
      [&](const schedule::CacheWrite& s) {
        to.stage(s.stage);
        to.text(s.scope);
      },
      [&](const schedule::Rfactor& s) {
        at(s);
        to.iterator(s.factor_iter);
      },
      [&](const schedule::Prefetch& s) {
        at(s);
        to.stage(s.operand);
        to.number(s.iterations);
      });
}

}  // namespace hone::feature
