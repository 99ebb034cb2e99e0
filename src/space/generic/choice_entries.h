// A Choice of the generic structure as a list of integers, and the steps it is written as, read back.
#pragma once
#include <optional>
#include <vector>

#include "schedule/step.h"
#include "space/decisions.h"
#include "space/tiling.h"

namespace hone::space {

enum class Field : std::uint8_t {
  Level1,  // tiled ops: one an axis
  Level2,
  Inner,
  Reduce,  // one a reduce axis
  Lanes,
  Outermost,
  Unroll,
  Vectors,  // row ops
  Rows,
  Prefetch,  // tiled ops
  Panel,     // tiled ops: one an operand that may be packed; `axis` is its number among them
  Columns,   // patch ops around others
  Blocks,
};
const char* name_of(Field field);

struct ChoiceEntry {
  Field field;
  int op;
  int axis;   // -1: of the op as a whole
  int group;  // entries that say one thing together: the tile of one axis
};

class ChoiceEntries {
 public:
  ChoiceEntries(const task::Task& task, const std::vector<StageRole>& roles);

  const std::vector<ChoiceEntry>& list() const {
    return entries_;
  }  // entry e of decisions is e - 1 here
  Choice to_choice(const Decisions& decisions) const;
  Decisions to_decisions(std::int64_t family, const Choice& choice) const;
  // The choice these steps would be written from, if they are steps of this structure at all.
  Choice read(const schedule::Steps& steps) const;

 private:
  const task::Op& op(int id) const { return task_.ops[static_cast<std::size_t>(id)]; }

  const task::Task& task_;
  const std::vector<StageRole>& roles_;
  Choice smallest_;  // every size 1
  std::vector<ChoiceEntry> entries_;
};

}  // namespace hone::space
