// How long a trained network takes here, for whoever compares it with other programs.
#pragma once
#include <string>

namespace hone::train {

// Scores all programs of the set whenever a byte comes through the descriptor, and answers with a line:
// the seconds that it took, and those that all cores were busy. Rows are tensors before that. Writes
// the scores when the other end is closed. Errors as `predict` has them.
void time_predictions(const std::string& scorer, const std::string& set, const std::string& output,
                      const std::string& device, int descriptor);

}  // namespace hone::train
