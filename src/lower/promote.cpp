// The register tile: elements whose address a loop leaves fixed are held in registers while it runs,
// and those of sums that are written out term by term.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "lower/access.h"
#include "lower/condition.h"
#include "lower/passes.h"
#include "lower/pressure.h"
#include "lower/rewriter.h"

namespace hone::lower {
namespace {

using ir::Expr;

// The elements of one buffer that a loop keeps in registers.
struct Tile {
  ir::Buffer buffer;
  ir::Linear base;
  Groups groups;
  std::map<std::int32_t, ir::Buffer> registers;  // lanes -> register buffer
  std::vector<std::int64_t> element;             // group -> element of its register buffer
  std::vector<bool> is_overwritten;              // group -> the loop writes it before it reads it

  Expr memory_index(const Groups::Group& group) const {
    ir::Linear offset = base;
    offset.constant = group.first;
    const Expr first = ir::to_expr(offset);
    return group.lanes == 1 ? first : ir::ramp(first, ir::int_imm(1), group.lanes);
  }
};

class Promote : public Rewriter {
 public:
  Promote(const ir::Program& program, const target::Target& target)
      : Rewriter(program), target_(target), budget_(target.vector_registers - kOperandRegisters) {}

  ir::Program run() {
    block(0, static_cast<std::int32_t>(in.stmts.size()));
    return std::move(out);
  }

 protected:
  void statement(std::int32_t at) override {
    ir::Stmt::Kind kind = ir::map_exprs(stmt(at).kind, [this](const Expr& e) { return map(e); });
    if (auto* store = std::get_if<ir::Store>(&kind)) {
      if (const auto home = find(store->buffer, store->index[0], true)) {
        return writer.store(home->first, {Expr(home->second)}, store->value);
      }
    }
    enter(kind);
    const std::int32_t opened = writer.open(std::move(kind));
    block(at + 1, stmt(at).end);
    writer.close(opened);
  }

  Expr map(const Expr& e) override {
    if (tiles_.empty()) return e;
    return ir::rewrite(e, [this](const Expr& part) {
      const auto* load = part.as<ir::Load>();
      const auto home = load ? find(load->buffer, load->index[0], false) : std::nullopt;
      return home ? ir::load(home->first, {Expr(home->second)}) : part;
    });
  }

 private:
  // A list of statements. Registers live to its end, so that what follows a loop may still use them.
  void block(std::int32_t begin, std::int32_t end) {
    std::vector<std::int32_t> opened;
    for (std::int32_t at = begin; at < end;) {
      const auto* loop = stmt(at).as<ir::For>();
      const std::int32_t line_end = end_of_line(at, end);
      const std::int32_t piece_end = line_end > at ? line_end : stmt(at).end;
      const bool is_serial = loop && loop->kind == ir::LoopKind::Serial;
      std::vector<Tile> tiles;
      if (is_serial) enter(stmt(at).kind);
      if (is_serial || is_crowded(at, line_end)) tiles = tiles_of(at, piece_end, begin);
      const std::size_t before = tiles_.size();
      for (Tile& tile : tiles) {
        for (const auto& [lanes, buffer] : tile.registers)
          opened.push_back(writer.open(ir::Alloc{buffer}));
        load_tile(tile);
      }
      tiles_.insert(tiles_.end(), tiles.begin(), tiles.end());
      for (; at < piece_end; at = stmt(at).end) statement(at);
      tiles_.resize(before);
      for (const Tile& tile : tiles) store_tile(tile);
    }
    for (auto i = opened.rbegin(); i != opened.rend(); ++i) writer.close(*i);
  }

  // Of the stores that stand at `at` one behind the other.
  std::int32_t end_of_line(std::int32_t at, std::int32_t block_end) const {
    while (at < block_end && stmt(at).as<ir::Store>()) ++at;
    return at;
  }

  // Whether `forward` would make sums of the straight line whose operands find no registers, one sum
  // after the other, while term by term they do.
  bool is_crowded(std::int32_t begin, std::int32_t end) {
    if (end - begin <= budget_) return false;
    LoadNumbers numbers;
    std::vector<std::vector<int>> loads;
    std::vector<int> order;
    std::vector<Access> sums;
    std::vector<int> ends;  // of the sums
    std::vector<std::size_t> sum_of;
    for (std::int32_t i = begin; i < end; ++i) {
      const auto* store = stmt(i).as<ir::Store>();
      if (store->buffer->scope == ir::Scope::Register || held(store->buffer)) return false;
      const std::optional<Access>& where = accesses_(store->buffer, store->index[0], true, ranges);
      if (!where) return false;
      const auto sum =
          std::find_if(sums.begin(), sums.end(), [&](const Access& a) { return is_same(a, *where); });
      sum_of.push_back(static_cast<std::size_t>(sum - sums.begin()));
      if (sum == sums.end()) sums.push_back(*where), ends.push_back(0);
      ends[sum_of.back()] = i;
      order.push_back(i - begin);
      loads.push_back(numbers.of(store->value, store->buffer));
    }
    int used = 0;
    for (const Tile& tile : tiles_) used += registers_for(tile.buffer, tile.groups);
    const auto room = static_cast<std::size_t>(std::max(0, budget_ - used));
    if (sums.size() == sum_of.size() || sums.size() + peak_loads(loads, order, numbers.size()) > room)
      return false;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return ends[sum_of[static_cast<std::size_t>(a)]] < ends[sum_of[static_cast<std::size_t>(b)]];
    });
    return peak_loads(loads, order, numbers.size()) > room;
  }

