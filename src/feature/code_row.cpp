#include "feature/code_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "feature/code.h"
#include "feature/columns.h"
#include "feature/store_columns.h"
#include "feature/usual_machine.h"

namespace hone::feature {
namespace {

constexpr std::size_t kHeaviest = 3;  // statements that are described by themselves
constexpr auto kCyclesAt = static_cast<std::size_t>(CodeColumn::Cycles);

using Values = std::array<double, kCodeColumns>;  // of a statement, or of all

Values values_of(std::span<const float> row) {
  Values values{};
  for (std::size_t c = 0; c < kCodeColumns; ++c) values[c] = std::exp2(double{row[c]}) - 1;
  return values;
}

// The part of the cycles that each column of cycles would take alone.
void write_shares(Columns& to, const Values& values) {
  constexpr std::array kParts = {CodeColumn::Arithmetic,    CodeColumn::Issue,
                                 CodeColumn::NearTraffic,   CodeColumn::FarTraffic,
                                 CodeColumn::MemoryTraffic, CodeColumn::Ideal};
  const auto group = to.group("share");
  for (const CodeColumn part : kParts) {
    const auto c = static_cast<std::size_t>(part);
    to.value(code_names()[c], values[kCyclesAt] > 0 ? values[c] / values[kCyclesAt] : 0);
  }
}

void write(Columns& to, const std::vector<float>& rows) {
  std::vector<Values> statements;
  Values all{};
  for (std::size_t row = 0; row < rows.size(); row += kCodeColumns) {
    statements.push_back(values_of(std::span(rows).subspan(row, kCodeColumns)));
    for (std::size_t c = 0; c < kCodeColumns; ++c) all[c] += statements.back()[c];
  }
  for (std::size_t c = 0; c < kCodeColumns; ++c) to.amount(code_names()[c], all[c]);
  write_shares(to, all);
  std::ranges::stable_sort(statements, std::ranges::greater{},
                           [](const Values& values) { return values[kCyclesAt]; });
  statements.resize(kHeaviest);
  for (std::size_t i = 0; i < kHeaviest; ++i) {
    const auto group = to.group("statement", static_cast<int>(i));
    to.value("share", all[kCyclesAt] > 0 ? statements[i][kCyclesAt] / all[kCyclesAt] : 0);
    for (std::size_t c = 0; c < kCodeColumns; ++c) to.amount(code_names()[c], statements[i][c]);
    write_shares(to, statements[i]);
  }
}

}  // namespace

const std::vector<std::string>& code_row_names() {
  static const std::vector<std::string> kNames = column_names([](Columns& to) { write(to, {}); });
  return kNames;
}

std::size_t code_row_cycles() { return kCyclesAt; }

std::vector<float> code_row(const Replayed& program) {
  std::vector<float> rows, values;
  if (program.hardware().kind == space::Hardware::Kind::Cpu)
    rows = code_rows(program.tree(), layouts_of(program.state()), usual_machine(program.hardware()));
  Columns columns(values);
  write(columns, rows);
  return values;
}

}  // namespace hone::feature
