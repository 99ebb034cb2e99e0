// Orders straight-line blocks by register pressure: values loaded once are used before others are
// loaded.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "lower/passes.h"
#include "lower/rewriter.h"

namespace hone::lower {
namespace {

using ir::Expr;

struct Hash {
  std::size_t operator()(const Expr& e) const { return ir::hash(e); }
};
struct Equal {
  bool operator()(const Expr& a, const Expr& b) const { return ir::equal(a, b); }
};

// A store to a register: what it waits for and which values it loads from memory.
struct Item {
  std::int32_t at;
  std::vector<int> loads;  // ids of distinct loads, in order of appearance
  int after = -1;          // the earlier item that writes the same register
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
    std::unordered_map<Expr, int, Hash, Equal> load_ids;
    std::unordered_map<const ir::BufferNode*, std::unordered_map<std::int64_t, int>> writer_of;
    std::vector<Item> items;
    for (std::int32_t at = begin; at < end; ++at) {
      const auto* store = stmt(at).as<ir::Store>();
      Item item{at, {}, -1};
      ir::visit(store->value, [&](const Expr& e) {
        const auto* load = e.as<ir::Load>();
        if (!load || load->buffer->scope == ir::Scope::Register) return;
        const int id = load_ids.try_emplace(e, static_cast<int>(load_ids.size())).first->second;
        if (std::find(item.loads.begin(), item.loads.end(), id) == item.loads.end())
          item.loads.push_back(id);
      });
      const auto [entry, is_new] = writer_of[store->buffer.get()].try_emplace(
          *ir::as_int(store->index[0]), static_cast<int>(items.size()));
      if (!is_new) item.after = std::exchange(entry->second, static_cast<int>(items.size()));
      items.push_back(std::move(item));
    }
    std::size_t accumulators = 0;
    for (const auto& [buffer, elements] : writer_of) accumulators += elements.size();
    for (const int index : best_order(items, load_ids.size(), accumulators)) {
      writer.add(stmt(items[static_cast<std::size_t>(index)].at).kind);
    }
  }

  std::vector<int> best_order(const std::vector<Item>& items, std::size_t n_loads,
                              std::size_t accumulators) const {
    std::vector<int> best(items.size());
    std::iota(best.begin(), best.end(), 0);
    std::size_t least = peak(items, best, n_loads);
    if (least + accumulators < registers_) return best;
    for (const std::size_t operand : {std::size_t{0}, std::size_t{1}}) {
      std::vector<int> order = grouped(items, operand);
      const std::size_t live = peak(items, order, n_loads);
      if (live < least) least = live, best = std::move(order);
    }
    return best;
  }

  // Items that share their n-th load follow one another, as far as their registers allow.
  static std::vector<int> grouped(const std::vector<Item>& items, std::size_t operand) {
    std::vector<int> order;
    std::vector<bool> done(items.size(), false);
    const auto group_of = [&](int i) {
      const std::vector<int>& loads = items[static_cast<std::size_t>(i)].loads;
      return operand < loads.size() ? loads[operand] : -1;
    };
    while (order.size() < items.size()) {
      int group = -2;
      for (int i = 0; i < static_cast<int>(items.size()); ++i) {
        const Item& item = items[static_cast<std::size_t>(i)];
        const bool is_ready = item.after < 0 || done[static_cast<std::size_t>(item.after)];
        if (done[static_cast<std::size_t>(i)] || !is_ready) continue;
        if (group == -2) group = group_of(i);
        if (group_of(i) != group) continue;
        done[static_cast<std::size_t>(i)] = true;
        order.push_back(i);
      }
    }
    return order;
  }

  // The most loaded values alive at once when each is loaded at its first use.
  static std::size_t peak(const std::vector<Item>& items, const std::vector<int>& order,
                          std::size_t n_loads) {
    std::vector<int> uses_left(n_loads, 0);
    std::vector<bool> is_live(n_loads, false);
    for (const Item& item : items) {
      for (const int load : item.loads) ++uses_left[static_cast<std::size_t>(load)];
    }
    std::size_t live = 0, most = 0;
    for (const int index : order) {
      for (const int load : items[static_cast<std::size_t>(index)].loads) {
        if (!is_live[static_cast<std::size_t>(load)])
          ++live, is_live[static_cast<std::size_t>(load)] = true;
      }
      most = std::max(most, live);
      for (const int load : items[static_cast<std::size_t>(index)].loads) {
        if (--uses_left[static_cast<std::size_t>(load)] == 0) --live;
      }
    }
    return most;
  }

  std::size_t registers_;
};

}  // namespace

ir::Program order(ir::Program program, const target::Target& target) {
  return Order(program, target).run();
}

}  // namespace hone::lower
