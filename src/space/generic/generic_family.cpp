#include "space/generic/generic_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "space/blocks.h"
#include "space/borders.h"
#include "space/choose.h"
#include "space/filter.h"
#include "space/panels.h"
#include "space/prefetch.h"
#include "space/same_steps.h"

namespace hone::space {
namespace {

constexpr std::int64_t kUnrollLimits[] = {0, 16, 64, 128, 512};
constexpr std::int64_t kMaxEntry = std::int64_t{1} << 20;  // more is no tile size

// The nearest numbers of the list below and above.
std::vector<std::int64_t> beside(std::span<const std::int64_t> list, std::int64_t value) {
  std::vector<std::int64_t> values;
  const auto above = std::ranges::upper_bound(list, value);
  const auto at = std::ranges::lower_bound(list, value);
  if (above != list.end()) values.push_back(*above);
  if (at != list.begin()) values.push_back(*(at - 1));
  return values;
}

}  // namespace

GenericFamily::GenericFamily(int number, std::shared_ptr<const task::Task> task,
                             const target::Target& target, int threads)
    : number_(number),
      task_(std::move(task)),
      target_(target),
      threads_(threads),
      roles_(structure(*task_, task::analyse(*task_))),
      entries_(*task_, roles_) {
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    if (roles_[i].role == Role::Tiled) borders_.push_back(border_axes(*task_, task_->ops[i]));
  }
}

Family::Owner GenericFamily::owner_of(std::size_t entry) const {
  const ChoiceEntry& owner = entries_.list()[entry - 1];
  return {owner.op, owner.group};
}

bool GenericFamily::is_mine(const Decisions& decisions) const {
  const std::vector<ChoiceEntry>& list = entries_.list();
  if (decisions.size() != list.size() + 1 || decisions.front() != number_) return false;
  for (std::size_t e = 0; e < list.size(); ++e) {
    const Field field = list[e].field;
    const bool may_be_zero = field == Field::Unroll || field == Field::Outermost ||
                             field == Field::Prefetch || field == Field::Panel;
    const std::int64_t value = decisions[e + 1];
    const std::int64_t limit = field == Field::Panel ? most(list[e]) : kMaxEntry;
    if (value < (may_be_zero ? 0 : 1) || value > limit) return false;
  }
  return true;
}

std::optional<schedule::Steps> GenericFamily::decode(const Decisions& decisions) const {
  if (!is_mine(decisions)) return std::nullopt;
  return steps_for(*task_, roles_, entries_.to_choice(decisions));
}

std::optional<Decisions> GenericFamily::encode(const schedule::Steps& steps) const {
  Decisions decisions = entries_.to_decisions(number_, entries_.read(steps));
  const std::optional<schedule::Steps> again = decode(decisions);
  return again && is_same(*again, steps) ? std::optional(std::move(decisions)) : std::nullopt;
}

std::optional<Decisions> GenericFamily::fit(const schedule::Steps& steps) const {
  Decisions decisions = entries_.to_decisions(number_, entries_.read(steps));
  const std::optional<schedule::Steps> again = decode(decisions);
  return again && is_alike(*again, steps) ? settle(std::move(decisions)) : std::nullopt;
}

// Sizes that stand in no step are read back as 1 and no tile is larger than it need be, so every
// candidate has one list of entries.
std::optional<Decisions> GenericFamily::settle(Decisions mixed) const {
  if (!is_mine(mixed)) return std::nullopt;
  Choice choice = entries_.to_choice(mixed);
  if (!settle_tiles(choice)) return std::nullopt;
  return entries_.to_decisions(number_, entries_.read(steps_for(*task_, roles_, choice)));
}

