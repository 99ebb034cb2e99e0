// The features of a whole data set, section by section: what `hone dataset features --add NAME` adds
// and what models are trained on. docs/formats/features.md has the columns.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/step.h"
#include "space/hardware.h"
#include "target/descriptor.h"
#include "task/task.h"

namespace hone::feature {

struct SectionTask {
  std::shared_ptr<const task::Task> task;  // null when nobody knows the DAG
  space::Hardware hardware;
  target::Descriptor machine = {};  // what is known of it besides
};

struct SectionInput {
  std::vector<SectionTask> tasks;
  std::span<const std::uint32_t> task_of;  // of each program
  // Programs are asked for by number, from several threads at once: sets need not fit into memory.
  std::function<schedule::Steps(std::size_t program)> steps_of;
};

// Programs or tasks without rows.
struct LeftOut {
  std::string reason;
  std::int64_t count = 0;
  std::size_t first = 0;  // the first of them
  std::string example;    // what was said of it
};

struct Section {
  std::string info;  // "VERSION WIDTH program|task [ROWS]"; ROWS when shorter ones are padded
  std::vector<std::uint64_t> offsets;  // in rows, one more than there are programs or tasks
  std::string vocabulary;              // of `tokens`: a step a line; else empty
  std::vector<LeftOut> left_out;
};

struct SectionHelp {
  std::string_view name, meaning;
};
std::span<const SectionHelp> section_names();

// Calls `take` with the rows in the order of the programs, a piece at a time; the result does not
// depend on the number of threads. `tlp_SxW` is TLP's table cut to S steps of W numbers. Throws
// UserError when there is no such section or the set cannot have it.
using TakeRows = std::function<void(std::span<const float> values)>;
Section make_section(std::string_view name, const SectionInput& input, int threads,
                     const TakeRows& take);

}  // namespace hone::feature
