#include "space/structure.h"

#include <algorithm>

#include "space/blocks.h"
#include "space/panels.h"
#include "space/prefetch.h"

namespace hone::space {
namespace {

// Math that costs more than loading the result again.
bool is_expensive(const task::Op& op) {
  bool expensive = false;
  for (const ir::Expr& body : op.body) {
    ir::visit(body, [&](const ir::Expr& e) {
      const auto* call = e.as<ir::Call>();
      expensive |= call && call->function <= ir::Function::Sigmoid;
    });
  }
  return expensive;
}

bool multiplies_constants(const task::Op& op) {
  return !op.hints.simplify_const_tensor_indices.empty();
}

class Structure {
 public:
  Structure(const task::Task& task, const task::Analysis& analysis)
      : task_(task), analysis_(analysis), roles_(task.ops.size()) {}

  std::vector<StageRole> run() {
    for (std::size_t op = task_.ops.size(); op-- > 0;) roles_[op] = role_of(static_cast<int>(op));
    for (std::size_t op = 0; op < task_.ops.size(); ++op) {
      if (roles_[op].role == Role::Patches) roles_[op].pieces = pieces_of(static_cast<int>(op));
      if (roles_[op].role == Role::Tiled) {
        roles_[op].panels = panel_operands(task_, analysis_, roles_, static_cast<int>(op));
        roles_[op].streamed = streamed_operand(task_, roles_, static_cast<int>(op));
      }
    }
    place_in_blocks(task_, analysis_, roles_);
    return std::move(roles_);
  }

 private:
  StageRole role_of(int op) {
    const task::Op& here = task_.ops[static_cast<std::size_t>(op)];
    if (here.is_placeholder()) return {Role::Placeholder, -1};
    if (roles_[static_cast<std::size_t>(op)].role == Role::Epilogue) return {Role::Epilogue, -1};
    const std::vector<int> readers = readers_of(op);
    if (!is_output(op) && here.reducer == task::Reducer::None && is_inlined(here, readers) &&
        !straightens_rows(op, readers) && !normalises_rows(op, readers))
      return {Role::Inline, -1};
    const bool reuses = analysis_.needs_multi_level_tiling[static_cast<std::size_t>(op)];
    if (reuses && here.reducer != task::Reducer::None && !here.axes.empty()) {
      const int epilogue = is_output(op) ? -1 : epilogue_of(op, readers);
      if (epilogue >= 0) roles_[static_cast<std::size_t>(epilogue)] = {Role::Epilogue, -1};
      return {Role::Tiled, epilogue};
    }
    if (multiplies_constants(here)) return patch_role(op, readers);
    const int rows = is_output(op) ? -1 : rows_around(op, readers);
    return rows >= 0 ? StageRole{Role::Attached, rows} : StageRole{Role::Rows, -1};
  }

  bool is_output(int op) const { return analysis_.is_output[static_cast<std::size_t>(op)]; }

