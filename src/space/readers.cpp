#include "space/readers.h"

namespace hone::space {
namespace {

using schedule::Location;

bool is_inlined(const schedule::State& state, int stage) {
  return state.stages[static_cast<std::size_t>(stage)].location == Location::Inlined;
}

void add_consumers(const schedule::State& state, const task::Analysis& analysis, int stage,
                   std::set<int>& found) {
  for (const int reader : analysis.read_by[static_cast<std::size_t>(stage)]) {
    if (is_inlined(state, reader)) {
      add_consumers(state, analysis, reader, found);
    } else {
      found.insert(reader);
    }
  }
}

void add_producers(const schedule::State& state, const task::Analysis& analysis, int stage,
                   std::set<int>& found) {
  for (const auto& [producer, accesses] : analysis.reads[static_cast<std::size_t>(stage)]) {
    if (is_inlined(state, producer)) {
      add_producers(state, analysis, producer, found);
    } else {
      found.insert(producer);
    }
  }
}

}  // namespace

std::set<int> consumers(const schedule::State& state, const task::Analysis& analysis, int stage) {
  std::set<int> found;
  add_consumers(state, analysis, stage, found);
  return found;
}

std::set<int> producers(const schedule::State& state, const task::Analysis& analysis, int stage) {
  std::set<int> found;
  add_producers(state, analysis, stage, found);
  return found;
}

bool reads_directly(const task::Analysis& analysis, int consumer, int producer) {
  return analysis.reads[static_cast<std::size_t>(consumer)].contains(producer);
}

int common_consumer(const schedule::State& state, const task::Analysis& analysis, int stage) {
  const std::set<int> all = consumers(state, analysis, stage);
  if (all.size() == 1) return *all.begin();
  int common = -1;
  for (const int consumer : all) {
    const schedule::Stage& reader = state.stages[static_cast<std::size_t>(consumer)];
    const int root = reader.location == Location::Iter ? reader.attach_stage : consumer;
    if (common >= 0 && common != root) return -1;
    common = root;
  }
  return common;
}

int elementwise_consumer(const schedule::State& state, const task::Analysis& analysis, int stage) {
  const std::set<int> all = consumers(state, analysis, stage);
  if (all.size() != 1) return -1;
  const int consumer = *all.begin();
  const schedule::Stage& reader = state.stages[static_cast<std::size_t>(consumer)];
  const task::Op& op = state.task->ops[static_cast<std::size_t>(consumer)];
  const bool can_follow =
      op.reduce_axes.empty() && reader.relations.empty() && !reader.name.ends_with(".shared");
  return can_follow && elementwise_match(*state.task, analysis, stage, consumer) ? consumer : -1;
}

}  // namespace hone::space
