// How a trial ended: the nine statuses of the public record format.
#pragma once
#include <cstdint>
#include <string_view>

namespace hone::worker {

// Numbered as in records.
enum class Status : std::uint8_t {
  Ok = 0,
  Instantiation = 1,  // the schedule cannot be applied to its task
  CompileHost = 2,
  CompileDevice = 3,
  Runtime = 4,  // crashed, or accessed memory out of bounds
  WrongAnswer = 5,
  BuildTimeout = 6,
  RunTimeout = 7,
  Unknown = 8,
};

std::string_view to_string(Status status);

}  // namespace hone::worker
