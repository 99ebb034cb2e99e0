#include "artefact/lifetimes.h"

#include <algorithm>

namespace hone::artefact {
namespace {

void extend(Lifetime& life, int first, int last) {
  life.first = life.is_touched() ? std::min(life.first, first) : first;
  life.last = std::max(life.last, last);
}

}  // namespace

std::vector<Lifetime> lifetimes(const Program& program) {
  std::vector<Lifetime> lives(program.buffers.size());
  const std::vector<int> around = loops_around(program);
  const auto life_of = [&](BufferId buffer) -> Lifetime& {
    return lives[static_cast<std::size_t>(root_of(program, buffer).buffer)];
  };
  const auto end_of = [&](int loop) {
    return loop + std::get<Loop>(program.steps[static_cast<std::size_t>(loop)].action).steps;
  };
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    for (const Access& access : accesses_of(program.steps[i])) {
      Lifetime& life = life_of(access.operand.buffer);
      extend(life, static_cast<int>(i), static_cast<int>(i));
      if (access.operand.stride_bytes != 0 && around[i] >= 0)
        extend(life, around[i], end_of(around[i]));
    }
  }
  for (Lifetime& life : lives) {
    if (!life.is_touched()) continue;
    const int first_loop = around[static_cast<std::size_t>(life.first)];
    const int last_loop = around[static_cast<std::size_t>(life.last)];
    if (first_loop == last_loop) continue;  // all in one body, or all outside
    if (first_loop >= 0) life.first = first_loop;
    if (last_loop >= 0) life.last = end_of(last_loop);
  }
  for (std::size_t b = 0; b < lives.size(); ++b) lives[b] = life_of(static_cast<BufferId>(b));
  return lives;
}

}  // namespace hone::artefact
