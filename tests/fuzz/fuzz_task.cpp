// Any text is a task or the user's mistake, and a task that was read can be printed and read again.
// A first line that begins with '[' is the workload key.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "task/text.h"

using namespace hone;

namespace {

std::optional<task::Task> parse(std::string_view text) {
  task::ParseContext context;
  if (const auto line_end = text.find('\n');
      text.starts_with('[') && line_end != std::string_view::npos) {
    context.workload_key = text.substr(0, line_end);
    text.remove_prefix(line_end + 1);
  }
  try {
    return task::parse(text, context);
  } catch (const UserError&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto task = parse({reinterpret_cast<const char*>(data), size});
  if (!task) return 0;
  const std::string printed = print(*task);
  try {
    check(print(task::parse(printed, context_of(*task))) == printed, "a printed task prints alike");
  } catch (const UserError& error) {
    fail(printed + error.what());
  }
  return 0;
}