  void load_tile(const Tile& tile) {
    for (std::size_t g = 0; g < tile.groups.groups.size(); ++g) {
      const Groups::Group& group = tile.groups.groups[g];
      if (tile.is_overwritten[g]) continue;
      writer.store(tile.registers.at(group.lanes), {Expr(tile.element[g])},
                   ir::load(tile.buffer, {tile.memory_index(group)}));
    }
  }
  void store_tile(const Tile& tile) {
    for (std::size_t g = 0; g < tile.groups.groups.size(); ++g) {
      const Groups::Group& group = tile.groups.groups[g];
      writer.store(tile.buffer, {tile.memory_index(group)},
                   ir::load(tile.registers.at(group.lanes), {Expr(tile.element[g])}));
    }
  }

  std::optional<std::pair<ir::Buffer, std::int64_t>> find(const ir::Buffer& buffer, const Expr& index,
                                                          bool is_store) {
    for (const Tile& tile : tiles_) {
      if (tile.buffer != buffer) continue;
      const std::optional<Access>& a = accesses_(buffer, index, is_store, ranges);
      const int group = a ? tile.groups.find(a->first, a->lanes) : -1;
      check(group >= 0, "an access outside the register tile");
      return std::pair(tile.registers.at(a->lanes), tile.element[static_cast<std::size_t>(group)]);
    }
    return std::nullopt;
  }

  struct Found {
    std::vector<Access> accesses;
    std::vector<bool> conditional;  // one an access
    bool is_stored = false;
  };

  // The buffers of the loop or the line from `at` to `end` that fit into registers; `block_begin` is
  // where its siblings start.
  std::vector<Tile> tiles_of(std::int32_t at, std::int32_t end, std::int32_t block_begin) {
    std::map<int, Found> by_order;  // in order of first access, so that output is deterministic
    std::unordered_map<const ir::BufferNode*, int> order;
    std::vector<ir::Buffer> unknown;
    std::vector<Expr> inner_vars;
    collect(at, end, order, by_order, unknown, inner_vars);
    std::vector<Tile> tiles;
    int used = 0;
    for (auto& [number, found] : by_order) {
      const ir::Buffer& buffer = found.accesses.front().buffer;
      const bool is_known = std::find(unknown.begin(), unknown.end(), buffer) == unknown.end();
      if (!found.is_stored || !is_known || moves(found, inner_vars)) continue;
      const std::optional<Groups> groups = disjoint_groups(found.accesses);
      if (!groups || !all_safe(found, *groups, block_begin, at)) continue;
      const int cost = registers_for(buffer, *groups);
      if (used + cost > budget_) continue;
      used += cost;
      tiles.push_back(make_tile(buffer, found.accesses.front().base, *groups));
      tiles.back().is_overwritten = overwritten(found, *groups);
    }
    return tiles;
  }

  void collect(std::int32_t at, std::int32_t end, std::unordered_map<const ir::BufferNode*, int>& order,
               std::map<int, Found>& found, std::vector<ir::Buffer>& unknown,
               std::vector<Expr>& inner_vars) {
    std::unordered_set<const ir::BufferNode*> stored;  // the others are not held in registers
    for (std::int32_t i = at; i < end; ++i) {
      const auto* store = stmt(i).as<ir::Store>();
      if (store && store->buffer->scope != ir::Scope::Register) stored.insert(store->buffer.get());
    }
    std::int32_t conditional_until = at, parallel_until = at;
    const auto note = [&](Access a, std::int32_t where) {
      const auto [entry, is_new] = order.try_emplace(a.buffer.get(), static_cast<int>(order.size()));
      Found& f = found[entry->second];
      f.is_stored |= a.is_store;
      f.accesses.push_back(std::move(a));
      f.conditional.push_back(where < conditional_until);
      if (where < parallel_until) unknown.push_back(f.accesses.back().buffer);  // others cannot see it
    };
    for (std::int32_t i = at; i < end; ++i) {
      const ir::Stmt& s = stmt(i);
      if (const auto* loop = s.as<ir::For>()) {
        if (loop->kind == ir::LoopKind::Parallel) parallel_until = std::max(parallel_until, s.end);
        inner_vars.push_back(loop->var);
        ranges[loop->var.get()] = loop_range(*loop, ranges);
        if (!runs(*loop)) conditional_until = std::max(conditional_until, s.end);
      }
      if (const auto* let = s.as<ir::Let>()) inner_vars.push_back(let->var);
      if (s.as<ir::If>() || s.as<ir::Else>()) conditional_until = std::max(conditional_until, s.end);
      if (const auto* alloc = s.as<ir::Alloc>()) unknown.push_back(alloc->buffer);
      if (const auto* touched = s.as<ir::Intrinsic>()) {
        for (const ir::Region& region : touched->reads) unknown.push_back(region.buffer);
        for (const ir::Region& region : touched->writes) unknown.push_back(region.buffer);
      }
      ir::map_exprs(s.kind, [&](const Expr& e) {
        ir::visit(e, [&](const Expr& part) {
          const auto* load = part.as<ir::Load>();
          if (!load || !stored.contains(load->buffer.get()) || held(load->buffer)) return;
          const std::optional<Access>& a = accesses_(load->buffer, load->index[0], false, ranges);
          if (!a) return unknown.push_back(load->buffer);
          note(*a, i);
        });
        return e;
      });
      const auto* store = s.as<ir::Store>();
      if (!store || store->buffer->scope == ir::Scope::Register || held(store->buffer)) continue;
      if (const auto& a = accesses_(store->buffer, store->index[0], true, ranges)) {
        note(*a, i);
      } else {
        unknown.push_back(store->buffer);
      }
    }
  }

