// The tables of an evaluation, before anybody decides how they look.
#pragma once
#include <string>
#include <vector>

#include "cli/eval_report.h"

namespace hone::cli {

struct Table {
  std::string title;
  std::vector<std::string> columns;  // of the values; the first column names the scorer
  struct Row {
    std::string name;
    std::vector<std::string> cells;
  };
  std::vector<Row> rows;
};

// One a family of metrics and part of the tasks. A cell is a value, with several seeds their standard
// deviation, then the interval (of partial programs the value alone); a star marks the best and what
// cannot be told apart from it.
std::vector<Table> tables_of(const EvalReport& report);

inline constexpr const char* kLegend =
    "[95 % interval over draws of tasks]  ± standard deviation between seeds\n"
    "* the best, and what cannot be told apart from it by paired draws\n";

}  // namespace hone::cli