  // Stages that read the op, looking through inlined ones.
  std::vector<int> readers_of(int op) const {
    std::vector<int> found;
    for (const int reader : analysis_.read_by[static_cast<std::size_t>(op)]) {
      if (roles_[static_cast<std::size_t>(reader)].role == Role::Inline) {
        const std::vector<int> further = readers_of(reader);
        found.insert(found.end(), further.begin(), further.end());
      } else {
        found.push_back(reader);
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  bool is_inlined(const task::Op& op, const std::vector<int>& readers) const {
    if (op.hints.const_matrix) return true;
    return !is_padding_of_patches(op, readers) && (readers.size() == 1 || !is_expensive(op));
  }

  // Whether the op lays elements side by side that are far apart, for a tiled reader that takes them in
  // vectors, and more than a few times each: a transposed factor. A single reader fills a panel with
  // it.
  bool straightens_rows(int op, const std::vector<int>& readers) const {
    constexpr std::int64_t kFewTimes = 4;
    if (analysis_.read_by[static_cast<std::size_t>(op)].size() == 1) return false;
    const task::Op& here = task_.ops[static_cast<std::size_t>(op)];
    const auto* element = here.body.front().as<ir::Load>();
    if (element == nullptr || here.axes.empty()) return false;
    const ir::Expr& column = here.axes.back().var;
    const auto uses_column = [&](const ir::Expr& index) { return ir::uses(index, column); };
    if (uses_column(element->index.back()) ||
        std::none_of(element->index.begin(), element->index.end(), uses_column))
      return false;
    return std::any_of(readers.begin(), readers.end(), [&](int id) {
      const auto reader = static_cast<std::size_t>(id);
      if (roles_[reader].role != Role::Tiled || !analysis_.reads[reader].contains(op)) return false;
      const auto& index = analysis_.reads[reader].at(op).front();
      std::int64_t times = 1;
      for (const task::Axis& axis : task_.ops[reader].axes) {
        const auto uses_axis = [&](const ir::Expr& i) { return ir::uses(i, axis.var); };
        if (std::none_of(index.begin(), index.end(), uses_axis)) times *= axis.extent;
      }
      return index.back().same(task_.ops[reader].axes.back().var) && times >= kFewTimes;
    });
  }

  // Whether the op changes rows by what they were reduced to, for a tiled reader, which would do that
  // again each time it takes an element: the probabilities of attention.
  bool normalises_rows(int op, const std::vector<int>& readers) const {
    return holds_row_result(op) && std::any_of(readers.begin(), readers.end(), [&](int reader) {
             return roles_[static_cast<std::size_t>(reader)].role == Role::Tiled;
           });
  }

  bool holds_row_result(int op) const {
    return std::ranges::any_of(analysis_.reads[static_cast<std::size_t>(op)], [&](const auto& read) {
      const auto producer = static_cast<std::size_t>(read.first);
      if (task_.ops[producer].is_placeholder()) return false;
      if (task_.ops[producer].reducer != task::Reducer::None)
        return !analysis_.needs_multi_level_tiling[producer] &&
               !multiplies_constants(task_.ops[producer]);
      return holds_row_result(read.first);
    });
  }

  // Inlined, the choice between element and padding would be repeated with every statement of an
  // unrolled patch.
  bool is_padding_of_patches(const task::Op& op, const std::vector<int>& readers) const {
    bool chooses = false;
    for (const ir::Expr& body : op.body) {
      ir::visit(body, [&](const ir::Expr& e) { chooses |= e.as<ir::Select>() != nullptr; });
    }
    return chooses && std::any_of(readers.begin(), readers.end(), [&](int reader) {
             return multiplies_constants(task_.ops[static_cast<std::size_t>(reader)]);
           });
  }

  // The only reader, when it computes the same elements one by one and is not taken by another op.
  int epilogue_of(int op, const std::vector<int>& readers) const {
    if (readers.size() != 1) return -1;
    const int reader = readers.front();
    const task::Op& consumer = task_.ops[static_cast<std::size_t>(reader)];
    const bool is_free = roles_[static_cast<std::size_t>(reader)].role == Role::Rows;
    if (!is_free || consumer.reducer != task::Reducer::None) return -1;
    return task::elementwise_match(task_, analysis_, op, reader) ? reader : -1;
  }

  // The Rows op in whose rows all readers sit, when they share the row axes with this op.
  int rows_around(int op, const std::vector<int>& readers) const {
    int target = -1;
    for (const int reader : readers) {
      const StageRole& role = roles_[static_cast<std::size_t>(reader)];
      const int rows = role.role == Role::Rows       ? reader
                       : role.role == Role::Attached ? role.target
                                                     : -1;
      if (rows < 0 || (target >= 0 && rows != target)) return -1;
      target = rows;
    }
    if (target < 0) return -1;
    const std::size_t n_rows = task_.ops[static_cast<std::size_t>(target)].axes.size() - 1;
    const int common =
        analysis_.common_outer[static_cast<std::size_t>(op)][static_cast<std::size_t>(target)];
    return n_rows > 0 && static_cast<std::size_t>(common) >= n_rows ? target : -1;
  }

  // A product with constant matrices sits inside the patches of its reader: of another such product, or
  // of an op that puts patches together.
  StageRole patch_role(int op, const std::vector<int>& readers) {
    if (!is_output(op) && readers.size() == 1) {
      StageRole& reader = roles_[static_cast<std::size_t>(readers.front())];
      if (reader.role == Role::InPatch) return {Role::InPatch, reader.target};
      roles_[static_cast<std::size_t>(op)] = {Role::InPatch, readers.front()};  // if it is taken
      if (reader.role == Role::Rows && puts_together(readers.front())) reader.role = Role::Patches;
      if (reader.role == Role::Patches) return {Role::InPatch, readers.front()};
    }
    return {Role::Patches, -1};
  }

  bool puts_together(int op) const {
    const std::vector<std::int64_t> pieces = pieces_of(op);
    return task_.ops[static_cast<std::size_t>(op)].reducer == task::Reducer::None &&
           std::any_of(pieces.begin(), pieces.end(), [](std::int64_t piece) { return piece > 1; });
  }

  std::vector<std::int64_t> pieces_of(int op) const {
    std::vector<std::int64_t> pieces;
    for (std::size_t a = 0; a < task_.ops[static_cast<std::size_t>(op)].axes.size(); ++a)
      pieces.push_back(piece(op, a));
    return pieces;
  }

  // The smallest number by which indices divide the axis, in the op or in what is computed inside it;
  // all of an axis along which a product with constant matrices inside walks over these.
  std::int64_t piece(int op, std::size_t axis) const {
    const task::Op& here = task_.ops[static_cast<std::size_t>(op)];
    const task::Axis& walked = here.axes[axis];
    if (is_patch_axis(here, walked)) return 1;  // it says so itself
    std::int64_t found = walked.extent;
    const auto consider = [&](std::int64_t size) {
      if (size > 1) found = std::min(found, size);
    };
    for (const ir::Expr& body : here.body) {
      ir::visit(body, [&](const ir::Expr& e) {
        const auto* division = e.as<ir::Binary>();
        if (!division || !division->a.same(walked.var)) return;
        if (division->op != ir::BinaryOp::FloorDiv && division->op != ir::BinaryOp::FloorMod) return;
        if (const auto size = ir::as_int(division->b)) consider(*size);
      });
    }
    for (const auto& [producer, accesses] : analysis_.reads[static_cast<std::size_t>(op)]) {
      const Role role = roles_[static_cast<std::size_t>(producer)].role;
      if (role != Role::Inline && role != Role::InPatch) continue;
      for (const auto& index : accesses) {
        for (std::size_t d = 0; d < index.size(); ++d) {
          if (!index[d].same(walked.var)) continue;
          const task::Op& inner = task_.ops[static_cast<std::size_t>(producer)];
          if (is_patch_axis(inner, inner.axes[d])) return walked.extent;
          const std::int64_t size = piece(producer, d);
          if (size > 1 && size == walked.extent) return size;
          consider(size);
        }
      }
    }
    return found < walked.extent ? found : 1;
  }

  const task::Task& task_;
  const task::Analysis& analysis_;
  std::vector<StageRole> roles_;
};

}  // namespace

bool is_patch_axis(const task::Op& op, const task::Axis& axis) {
  const std::vector<std::string>& names = op.hints.simplify_const_tensor_indices;
  return std::find(names.begin(), names.end(), ir::name_of(axis.var)) != names.end();
}

std::vector<StageRole> structure(const task::Task& task, const task::Analysis& analysis) {
  return Structure(task, analysis).run();
}

}  // namespace hone::space
