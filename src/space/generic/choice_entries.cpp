#include "space/generic/choice_entries.h"

#include <algorithm>
#include <numeric>

#include "space/generic/read_steps.h"

namespace hone::space {
namespace {

// Calls `visit(field, op, axis, value)` on every number of the choice, in the order of the entries.
// Axes of one iteration have none.
template <class AChoice, class Visit>
void for_each_value(const task::Task& task, const std::vector<StageRole>& roles, AChoice& choice,
                    const Visit& visit) {
  auto tiled = choice.tiled.begin();
  auto rows = choice.rows.begin();
  auto patches = choice.patches.begin();
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const task::Op& op = task.ops[i];
    const int id = static_cast<int>(i);
    const Role role = roles[i].role;
    if (role == Role::Tiled) {
      auto& t = *tiled++;
      for (std::size_t a = 0; a < op.axes.size(); ++a) {
        if (op.axes[a].extent == 1) continue;
        visit(Field::Level1, id, static_cast<int>(a), t.level1[a]);
        visit(Field::Level2, id, static_cast<int>(a), t.level2[a]);
        visit(Field::Inner, id, static_cast<int>(a), t.inner[a]);
      }
      visit(Field::Lanes, id, static_cast<int>(op.axes.size()) - 1, t.lanes);
      for (std::size_t r = 0; r < op.reduce_axes.size(); ++r) {
        if (op.reduce_axes[r].extent > 1) visit(Field::Reduce, id, static_cast<int>(r), t.reduce[r]);
      }
      if (op.axes.size() > 1) visit(Field::Outermost, id, -1, t.vector_axis_outermost);
      visit(Field::Unroll, id, -1, t.unroll);
      if (roles[i].streamed >= 0) visit(Field::Prefetch, id, -1, t.prefetch);
      for (std::size_t p = 0; p < t.panels.size(); ++p)
        visit(Field::Panel, id, static_cast<int>(p), t.panels[p]);
    }
    if (role == Role::Rows || role == Role::Attached) {
      auto& t = *rows++;
      visit(Field::Lanes, id, -1, t.lanes);
      visit(Field::Vectors, id, -1, t.vectors);
      if (role == Role::Attached) continue;
      visit(Field::Rows, id, -1, t.rows);
      visit(Field::Unroll, id, -1, t.unroll);
    }
    if (role == Role::Patches) {
      auto& t = *patches++;
      visit(Field::Lanes, id, -1, t.lanes);
      if (roles[i].shared.empty()) continue;
      visit(Field::Columns, id, -1, t.columns);
      visit(Field::Blocks, id, -1, t.blocks);
    }
  }
}

Choice smallest_choice(const task::Task& task, const std::vector<StageRole>& roles) {
  Choice choice;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const task::Op& op = task.ops[i];
    if (roles[i].role == Role::Tiled) {
      Tiling& t = choice.tiled.emplace_back();
      for (auto* sizes : {&t.level1, &t.level2, &t.inner}) sizes->assign(op.axes.size(), 1);
      t.reduce.assign(op.reduce_axes.size(), 1);
      t.panels.assign(roles[i].panels.size(), 0);
    }
    if (roles[i].role == Role::Rows || roles[i].role == Role::Attached) choice.rows.emplace_back();
    if (roles[i].role == Role::Patches) choice.patches.emplace_back();
  }
  return choice;
}

}  // namespace

const char* name_of(Field field) {
  switch (field) {
    case Field::Level1:
      return "level1";
    case Field::Level2:
      return "level2";
    case Field::Inner:
      return "inner";
    case Field::Reduce:
      return "reduce";
    case Field::Lanes:
      return "lanes";
    case Field::Outermost:
      return "outermost";
    case Field::Unroll:
      return "unroll";
    case Field::Vectors:
      return "vectors";
    case Field::Rows:
      return "rows";
    case Field::Prefetch:
      return "prefetch";
    case Field::Panel:
      return "panel";
    case Field::Columns:
      return "columns";
    case Field::Blocks:
      return "blocks";
  }
  return "";
}

ChoiceEntries::ChoiceEntries(const task::Task& task, const std::vector<StageRole>& roles)
    : task_(task), roles_(roles), smallest_(smallest_choice(task, roles)) {
  int group = 0;
  for_each_value(task_, roles_, smallest_, [&](Field field, int op, int axis, const auto&) {
    // The three tile sizes of an axis, and the lanes that the vector axis ends with, belong together.
    const bool is_joined = !entries_.empty() && entries_.back().op == op && axis >= 0 &&
                           entries_.back().axis == axis && field != Field::Reduce &&
                           field != Field::Panel;
    group += is_joined ? 0 : 1;
    entries_.push_back({field, op, axis, group});
  });
}

Choice ChoiceEntries::to_choice(const Decisions& decisions) const {
  Choice choice = smallest_;
  std::size_t e = 1;
  for_each_value(task_, roles_, choice, [&]<class Value>(Field, int, int, Value& value) {
    value = static_cast<Value>(decisions[e++]);
  });
  return choice;
}

Decisions ChoiceEntries::to_decisions(std::int64_t family, const Choice& choice) const {
  Decisions decisions = {family};
  decisions.reserve(entries_.size() + 1);
  for_each_value(task_, roles_, choice, [&](Field, int, int, const auto& value) {
    decisions.push_back(static_cast<std::int64_t>(value));
  });
  return decisions;
}

Choice ChoiceEntries::read(const schedule::Steps& steps) const {
  Choice choice = smallest_;
  read_choice(task_, roles_, steps, choice);
  return choice;
}

}  // namespace hone::space