// Each level cuts what the levels inside leave into pieces of equal size. False when a register tile
// would spill.
bool GenericFamily::settle_tiles(Choice& choice) const {
  auto tiling = choice.tiled.begin();
  auto borders = borders_.begin();
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    if (roles_[i].role != Role::Tiled) continue;
    Tiling& t = *tiling++;
    limit_borders(*borders++, t);
    std::int64_t rows = 1;
    for (std::size_t a = 0; a < t.inner.size(); ++a) {
      const bool is_vector = a + 1 == t.inner.size();
      std::int64_t rest = ceil_div(task_->ops[i].axes[a].extent, is_vector ? t.lanes : 1);
      t.inner[a] = balanced(rest, std::min(t.inner[a], rest));
      rest = ceil_div(rest, t.inner[a]);
      t.level2[a] = std::min(t.level2[a], rest);
      rest = ceil_div(rest, t.level2[a]);
      t.level1[a] = balanced(rest, std::min(t.level1[a], rest));
      if (!is_vector) rows *= t.inner[a];
    }
    keep_blocks_whole(task_->ops[i], roles_[i], t);
    for (std::size_t r = 0; r < t.reduce.size(); ++r) {
      t.reduce[r] = std::min(t.reduce[r], task_->ops[i].reduce_axes[r].extent);
    }
    if (!fits_registers(rows, t.inner.back(), target_)) return false;
    if (!settle_panels(i, t)) return false;
  }
  return true;
}

// False when a panel would leave the caches of its core.
bool GenericFamily::settle_panels(std::size_t op, Tiling& t) const {
  for (std::size_t p = 0; p < t.panels.size(); ++p) {
    t.panels[p] = settled(task_->ops[op], t, t.panels[p]);
    if (t.panels[p] == kNoPanel) continue;
    const auto operand = static_cast<std::size_t>(roles_[op].panels[p]);
    const std::int64_t bytes = panel_bytes(task_->ops[op], task_->ops[operand], t, t.panels[p]);
    if (!fits({.accumulators = 0, .scratch_bytes = bytes}, target_)) return false;
  }
  if (is_packed(roles_[op], t, roles_[op].streamed)) t.prefetch = 0;  // it is near already
  return true;
}

std::optional<Decisions> GenericFamily::sample(Random& random) const {
  const Draw draw = [&](std::int64_t n) { return random.below(n); };
  const Choice choice = random_choice(*task_, roles_, target_, threads_, draw);
  return entries_.to_decisions(number_, entries_.read(steps_for(*task_, roles_, choice)));
}

// Half of the mutations go one step, the others draw one group of entries anew.
std::optional<Decisions> GenericFamily::mutate(const Decisions& decisions, Random& random) const {
  if (!is_mine(decisions)) return std::nullopt;
  const std::size_t entry =
      1 + static_cast<std::size_t>(random.below(static_cast<std::int64_t>(entries_.list().size())));
  Decisions mutant = decisions;
  if (random.below(2) == 0) {
    const std::vector<std::int64_t> values = steps_from(entry, decisions[entry]);
    if (values.empty()) return std::nullopt;
    mutant[entry] =
        values[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(values.size())))];
  } else {
    const Decisions other = *sample(random);
    for (std::size_t e = 1; e < mutant.size(); ++e) {
      if (owner_of(e).group == owner_of(entry).group) mutant[e] = other[e];
    }
  }
  std::optional<Decisions> settled = settle(std::move(mutant));
  return settled && *settled != decisions ? settled : std::nullopt;
}

std::int64_t GenericFamily::most(const ChoiceEntry& entry) const {
  const task::Op& op = task_->ops[static_cast<std::size_t>(entry.op)];
  switch (entry.field) {
    case Field::Lanes:
      return std::max(1, target_.lanes(ir::bits(op.output()->type.scalar)));
    case Field::Reduce:
      return op.reduce_axes[static_cast<std::size_t>(entry.axis)].extent;
    case Field::Level1:
    case Field::Level2:
    case Field::Inner:
      return op.axes[static_cast<std::size_t>(entry.axis)].extent;
    case Field::Vectors:
    case Field::Columns:
      return 16;
    case Field::Blocks:
      return op.axes.back().extent;
    case Field::Rows:
      return op.axes.size() > 1 ? op.axes[op.axes.size() - 2].extent : 1;
    case Field::Panel:
      return in_reduction(op);
    case Field::Outermost:
    case Field::Unroll:
    case Field::Prefetch:
      break;
  }
  return 0;
}

