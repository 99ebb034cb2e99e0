#include "record/load.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/error.h"
#include "record/line_reader.h"
#include "record/reader.h"

namespace hone::record {

Record load_line(const std::string& path, std::int64_t number) {
  LineReader lines(open_maybe_gzip(path));
  Line line;
  while (lines.next(line)) {
    if (line.number != number) continue;
    try {
      return from_line(line.text);
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}:{}: {}", path, number, error.what()));
    }
  }
  throw UserError(fmt::format("{} has {} lines, so there is no line {}", path, line.number, number));
}

Record load_best(const std::string& path, const std::string& workload_key) {
  std::optional<Record> best;
  std::optional<Problem> first_problem;
  const auto summary = read_records(
      path,
      [&](Record&& record, std::int64_t) {
        if (!is_valid(record) || (!workload_key.empty() && record.workload_key != workload_key)) return;
        if (!best || best_cost(record) < best_cost(*best)) best = std::move(record);
      },
      [&](const Problem& problem) {
        if (!first_problem) first_problem = problem;
      });
  if (best) return std::move(*best);
  if (first_problem)
    throw UserError(fmt::format("{}:{}: {}", path, first_problem->line, first_problem->reason),
                    fmt::format("none of its {} readable records can be used", summary.records));
  throw UserError(
      fmt::format("{} holds no valid record{}", path,
                  workload_key.empty() ? "" : " of the workload " + workload_key),
      fmt::format("{} records were read, {} of them valid", summary.records, summary.valid));
}

Record load(const std::string& reference, const std::string& workload_key) {
  const auto colon = reference.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(reference))
    return load_best(reference, workload_key);
  std::int64_t line = 0;
  const char* end = reference.data() + reference.size();
  const auto [stop, error] = std::from_chars(reference.data() + colon + 1, end, line);
  if (stop != end || error != std::errc() || line < 1)
    throw UserError(fmt::format("`{}` is not a line number", reference.substr(colon + 1)),
                    "write FILE or FILE:LINE, counting lines from 1");
  return load_line(reference.substr(0, colon), line);
}

}  // namespace hone::record
