#include "train/views.h"

#include <cmath>
#include <sstream>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "base/error.h"

namespace hone::train {
namespace {

using torch::Tensor;

Features::Info parse_info(const record::hds::File& file, const std::string& name) {
  std::istringstream text{std::string(file.text("feature." + name + ".info"))};
  Features::Info info;
  std::string unit;
  text >> info.version >> info.columns >> unit;
  if (!text || info.columns <= 0 || (unit != "program" && unit != "task"))
    throw UserError("feature." + name + ".info of " + file.path() + " is damaged",
                    "add the features again with `hone dataset features`");
  info.of_task = unit == "task";
  if (!(text >> info.length)) info.length = 0;
  return info;
}

// The tensor lies where the file is mapped: nothing is read before it is asked for.
template <class T>
Tensor mapped(std::span<const T> values, std::vector<std::int64_t> shape, torch::ScalarType type) {
  return torch::from_blob(const_cast<T*>(values.data()), shape, type);
}

// Of each row, the how many-th it is of those that differ, bit by bit; and how many differ.
std::pair<std::vector<std::int32_t>, std::size_t> number_different(const Tensor& rows) {
  const std::size_t bytes = static_cast<std::size_t>(rows.size(1)) * sizeof(float);
  const char* begin = reinterpret_cast<const char*>(rows.data_ptr<float>());
  std::unordered_map<std::string_view, std::int32_t> known;  // only asked, never walked through
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(rows.size(0)));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto next = static_cast<std::int32_t>(known.size());
    numbers[i] = known.try_emplace({begin + i * bytes, bytes}, next).first->second;
  }
  return {numbers, known.size()};
}

}  // namespace

Tensor numbers_on(const torch::Device& device, const std::vector<std::int64_t>& numbers) {
  return torch::tensor(numbers, torch::kLong).to(device, /*non_blocking=*/true);
}

Tensor View::pad(const Tensor& values, std::int64_t length) const {
  if (length == 0) length = longest;
  Tensor kept = values, slot = program * length + place;
  if (length < longest) {
    const Tensor inside = torch::nonzero(place < length).squeeze(1);
    kept = values.index_select(0, inside);
    slot = slot.index_select(0, inside);
  }
  const Tensor zeros = torch::zeros({n * length, values.size(1)}, kept.options());
  return zeros.index_copy(0, slot, kept).view({n, length, values.size(1)});
}

Tensor View::mask() const { return pad(torch::ones({rows.size(0), 1}, rows.options())).squeeze(2) > 0; }

Tensor View::counts() const { return mask().sum(1); }

Features::Source Features::load(const Part& part, const std::string& name) {
  const record::hds::File& file = part.file;
  if (!file.has("feature." + name + ".info"))
    throw UserError(file.path() + " has no features '" + name + "'",
                    "add them with `hone dataset features SET --add " + name + " -o NEW`");
  const Info info = parse_info(file, name);
  const auto offsets = file.array<std::uint64_t>("feature." + name + ".offsets");
  const auto values = file.array<float>("feature." + name + ".values");
  const std::size_t owners = info.of_task ? part.n_tasks : part.n_programs;
  const auto columns = static_cast<std::uint64_t>(info.columns);
  if (offsets.size() != owners + 1 || offsets.back() * columns != values.size() ||
      !std::is_sorted(offsets.begin(), offsets.end()))
    throw UserError("the features '" + name + "' of " + file.path() + " do not fit its programs",
                    "add the features again with `hone dataset features`");
  if (offsets.back() == 0 && owners > 0)
    throw UserError(
        "no program of " + file.path() + " has features '" + name + "'",
        "they are made from what tasks compute: import the logs with the DAGs of their tasks");
  return {info,
          mapped(values, {static_cast<std::int64_t>(offsets.back()), info.columns}, torch::kFloat),
          mapped(offsets, {static_cast<std::int64_t>(offsets.size())}, torch::kLong)};
}

Features::Source Features::load(const DataSet& set, const std::string& name) {
  Source all = load(set.parts.front(), name);
  if (set.parts.size() == 1) return all;
  std::vector<Tensor> rows = {all.rows}, offsets = {all.offsets};
  std::int64_t n_rows = all.rows.size(0);
  for (const Part& part : std::span(set.parts).subspan(1)) {
    const Source next = load(part, name);
    if (next.info != all.info)
      throw UserError("the features '" + name + "' of " + part.file.path() + " and " +
                          set.parts.front().file.path() + " differ in version or width",
                      "add them again to both with `hone dataset features`");
    rows.push_back(next.rows);
    offsets.push_back(next.offsets.slice(0, 1) + n_rows);
    n_rows += next.rows.size(0);
  }
  return {all.info, torch::cat(rows), torch::cat(offsets)};
}

