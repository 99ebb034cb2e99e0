#include "space/generic/read_steps.h"

#include <algorithm>
#include <numeric>

#include "space/annotate/unroll.h"
#include "space/panel_steps.h"

namespace hone::space {
namespace {

class ChoiceReader {
 public:
  ChoiceReader(const task::Task& task, const std::vector<StageRole>& roles, Choice& choice)
      : task_(task),
        roles_(roles),
        op_of_(roles.size()),
        tiled_(roles.size()),
        rows_(roles.size()),
        patches_(roles.size()),
        is_factored_(roles.size()),
        copy_of_(roles.size(), -1) {
    std::iota(op_of_.begin(), op_of_.end(), 0);
    std::size_t tiled = 0, rows = 0, patches = 0;
    for (std::size_t op = 0; op < roles.size(); ++op) {
      const Role role = roles[op].role;
      if (role == Role::Tiled) tiled_[op] = &choice.tiled[tiled++];
      if (role == Role::Rows || role == Role::Attached) rows_[op] = &choice.rows[rows++];
      if (role == Role::Patches) patches_[op] = &choice.patches[patches++];
    }
  }

  void run(const schedule::Steps& steps) {
    for (const schedule::Step& step : steps) {
      const int stage = schedule::stage_of(step);
      if (stage < 0 || stage >= static_cast<int>(op_of_.size())) return;
      stage_ = static_cast<std::size_t>(stage);
      op_ = static_cast<std::size_t>(op_of_[stage_]);
      std::visit([&](const auto& kind) { read(kind); }, step);
    }
  }

 private:
  int n_axes() const { return static_cast<int>(task_.ops[op_].axes.size()); }

  // Of a copy only the place is a choice.
  bool is_copy() const { return copy_of_[stage_] >= 0; }

  void read(const schedule::Split& split) {
    if (is_copy()) return;
    Sizes sizes;
    for (const auto& length : split.lengths) sizes.push_back(length.value_or(0));
    if (tiled_[op_] != nullptr) read_tile(*tiled_[op_], split.iter, sizes);
    if (rows_[op_] != nullptr) read_row(*rows_[op_], split.iter, sizes);
    // The last split of a patch op is that of its vector axis.
    if (patches_[op_] != nullptr) {
      patches_[op_]->lanes = static_cast<int>(sizes.back());
      if (sizes.size() == 3) {
        patches_[op_]->blocks = sizes[0];
        patches_[op_]->columns = sizes[1];
      }
    }
  }
  void read(const schedule::Reorder& order) {
    if (tiled_[op_] == nullptr || order.order.empty() || is_copy()) return;
    tiled_[op_]->vector_axis_outermost = n_axes() > 1 && order.order.front() == 4 * (n_axes() - 1);
  }
  void read(const schedule::Pragma& pragma) {
    const std::int64_t limit = unroll_limit(pragma).value_or(0);
    if (tiled_[op_] != nullptr) tiled_[op_]->unroll = limit;
    if (rows_[op_] != nullptr) rows_[op_]->unroll = limit;
  }
  void read(const schedule::Prefetch& step) {
    if (tiled_[op_] != nullptr) tiled_[op_]->prefetch = step.iterations;
  }
  // Partial results are a stage of the same op.
  void read(const schedule::Rfactor& step) {
    op_of_.insert(op_of_.begin() + step.stage, static_cast<int>(op_));
    copy_of_.insert(copy_of_.begin() + step.stage, -1);
    is_factored_[op_] = true;
  }
  // A copy is a stage of its reader.
  void read(const schedule::CacheRead& step) {
    if (step.readers.size() != 1) return;
    const auto reader = static_cast<std::size_t>(step.readers.front());
    if (reader >= op_of_.size()) return;
    op_of_.insert(op_of_.begin() + step.stage + 1, op_of_[reader]);
    copy_of_.insert(copy_of_.begin() + step.stage + 1, static_cast<int>(op_));
  }
  void read(const schedule::ComputeAt& step) {
    if (!is_copy() && roles_[op_].around >= 0) return;
    for (std::size_t reader = 0; reader < roles_.size(); ++reader) {
      if (tiled_[reader] != nullptr && (!is_copy() || reader == op_)) read_panel(reader, step);
    }
  }
  template <class Other>
  void read(const Other& /*step*/) {}

  using Sizes = std::vector<std::int64_t>;

  void read_panel(std::size_t reader, const schedule::ComputeAt& step) {
    const std::vector<int>& operands = roles_[reader].panels;
    const int operand = is_copy() ? copy_of_[stage_] : static_cast<int>(op_);
    const auto found = std::ranges::find(operands, operand);
    if (found == operands.end()) return;
    Tiling& t = *tiled_[reader];
    for (PanelPlace place = kInChunk; place <= in_reduction(task_.ops[reader]); ++place) {
      const PanelSite site = site_of(task_, roles_, static_cast<int>(reader), t, place);
      if (stage_of(site.op) == step.target_stage && site.iter == step.target_iter)
        t.panels[static_cast<std::size_t>(found - operands.begin())] = place;
    }
  }
  // The stage that computes the op, not one of its copies.
  int stage_of(int op) const {
    for (std::size_t s = 0; s < op_of_.size(); ++s) {
      if (op_of_[s] == op && copy_of_[s] < 0) return static_cast<int>(s);
    }
    return -1;
  }

  void read_tile(Tiling& t, int iter, const Sizes& sizes) const {
    if (sizes.size() == 1) {
      const auto r = static_cast<std::size_t>(std::max(iter - (4 * n_axes() + 1), 0) / 2);
      if (r < t.reduce.size()) t.reduce[r] = sizes[0];
      return;
    }
    const auto a = static_cast<std::size_t>(iter / 4);
    if (sizes.size() < 3 || a >= t.level1.size()) return;
    t.level1[a] = sizes[0];
    t.level2[a] = sizes[1];
    t.inner[a] = sizes[2];
    if (sizes.size() > 3) t.lanes = static_cast<int>(sizes[3]);
  }

  void read_row(RowTiling& t, int iter, const Sizes& sizes) const {
    if (sizes.size() == 2) {
      t.vectors = sizes[0];
      t.lanes = static_cast<int>(sizes[1]);
    } else if (iter < n_axes()) {
      t.rows = sizes[0];
    } else if (!is_factored_[op_]) {
      t.vectors = sizes[0];  // the width of all partial results, until their lanes are known
    } else if (t.lanes == 1) {
      t.lanes = static_cast<int>(std::max<std::int64_t>(sizes[0], 1));
      t.vectors /= t.lanes;
    }
  }

  const task::Task& task_;
  const std::vector<StageRole>& roles_;
  std::vector<int> op_of_;  // of every stage
  std::vector<Tiling*> tiled_;
  std::vector<RowTiling*> rows_;
  std::vector<PatchTiling*> patches_;
  std::vector<bool> is_factored_;
  std::vector<int> copy_of_;        // of every stage: the op that it is a copy of, -1 mostly
  std::size_t stage_ = 0, op_ = 0;  // that the step being read is about
};

}  // namespace

void read_choice(const task::Task& task, const std::vector<StageRole>& roles,
                 const schedule::Steps& steps, Choice& choice) {
  ChoiceReader(task, roles, choice).run(steps);
}

}  // namespace hone::space
