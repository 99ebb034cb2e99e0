// Sketches of a task: the structures of its schedules, made by rules from the outputs to the inputs.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "schedule/step.h"
#include "space/hardware.h"
#include "space/rule.h"

namespace hone::space {

struct Sketch {
  schedule::Steps steps;  // lengths that are to be chosen are open
};

struct SketchOptions {
  std::string structure;    // of multi-level tiling (tile_levels.h); empty: SSRSRS or SSSRRSRS
  std::vector<Rule> rules;  // tried before those of ansor_rules
};

// Ansor's rules for the kind of machine, in the order in which they are tried.
std::vector<Rule> ansor_rules(Hardware::Kind kind);

// Every sketch, in the order in which Ansor makes them. Throws UserError when the structure is wrong or
// the rules do not come to an end.
std::vector<Sketch> sketches(const std::shared_ptr<const task::Task>& task, const Hardware& hardware,
                             const SketchOptions& options = {});
// By these rules and no others.
std::vector<Sketch> sketches_by(const std::vector<Rule>& rules,
                                const std::shared_ptr<const task::Task>& task, const Hardware& hardware,
                                const TileLevels& levels);

}  // namespace hone::space
