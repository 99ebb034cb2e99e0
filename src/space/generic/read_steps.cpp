#include "space/generic/read_steps.h"

#include <numeric>

#include "space/annotate/unroll.h"

namespace hone::space {
namespace {

class ChoiceReader {
 public:
  ChoiceReader(const task::Task& task, const std::vector<StageRole>& roles, Choice& choice)
      : task_(task),
        op_of_(roles.size()),
        tiled_(roles.size()),
        rows_(roles.size()),
        patches_(roles.size()),
        is_factored_(roles.size()) {
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
      op_ = static_cast<std::size_t>(op_of_[static_cast<std::size_t>(stage)]);
      std::visit([&](const auto& kind) { read(kind); }, step);
    }
  }

 private:
  int n_axes() const { return static_cast<int>(task_.ops[op_].axes.size()); }

  void read(const schedule::Split& split) {
    Sizes sizes;
    for (const auto& length : split.lengths) sizes.push_back(length.value_or(0));
    if (tiled_[op_] != nullptr) read_tile(*tiled_[op_], split.iter, sizes);
    if (rows_[op_] != nullptr) read_row(*rows_[op_], split.iter, sizes);
    // The last split of a patch op is that of its vector axis.
    if (patches_[op_] != nullptr) patches_[op_]->lanes = static_cast<int>(sizes.front());
  }
  void read(const schedule::Reorder& order) {
    if (tiled_[op_] == nullptr || order.order.empty()) return;
    tiled_[op_]->vector_axis_outermost = n_axes() > 1 && order.order.front() == 4 * (n_axes() - 1);
  }
  void read(const schedule::Pragma& pragma) {
    const std::int64_t limit = unroll_limit(pragma).value_or(0);
    if (tiled_[op_] != nullptr) tiled_[op_]->unroll = limit;
    if (rows_[op_] != nullptr) rows_[op_]->unroll = limit;
  }
  // Partial results are a stage of the same op.
  void read(const schedule::Rfactor& step) {
    op_of_.insert(op_of_.begin() + step.stage, static_cast<int>(op_));
    is_factored_[op_] = true;
  }
  template <class Other>
  void read(const Other& /*step*/) {}

  using Sizes = std::vector<std::int64_t>;

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
  std::vector<int> op_of_;  // of every stage
  std::vector<Tiling*> tiled_;
  std::vector<RowTiling*> rows_;
  std::vector<PatchTiling*> patches_;
  std::vector<bool> is_factored_;
  std::size_t op_ = 0;  // that the step being read is about
};

}  // namespace

void read_choice(const task::Task& task, const std::vector<StageRole>& roles,
                 const schedule::Steps& steps, Choice& choice) {
  ChoiceReader(task, roles, choice).run(steps);
}

}  // namespace hone::space