std::vector<std::int64_t> GenericFamily::steps_from(std::size_t entry, std::int64_t value) const {
  const ChoiceEntry& here = entries_.list()[entry - 1];
  std::vector<std::int64_t> values;
  const auto add = [&](std::int64_t other) {
    if (other >= 1 && other <= most(here) && other != value) values.push_back(other);
  };
  if (here.field == Field::Outermost) return {1 - value};
  if (here.field == Field::Panel) {
    for (PanelPlace place = kNoPanel; place <= most(here); ++place) {
      if (place != value) values.push_back(place);
    }
    return values;
  }
  if (here.field == Field::Unroll) return beside(kUnrollLimits, value);
  if (here.field == Field::Prefetch) return beside(kPrefetchDistances, value);
  if (here.field == Field::Inner) {  // one piece more or less, whatever that makes of the size
    const std::int64_t whole = most(here);
    add(balanced(whole, std::max<std::int64_t>(value - 1, 1)));
    add(ceil_div(whole, std::max<std::int64_t>(ceil_div(whole, value) - 1, 1)));
    return values;
  }
  add(value / 2);
  add(value * 2);
  // A part of the reduction is worth a block of its own from here on.
  if (here.field == Field::Reduce && value == 1) add(64);
  return values;
}

std::vector<Decisions> GenericFamily::neighbours(const Decisions& decisions) const {
  if (!is_mine(decisions)) return {};
  std::set<Decisions> found;
  for (std::size_t e = 1; e < decisions.size(); ++e) {
    for (const std::int64_t value : steps_from(e, decisions[e])) {
      Decisions other = decisions;
      other[e] = value;
      std::optional<Decisions> settled = settle(std::move(other));
      if (settled && *settled != decisions) found.insert(std::move(*settled));
    }
  }
  return {found.begin(), found.end()};
}

// Nothing about operands that are read where they are.
std::string GenericFamily::print_panel(const ChoiceEntry& entry, PanelPlace place) const {
  if (place == kNoPanel) return "";
  const task::Op& op = task_->ops[static_cast<std::size_t>(entry.op)];
  const int operand =
      roles_[static_cast<std::size_t>(entry.op)].panels[static_cast<std::size_t>(entry.axis)];
  const std::string& name = task_->ops[static_cast<std::size_t>(operand)].name();
  if (place == kInChunk) return fmt::format(" panel of {} in each chunk", name);
  if (place == in_reduction(op)) return fmt::format(" panel of {} in the reduction", name);
  return fmt::format(" panel of {} in {}", name,
                     ir::name_of(op.axes[static_cast<std::size_t>(place - kInAxis)].var));
}

std::string GenericFamily::print(const Decisions& decisions) const {
  std::string text = "generic:";
  int op = -1, axis = -1;
  for (std::size_t e = 1; e < decisions.size(); ++e) {
    const ChoiceEntry& here = entries_.list()[e - 1];
    const task::Op& owner = task_->ops[static_cast<std::size_t>(here.op)];
    if (here.op != op) text += fmt::format("{} {}", op < 0 ? "" : ";", owner.name());
    if (here.field == Field::Panel) {
      text += print_panel(here, decisions[e]);
      continue;
    }
    const bool is_new_axis = here.axis != axis || here.op != op;
    if (here.axis >= 0 && (is_new_axis || here.field == Field::Reduce)) {
      const auto& axes = here.field == Field::Reduce ? owner.reduce_axes : owner.axes;
      text += fmt::format(" {}:", ir::name_of(axes[static_cast<std::size_t>(here.axis)].var));
    }
    text += fmt::format(" {} {}", name_of(here.field), decisions[e]);
    op = here.op;
    axis = here.axis;
  }
  return text;
}

}  // namespace hone::space
