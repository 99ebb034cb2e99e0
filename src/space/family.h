// A family: candidates of one structure, told apart by the entries of their decisions.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "schedule/step.h"
#include "space/decisions.h"

namespace hone::space {

// Families never change, so any number of threads may use one. Entry 0 of all decisions is the number
// that the family got when it was made.
class Family {
 public:
  Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;
  virtual ~Family() = default;

  // Empty when the entries do not fit the structure or each other.
  virtual std::optional<schedule::Steps> decode(const Decisions& decisions) const = 0;
  // Empty when the steps are no candidate of this family.
  virtual std::optional<Decisions> encode(const schedule::Steps& steps) const = 0;

  // The candidate that is most like these steps of a task that differs in sizes only (task::likeness):
  // its tile sizes are made to fit. Empty when they are of another structure.
  virtual std::optional<Decisions> fit(const schedule::Steps& steps) const = 0;

  // These give candidates within the limits of the machine, or nothing when chance finds none.
  virtual std::optional<Decisions> sample(Random& random) const = 0;
  virtual std::optional<Decisions> mutate(const Decisions& decisions, Random& random) const = 0;
  // The candidate with these entries, made to fit each other where that is a matter of counting.
  virtual std::optional<Decisions> settle(Decisions mixed) const = 0;
  // What differs in one meaning by one step.
  virtual std::vector<Decisions> neighbours(const Decisions& decisions) const = 0;

  // What an entry belongs to; entry 0 belongs to nothing.
  struct Owner {
    int node;   // the op of the task: crossover takes the entries of an op from one parent
    int group;  // entries that say one thing together, such as the lengths of a split
  };
  virtual Owner owner_of(std::size_t entry) const = 0;
  virtual std::string print(const Decisions& decisions) const = 0;
};

}  // namespace hone::space