  // Whether the loop is sure to run at least once.
  bool runs(const ir::For& loop) const { return ir::bounds(loop.extent, ranges).min > 0; }

  bool held(const ir::Buffer& buffer) const {
    return std::any_of(tiles_.begin(), tiles_.end(), [&](const Tile& t) { return t.buffer == buffer; });
  }

  static bool moves(const Found& found, const std::vector<Expr>& inner_vars) {
    const Conjunct base{found.accesses.front().base, {}};
    return std::any_of(inner_vars.begin(), inner_vars.end(),
                       [&](const Expr& v) { return uses(base, v); });
  }

  // An element may be loaded before the loop and stored after it when the loop touches it in any case,
  // or when a statement in front of the loop has: otherwise it may lie outside the buffer.
  bool all_safe(const Found& found, const Groups& groups, std::int32_t block_begin, std::int32_t at) {
    std::vector<bool> safe(groups.groups.size(), false);
    for (std::size_t i = 0; i < found.accesses.size(); ++i) {
      if (found.conditional[i]) continue;
      const Access& a = found.accesses[i];
      safe[static_cast<std::size_t>(groups.find(a.first, a.lanes))] = true;
    }
    for (std::int32_t i = block_begin; i < at; i = stmt(i).end) {
      const auto* store = stmt(i).as<ir::Store>();
      if (!store || store->buffer != found.accesses.front().buffer) continue;
      const std::optional<Access>& a = accesses_(store->buffer, store->index[0], true, ranges);
      const bool same = a && equal(a->base, found.accesses.front().base);
      const int group = same ? groups.find(a->first, a->lanes) : -1;
      if (group >= 0) safe[static_cast<std::size_t>(group)] = true;
    }
    return std::all_of(safe.begin(), safe.end(), [](bool s) { return s; });
  }

  static std::vector<bool> overwritten(const Found& found, const Groups& groups) {
    std::vector<bool> is_overwritten(groups.groups.size(), false), is_seen = is_overwritten;
    for (std::size_t i = 0; i < found.accesses.size(); ++i) {
      const Access& a = found.accesses[i];
      const auto group = static_cast<std::size_t>(groups.find(a.first, a.lanes));
      if (!is_seen[group]) is_overwritten[group] = a.is_store && !found.conditional[i];
      is_seen[group] = true;
    }
    return is_overwritten;
  }

  int registers_for(const ir::Buffer& buffer, const Groups& groups) const {
    int count = 0;
    for (const Groups::Group& group : groups.groups) {
      const int wide = ir::bits(buffer->type.scalar) * group.lanes;
      count += std::max(1, (wide + target_.vector_bits - 1) / target_.vector_bits);
    }
    return count;
  }

  static Tile make_tile(const ir::Buffer& buffer, const ir::Linear& base, const Groups& groups) {
    Tile tile{buffer, base, groups, {}, {}, {}};
    std::map<std::int32_t, std::int64_t> count;
    for (const Groups::Group& group : groups.groups) tile.element.push_back(count[group.lanes]++);
    for (const auto& [lanes, n] : count) {
      tile.registers[lanes] = ir::make_buffer(buffer->name + "_tile", buffer->type.with_lanes(lanes),
                                              {n}, ir::Scope::Register);
    }
    return tile;
  }

  const target::Target& target_;
  int budget_;
  AccessCache accesses_;
  std::vector<Tile> tiles_;  // in force around the statement being written
};

}  // namespace

ir::Program promote(ir::Program program, const target::Target& target) {
  return Promote(program, target).run();
}

}  // namespace hone::lower
