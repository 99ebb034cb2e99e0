// Machines that public records were measured on, by the names that `--machine` takes.
// docs/formats/dataset.md shows the same table.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace hone::record {

// `descriptor` is space-separated name=value; what is not known is left out.
struct Machine {
  std::string name, descriptor;
};

std::span<const Machine> known_machines();
bool is_known_machine(std::string_view name);

// A known name, or one of the user's own with its descriptor: my-laptop:kind=cpu,isa=avx2,cores=8.
// UserError otherwise.
Machine machine_from(const std::string& text);

}  // namespace hone::record
