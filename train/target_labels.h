// Few labels on the machine that is learned for: which of its programs were measured. The others lose
// their speed, so that nothing can learn from it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "train/split.h"

namespace hone::train {

// `count` programs, or all when there are fewer, of the target's tasks in both parts of the split, each
// part its share: what chooses the epoch was measured, too. A task gets several programs or none,
// because a program alone compares with nothing.
std::vector<Program> choose_labelled(const DataSet& set, const Split& split, std::size_t count,
                                     std::uint64_t seed);

// Programs named in a file, one a line, by their place in the file of the target. UserError when a line
// is no such place, or when the target is in several files.
std::vector<Program> read_labelled(const DataSet& set, const std::string& path);

// Leaves the target's tasks of the split no labels but those of `labelled`, relative to the best of
// these. Tasks that have none which works leave the split. Returns how many of the labels are left:
// those of tasks that are in no part of the split are not.
std::size_t withhold_labels(DataSet& set, Split& split, const std::vector<Program>& labelled);

}  // namespace hone::train
