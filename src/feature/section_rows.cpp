#include "feature/section_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.h"
#include "base/nearest.h"
#include "feature/code_row.h"
#include "feature/context.h"
#include "feature/embedding.h"
#include "feature/instructions.h"
#include "feature/machine.h"
#include "feature/primitive_rows.h"
#include "feature/summary.h"
#include "feature/text_codes.h"
#include "feature/tlp_rows.h"

namespace hone::feature {
namespace {

using space::Hardware;

Made refused(std::string_view reason, std::string details = {}) {
  return {{}, Refusal{reason, std::move(details)}};
}
Made does_not_fit(const UserError& error) {
  return refused("the steps do not fit the task", error.what());
}
Made without_dag() { return refused("the task's computation is not known"); }

const SectionTask& task_of(const SectionInput& input, std::size_t program) {
  return input.tasks[input.task_of[program]];
}

using RowsOf = std::vector<float> (*)(const Replayed& program);

// Rows that are made of the finished program.
SectionRows replayed_section(int version, std::size_t width, RowsOf rows, const SectionInput& input) {
  const auto make = [&input, rows](std::size_t program) -> Made {
    const SectionTask& task = task_of(input, program);
    if (task.task == nullptr) return without_dag();
    try {
      return {rows(Replayed(task.task, input.steps_of(program), task.hardware)), {}};
    } catch (const UserError& error) {
      return does_not_fit(error);
    }
  };
  return {.version = version, .width = static_cast<int>(width), .make = make, .of_replayed = rows};
}

SectionRows statement_section(const SectionInput& input) {
  // Whatever a search would have refused: who measured it wants to know what it is like.
  const RowsOf rows = [](const Replayed& program) { return program.statements().values; };
  return replayed_section(kStatementVersion, kStatementColumns, rows, input);
}

SectionRows instruction_section(const SectionInput& input) {
  const RowsOf rows = [](const Replayed& program) {
    return instruction_rows(program.tree(), program.hardware());
  };
  return replayed_section(kInstructionVersion, instruction_names().size(), rows, input);
}

SectionRows summary_section(const SectionInput& input) {
  const RowsOf rows = [](const Replayed& program) {
    return summary(program.state(), program.tree(), program.hardware());
  };
  return replayed_section(kSummaryVersion, summary_names().size(), rows, input);
}

SectionRows code_section(const SectionInput& input) {
  return replayed_section(kCodeRowVersion, code_row_names().size(), code_row, input);
}

SectionRows primitive_section(const SectionInput& input) {
  const RowsOf rows = [](const Replayed& program) {
    return primitive_rows(program.noted(), program.tree());
  };
  return replayed_section(kPrimitiveRowVersion, primitive_row_names().size(), rows, input);
}

// One table of numbers a set: CPUs and GPUs have different ones.
Hardware::Kind vocabulary_of(const SectionInput& input) {
  const auto is_gpu = [](const SectionTask& task) { return task.hardware.kind == Hardware::Kind::Gpu; };
  const auto gpus = std::ranges::count_if(input.tasks, is_gpu);
  if (gpus == 0) return Hardware::Kind::Cpu;
  if (gpus == std::ssize(input.tasks)) return Hardware::Kind::Gpu;
  throw UserError("TLP's rows differ between CPUs and GPUs, and this set has tasks of both",
                  "split the set by target first");
}

// "tlp" is the paper's size and "tlp_54x40" any other.
std::optional<TlpFormat> tlp_format(std::string_view name, const SectionInput& input) {
  constexpr std::string_view kName = "tlp";
  if (name == kName) return tlp_cropped(vocabulary_of(input));
  if (!name.starts_with("tlp_")) return {};
  TlpFormat format{};
  const char *const begin = name.data() + kName.size() + 1, *const end = name.data() + name.size();
  const auto steps = std::from_chars(begin, end, format.steps);
  if (steps.ec != std::errc() || steps.ptr == end || *steps.ptr != 'x') return {};
  const auto width = std::from_chars(steps.ptr + 1, end, format.width);
  constexpr int kMost = 4096;
  if (width.ec != std::errc() || width.ptr != end || format.steps < 1 || format.steps > kMost ||
      format.width <= kTlpKinds || format.width > kMost) {
    return {};
  }
  format.vocabulary = vocabulary_of(input);
  return format;
}

SectionRows tlp_section(const TlpFormat& format, const SectionInput& input) {
  const auto rows = [format](const schedule::Steps& steps) {
    TlpFormat filled = format;  // without the zero rows behind them
    filled.steps = std::min(format.steps, static_cast<int>(steps.size()));
    std::vector<float> values(filled.size());
    tlp_rows(steps, filled, values.data());
    return values;
  };
  return {.version = kTlpVersion,
          .width = format.width,
          .make = [&input, rows](std::size_t i) -> Made { return {rows(input.steps_of(i)), {}}; },
          .full_rows = format.steps,
          .of_replayed = [rows](const Replayed& program) { return rows(program.state().steps); }};
}

SectionRows context_section(const SectionInput& input) {
  const auto make = [&input](std::size_t number) -> Made {
    const SectionTask& task = input.tasks[number];
    if (task.task == nullptr) return without_dag();
    return {context(*task.task, task.hardware), {}};
  };
  return {kContextVersion, static_cast<int>(context_names().size()), make, true};
}

SectionRows machine_section(const SectionInput& input) {
  const auto make = [&input](std::size_t number) -> Made {
    return {machine_row(input.tasks[number].machine, input.tasks[number].hardware), {}};
  };
  return {kMachineVersion, static_cast<int>(machine_names().size()), make, true};
}

SectionRows embedding_section(const SectionInput& input) {
  const auto make = [&input](std::size_t number) -> Made {
    const SectionTask& task = input.tasks[number];
    if (task.task == nullptr) return without_dag();
    const Embedding flags = embedding(*task.task);
    return {{flags.begin(), flags.end()}, {}};
  };
  return {kEmbeddingVersion, static_cast<int>(kEmbeddingTexts.size()), make, true};
}

SectionRows character_section(const SectionInput& input) {
  const auto make = [&input](std::size_t program) -> Made {
    return {character_codes(input.steps_of(program)), {}};
  };
  return {
      .version = kTextVersion, .width = 1, .make = make, .of_replayed = [](const Replayed& program) {
        return character_codes(program.state().steps);
      }};
}

SectionRows token_section(const SectionInput& input) {
  auto tokens = std::make_shared<StepTokens>();
  for (std::size_t i = 0; i < input.task_of.size(); ++i) tokens->learn(input.steps_of(i));
  const auto make = [&input, tokens](std::size_t program) -> Made {
    return {tokens->codes(input.steps_of(program)), {}};
  };
  return {kTextVersion, 1, make, false, 0, tokens->print()};
}

struct Known {
  SectionHelp help;
  SectionRows (*make)(const SectionInput& input);
};
constexpr auto kKnown = std::to_array<Known>({
    {{"statements", "Ansor's 164 features of every statement"}, statement_section},
    {{"primitives", "hone's features of every step, resolved in the finished program"},
     primitive_section},
    {{"instructions", "what vector instructions do for every statement"}, instruction_section},
    {{"summary", "the whole program in one row"}, summary_section},
    {{"code", "what hone's code generator makes of the whole program"}, code_section},
    {{"context", "what the task and the machine are like"}, context_section},
    {{"machine", "the machine as numbers, and which of them are known"}, machine_section},
    {{"embedding", "TenSet's nine flags of the task"}, embedding_section},
    {{"characters", "the program as characters of text"}, character_section},
    {{"tokens", "a number for each distinct step"}, token_section},
});

}  // namespace

std::span<const SectionHelp> section_names() {
  static const std::vector<SectionHelp> all = [] {
    std::vector<SectionHelp> helps = {
        {"tlp", "TLP's rows, cut as in the paper; tlp_SxW: S steps of W numbers"}};
    for (const Known& known : kKnown) helps.push_back(known.help);
    return helps;
  }();
  return all;
}

SectionRows section_rows(std::string_view name, const SectionInput& input) {
  if (const auto format = tlp_format(name, input)) return tlp_section(*format, input);
  for (const Known& known : kKnown) {
    if (known.help.name == name) return known.make(input);
  }
  std::vector<std::string> names;
  for (const SectionHelp& help : section_names()) names.emplace_back(help.name);
  throw UserError(fmt::format("there is no feature section \"{}\"", name), did_you_mean(name, names));
}

}  // namespace hone::feature
