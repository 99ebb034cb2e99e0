#include "train/tree_options.h"

namespace hone::train {

Options tree_options() {
  return {{"trees", "200", "boosted trees that `hone train` lets join the networks; 0: none"},
          {"tree_depth", "8", "of a tree at most"},
          {"tree_rate", "0.1", "how much of the error that is left a tree takes away"},
          {"tree_share", "0.4", "weight of what the trees say; the networks have the rest"},
          {"caution", "0.25", "how many times the spread is taken off the score"},
          {"spread_scale", "1", "of the doubt that is told; `hone train` fits it when trees join"}};
}

}  // namespace hone::train
