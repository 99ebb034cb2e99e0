// The computations that Ansor was first measured on: ten operators and two subgraphs, four shapes each,
// at batch 1 and 16.
#pragma once
#include <string>
#include <vector>

namespace hone::bench {

struct Case {
  std::string name;      // "C2D.2.b16": the operator, the number of its shape, the batch
  std::string op;        // for `--op`
  bool is_main = false;  // one a row of the table, at batch 1: searched long and with several seeds
  bool is_quick = false;
};

std::vector<Case> ansor_ops();

}  // namespace hone::bench
