// Orders straight-line blocks by register pressure: values loaded once are used before others are
// loaded.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "lower/passes.h"
#include "lower/pressure.h"
#include "lower/rewriter.h"

namespace hone::lower {
namespace {

using ir::Expr;

// Stores to registers: where they stand, which values they load from memory, and the earlier one that
// writes the same register; -1 when there is none.
struct Items {
  std::vector<std::int32_t> at;
  std::vector<std::vector<int>> loads;
  std::vector<int> after;
};

class Order : public Rewriter {
 public:
  explicit Order(const ir::Program& program, const target::Target& target)
      : Rewriter(program), registers_(static_cast<std::size_t>(target.vector_registers)) {}

  ir::Program run() {
    block(0, static_cast<std::int32_t>(in.stmts.size()));
    return std::move(out);
  }

 protected:
  void statement(std::int32_t at) override {
    enter(stmt(at).kind);
    const std::int32_t opened = writer.open(stmt(at).kind);
    block(at + 1, stmt(at).end);
    writer.close(opened);
  }

 private:
  void block(std::int32_t begin, std::int32_t end) {
    for (std::int32_t at = begin; at < end;) {
      std::int32_t last = at;
      while (last < end && is_accumulation(last)) ++last;
      if (last > at + 1) {
        ordered(at, last);
        at = last;
      } else {
        statement(at);
        at = stmt(at).end;
      }
    }
  }

  // register[c] = f(register[c], loads from memory): independent of all stores to other registers.
  bool is_accumulation(std::int32_t at) const {
    const auto* store = stmt(at).as<ir::Store>();
    if (!store || store->buffer->scope != ir::Scope::Register) return false;
    bool is_alone = true;
    ir::visit(store->value, [&](const Expr& e) {
      const auto* load = e.as<ir::Load>();
      if (!load || load->buffer->scope != ir::Scope::Register) return;
      is_alone &= load->buffer == store->buffer && ir::equal(load->index[0], store->index[0]);
    });
    return is_alone;
  }

  void ordered(std::int32_t begin, std::int32_t end) {
    LoadNumbers numbers;
    std::unordered_map<const ir::BufferNode*, std::unordered_map<std::int64_t, int>> writer_of;
    Items items;
    for (std::int32_t at = begin; at < end; ++at) {
      const auto* store = stmt(at).as<ir::Store>();
      const int number = static_cast<int>(items.at.size());
      const auto [entry, is_new] =
          writer_of[store->buffer.get()].try_emplace(*ir::as_int(store->index[0]), number);
      items.at.push_back(at);
      items.loads.push_back(numbers.of(store->value));
      items.after.push_back(is_new ? -1 : std::exchange(entry->second, number));
    }
    std::size_t accumulators = 0;
    for (const auto& [buffer, elements] : writer_of) accumulators += elements.size();
    for (const int index : best_order(items, numbers.size(), accumulators)) {
      writer.add(stmt(items.at[static_cast<std::size_t>(index)]).kind);
    }
  }

  std::vector<int> best_order(const Items& items, std::size_t n_loads, std::size_t accumulators) const {
    std::vector<int> best(items.at.size());
    std::iota(best.begin(), best.end(), 0);
    std::size_t least = peak_loads(items.loads, best, n_loads);
    if (least + accumulators < registers_) return best;
    for (const std::size_t operand : {std::size_t{0}, std::size_t{1}}) {
      std::vector<int> order = grouped(items, operand);
      const std::size_t live = peak_loads(items.loads, order, n_loads);
      if (live < least) least = live, best = std::move(order);
    }
    return best;
  }

  // Items that share their n-th load follow one another, as far as their registers allow.
  static std::vector<int> grouped(const Items& items, std::size_t operand) {
    std::vector<int> order;
    std::vector<bool> done(items.at.size(), false);
    const auto group_of = [&](std::size_t i) {
      const std::vector<int>& loads = items.loads[i];
      return operand < loads.size() ? loads[operand] : -1;
    };
    while (order.size() < items.at.size()) {
      int group = -2;
      for (std::size_t i = 0; i < items.at.size(); ++i) {
        const bool is_ready = items.after[i] < 0 || done[static_cast<std::size_t>(items.after[i])];
        if (done[i] || !is_ready) continue;
        if (group == -2) group = group_of(i);
        if (group_of(i) != group) continue;
        done[i] = true;
        order.push_back(static_cast<int>(i));
      }
    }
    return order;
  }

  std::size_t registers_;
};

}  // namespace

ir::Program order(ir::Program program, const target::Target& target) {
  return Order(program, target).run();
}

}  // namespace hone::lower
