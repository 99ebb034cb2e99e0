// What a loop nest does, in a form in which two nests can be compared: the allocations and stores in
// their order, each with the loops around it, and a way to evaluate what a store does.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/program.h"

namespace hone {

// The result of one thread in a reduction across threads has one name in both; others keep theirs.
std::string common_name(const std::string& tensor);
// The value of a tensor's element; tensors have random contents that depend on name and index alone.
double element_value(const std::string& tensor, const std::vector<std::int64_t>& index);

struct NestLoop {
  ir::LoopKind kind;
  std::int64_t extent;
  friend bool operator==(const NestLoop&, const NestLoop&) = default;
};
struct NestEvent {
  bool is_store = false;
  std::string tensor;
  std::vector<NestLoop> loops;      // those that run more than once
  std::vector<std::int64_t> shape;  // of an allocation
  // What a store does when the loops are at these values.
  struct Effect {
    bool happens = false;
    std::vector<std::int64_t> index;  // from the least element of the allocation
    double value = 0;
  };
  std::function<Effect(const std::vector<std::int64_t>&)> effect;
};

std::vector<NestEvent> events_of(const ir::Program& program);

}  // namespace hone
