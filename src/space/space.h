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
  struct Member {
    std::unique_ptr<const Family> family;  // its number is its place in the list
    double share;                          // of the samples
    bool overlaps = false;                 // some of its candidates are those of earlier families, too
  };
  explicit Space(std::vector<Member> members);

  std::optional<schedule::Steps> decode(const Decisions& decisions) const;
  std::optional<Decisions> encode(const schedule::Steps& steps) const;
  // Of steps for a like task; see Family.
  std::optional<Decisions> fit(const schedule::Steps& steps) const;
  std::optional<Decisions> sample(Random& random) const;
  std::optional<Decisions> mutate(const Decisions& decisions, Random& random) const;
  // Of two candidates of one family: the entries of op n of the task come from `a` where `from_a(n)`.
  // Where that gives one of the parents again, each split and each other decision comes from either at
  // random.
  std::optional<Decisions> cross(const Decisions& a, const Decisions& b,
                                 const std::function<bool(int node)>& from_a, Random& random) const;
  std::vector<Decisions> neighbours(const Decisions& decisions) const;
  std::string print(const Decisions& decisions) const;
  std::size_t n_families() const { return members_.size(); }

 private:
  const Family* family_of(const Decisions& decisions) const;
  // The same candidate as the first family that has it names it.
  std::optional<Decisions> first_name(std::optional<Decisions> decisions) const;

  std::vector<Member> members_;
};

// Ansor's candidates of these sketches, a family each.
Space ansor_space(const std::shared_ptr<const task::Task>& task, const std::vector<Sketch>& sketches,
                  const Hardware& hardware);

// hone's own: the sketches with tiles of any size, and the generic structure, which most samples are
// of. Every candidate of ansor_space is one of these, with the same entries.
Space hone_space(const std::shared_ptr<const task::Task>& task, const std::vector<Sketch>& sketches,
                 const target::Target& target);

}  // namespace hone::space
