// A program replayed once, for all rows that are made of it.
#pragma once
#include <optional>

#include "feature/loop_tree.h"
#include "feature/statements.h"
#include "feature/step_notes.h"

namespace hone::feature {

class Replayed {
 public:
  // UserError when the steps do not fit the task.
  Replayed(std::shared_ptr<const task::Task> task, const schedule::Steps& steps,
           const space::Hardware& hardware);
  Replayed(const Replayed&) = delete;  // the loops point into the state
  Replayed& operator=(const Replayed&) = delete;

  const schedule::State& state() const { return noted_.state; }
  const NotedState& noted() const { return noted_; }
  const LoopTree& tree() const { return tree_; }
  const space::Hardware& hardware() const { return hardware_; }
  // Made when they are asked for first, so not from two threads at once.
  const Statements& statements() const;

 private:
  const NotedState noted_;
  const LoopTree tree_;
  const space::Hardware hardware_;
  mutable std::optional<Statements> statements_;
};

}  // namespace hone::feature
