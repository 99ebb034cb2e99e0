#include "feature/aspects.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "feature/cpu_rows.h"
#include "feature/summary.h"

namespace hone::feature {
namespace {

struct Beginning {
  std::string_view text;
  Aspect aspect;
};

// The first that a name begins with counts.
constexpr auto kOfStatements = std::to_array<Beginning>({
    {"float_", Aspect::Arithmetic},
    {"int_", Aspect::Arithmetic},
    {"bool_", Aspect::Arithmetic},
    {"select_", Aspect::Arithmetic},
    {"vec_", Aspect::Vector},
    {"unroll_", Aspect::Unroll},
    {"auto_unroll", Aspect::Unroll},
    {"parallel_", Aspect::Parallel},
    {"is_gpu", Aspect::Threads},
    {"blockIdx", Aspect::Threads},
    {"threadIdx", Aspect::Threads},
    {"vthread", Aspect::Threads},
    {"B", Aspect::Memory},
    {"arith_intensity", Aspect::Memory},
    {"alloc_", Aspect::Memory},
    {"outer_prod", Aspect::Tiles},
    {"num_loops", Aspect::Tiles},
});

// Behind `main.` and `next.` where they are of a statement.
constexpr auto kOfSummary = std::to_array<Beginning>({
    {"code.", Aspect::Code},
    {"scalar_work", Aspect::Vector},
    {"vector", Aspect::Vector},
    {"serial_work", Aspect::Parallel},
    {"parallel", Aspect::Parallel},
    {"nested_parallel", Aspect::Parallel},
    {"regions_begun", Aspect::Parallel},
    {"longest_parallel", Aspect::Parallel},
    {"busy_share", Aspect::Parallel},
    {"threads", Aspect::Threads},
    {"virtual_threads", Aspect::Threads},
    {"warp_fill", Aspect::Threads},
    {"unroll", Aspect::Unroll},
    {"bytes", Aspect::Memory},
    {"times_allocated", Aspect::Memory},
    {"inlined", Aspect::Memory},
    {"cache", Aspect::Memory},
    {"operand", Aspect::Memory},
    {"tile0.bytes", Aspect::Memory},
    {"tile1.bytes", Aspect::Memory},
    {"tile2.bytes", Aspect::Memory},
    {"tile", Aspect::Tiles},
    {"loop", Aspect::Tiles},
    {"is_reduced", Aspect::Tiles},
    {"deepest", Aspect::Tiles},
    {"inner_reduction", Aspect::Tiles},
    {"reduction", Aspect::Tiles},
    {"register_rows", Aspect::Tiles},
    {"accumulators", Aspect::Tiles},
    {"", Aspect::Arithmetic},
});

template <class List>
Aspect aspect_of(std::string_view name, const List& list) {
  const auto found = std::ranges::find_if(
      list, [&](const Beginning& beginning) { return name.starts_with(beginning.text); });
  check(found != list.end(), "every column speaks of something");
  return found->aspect;
}

SummaryAspect summary_aspect(std::string_view name) {
  constexpr std::string_view kMain = "main.", kNext = "next.";
  if (name.starts_with(kMain))
    return {SummaryOf::Main, aspect_of(name.substr(kMain.size()), kOfSummary)};
  if (name.starts_with(kNext))
    return {SummaryOf::Next, aspect_of(name.substr(kNext.size()), kOfSummary)};
  return {SummaryOf::Whole, aspect_of(name, kOfSummary)};
}

}  // namespace

std::string_view to_string(Aspect aspect) {
  constexpr std::string_view kWords[] = {"arithmetic", "vector", "unroll", "parallel",
                                         "threads",    "memory", "tiles",  "code"};
  return kWords[static_cast<std::size_t>(aspect)];
}

const std::vector<Aspect>& cpu_aspects() {
  static const std::vector<Aspect> kAspects = [] {
    std::vector<Aspect> aspects;
    for (const std::string& name : statement_names()) aspects.push_back(aspect_of(name, kOfStatements));
    aspects.resize(kCpuColumns, Aspect::Code);
    return aspects;
  }();
  return kAspects;
}

const std::vector<SummaryAspect>& summary_aspects() {
  static const std::vector<SummaryAspect> kAspects = [] {
    std::vector<SummaryAspect> aspects;
    for (const std::string& name : summary_names()) aspects.push_back(summary_aspect(name));
    return aspects;
  }();
  return kAspects;
}

}  // namespace hone::feature
