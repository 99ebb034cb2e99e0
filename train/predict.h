// Scores of a trained network for every program of a set, for judges.
#pragma once
#include <string>

namespace hone::train {

// Writes a .npy file of floats, one a program, higher is faster; with `in_parts` three a program:
// score, spread, probability of being valid. With commas between them, scorers are those of all folds:
// a program is scored by the first that has not seen its task. UserError when there is none, when a
// scorer is damaged or was made for other features, or when a file cannot be read or written.
void predict(const std::string& scorer, const std::string& set, const std::string& output,
             bool in_parts, const std::string& device);

}  // namespace hone::train
