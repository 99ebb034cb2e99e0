// A sketch as annotation sees it: its steps with holes, its loops, and which entry decides what.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "schedule/state.h"
#include "space/decisions.h"
#include "space/factors.h"
#include "space/hardware.h"
#include "task/analysis.h"

namespace hone::space {

enum class Meaning : std::uint8_t { Family, Length, Place, Parallel, Unroll, Vector };
struct Entry {
  Meaning meaning;
  int node;   // the stage that it belongs to
  int group;  // the first of the entries that say one thing together
};

// A split of the steps; its lengths are `count` entries from `first` on, or `fallback` when `first` is
// 0: a loop of one iteration leaves no choice.
struct SplitSite {
  int step = 0;
  std::string loop = {};  // the name of what is split
  int first = 0, count = 0;
  std::int64_t extent = 0;           // of the loop that is split; 0 when other decisions decide it
  Lengths fallback = {};             // what the sketch says; empty when it leaves the lengths to choice
  Factorings::List factorings = {};  // what to draw from; null when the extent is not known
};

std::span<const std::int64_t> lengths_of(const SplitSite& site, const Decisions& decisions);

// Entries of one stage, 0 where it has none.
struct StageSites {
  int place = 0, parallel = 0, unroll = 0, vector = 0;
};

// A constant times a product of entries.
struct Size {
  std::int64_t constant = 1;
  std::vector<int> entries = {};
  std::int64_t value(const Decisions& decisions) const;
};
void multiply(Size& size, const Size& by);

// The extent of an axis: a constant, or that of a loop of a stage that was factored.
struct AxisExtent {
  std::int64_t constant = 1;
  int factored = -1, loop = -1;
};
// The loops of one stage, and what they are made of.
struct Loops {
  std::vector<AxisExtent> axes;  // then reduce axes
  std::vector<schedule::Relation> relations;
  std::vector<Size> sizes;  // one a relation; of a split its size
};

struct StageFacts {
  bool is_computed = false;  // neither an input nor inlined by the sketch
  bool is_tiled = false;     // has other loops than its op has axes
  bool needs_tiling = false;
  bool has_reduction = false;
};

struct Outline {
  schedule::State state;          // after the sketch
  task::Analysis analysis;        // of state.task
  schedule::Steps steps;          // with holes
  std::vector<SplitSite> splits;  // in the order of the steps
  std::vector<Loops> loops;       // one a stage
  std::vector<Loops> factored;    // stages before rfactor took them apart
  std::vector<StageFacts> facts;  // one a stage
  std::vector<StageSites> sites;  // one a stage
  std::vector<Entry> entries;     // entry 0 is the family

  int n_stages() const { return static_cast<int>(state.stages.size()); }
  const schedule::Stage& stage(int s) const { return state.stages[static_cast<std::size_t>(s)]; }
  const task::Op& op(int s) const { return state.task->ops[static_cast<std::size_t>(s)]; }
  const StageFacts& fact(int s) const { return facts[static_cast<std::size_t>(s)]; }
  const StageSites& site(int s) const { return sites[static_cast<std::size_t>(s)]; }
};

// The outline without entries but for those of splits.
Outline outline_of(const std::shared_ptr<const task::Task>& task, const schedule::Steps& sketch,
                   Factorings& factorings);
// Entries of one meaning in a row; gives the first.
int add_entries(Outline& outline, Meaning meaning, int node, int count = 1);

// Which axes of its op each loop of the stage comes from, as bits.
std::vector<std::uint64_t> origins(const schedule::Stage& stage, std::size_t n_axes);

}  // namespace hone::space
