// Steps in words: names where a step has numbers.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "schedule/state.h"

namespace hone::schedule {

// What a step is about and what it says of that: "SP conv rc" and "8x16", "CA pad" and "at conv h.0".
struct StepText {
  std::string subject, value;
};

// Of the step that is to be applied next; the state is that before it.
StepText text_of(const State& state, const Step& step);
// What another step would say in the place of this one, where saying how they differ is shorter.
std::string other_value(const State& state, const Step& step, const Step& other);
// Of all steps. Throws UserError when one of them is illegal.
std::vector<StepText> step_texts(std::shared_ptr<const task::Task> task, const Steps& steps);

}  // namespace hone::schedule
