// Values that a block stores and loads again stay in registers, and stores that are overwritten before
// anybody reads them go: the zeros that a register tile starts from never reach memory, and neither do
// the partial results of a sum that is written out term by term.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lower/access.h"
#include "lower/condition.h"
#include "lower/passes.h"
#include "lower/rewriter.h"

namespace hone::lower {
namespace {

using ir::Expr;

// A literal or an element of a register buffer: free to use again.
bool is_free(const Expr& value) {
  if (value.as<ir::IntImm>() || value.as<ir::FloatImm>()) return true;
  if (const auto* lanes = value.as<ir::Broadcast>()) return is_free(lanes->value);
  const auto* load = value.as<ir::Load>();
  return load && load->buffer->scope == ir::Scope::Register;
}

class Forward : public Rewriter {
 public:
  explicit Forward(const ir::Program& program) : Rewriter(program), values_(program.stmts.size()) {
    Memory nothing;
    block(0, static_cast<std::int32_t>(program.stmts.size()), nothing);
  }

 protected:
  void statement(std::int32_t at) override {
    const auto* store = stmt(at).as<ir::Store>();
    if (dead_.contains(at)) return;
    if (!store || !values_[static_cast<std::size_t>(at)]) return copy(at);
    writer.store(store->buffer, store->index, values_[static_cast<std::size_t>(at)]);
  }

 private:
  // What is known of memory at one point of a block.
  struct Cell {
    Access where;
    Expr value;              // empty when not worth keeping
    std::int32_t stored_at;  // the store that nobody has read yet; -1 when it has been
    Expr term;               // what was stored, while it would still have the same value
    std::vector<const ir::BufferNode*> sources;  // that the term reads
  };
  using Memory = std::vector<Cell>;

  void block(std::int32_t begin, std::int32_t end, Memory& memory) {
    for (std::int32_t at = begin; at < end; at = stmt(at).end) {
      enter(stmt(at).kind);
      if (const auto* store = stmt(at).as<ir::Store>()) {
        assign(at, *store, memory);
      } else if (const auto* alloc = stmt(at).as<ir::Alloc>()) {
        block(at + 1, stmt(at).end, memory);  // runs once, in line
        end_life(alloc->buffer, memory);
      } else {
        Memory inside;
        block(at + 1, stmt(at).end, inside);
        forget_what_changes_in(at, memory);
        for (Cell& cell : memory)
          cell.term = Expr();  // a term stays on this side of loops and branches
      }
    }
  }

  void assign(std::int32_t at, const ir::Store& store, Memory& memory) {
    const std::optional<Access> where = store.buffer->scope == ir::Scope::Register
                                            ? std::nullopt
                                            : accesses_(store.buffer, store.index[0], true, ranges);
    std::vector<const ir::BufferNode*> sources = buffers_read(store.value);
    const bool goes_on = where && reads_itself(store, *where, sources);
    const Cell* before = goes_on ? unread(*where, memory) : nullptr;
    const Expr value = ir::rewrite(store.value, [&](const Expr& e) {
      const auto* load = e.as<ir::Load>();
      if (!load) return e;
      if (before && load->buffer == store.buffer) return before->term;
      return load->buffer->scope != ir::Scope::Register ? read(e, *load, memory) : e;
    });
    if (!value.same(store.value)) values_[static_cast<std::size_t>(at)] = value;
    // What it reads of itself stays the same until somebody writes there, and then the cell goes.
    if (goes_on) std::erase(sources, store.buffer.get());
    if (before) sources.insert(sources.end(), before->sources.begin(), before->sources.end());
    for (Cell& cell : memory) {
      if (contains(cell.sources, store.buffer)) cell.term = Expr();
    }
    if (store.buffer->scope == ir::Scope::Register) return forget_register(store, memory);
    if (!where) return forget(store.buffer, memory);
    std::erase_if(memory, [&](const Cell& cell) {
      if (cell.where.buffer != store.buffer) return false;
      if (is_same(cell.where, *where) && cell.stored_at >= 0) dead_.insert(cell.stored_at);
      return may_overlap(cell.where, *where);
    });
    const bool can_go_on = !contains(sources, store.buffer);
    memory.push_back(
        {*where, is_free(value) ? value : Expr(), at, can_go_on ? value : Expr(), std::move(sources)});
  }

  // Whether a store reads its buffer once, where it writes: x = x + b.
  bool reads_itself(const ir::Store& store, const Access& where,
                    const std::vector<const ir::BufferNode*>& sources) {
    if (std::count(sources.begin(), sources.end(), store.buffer.get()) != 1) return false;
    bool is_read_there = false;
    ir::visit(store.value, [&](const Expr& e) {
      const auto* load = e.as<ir::Load>();
      if (!load || load->buffer != store.buffer) return;
      const std::optional<Access>& from = accesses_(load->buffer, load->index[0], false, ranges);
      is_read_there = from && is_same(*from, where);
    });
    return is_read_there;
  }

