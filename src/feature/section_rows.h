// How the rows of each kind of feature section are made: one function a program or a task.
#pragma once
#include <functional>
#include <optional>

#include "feature/replayed.h"
#include "feature/sections.h"

namespace hone::feature {

struct Refusal {
  std::string_view reason;  // one of a few
  std::string details;
};
struct Made {
  std::vector<float> values;  // whole rows
  std::optional<Refusal> refusal;
};

struct SectionRows {
  int version, width;
  std::function<Made(std::size_t number)> make;  // from any thread
  bool is_of_tasks = false;
  int full_rows = 0;  // shorter ones are padded to so many; 0: they are not
  std::string vocabulary = {};
  // The same rows of a program that is replayed already, so that several sections share one replay.
  // Empty of tasks' sections, and of those that depend on all programs of the set.
  std::function<std::vector<float>(const Replayed& program)> of_replayed = {};
};
SectionRows section_rows(std::string_view name, const SectionInput& input);  // which must outlive it

}  // namespace hone::feature
