#include "record/reader.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/error.h"
#include "record/line_reader.h"

namespace hone::record {
namespace {

Record read_line(const Line& line) {
  if (line.is_cut) throw UserError(fmt::format("the line is longer than {} bytes", kMaxLineBytes));
  if (line.has_newline) return from_line(line.text);
  try {
    return from_line(line.text);
  } catch (const UserError& error) {
    throw UserError(fmt::format("the last line is torn (no newline): {}", error.what()));
  }
}

ReadSummary read_all(ByteSource source, const OnRecord& on_record, const OnProblem& on_problem) {
  ReadSummary summary;
  const auto report = [&](std::int64_t number, const UserError& error) {
    ++summary.problems;
    on_problem({number, error.what()});
  };
  const auto read = [&](const Line& line) -> std::optional<Record> {
    try {
      return read_line(line);
    } catch (const UserError& error) {
      report(line.number, error);
      return std::nullopt;
    }
  };
  LineReader lines(std::move(source));
  Line line;
  const auto next = [&] {
    try {
      return lines.next(line);
    } catch (const UserError& error) {  // damage in a compressed file
      report(line.number + 1, error);
      return false;
    }
  };
  while (next()) {
    ++summary.lines;
    summary.bytes += line.text.size();
    if (is_comment(line.text)) {
      ++summary.comments;
    } else if (auto record = read(line)) {
      ++summary.records;
      summary.valid += is_valid(*record);
      on_record(std::move(*record), line.number);
    }
  }
  return summary;
}

}  // namespace

ReadSummary read_records(const std::string& path, const OnRecord& on_record,
                         const OnProblem& on_problem) {
  return read_all(open_maybe_gzip(path), on_record, on_problem);
}

ReadSummary read_records_of_text(std::string_view text, const OnRecord& on_record,
                                 const OnProblem& on_problem) {
  return read_all(text_source(text), on_record, on_problem);
}

}  // namespace hone::record
