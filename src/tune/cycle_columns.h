// Where the analysis stands among the columns that models read.
#pragma once
#include "feature/cpu_rows.h"
#include "score/analytic.h"

namespace hone::tune {

inline score::CycleColumns cycle_columns() {
  using feature::CodeColumn;
  return {.all = feature::cpu_column(CodeColumn::Cycles),
          .instructions = feature::cpu_column(CodeColumn::Issue),
          .traffic = {feature::cpu_column(CodeColumn::NearTraffic),
                      feature::cpu_column(CodeColumn::FarTraffic),
                      feature::cpu_column(CodeColumn::MemoryTraffic)}};
}

}  // namespace hone::tune
