#include "record/writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/error.h"
#include "base/json.h"
#include "record/line_reader.h"

namespace hone::record {
namespace {

[[noreturn]] void fail_system(const std::string& path, const char* doing) {
  throw UserError(fmt::format("cannot {} {}: {}", doing, path, std::generic_category().message(errno)));
}

// A line without its newline: a record or a note that nothing is missing of, or a comment of others.
bool is_whole(std::string_view line) {
  constexpr std::string_view kNote = "# {";
  if (line[0] == '#' && !line.starts_with(kNote)) return line.size() >= kNote.size();
  try {
    if (line[0] == '#') {
      JsonCursor json(line.substr(kNote.size() - 1));
      json.skip();
      json.expect_end();
    } else {
      from_line(line);
    }
    return true;
  } catch (const UserError&) {
    return false;
  }
}

}  // namespace

Writer::Descriptor::~Descriptor() {
  if (number >= 0) close(number);
}

Writer::Writer(const std::string& path)
    : path_(path), file_(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (file_.number < 0) fail_system(path, "open");
  cut_torn_line();
}

void Writer::cut_torn_line() {
  const off_t size = lseek(file_.number, 0, SEEK_END);
  if (size < 0) fail_system(path_, "append to");
  std::string tail(std::min<std::size_t>(size, kMaxLineBytes), '\0');
  if (pread(file_.number, tail.data(), tail.size(), size - tail.size()) !=
      static_cast<ssize_t>(tail.size()))
    fail_system(path_, "read");
  const bool starts_line =
      static_cast<std::size_t>(size) == tail.size() || tail.find('\n') != tail.npos;
  tail.erase(0, tail.rfind('\n') + 1);
  if (tail.empty()) return;
  if (is_whole(tail)) return append_line({});
  if (std::string_view("{ #").find(tail[0]) == std::string_view::npos || !starts_line)
    throw UserError(fmt::format("{} is no log: its last line is no record", path_));
  if (ftruncate(file_.number, size - tail.size()) != 0) fail_system(path_, "shorten");
  torn_line_ = std::move(tail);
}

void Writer::append_header(std::string_view json) {
  check(json.find('\n') == std::string_view::npos, "a header is one line");
  append_line(fmt::format("# {}", json));
}

void Writer::append(const Record& record, std::string_view note_json) {
  const bool is_complete = record.version < kLastVersion || record.hardware.size() == kHardwareNumbers;
  check(is_complete || !record.spelling.empty(), "a v0.6 record has 8 hardware numbers");
  check(note_json.find('\n') == std::string_view::npos, "a note is one line");
  append_line(note_json.empty() ? to_line(record)
                                : fmt::format("# {}\n{}", note_json, to_line(record)));
}

// One call of write, so that no part of what belongs together waits in a buffer.
void Writer::append_line(std::string line) {
  line += '\n';
  const ssize_t written = write(file_.number, line.data(), line.size());
  if (written < 0) fail_system(path_, "append to");
  if (written != static_cast<ssize_t>(line.size()))
    throw UserError(fmt::format("{} took only {} of {} bytes", path_, written, line.size()),
                    "the disk may be full");
}

}  // namespace hone::record
