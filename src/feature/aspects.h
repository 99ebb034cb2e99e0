// What the columns of features speak of, in a few words for people.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace hone::feature {

enum class Aspect : std::uint8_t {
  Arithmetic,  // operations, and how often they are done
  Vector,
  Unroll,
  Parallel,
  Threads,  // of GPUs
  Memory,   // traffic, reuse, strides, allocations
  Tiles,    // loops, their order and lengths, registers
  Code,     // what hone's code generator would make of it
};
std::string_view to_string(Aspect aspect);

// Of a column of `statements`, or behind those of the code (cpu_rows.h); one a column.
const std::vector<Aspect>& cpu_aspects();

// Of a column of `summary`: which of the program's statements it is of.
enum class SummaryOf : std::uint8_t { Whole, Main, Next };
struct SummaryAspect {
  SummaryOf of;
  Aspect aspect;
};
const std::vector<SummaryAspect>& summary_aspects();

}  // namespace hone::feature
