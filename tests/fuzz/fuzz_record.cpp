// Any text is a log: problems are reported, and what is accepted comes back byte for byte.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "record/reader.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::int64_t records = 0, problems = 0;
  const auto summary = record::read_records_of_text(
      text,
      [&](record::Record&& record, std::int64_t) {
        ++records;
        const std::string line = to_line(record);
        check(text.find(line) != std::string_view::npos, "a record is given back as it was read");
        record.spelling.clear();  // the same in hone's own spelling
        const std::string own = to_line(record);
        check(to_line(record::from_line(own)) == own, "a written record reads again");
      },
      [&](const record::Problem& problem) {
        ++problems;
        check(problem.line >= 1 && !problem.reason.empty(), "a problem has a place and a reason");
      });
  check(summary.lines == records + problems + summary.comments, "every line is accounted for");
  return 0;
}
