#include "feature/instructions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "feature/columns.h"
#include "feature/store_facts.h"

namespace hone::feature {
namespace {

// An instruction makes m x n results, each of them summed over k.
struct Instruction {
  bool is_used = false;
  double m = 0, n = 0, k = 0;
  double lanes = 0;  // elements of one register
  double count = 0;  // instructions for one pass of the loop that it stands for
  bool accumulates = false;
  static constexpr std::size_t kReads = 2;
  std::array<double, kReads> strides{};  // of what it reads, along that loop
  std::size_t reads = 0;
};

Instruction instruction_of(const LoopTree& tree, const Store& store, const space::Hardware& hardware) {
  const StoreFacts facts = store_facts(tree, store);
  if (hardware.kind == space::Hardware::Kind::Gpu || store.is_scalar || facts.vector <= 1) return {};
  const int bytes = tree.tensors[static_cast<std::size_t>(store.tensor)].element_bytes;
  const double native = std::max(1, hardware.vector_bytes / bytes);
  Instruction out{.is_used = true, .m = 1, .lanes = native, .accumulates = facts.is_update};
  out.n = std::min(facts.vector, native);
  out.k = facts.is_update ? 1 : 0;
  out.count = std::ceil(facts.vector / native);
  out.reads = std::min(Instruction::kReads, store.accesses.size() - 1);
  const Movement moved = movement(tree, facts);
  for (std::size_t i = 0; i < out.reads; ++i) out.strides[i] = moved.operands[i + 1].vector_stride;
  return out;
}

void describe(const Instruction& instruction, Columns to) {
  to.flag("is_used", instruction.is_used);
  to.amount("m", instruction.m);
  to.amount("n", instruction.n);
  to.amount("k", instruction.k);
  to.amount("lanes", instruction.lanes);
  to.amount("count", instruction.count);
  to.flag("result.register", instruction.accumulates);
  to.flag("result.memory", instruction.is_used && !instruction.accumulates);
  for (std::size_t i = 0; i < Instruction::kReads; ++i) {
    const auto group = to.group("operand", static_cast<int>(i));
    const bool is_there = i < instruction.reads;
    const double stride = instruction.strides[i];
    to.flag("load", is_there && stride == 1);
    to.flag("broadcast", is_there && stride == 0);
    to.flag("gather", is_there && stride != 0 && stride != 1);
  }
}

}  // namespace

const std::vector<std::string>& instruction_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<float> values;
    std::vector<std::string> names;
    describe({}, Columns(values, &names));
    return names;
  }();
  return kNames;
}

std::vector<float> instruction_rows(const LoopTree& tree, const space::Hardware& hardware) {
  std::vector<int> order;  // tensors, as `statements` has them
  std::vector<const Store*> last(tree.tensors.size());
  const auto note = [&](int tensor) {
    if (std::ranges::find(order, tensor) == order.end()) order.push_back(tensor);
  };
  for (const Store& store : tree.stores) {
    note(store.tensor);
    last[static_cast<std::size_t>(store.tensor)] = &store;
  }
  for (const Allocation& allocation : tree.allocations) note(allocation.tensor);
  std::vector<float> values;
  for (const int tensor : order) {
    const Store* const store = last[static_cast<std::size_t>(tensor)];
    describe(store == nullptr ? Instruction{} : instruction_of(tree, *store, hardware),
             Columns(values));
  }
  return values;
}

}  // namespace hone::feature
