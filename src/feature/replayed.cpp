#include "feature/replayed.h"

namespace hone::feature {

Replayed::Replayed(std::shared_ptr<const task::Task> task, const schedule::Steps& steps,
                   const space::Hardware& hardware)
    : noted_(replay_noted(std::move(task), steps)),
      tree_(loop_tree(noted_.state)),
      hardware_(hardware) {}

const Statements& Replayed::statements() const {
  if (!statements_) statements_ = feature::statements(tree_, hardware_.cache_line_bytes);
  return *statements_;
}

}  // namespace hone::feature
