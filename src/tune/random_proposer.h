// Random candidates of hone's own structure, each equally likely whatever was measured.
#pragma once
#include <memory>

#include "space/structure.h"
#include "target/target.h"
#include "task/task.h"
#include "tune/proposer.h"

namespace hone::tune {

class RandomProposer : public Proposer {
 public:
  RandomProposer(std::shared_ptr<const task::Task> task, const target::Target& target,
                 std::uint64_t seed);
  Proposals propose(int round, std::size_t count, const IsKnown& is_known) override;
  void learn(std::span<const Trial>) override {}

 private:
  const std::shared_ptr<const task::Task> task_;
  const target::Target target_;
  const std::uint64_t seed_;
  const std::vector<space::StageRole> roles_;
};

}  // namespace hone::tune
