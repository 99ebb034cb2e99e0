// The space of a task: every candidate there is, as decisions.
#pragma once
#include <memory>
#include <vector>

#include "space/family.h"
#include "space/sketch.h"
#include "task/task.h"

namespace hone::space {

// Never changes once made, so any number of threads may use it.
class Space {
 public:
  // Family number i stands at place i.
  explicit Space(std::vector<std::unique_ptr<const Family>> families);

  std::optional<schedule::Steps> decode(const Decisions& decisions) const;
  std::optional<Decisions> encode(const schedule::Steps& steps) const;
  std::optional<Decisions> sample(Random& random) const;
  std::optional<Decisions> mutate(const Decisions& decisions, Random& random) const;
  // Of two candidates of one family: the entries of stage n come from `a` where `from_a(n)`.
  std::optional<Decisions> cross(const Decisions& a, const Decisions& b,
                                 const std::function<bool(int node)>& from_a) const;
  std::vector<Decisions> neighbours(const Decisions& decisions) const;
  std::string print(const Decisions& decisions) const;

 private:
  const Family* family_of(const Decisions& decisions) const;

  std::vector<std::unique_ptr<const Family>> families_;
};

// Ansor's candidates of these sketches, a family each.
Space ansor_space(const std::shared_ptr<const task::Task>& task, const std::vector<Sketch>& sketches,
                  const Hardware& hardware);

}  // namespace hone::space
