#include "cli/inspect_artefact.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "artefact/session.h"
#include "cli/exit_code.h"

namespace hone::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMiB = 1 << 20;

std::string ports(const Json& ports) {
  std::string text;
  for (const Json& port : ports) {
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", port["name"].get<std::string>(),
                        port["type"].get<std::string>(), port["shape"].dump());
  }
  return text;
}

// The parameters of a kernel that are parts of larger tensors, with their strides.
std::string views(const Json& kernel) {
  std::string text;
  if (!kernel.contains("views")) return text;
  for (const Json& view : kernel["views"]) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", view["parameter"].get<std::string>(),
                        view["strides"].dump());
  }
  return text;
}

std::string step_line(std::size_t number, const Json& step, const Json& kernels) {
  std::string what, made = "", where;
  if (step.contains("kernel")) {
    const Json& kernel = kernels[step["kernel"].get<std::size_t>()];
    what = kernel["name"].get<std::string>();
    made = kernel.contains("record") ? "tuned" : "default";
    where = views(kernel);
  } else if (step.contains("copy_bytes")) {
    what = fmt::format("copy {} bytes", step["copy_bytes"].get<std::int64_t>());
  } else if (step.contains("topk")) {
    what = fmt::format("topk {}", step["topk"].get<std::int64_t>());
  } else {
    what = fmt::format("loop {} times over {} steps", step["trips"].get<std::int64_t>(),
                       step["steps"].get<std::int64_t>());
  }
  return fmt::format("{:>5}  {:<8} {}  # {}{}\n", number, made, what, step["label"].get<std::string>(),
                     where.empty() ? "" : "; strides of " + where);
}

std::string variant_text(const Json& variant) {
  const Json& kernels = variant["kernels"];
  int tuned = 0, strided = 0, copies = 0;
  for (const Json& kernel : kernels) {
    tuned += kernel.contains("record") ? 1 : 0;
    strided += kernel.contains("views") ? 1 : 0;
  }
  for (const Json& step : variant["steps"]) copies += step.contains("copy_bytes") ? 1 : 0;
  std::string text = fmt::format(
      "\nvariant   {}\nthreads   {}\narena     {:.1f} MiB\nkernels   {}, {} of them tuned, {} on "
      "views\n"
      "steps     {}, {} of them copies\n",
      variant["target"].get<std::string>(), variant["threads"].get<int>(),
      variant["arena_bytes"].get<double>() / kMiB, kernels.size(), tuned, strided,
      variant["steps"].size(), copies);
  std::size_t number = 0;
  for (const Json& step : variant["steps"]) text += step_line(number++, step, kernels);
  return text;
}

}  // namespace

int inspect_artefact(const std::string& file, bool json) {
  const Json manifest = Json::parse(artefact::read_contents(file).manifest);
  if (json) {
    Json report = {{"schema", "hone.artefact/1"}, {"file", file}};
    report.update(manifest);
    fmt::print("{}\n", report.dump());
    return kDone;
  }
  fmt::print("artefact  {}\nmodel     {}\nmade by   hone {}, {}\ninputs    {}\noutputs   {}\n", file,
             manifest["model"].get<std::string>(), manifest["hone"].get<std::string>(),
             manifest["compiler"].get<std::string>(), ports(manifest["inputs"]),
             ports(manifest["outputs"]));
  for (const Json& variant : manifest["variants"]) fmt::print("{}", variant_text(variant));
  return kDone;
}

}  // namespace hone::cli
