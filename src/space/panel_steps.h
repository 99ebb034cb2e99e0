// Steps that fill panels: a cache read of the operand or the operand itself, computed inside a loop of
// its reader.
#pragma once
#include <vector>

#include "space/panels.h"

namespace hone::space {

// The iterator at which a panel of op `id` is filled: of the op itself, or of its epilogue.
struct PanelSite {
  int op, iter;
  friend bool operator==(const PanelSite&, const PanelSite&) = default;
};
PanelSite site_of(const task::Task& task, const std::vector<StageRole>& roles, int id,
                  const Tiling& tiling, PanelPlace place);

// Appends the steps of all panels of the choice. `stages` has the stage of every op; copies add stages,
// so nothing else may name a stage after this.
void write_panel_steps(const task::Task& task, const std::vector<StageRole>& roles,
                       const Choice& choice, std::vector<int> stages, schedule::Steps& steps);

}  // namespace hone::space