  // The cell that such a store goes on from, a value that nobody has read: x = a; x = x + b is x = a +
  // b.
  static const Cell* unread(const Access& where, const Memory& memory) {
    const auto before = std::find_if(memory.begin(), memory.end(), [&](const Cell& cell) {
      return cell.where.buffer == where.buffer && is_same(cell.where, where);
    });
    const bool is_unread = before != memory.end() && before->stored_at >= 0 && before->term;
    return is_unread ? &*before : nullptr;
  }

  // One entry a load.
  static std::vector<const ir::BufferNode*> buffers_read(const Expr& value) {
    std::vector<const ir::BufferNode*> buffers;
    ir::visit(value, [&](const Expr& e) {
      if (const auto* load = e.as<ir::Load>()) buffers.push_back(load->buffer.get());
    });
    return buffers;
  }

  static bool contains(const std::vector<const ir::BufferNode*>& buffers, const ir::Buffer& buffer) {
    return std::find(buffers.begin(), buffers.end(), buffer.get()) != buffers.end();
  }

  // What a load gives: the value that was stored there, or the load itself, which then counts as a
  // read.
  Expr read(const Expr& e, const ir::Load& load, Memory& memory) {
    const auto is_stored = [&](const Cell& cell) { return cell.where.buffer == load.buffer; };
    if (std::none_of(memory.begin(), memory.end(), is_stored)) return e;
    const std::optional<Access>& where = accesses_(load.buffer, load.index[0], false, ranges);
    for (Cell& cell : memory) {
      if (cell.where.buffer != load.buffer) continue;
      if (where && is_same(cell.where, *where) && cell.value) return cell.value;
      if (!where || may_overlap(cell.where, *where)) cell.stored_at = -1;
    }
    return e;
  }

  static bool may_overlap(const Access& a, const Access& b) {
    return !equal(a.base, b.base) || (a.first < b.first + b.lanes && b.first < a.first + a.lanes);
  }

  static void forget(const ir::Buffer& buffer, Memory& memory) {
    std::erase_if(memory, [&](const Cell& cell) { return cell.where.buffer == buffer; });
  }

  static void forget_register(const ir::Store& store, Memory& memory) {
    for (Cell& cell : memory) {
      const auto* load = cell.value ? cell.value.as<ir::Load>() : nullptr;
      if (load && load->buffer == store.buffer && ir::equal(load->index[0], store.index[0]))
        cell.value = Expr();
    }
  }

  // Its elements are gone, both as memory and as values of others.
  static void end_life(const ir::Buffer& buffer, Memory& memory) {
    forget(buffer, memory);
    for (Cell& cell : memory) {
      const auto* load = cell.value ? cell.value.as<ir::Load>() : nullptr;
      if (load && load->buffer == buffer) cell.value = Expr();
      if (contains(cell.sources, buffer)) cell.term = Expr();
    }
  }

  void forget_what_changes_in(std::int32_t at, Memory& memory) {
    std::unordered_set<const ir::BufferNode*> stored, loaded;
    for (std::int32_t i = at; i < stmt(at).end; ++i) {
      ir::map_exprs(stmt(i).kind, [&](const Expr& e) {
        ir::visit(e, [&](const Expr& part) {
          if (const auto* load = part.as<ir::Load>()) loaded.insert(load->buffer.get());
        });
        return e;
      });
      if (const auto* store = stmt(i).as<ir::Store>()) stored.insert(store->buffer.get());
      if (const auto* touched = stmt(i).as<ir::Intrinsic>()) {
        for (const ir::Region& region : touched->reads) loaded.insert(region.buffer.get());
        for (const ir::Region& region : touched->writes) stored.insert(region.buffer.get());
      }
      if (stmt(i).as<ir::Barrier>()) return memory.clear();
    }
    for (Cell& cell : memory) {
      if (loaded.contains(cell.where.buffer.get())) cell.stored_at = -1;
      const auto* load = cell.value ? cell.value.as<ir::Load>() : nullptr;
      if (load && stored.contains(load->buffer.get())) cell.value = Expr();
    }
    std::erase_if(memory, [&](const Cell& cell) { return stored.contains(cell.where.buffer.get()); });
  }

  AccessCache accesses_;
  std::vector<Expr> values_;  // of stores whose value changes
  std::unordered_set<std::int32_t> dead_;
};

}  // namespace

ir::Program forward(ir::Program program, const target::Target&) { return Forward(program).run(); }

}  // namespace hone::lower