Features::Features(const DataSet& set, const std::vector<std::string>& names, torch::Device device)
    : parts_(set.parts), platforms_(set.platforms), device_(device), names_(names) {
  for (const std::string& name : names) {
    Source source = load(set, name);
    if (source.info.length > 0)
      std::tie(source.numbers, source.n_different) = number_different(source.rows);
    source.known_offsets = source.offsets;
    source.offsets = source.offsets.to(device);
    source.rows = source.rows.to(device);
    sources_[name] = std::move(source);
  }
  task_of_ = torch::empty({static_cast<std::int64_t>(set.n_programs())}, torch::kLong);
  platform_of_ = torch::empty_like(task_of_);
  for (std::size_t i = 0; i < set.n_programs(); ++i) {
    task_of_.data_ptr<std::int64_t>()[i] = set.task_of[i];
    platform_of_.data_ptr<std::int64_t>()[i] = set.tasks[set.task_of[i]].platform;
    owners_.push_back({set.task_of[i], set.tasks[set.task_of[i]].platform});
  }
  task_of_ = task_of_.to(device);
  platform_of_ = platform_of_.to(device);
}

std::string Features::versions() const {
  std::string text;
  for (const std::string& name : names_)
    text += (text.empty() ? "" : ", ") + name + " " + std::to_string(info(name).version);
  return text;
}

void Features::find_different(const Source& source, const std::vector<Program>& programs,
                              View& view) const {
  const std::int64_t* offsets = source.known_offsets.data_ptr<std::int64_t>();
  constexpr std::int64_t kNotThere = -1;
  std::vector<std::int64_t> different, which;
  std::vector<std::int64_t> place_of(source.n_different, kNotThere);
  for (const Program program : programs) {
    const std::size_t owner = source.info.of_task ? owners_[program].task : program;
    for (std::int64_t row = offsets[owner]; row < offsets[owner + 1]; ++row) {
      const std::int32_t number = source.numbers[static_cast<std::size_t>(row)];
      std::int64_t& place = place_of[static_cast<std::size_t>(number)];
      if (place == kNotThere) {
        place = static_cast<std::int64_t>(different.size());
        different.push_back(static_cast<std::int64_t>(which.size()));
      }
      which.push_back(place);
    }
  }
  view.different = numbers_on(device_, different);
  view.which = numbers_on(device_, which);
}

Batch Features::batch(const std::vector<Program>& programs) const {
  const auto n = static_cast<std::int64_t>(programs.size());
  const Tensor ids = numbers_on(device_, {programs.begin(), programs.end()});
  const auto numbers = [&](std::int64_t count) {
    return torch::arange(count, torch::TensorOptions(torch::kLong).device(device_));
  };
  Batch batch{n, platform_of_.index_select(0, ids), {}};
  for (const auto& [name, source] : sources_) {
    const Tensor owner = source.info.of_task ? task_of_.index_select(0, ids) : ids;
    const Tensor begin = source.offsets.index_select(0, owner);
    const Tensor counts = source.offsets.index_select(0, owner + 1) - begin;
    View view;
    view.n = n;
    view.longest = 1;
    std::int64_t n_rows = 0;
    const std::int64_t* offsets = source.known_offsets.data_ptr<std::int64_t>();
    for (const Program program : programs) {
      const std::int64_t* of_owner = offsets + (source.info.of_task ? owners_[program].task : program);
      view.lengths.push_back(of_owner[1] - of_owner[0]);
      view.longest = std::max(view.longest, view.lengths.back());
      n_rows += view.lengths.back();
    }
    view.program = torch::repeat_interleave(numbers(n), counts, /*dim=*/c10::nullopt, n_rows);
    const Tensor before = counts.cumsum(0) - counts;  // rows of the programs before
    view.place = numbers(view.program.size(0)) - before.index_select(0, view.program);
    view.rows = source.rows.index_select(0, begin.index_select(0, view.program) + view.place);
    if (!source.numbers.empty()) find_different(source, programs, view);
    batch.views[name] = std::move(view);
  }
  return batch;
}

}  // namespace hone::train
